#include "core/bench.hpp"

#include <algorithm>

namespace lab {
namespace {

bool has_bias(const AttentionParams& m) { return !m.W_value.bias.empty(); }
bool is_causal(const AttentionParams& m) { return m.kind == AttentionKind::causal; }

Pass masked_pass(int words) { return {.route = MaskRoute::neginf, .keep = causal_mask(words)}; }

Pass pass_for(const Bench& bench, const AttentionParams& module) {
  const bool either = is_causal(bench.source) || is_causal(bench.target);
  if (bench.as_is ? is_causal(module) : either) return masked_pass(int(bench.inputs.rows()));
  return {};
}

Run passed(const Bench& bench, const char* prefix, AttentionParams module) {
  Pass pass = with_edits(pass_for(bench, module), bench.edits, prefix);
  return run_of(prefix, std::move(module), bench.inputs, std::move(pass));
}

}  // namespace

bool masks_differ(const Bench& b) { return b.as_is && is_causal(b.source) != is_causal(b.target); }
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
  for (const std::string& slot : slots(bench.source, bench.target)) {
    const Parameter& p = *find_parameter(target, slot);
    bool filled = true;
    for (int r = 0; r < p.stored.rows(); ++r)
      for (int c = 0; c < p.stored.cols(); ++c) filled &= p.origin_of(r, c).kind == Origin::Kind::moved;
    if (!filled) empty.push_back(slot);
  }
  return empty;
}

std::vector<std::vector<Move>> faulty_plans(const Bench& bench) {
  std::vector<Move> right;
  for (const std::string& slot : slots(bench.source, bench.target))
    right.push_back(right_move(bench.source, bench.target, slot));

  std::vector<std::vector<Move>> plans;
  const auto add = [&](std::vector<Move> plan) {
    for (const Move& m : plan)
      if (!m.from.empty() && refusal(m, bench.source, bench.target)) return;
    plans.push_back(std::move(plan));
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::vector<Move> plan = right;
    plan[i].op = right[i].op == MoveOp::copy ? MoveOp::transpose : MoveOp::copy;
    add(plan);
    plan = right;
    plan[i].from.clear();
    add(plan);
    for (std::size_t j = 0; j < right.size(); ++j) {
      if (j == i) continue;
      plan = right;
      plan[i].from = right[j].from;
      add(plan);
      if (j > i) {
        plan[j].from = right[i].from;
        add(plan);
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
