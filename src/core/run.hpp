// One pass of forward() with all that it was made from, and the user's edits in it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/cell.hpp"
#include "core/forward.hpp"

namespace lab {

// Names of its matrices begin with the prefix: "", "source.",
// "simple." …
struct Run {
  std::string prefix;
  AttentionParams module;
  Pass pass;
  AttentionTrace trace;
  std::uint64_t dropout_seed = 0;  // what pass.dropout_mask was drawn from
};

// The edits of a trace's matrices that belong to a run, ready for forward().
std::vector<CellEdit> edits_of_run(const std::vector<Edit>& edits, std::string_view prefix);
// Overwrites cells of a parameter and remembers what they held before their first edit.
void apply_edits(Parameter& parameter, std::string_view prefix, const std::vector<Edit>& edits);

}  // namespace lab
