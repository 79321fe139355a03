// The two modules of the bench, with the moves between them.
#include "lessons/make_runs.hpp"
#include "lessons/transfer_lesson.hpp"

namespace lab {
namespace {

// Edits of the source's own parameters are the source's numbers, not a change that the bench made.
std::vector<Edit> without_source_parameters(std::vector<Edit> edits, const AttentionParams& source) {
  std::erase_if(edits, [&](const Edit& e) {
    const std::string_view name = e.cell.name;
    return name == "inputs" || (name.starts_with(kSource) &&
                                find_parameter(source, name.substr(std::string_view(kSource).size())));
  });
  return edits;
}

// Both have equally many heads, each d_out wide.
AttentionParams bench_module(AttentionKind kind, Inputs in, std::uint64_t seed) {
  if (!has_heads(in.from) || !has_heads(in.to)) in.heads = 1;
  if (kind == AttentionKind::mha) in.d_out *= in.heads;
  return fresh_module(kind, in, seed);
}

}  // namespace

void make_transfer_runs(Runs& runs, const Inputs& in) {
  Bench b{.source = bench_module(in.from, in, in.seed),
          .target = bench_module(in.to, in, in.target_seed.value_or(in.seed)),
          .inputs = runs.inputs.stored,
          .as_is = in.as_is,
          .rtol = in.rtol,
          .atol = in.atol};
  match_out_proj(b.source, b.target);
  for (Parameter* p : parameters(b.source)) apply_edits(*p, kSource, in.edits);
  b.edits = without_source_parameters(in.edits, b.source);
  b.moves = moves_in_force(in, b);
  with_moves(b.target, b.source, b.moves, &runs.problems);
  Sides sides = run_both(b);
  runs.runs = {std::move(sides.source), std::move(sides.target)};
  add_difference(runs, difference_row(), output_matrix(runs.runs[0]), output_matrix(runs.runs[1]));
  runs.comparison = sides.comparison;
  runs.bench = std::move(b);
}

std::vector<Move> moves_in_force(const Inputs& in, const Bench& bench) {
  if (!in.fault) return in.moves;
  return broken_plan(bench, *in.fault).value_or(in.moves);
}

}  // namespace lab
