#include "lessons/results.hpp"

#include "lessons/compute.hpp"

namespace lab {

bool any_slot_empty(const Results& r) {
  return !r.inputs.fault && r.runs.bench && !empty_slots(*r.runs.bench).empty();
}

Results results_of(const Inputs& inputs) {
  Results r{.inputs = inputs, .runs = compute(inputs)};
  const bool differs = r.runs.bench && !r.runs.words.empty() && !r.runs.comparison.all_close;
  if (differs && !any_slot_empty(r)) r.search.emplace(*r.runs.bench);
  return r;
}

}  // namespace lab
