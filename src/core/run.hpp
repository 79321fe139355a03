// One pass of forward() with all that it was made from, and the user's edits in it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cell.hpp"
#include "core/forward.hpp"
#include "core/norm_example.hpp"
#include "core/transformer_block.hpp"

namespace lab {

// Names of its matrices begin with the prefix: "", "source.", "simple.", "mha.heads.0.", "att." …
struct Run {
  std::string prefix;
  AttentionParams module;  // and
  Pass pass;               // where it is one; else a
  std::optional<Block> block;
  std::optional<NormExample> norm_example;
  Trace trace;
  std::string inputs_name = "inputs";  // the matrix that it reads, by its whole name
  std::uint64_t dropout_seed = 0;      // what the masks of its pass were drawn from

  std::vector<Run> parts;     // the heads of a module with several, the attention of a block
  int head = -1;              // of such a head: which it is
  std::string module_prefix;  // and what the names of its module's matrices begin with
};

// The module goes through its pass.
Run run_of(std::string prefix, AttentionParams module, const Matrix& inputs, Pass pass);
Run run_block(std::string prefix, TransformerBlockParams params, const Matrix& x, BlockPass pass);
Run run_norm_example(std::string prefix, NormExample example);
// The rows of its matrices are words.
inline bool is_by_word(const Run& run) { return !run.norm_example; }
const std::vector<CellEdit>& edits_of(const Run& run);

// Its own, without those of its parts; a stack's are its heads'. In the order of state_dict().
std::vector<const Parameter*> parameters(const Run& run);
const Parameter* find_parameter(const Run& run, std::string_view name);  // null: no such parameter
std::vector<const Projection*> projections(
    const Run& run);  // what its inputs and what follows are multiplied by

// T × output_width(), what the module returns, and its name without the prefix: "context_vec" or "out".
const Matrix& output_of(const Run& run);
const char* output_name(const AttentionParams& module);
inline std::string output_matrix(const Run& run) { return run.prefix + output_name(run.module); }
HeadShape head_shape(const Run& run);  // of a module with several heads

// The edits of a trace's matrices that belong to a run and to its heads, ready for the pass.
Pass with_edits(Pass pass, const std::vector<Edit>& edits, std::string_view prefix);
BlockPass with_edits(BlockPass pass, const std::vector<Edit>& edits, std::string_view prefix);
NormExample with_edits(NormExample example, const std::vector<Edit>& edits, std::string_view prefix);
// Overwrites cells of a parameter and remembers what they held before their first edit.
void apply_edits(Parameter& parameter, std::string_view prefix, const std::vector<Edit>& edits);

}  // namespace lab
