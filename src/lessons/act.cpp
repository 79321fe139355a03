#include "lessons/act.hpp"

#include <algorithm>

#include "lessons/compute.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/transfer_lesson.hpp"
#include "lessons/verdict.hpp"

namespace lab {
namespace {

struct Doing {
  State& state;
  Hand& hand;
  const Results& results;
  double now;
  std::uint32_t random;

  const Bench& bench() const { return *results.runs.bench; }
};

bool begins(std::string_view text, std::string_view start, std::string& rest) {
  if (text.substr(0, start.size()) != start) return false;
  rest = text.substr(start.size());
  return true;
}

void go_to_step(Doing& h, const Step& step, bool patching) {
  h.state.view.step = step.id;
  h.state.view.cell.reset();
  h.hand.step_began = h.now;
  if (patching && step.patch) {
    step.patch(h.state);
    h.state.view.guess.clear();
  }
  h.hand.said = step.title;
}

void go_by(Doing& h, int by) {
  const auto steps = lesson_of(h.state).steps;
  const int to = std::clamp(step_index(h.state) + by, 0, int(steps.size()) - 1);
  if (to != step_index(h.state)) go_to_step(h, steps[std::size_t(to)], true);
}

// The hidden plan becomes the user's own as soon as they know it and change it.
void own_moves(Doing& h) {
  if (h.state.inputs.fault) h.state.inputs.moves = h.bench().moves;
  h.state.inputs.fault.reset();
  h.state.view.guess.clear();
}

Move* move_into(State& s, const std::string& slot) {
  for (Move& m : s.inputs.moves)
    if (m.to == slot) return &m;
  return nullptr;
}

void clear_slot(State& s, const std::string& slot) {
  std::erase_if(s.inputs.moves, [&](const Move& m) { return m.to == slot; });
}

Move& slot_move(State& s, const std::string& slot) {
  if (Move* m = move_into(s, slot)) return *m;
  s.inputs.moves.push_back({"", MoveOp::copy, slot, {}, {}});
  return s.inputs.moves.back();
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
    return std::count(empty.begin(), empty.end(), projection(b.target, slot).weight.name) > 0;
  };
  const Step* next = empty.empty() ? &*match : nullptr;
  for (auto s = steps.begin(); s != match && !next; ++s)
    if (s->lit && std::string(s->id) != "draws" && is_empty(*s->lit)) next = &*s;
  if (!next || next == &steps[std::size_t(index)]) return;
  const std::string done = h.hand.said;
  go_to_step(h, *next, false);
  h.hand.said = done + " " + next->title + ".";
}

void place(Doing& h, Move move) {
  if (const auto no = refusal(move, h.bench().source, h.bench().target)) {
    h.hand.refused = move;
    h.hand.said = no->what + " " + no->why;
    return;
  }
  own_moves(h);
  clear_slot(h.state, move.to);
  h.state.inputs.moves.push_back(move);
  std::erase_if(h.state.inputs.edits, [&](const Edit& e) { return e.cell.name == kTarget + move.to; });
  h.hand.held.clear();
  h.hand.said = filled(move.op == MoveOp::copy ? "{0} copied into {1}." : "{0} transposed into {1}.",
                       {move.from, move.to});
  follow_along(h);
}

MoveOp op_of_slot(const State& s, const std::string& slot) {
  for (const Move& m : s.inputs.moves)
    if (m.to == slot) return m.op;
  return MoveOp::copy;
}

void drop_on_slot(Doing& h, const std::string& slot, const std::string& from) {
  Move m{from, op_of_slot(h.state, slot), slot, {}, {}};
  // A bias has no orientation, so its switch never stands in the way.
  if (const Parameter* p = find_parameter(h.bench().target, slot); p && p->one_dimensional)
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
    h.hand.said = "You named " + slot + ".";
  } else if (!from.empty()) {
    drop_on_slot(h, slot, from);
  } else {
    h.state.view.cell = CellName{kTarget + slot, 0, 0};
  }
}

void turn_switch(Doing& h, const std::string& slot, const std::string& value) {
  if (hides_fault(h.state.inputs, h.state.view.guess)) return;
  own_moves(h);
  Move m = slot_move(h.state, slot);
  m.op = value == "copy"        ? MoveOp::copy
         : value == "transpose" ? MoveOp::transpose
         : m.op == MoveOp::copy ? MoveOp::transpose
                                : MoveOp::copy;
  if (!m.from.empty()) return place(h, m);
  slot_move(h.state, slot) = m;
  h.hand.said = slot + ": " + name_of(m.op);
}

