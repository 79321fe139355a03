// One pass of forward() with all that it was made from, and the user's edits in it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/cell.hpp"
#include "core/forward.hpp"

namespace lab {

// Names of its matrices begin with the prefix: "", "source.", "simple.", "mha.heads.0." …
struct Run {
  std::string prefix;
  AttentionParams module;
  Pass pass;
  AttentionTrace trace;
  std::uint64_t dropout_seed = 0;  // what pass.dropout_mask was drawn from

  std::vector<Run> heads;     // of a module with several, each with its own prefix
  int head = -1;              // of such a head: which it is
  std::string module_prefix;  // and what the names of its module's matrices begin with
};

// The module goes through its pass.
Run run_of(std::string prefix, AttentionParams module, const Matrix& inputs, Pass pass);
// T × output_width(), what the module returns, and its name without the prefix: "context_vec" or "out".
const Matrix& output_of(const Run& run);
const char* output_name(const AttentionParams& module);
inline std::string output_matrix(const Run& run) { return run.prefix + output_name(run.module); }
HeadShape head_shape(const Run& run);  // of a module with several heads

// The edits of a trace's matrices that belong to a run and to its heads, ready for the pass.
Pass with_edits(Pass pass, const std::vector<Edit>& edits, std::string_view prefix);
// Overwrites cells of a parameter and remembers what they held before their first edit.
void apply_edits(Parameter& parameter, std::string_view prefix, const std::vector<Edit>& edits);

}  // namespace lab
