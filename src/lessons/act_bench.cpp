// What the user does on the transfer bench: drops, switches, wires, and the four buttons of the verdict.
#include <algorithm>

#include "lessons/compute.hpp"
#include "lessons/doing.hpp"
#include "lessons/pieces.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/transfer_lesson.hpp"
#include "lessons/verdict.hpp"

namespace lab {
namespace {

// The hidden plan becomes the user's own as soon as they know it and change it.
void own_moves(Doing& h) {
  if (h.state.inputs.fault) h.state.inputs.moves = h.bench().moves;
  h.state.inputs.fault.reset();
  h.state.view.guess.clear();
}

// By their texts.
Piece slot_piece(const Doing& h, const std::string& slot) {
  const auto pair = pair_into(h.bench().source, h.bench().target, slot);
  return pair ? pair->to : Piece{slot, {}};
}
Piece source_piece(const Doing& h, const std::string& from) {
  const auto pair = pair_from(h.bench().source, h.bench().target, from);
  return pair ? pair->from : Piece{from, {}};
}

// As it stands; where none does, one without a source.
Move move_into(const Doing& h, const Piece& slot) {
  for (const Move& m : h.state.inputs.moves)
    if (writes_into(m, slot, h.bench().target)) return m;
  return move_between({}, MoveOp::copy, slot);
}

void clear_slot(Doing& h, const Piece& slot) {
  std::erase_if(h.state.inputs.moves, [&](const Move& m) { return writes_into(m, slot, h.bench().target); });
}

void replace_move(Doing& h, const Move& move) {
  clear_slot(h, to_piece(move));
  h.state.inputs.moves.push_back(move);
}

// After a slot was filled the lesson walks on to the next empty one.
void follow_along(Doing& h) {
  Bench b = h.bench();
  b.moves = h.state.inputs.moves;
  const auto steps = lesson_of(h.state).steps;
  const int index = step_index(h.state);
  const auto match =
      std::find_if(steps.begin(), steps.end(), [](const Step& s) { return std::string(s.id) == "match"; });
  if (match == steps.end() || index >= match - steps.begin()) return;
  const auto empty = empty_slots(b);
  const auto is_empty = [&](Slot slot) {
    return std::any_of(empty.begin(), empty.end(), [&](const std::string& name) {
      const auto pair = pair_into(b.source, b.target, name);
      return pair->slot == slot && !pair->bias;
    });
  };
  const Step* next = empty.empty() ? &*match : nullptr;
  for (auto s = steps.begin(); s != match && !next; ++s)
    if (s->lit && std::string(s->id) != "draws" && is_empty(*s->lit)) next = &*s;
  if (!next || next == &steps[std::size_t(index)]) return;
  const std::string done = h.hand.said;
  go_to_step(h, *next, false);
  h.hand.said = next == &*match ? done : done + " " + next->says->title + ".";
}

void place(Doing& h, Move move) {
  if (const auto no = refusal(move, h.bench().source, h.bench().target)) {
    h.hand.refused = move;
    h.hand.said = no->what + " " + no->why;
    return;
  }
  own_moves(h);
  replace_move(h, move);
  std::erase_if(h.state.inputs.edits, [&](const Edit& e) {
    return e.cell.name == kTarget + move.to &&
           (!move.to_cells || move.to_cells->contains(e.cell.row, e.cell.col));
  });
  h.hand.held.clear();
  h.hand.said = filled(
      move.op == MoveOp::copy ? "{0} copied into {1}." : "{0} transposed into {1}.",
      {source_words(h.bench(), text_of(from_piece(move))), slot_words(h.bench(), text_of(to_piece(move)))});
  follow_along(h);
}

void drop_on_slot(Doing& h, const std::string& slot, const std::string& from) {
  const Piece to = slot_piece(h, slot);
  Move m = move_between(source_piece(h, from), move_into(h, to).op, to);
  // A bias has no orientation, so its switch never stands in the way.
  if (const Parameter* p = find_parameter(h.bench().target, to.name); p && p->one_dimensional)
    m.op = MoveOp::copy;
  place(h, m);
}

void use_slot(Doing& h, const std::string& slot, const std::string& dropped) {
  const std::string from = dropped.empty() ? h.hand.held : dropped;
  if (hides_fault(h.state.inputs, h.state.view.guess)) {
    if (h.results.runs.words.empty()) return;
    if (!from.empty()) {
      h.hand.held.clear();
      h.hand.said = "A fault is hidden: click the slot that you think is wrong.";
      return;
    }
    h.state.view.guess = slot;
    h.hand.said = "You named " + slot_words(h.bench(), slot) + ".";
  } else if (!from.empty()) {
    drop_on_slot(h, slot, from);
  } else {
    const Piece piece = slot_piece(h, slot);
    const Rect cells = piece.cells.value_or(Rect{});
    h.state.view.cell = CellName{kTarget + piece.name, cells.r0, cells.c0};
  }
}

void turn_switch(Doing& h, const std::string& slot, const std::string& value) {
  if (hides_fault(h.state.inputs, h.state.view.guess)) return;
  own_moves(h);
  Move m = move_into(h, slot_piece(h, slot));
  m.op = value == "copy"        ? MoveOp::copy
         : value == "transpose" ? MoveOp::transpose
         : m.op == MoveOp::copy ? MoveOp::transpose
                                : MoveOp::copy;
  if (!m.from.empty()) return place(h, m);
  replace_move(h, m);
  h.hand.said = slot_words(h.bench(), slot) + ": " + name_of(m.op);
}

void empty_slot(Doing& h, const std::string& slot) {
  if (hides_fault(h.state.inputs, h.state.view.guess)) return;
  own_moves(h);
  const Piece piece = slot_piece(h, slot);
  replace_move(h, move_between({}, move_into(h, piece).op, piece));
  h.hand.said = slot_words(h.bench(), slot) + " holds its own numbers again.";
}

void break_it(Doing& h) {
  State broken = h.state;
  Inputs& in = broken.inputs;
  if (biases_differ(h.bench())) in.bias = false;  // or the bias would always be the answer
  in.edits.clear();
  in.as_is = false;
  in.moves.clear();
  in.rtol = Inputs{}.rtol;
  in.atol = Inputs{}.atol;
  in.fault = h.random;
  broken.view.guess.clear();
  broken.view.cell.reset();
  broken.view.step = kFaultStep;
  const Runs runs = compute(in);
  if (runs.bench->moves.empty()) {
    h.hand.said = "With these words no fault would show. Type a sentence of two words or more.";
    return;
  }
  h.state = broken;
  h.hand.said = "One matrix is wrong now. Which one?";
}

}  // namespace

bool act_on_bench(Doing& h, const Action& a) {
  std::string name;
  if (begins(a.id, "source.", name)) {
    h.hand.held = h.hand.held == name ? "" : name;
    const std::string words = source_words(h.bench(), name);
    h.hand.said = h.hand.held.empty() ? words + " put back." : words + " in hand. Choose a slot.";
  } else if (begins(a.id, "slot.", name)) {
    use_slot(h, name, a.value);
  } else if (begins(a.id, "op.", name)) {
    turn_switch(h, name, a.value);
  } else if (begins(a.id, "wire.", name)) {
    empty_slot(h, name);
  } else if (a.id == "other-way") {
    if (!h.hand.refused) return true;
    Move m = *h.hand.refused;
    m.op = m.op == MoveOp::copy ? MoveOp::transpose : MoveOp::copy;
    h.hand.refused.reset();
    place(h, m);
  } else if (a.id == "dismiss") {
    if (!h.hand.held.empty()) h.hand.said = source_words(h.bench(), h.hand.held) + " put back.";
    h.hand.held.clear();
  } else if (a.id == "auto") {
    fill_all_slots(h.state);
    h.state.view.guess.clear();
    h.hand.said = "All slots filled from their partners.";
    follow_along(h);
  } else if (a.id == "swap") {
    swap_direction(h.state);
    h.state.view.guess.clear();
    h.hand.held.clear();
    go_to_step(h, lesson_of(h.state).steps.front(), false);
    h.hand.said = "Direction swapped.";
  } else if (a.id == "trap") {
    set_square_trap(h.state);
    h.state.view.step = "square";
    h.state.view.guess.clear();
    h.state.view.cell.reset();
  } else if (a.id == "break") {
    break_it(h);
  } else if ((a.id == "compare" || a.id == "torch-tolerance") &&
             hides_fault(h.state.inputs, h.state.view.guess)) {
    h.hand.said = "A fault is hidden: name a slot first.";
  } else if (a.id == "compare") {
    h.state.inputs.as_is = a.value.empty() ? !h.state.inputs.as_is : a.value == "as-is";
  } else if (a.id == "torch-tolerance") {
    h.state.inputs.rtol = 1e-5;
    h.state.inputs.atol = 1e-8;
  } else if (a.id == "verdict") {
    h.state.view.cell = CellName{"difference", h.results.runs.comparison.row, h.results.runs.comparison.col};
  } else {
    return false;
  }
  return true;
}

bool play_on_bench(Doing& h) {
  const Step& step = step_of(h.state);
  if (!step.lit || std::string(step.id) == "draws") return false;
  for (const Pair& pair : pairs(h.bench().source, h.bench().target))
    if (pair.is_slot() && pair.slot == step.lit && !pair.bias)
      place(h, right_move(h.bench().source, h.bench().target, text_of(pair.to)));
  return true;
}

}  // namespace lab