void empty_slot(Doing& h, const std::string& slot) {
  if (hides_fault(h.state.inputs, h.state.view.guess)) return;
  own_moves(h);
  const MoveOp op = op_of_slot(h.state, slot);
  clear_slot(h.state, slot);
  h.state.inputs.moves.push_back({"", op, slot, {}, {}});
  h.hand.said = slot + " holds its own numbers again.";
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

void move_cell(Doing& h, const std::string& name, const std::string& key) {
  CellName cell = selected_cell(h.state);
  if (cell.name != name) cell = {name, 0, 0};
  const auto found = find(h.results.runs, name);
  if (!found) return;
  if (key == "ArrowUp") --cell.row;
  if (key == "ArrowDown") ++cell.row;
  if (key == "ArrowLeft") --cell.col;
  if (key == "ArrowRight") ++cell.col;
  cell.row = std::clamp(cell.row, 0, std::max(0, int(found->cells.rows()) - 1));
  cell.col = std::clamp(cell.col, 0, std::max(0, int(found->cells.cols()) - 1));
  h.state.view.cell = cell;
}

// A word is chosen where it is a row: in the step's own matrix, if its rows are words.
void choose_word(Doing& h, const std::string& number) {
  const auto word = cell_of("inputs." + number + ".0");
  if (!word) return;
  const CellName& own = step_of(h.state).cell;
  const auto found = find(h.results.runs, own.name);
  if (found && found->row)
    h.state.view.cell = CellName{own.name, word->row, own.col};
  else
    h.state.view.cell = CellName{h.results.runs.bench ? "difference" : "inputs", word->row, 0};
}

// The sentence and how one looks at it stay; the rest is as the lesson opens.
void go_to_lesson(Doing& h, const std::string& name) {
  const State before = h.state;
  h.state = defaults_of(name);
  h.state.inputs.text = before.inputs.text;
  h.state.inputs.word_seed = before.inputs.word_seed;
  h.state.view.theme = before.view.theme;
  h.state.view.digits = before.view.digits;
  h.hand.step_began = h.now;
}

void set_key(Doing& h, const std::string& key, const std::string& value) {
  const Inputs before = h.state.inputs;
  const ReadQuery read = state_of(key + "=" + percent_encoded(value), h.state);
  h.state = read.state;
  if (!read.problems.empty()) h.hand.said = read.problems.front();
  Inputs& in = h.state.inputs;
  // Moves are made between shapes and modules; where those change, the bench starts anew.
  const bool other_modules = in.from != before.from || in.to != before.to || in.bias != before.bias;
  const bool other_shapes = in.d_in != before.d_in || in.d_out != before.d_out;
  if (other_modules) in.moves.clear();
  if (other_modules || other_shapes) in.edits.clear();
  if (other_modules || other_shapes) in.fault.reset();
  if (!(in == before)) h.state.view.guess.clear();
}

void play_on(Doing& h) {
  const Step& step = step_of(h.state);
  if (std::string(step.id) == "match" || h.state.view.step == lesson_of(h.state).steps.back().id) {
    h.hand.playing = false;
    return;
  }
  if (step.lit && std::string(step.id) != "draws" && h.results.runs.bench) {
    const std::string slot = projection(h.bench().target, *step.lit).weight.name;
    place(h, right_move(h.bench().source, h.bench().target, slot));
    return;
  }
  go_by(h, 1);
}

AttentionKind next_kind(AttentionKind kind) {
  return kind == AttentionKind::v1   ? AttentionKind::v2
         : kind == AttentionKind::v2 ? AttentionKind::causal
                                     : AttentionKind::v1;
}

// A plain click on a control of few choices takes the next one.
std::string next_value(const Inputs& in, const std::string& key) {
  if (key == "bias") return in.bias ? "0" : "1";
  if (key == "from") return name_of(next_kind(in.from));
  if (key == "to") return name_of(next_kind(in.to));
  return "";
}

bool act_on_bench(Doing& h, const Action& a) {
  std::string name;
  if (begins(a.id, "source.", name)) {
    h.hand.held = h.hand.held == name ? "" : name;
    h.hand.said = h.hand.held.empty() ? name + " put back." : name + " in hand. Choose a slot.";
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

}  // namespace

bool act(State& state, Hand& hand, const Results& results, const Action& a, double now,
         std::uint32_t random) {
  Doing h{state, hand, results, now, random};
  if (a.id != "other-way") hand.refused.reset();
  if (results.runs.bench && !find_parameter(results.runs.bench->source, hand.held)) hand.held.clear();
  if (a.id != "tick") hand.said.clear();
  if (a.id != "tick" && a.id != "play") hand.playing = false;
  std::string name;
  if (results.runs.bench && act_on_bench(h, a)) return true;
  if (begins(a.id, "matrix.", name)) {
    move_cell(h, name, a.value);
  } else if (begins(a.id, "token.", name)) {
    choose_word(h, name);
  } else if (begins(a.id, "cell.", name)) {
    if (const auto cell = cell_of(name)) state.view.cell = *cell;
  } else if (begins(a.id, "step.", name)) {
    for (const Step& s : lesson_of(state).steps)
      if (s.id == name) go_to_step(h, s, true);
  } else if (a.id == "next") {
    go_by(h, 1);
  } else if (a.id == "back") {
    go_by(h, -1);
  } else if (a.id == "play") {
    hand.playing = !hand.playing;
    hand.step_began = now;
  } else if (a.id == "tick") {
    play_on(h);
    hand.step_began = now;
  } else if (begins(a.id, "nav.", name)) {
    if (is_lesson(name) && name != state.inputs.lesson) go_to_lesson(h, name);
  } else if (begins(a.id, "input.", name)) {
    set_key(h, name, a.value.empty() ? next_value(state.inputs, name) : a.value);
  } else if (a.id == "theme") {
    state.view.theme = ThemeChoice((int(state.view.theme) + 1) % 3);
  } else if (a.id == "reset") {
    const View view = state.view;
    state = defaults_of(state.inputs.lesson);
    state.view.theme = view.theme;
    state.view.digits = view.digits;
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
