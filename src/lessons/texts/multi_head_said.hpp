// What the sentences about several heads ask of the numbers. Only texts/ include this.
#pragma once
#include <string>

#include "core/attention.hpp"
#include "core/compare.hpp"
#include "lessons/results.hpp"

namespace lab::multi_head_texts {

inline double most(const MatrixView& m) { return largest_size(m); }
inline bool no_words_here(const Results& r) { return r.runs.words.empty(); }
inline const AttentionParams& wrapper(const Results& r) { return r.runs.runs[0].module; }
inline int heads_of(const Results& r) { return wrapper(r).num_heads; }
inline int width_of(const Results& r) { return head_dim(wrapper(r)); }
inline bool drops(const Results& r) { return r.runs.runs[0].parts[0].trace.dropout_mask.size() != 0; }
inline std::string counted_heads(int n) { return n == 1 ? "1 head" : std::to_string(n) + " heads"; }

}  // namespace lab::multi_head_texts
