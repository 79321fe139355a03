// What the lessons' runs are made from.
#pragma once
#include "core/runs.hpp"
#include "lessons/state.hpp"

namespace lab {

// A module made right after its own torch.manual_seed, as the book's exercise 3.1 makes both of its.
AttentionParams fresh_module(AttentionKind kind, const Inputs& in, std::uint64_t seed);

// One pass over the sentence, its matrices named with the prefix; edits of its parameters and of its trace
// are made.
Run& add_run(Runs& runs, const Inputs& in, const std::string& prefix, AttentionParams module, Pass pass = {});

// What brings the inputs back to what they were before any edit.
std::vector<CellEdit> inputs_taken_back(const Runs& runs, Tensor inputs = &Trace::inputs);
// The same runs as they would be without the user's edits: "unedited." before each prefix. None without
// edits.
void add_unedited_runs(Runs& runs, const Inputs& in);

}  // namespace lab
