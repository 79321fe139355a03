// What of a module moves on the bench, in words.
#pragma once
#include <string>

#include "core/bench.hpp"

namespace lab {

// As Python slices it: "W_query.weight[2:4]", "W_query.bias[2:4]", "W_query[0:3, 1:2]".
std::string sliced(const Piece& piece, const AttentionParams& module);
// By the text of the piece; where there are several heads, with its head: "W_key.weight of head 2".
std::string slot_words(const Bench& bench, const std::string& slot);
std::string source_words(const Bench& bench, const std::string& from);

}  // namespace lab
