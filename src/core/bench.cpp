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
  Run run{.prefix = prefix, .module = std::move(module)};
  run.pass = pass_for(bench, run.module);
  run.pass.edits = edits_of_run(bench.edits, prefix);
  run.trace = forward(run.module, bench.inputs, run.pass);
  return run;
}

}  // namespace

bool masks_differ(const Bench& b) { return b.as_is && is_causal(b.source) != is_causal(b.target); }
bool biases_differ(const Bench& b) { return has_bias(b.source) != has_bias(b.target); }

Sides run_both(const Bench& bench) {
  AttentionParams target = with_moves(bench.target, bench.source, bench.moves);
  for (Parameter* p : parameters(target)) apply_edits(*p, kTarget, bench.edits);
  Sides s{.source = passed(bench, kSource, bench.source),
          .target = passed(bench, kTarget, std::move(target))};
  const Matrix &theirs = s.source.trace.context_vec, &ours = s.target.trace.context_vec;
  s.difference = theirs - ours;
  s.comparison = compared(ours, theirs, bench.rtol, bench.atol);
  return s;
}

std::vector<std::string> empty_slots(const Bench& bench) {
  std::vector<std::string> empty;
  for (const std::string& slot : slots(bench.source, bench.target)) {
    const bool filled = std::any_of(bench.moves.begin(), bench.moves.end(), [&](const Move& m) {
      return m.to == slot && !m.from.empty() && !refusal(m, bench.source, bench.target);
    });
    if (!filled) empty.push_back(slot);
  }
  return empty;
}

std::vector<std::vector<Move>> broken_plans(const Bench& as_it_is) {
  Bench bench = as_it_is;
  bench.as_is = false;  // a fault of the plan, not of the masks
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
  // A fault that nobody can see cannot be found: a key's bias, or query and key with one word.
  std::erase_if(plans, [&](const std::vector<Move>& plan) {
    bench.moves = plan;
    return run_both(bench).comparison.all_close;
  });
  return plans;
}

}  // namespace lab
