#include "lessons/compute.hpp"

#include "core/word_vectors.hpp"
#include "core/words.hpp"

namespace lab {
namespace {

// A module made right after its own torch.manual_seed, as the book's exercise 3.1 makes both.
AttentionParams fresh_module(AttentionKind kind, const Inputs& in, std::uint64_t seed) {
  TorchRandom random(seed);
  return made_attention(kind, in.d_in, in.d_out, in.bias, random, seed);
}

// Edits of the source's own parameters are the source's numbers, not a change that the bench made.
std::vector<Edit> without_source_parameters(std::vector<Edit> edits, const AttentionParams& source) {
  std::erase_if(edits, [&](const Edit& e) {
    const std::string_view name = e.cell.name;
    return name == "inputs" || (name.starts_with(kSource) &&
                                find_parameter(source, name.substr(std::string_view(kSource).size())));
  });
  return edits;
}

void run_bench(Runs& runs, const Inputs& in) {
  Bench b{.source = fresh_module(in.from, in, in.seed),
          .target = fresh_module(in.to, in, in.target_seed.value_or(in.seed)),
          .inputs = runs.inputs.stored,
          .as_is = in.as_is,
          .rtol = in.rtol,
          .atol = in.atol};
  for (Parameter* p : parameters(b.source)) apply_edits(*p, kSource, in.edits);
  b.edits = without_source_parameters(in.edits, b.source);
  b.moves = moves_in_force(in, b);
  with_moves(b.target, b.source, b.moves, &runs.problems);
  Sides sides = run_both(b);
  runs.runs = {std::move(sides.source), std::move(sides.target)};
  runs.difference = std::move(sides.difference);
  runs.comparison = sides.comparison;
  runs.bench = std::move(b);
}

void add_run(Runs& runs, const Inputs& in, const char* prefix, AttentionParams module) {
  for (Parameter* p : parameters(module)) apply_edits(*p, prefix, in.edits);
  Run run{.prefix = prefix, .module = std::move(module)};
  run.pass.edits = edits_of_run(in.edits, prefix);
  run.trace = forward(run.module, runs.inputs.stored, run.pass);
  runs.runs.push_back(std::move(run));
}

void run_self_attention(Runs& runs, const Inputs& in) {
  add_run(runs, in, "simple.", {.kind = AttentionKind::simple, .d_in = in.d_in, .d_out = in.d_in});
  add_run(runs, in, "", fresh_module(AttentionKind::v1, in, in.seed));
}

}  // namespace

std::vector<Move> moves_in_force(const Inputs& in, const Bench& bench) {
  if (!in.fault) return in.moves;
  return broken_plan(bench, *in.fault).value_or(in.moves);
}

Runs compute(const Inputs& in) {
  Runs runs;
  runs.words = words_of(in.text);
  if (int(runs.words.size()) > kMaxWords) runs.words.resize(kMaxWords);
  runs.inputs = word_vectors(runs.words, in.d_in, in.word_seed);
  apply_edits(runs.inputs, "", in.edits);
  if (in.lesson == "transfer") run_bench(runs, in);
  if (in.lesson == "self-attention") run_self_attention(runs, in);
  return runs;
}

}  // namespace lab
