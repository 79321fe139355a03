#include "lessons/transfer_lesson.hpp"

#include <algorithm>
#include <numbers>

#include "core/turn.hpp"
#include "lessons/compute.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/texts/transfer_texts.hpp"

namespace lab {
namespace {

using namespace transfer_texts;

void set_slip(State& s) {
  set_square_trap(s);
  fill_all_slots(s);
  s.inputs.moves[0].op = MoveOp::copy;
}

// Turns the first two output numbers of query and key alike; every dot product stays what it was.
void set_freedom(State& s) {
  if (s.inputs.d_out < 2) s.inputs.d_out = 2;
  if (4 * s.inputs.d_in > kMaxEdits) s.inputs.d_in = 3;  // two columns of two matrices are edited
  s.inputs.bias = s.inputs.as_is = false;
  fill_all_slots(s);
  const Runs runs = compute(s.inputs);
  const AttentionParams& target = runs.runs[1].module;
  for (const Slot slot : {Slot::query, Slot::key})
    for (const Parameter* p : {&projection(target, slot).weight, &projection(target, slot).bias}) {
      if (p->empty()) continue;  // of several heads the first
      const Parameter turned = turned_outputs(*p, std::numbers::pi / 6);
      for (int r = 0; r < p->stored.rows(); ++r)
        for (int c = 0; c < p->stored.cols(); ++c)
          if (turned.stored(r, c) != p->stored(r, c) && int(s.inputs.edits.size()) < kMaxEdits)
            s.inputs.edits.push_back({{kTarget + p->name, r, c}, turned.stored(r, c)});
    }
}

// The square bench with everything right, so that nothing gives the answer away.
void ask_question(State& s) {
  set_square_trap(s);
  fill_all_slots(s);
}

const CellName kLargest = {"difference", 1, 1};

const Step kSteps[] = {
    {.id = "pair", .says = &pair, .cell = kLargest},
    {.id = "draws", .says = &draws, .cell = {"source.W_query.weight", 0, 0}, .lit = Slot::query},
    {.id = "W_query", .says = &W_query, .cell = {"target.W_query", 0, 1}, .lit = Slot::query},
    {.id = "W_key", .says = &W_key, .cell = {"target.W_key", 0, 1}, .lit = Slot::key},
    {.id = "W_value", .says = &W_value, .cell = {"target.context_vec", 1, 0}, .lit = Slot::value},
    {.id = "match", .says = &match, .cell = kLargest},
    {.id = "square", .says = &square, .cell = kLargest, .patch = set_square_trap},
    {.id = "slip", .says = &slip, .cell = {"difference", 5, 1}, .lit = Slot::query, .patch = set_slip},
    {.id = kFaultStep, .says = &blame, .cell = kLargest},
    {.id = "freedom", .says = &freedom, .cell = {"difference", 1, 0}, .patch = set_freedom},
    questions::transfer().front(),
};

}  // namespace

Lesson transfer_lesson() {
  return {
      .id = "transfer",
      .says = &lesson,
      .controls = "d_in d_out heads seed target_seed bias word_seed",
      .steps = kSteps,
      .make_runs = make_transfer_runs,
      .program = transfer_code,
      .stage = Stage::bench,
      .questions = questions::transfer(),
  };
}

void fill_all_slots(State& s) {
  s.inputs.moves.clear();
  s.inputs.fault.reset();
  std::erase_if(s.inputs.edits, [](const Edit& e) { return e.cell.name.starts_with(kTarget); });
  const Runs runs = compute(s.inputs);
  for (const std::string& slot : slots(runs.bench->source, runs.bench->target))
    s.inputs.moves.push_back(right_move(runs.bench->source, runs.bench->target, slot));
}

void set_square_trap(State& s) {
  Inputs& in = s.inputs;
  in.d_in = in.d_out = 3;
  in.heads = 1;
  in.seed = 789;
  in.target_seed.reset();
  in.edits.clear();
  in.bias = false;
  in.from = AttentionKind::v2;
  in.to = AttentionKind::v1;
  fill_all_slots(s);
  for (Move& m : in.moves) m.op = MoveOp::copy;
}

void swap_direction(State& s) {
  std::swap(s.inputs.from, s.inputs.to);
  if (s.inputs.target_seed) std::swap(s.inputs.seed, *s.inputs.target_seed);
  s.inputs.moves.clear();
  s.inputs.fault.reset();
  s.inputs.edits.clear();
}

void carry_moves(Inputs& in, const Inputs& before) {
  if (in.moves.empty() || !has_heads(in.from) || !has_heads(in.to)) return;
  const Runs was = compute(before), is = compute(in);
  if (!was.bench || !is.bench) return;
  const AttentionParams &source = was.bench->source, &target = was.bench->target;
  const auto now = pairs(is.bench->source, is.bench->target);
  const auto same = [&](const Pair& pair) {
    return std::find_if(now.begin(), now.end(), [&](const Pair& p) {
      return p.slot == pair.slot && p.head == pair.head && p.bias == pair.bias;
    });
  };
  std::erase_if(in.moves, [&](Move& m) {
    const auto from = pair_from(source, target, text_of(from_piece(m)));
    const auto into = pair_into(source, target, text_of(to_piece(m)));
    if (!into || (!from && !m.from.empty())) return false;  // a rectangle of the user's own stays
    const auto new_from = from ? same(*from) : now.end(), new_into = same(*into);
    if ((from && new_from == now.end()) || new_into == now.end()) return true;
    m = move_between(from ? new_from->from : Piece{}, m.op, new_into->to);
    return false;
  });
}

std::vector<float> harm_of_each_copy(const Results& r) {
  std::vector<float> harm;
  for (const Slot slot : kSlots) {
    State s = defaults_of("transfer");
    s.inputs.text = r.inputs.text;
    s.inputs.word_seed = r.inputs.word_seed;
    ask_question(s);
    s.inputs.moves[std::size_t(slot)].op = MoveOp::copy;
    harm.push_back(compute(s.inputs).comparison.max_difference);
  }
  return harm;
}

}  // namespace lab
