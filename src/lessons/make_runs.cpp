#include "lessons/make_runs.hpp"

#include "core/multi_head.hpp"

namespace lab {

AttentionParams fresh_module(AttentionKind kind, const Inputs& in, std::uint64_t seed) {
  TorchRandom random(seed);
  return made_module(kind, {in.d_in, in.d_out, in.heads, in.bias}, random, seed);
}

Run& add_run(Runs& runs, const Inputs& in, const std::string& prefix, AttentionParams module, Pass pass) {
  for (Parameter* p : parameters(module)) apply_edits(*p, prefix, in.edits);
  pass = with_edits(std::move(pass), in.edits, prefix);
  runs.runs.push_back(run_of(prefix, std::move(module), runs.inputs.stored, std::move(pass)));
  return runs.runs.back();
}

namespace {

void revert(Parameter& p) {
  while (!p.origins.empty() && p.origins.back().kind == Origin::Kind::edited) {
    const Origin& o = p.origins.back();
    p.stored(o.cells.r0, o.cells.c0) = o.was;
    p.origins.pop_back();
  }
}

}  // namespace

std::vector<CellEdit> inputs_taken_back(const Runs& runs, Tensor tensor) {
  Parameter inputs = runs.inputs;
  revert(inputs);
  std::vector<CellEdit> edits;
  for (int r = 0; r < inputs.stored.rows(); ++r)
    for (int c = 0; c < inputs.stored.cols(); ++c)
      if (inputs.stored(r, c) != runs.inputs.stored(r, c))
        edits.push_back({tensor, r, c, inputs.stored(r, c)});
  return edits;
}

void add_unedited_runs(Runs& runs, const Inputs& in) {
  if (in.edits.empty()) return;
  const std::size_t made = runs.runs.size();
  for (std::size_t i = 0; i < made; ++i) {
    AttentionParams module = runs.runs[i].module;
    for (Parameter* p : parameters(module)) revert(*p);
    Pass pass = with_edits(runs.runs[i].pass, {}, "");
    pass.edits = inputs_taken_back(runs);
    Run run = run_of(kUnedited + runs.runs[i].prefix, std::move(module), runs.inputs.stored, std::move(pass));
    run.dropout_seed = runs.runs[i].dropout_seed;
    runs.runs.push_back(std::move(run));
  }
}

}  // namespace lab
