#include "core/bench.hpp"

#include <algorithm>

#include "core/multi_head.hpp"

namespace lab {
namespace {

Pass pass_for(const Bench& bench, const AttentionParams& module) {
  const bool either = is_causal(bench.source.kind) || is_causal(bench.target.kind);
  Pass pass;
  if (bench.as_is ? is_causal(module.kind) : either)
    pass = {.route = MaskRoute::neginf, .keep = causal_mask(int(bench.inputs.rows()))};
  if (has_heads(module.kind)) pass.heads = std::vector<Pass>(std::size_t(module.num_heads), pass);
  return pass;
}

Run passed(const Bench& bench, const char* prefix, AttentionParams module) {
  Pass pass = with_edits(pass_for(bench, module), bench.edits, prefix);
  return run_of(prefix, std::move(module), bench.inputs, std::move(pass));
}

}  // namespace

void match_out_proj(AttentionParams& source, AttentionParams& target) {
  if (source.out_proj.weight.empty() == target.out_proj.weight.empty()) return;
  pass_on(source.out_proj.weight.empty() ? target : source);
}
bool passes_on(const Bench& b) {
  return b.source.out_proj.weight.empty() != b.target.out_proj.weight.empty();
}

bool masks_differ(const Bench& b) { return b.as_is && is_causal(b.source.kind) != is_causal(b.target.kind); }
bool biases_differ(const Bench& b) { return has_bias(b.source) != has_bias(b.target); }

Run run_source(const Bench& bench) { return passed(bench, kSource, bench.source); }

Run run_target(const Bench& bench) {
  AttentionParams target = with_moves(bench.target, bench.source, bench.moves);
  for (Parameter* p : parameters(target)) apply_edits(*p, kTarget, bench.edits);
  return passed(bench, kTarget, std::move(target));
}

Sides run_both(const Bench& bench) {
  Sides s{.source = run_source(bench), .target = run_target(bench)};
  s.comparison = compared(output_of(s.target), output_of(s.source), bench.rtol, bench.atol);
  return s;
}

// A slot is filled when its moves have written every cell of it.
std::vector<std::string> empty_slots(const Bench& bench) {
  const AttentionParams target = with_moves(bench.target, bench.source, bench.moves);
  std::vector<std::string> empty;
  for (const Pair& pair : pairs(bench.source, bench.target)) {
    if (!pair.is_slot()) continue;
    const Parameter& p = *find_parameter(target, pair.to.name);
    const Rect cells = pair.to.cells.value_or(whole(p.stored));
    bool filled = true;
    for (int r = cells.r0; r < cells.r1; ++r)
      for (int c = cells.c0; c < cells.c1; ++c) filled &= p.origin_of(r, c).kind == Origin::Kind::moved;
    if (!filled) empty.push_back(text_of(pair.to));
  }
  return empty;
}

namespace {

// What could be taken for each other: what one head has, and what several have of one kind.
bool are_alike(const Pair& a, const Pair& b) {
  return a.slot && b.slot && (a.head == b.head || (a.slot == b.slot && a.bias == b.bias));
}

void take_from(Move& move, const Move& other) {
  move.from = other.from;
  move.from_cells = other.from_cells;
}

}  // namespace

std::vector<std::vector<Move>> faulty_plans(const Bench& bench) {
  std::vector<Pair> partners;
  std::vector<Move> right;
  for (const Pair& pair : pairs(bench.source, bench.target)) {
    if (!pair.is_slot()) continue;
    partners.push_back(pair);
    right.push_back(right_move(bench.source, bench.target, text_of(pair.to)));
  }
  std::vector<std::vector<Move>> plans;
  const auto add = [&](const std::vector<Move>& plan, std::initializer_list<std::size_t> changed) {
    for (const std::size_t i : changed)
      if (!plan[i].from.empty() && refusal(plan[i], bench.source, bench.target)) return;
    plans.push_back(plan);
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::vector<Move> plan = right;
    plan[i].op = right[i].op == MoveOp::copy ? MoveOp::transpose : MoveOp::copy;
    add(plan, {i});
    plan = right;
    take_from(plan[i], {});
    add(plan, {i});
    for (std::size_t j = 0; j < right.size(); ++j) {
      if (j == i || !are_alike(partners[i], partners[j])) continue;
      plan = right;
      take_from(plan[i], right[j]);
      add(plan, {i});
      if (j > i) {
        take_from(plan[j], right[i]);
        add(plan, {i, j});
      }
    }
  }
  return plans;
}

std::optional<std::vector<Move>> broken_plan(const Bench& as_it_is, std::uint32_t n) {
  Bench bench = as_it_is;
  bench.as_is = false;  // a fault of the plan, not of the masks; and the same one whatever the tolerance
  bench.rtol = Bench{}.rtol;
  bench.atol = Bench{}.atol;
  const auto plans = faulty_plans(bench);
  const Matrix expected = output_of(run_source(bench));
  // A fault that nobody can see cannot be found: a key's bias, or query and key with one word.
  for (std::size_t i = 0; i < plans.size(); ++i) {
    bench.moves = plans[(n + i) % plans.size()];
    if (!compared(output_of(run_target(bench)), expected, bench.rtol, bench.atol).all_close)
      return bench.moves;
  }
  return std::nullopt;
}

}  // namespace lab
