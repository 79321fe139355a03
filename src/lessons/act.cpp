#include "lessons/act.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "core/number_text.hpp"
#include "core/words.hpp"
#include "lessons/doing.hpp"
#include "lessons/inspect.hpp"
#include "lessons/lock.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/transfer_lesson.hpp"

namespace lab {

bool begins(std::string_view text, std::string_view start, std::string& rest) {
  if (text.substr(0, start.size()) != start) return false;
  rest = text.substr(start.size());
  return true;
}

// How one looks, and what a link fixes, is the same in every lesson.
void keep_looks(View& view, const View& before) {
  view.theme = before.theme;
  view.digits = before.digits;
  view.present = before.present;
  view.hide = before.hide;
  view.lock = before.lock;
}

namespace {

void move_cell(Doing& h, const std::string& name, const std::string& key) {
  CellName cell = selected_cell(h.state);
  if (cell.name != name) cell = {name, 0, 0};
  const auto found = find(h.results.runs, name);
  if (!found) return;
  if (key == "ArrowUp") --cell.row;
  if (key == "ArrowDown") ++cell.row;
  if (key == "ArrowLeft") --cell.col;
  if (key == "ArrowRight") ++cell.col;
  if (key == "Home") cell.col = 0;
  if (key == "End") cell.col = int(found->cells.cols()) - 1;
  if (key == "PageUp") cell.row = 0;
  if (key == "PageDown") cell.row = int(found->cells.rows()) - 1;
  cell.row = std::clamp(cell.row, 0, std::max(0, int(found->cells.rows()) - 1));
  cell.col = std::clamp(cell.col, 0, std::max(0, int(found->cells.cols()) - 1));
  h.state.view.cell = cell;
}

// A word is chosen where it is a row: in the step's own matrix, if its rows are words.
void choose_word(Doing& h, const std::string& number) {
  const auto word = cell_of("inputs." + number + ".0");
  if (!word) return;
  if (h.state.view.word && step_of(h.state).words) return take_turn(h, word->row);
  CellName own = step_of(h.state).cell;
  if (const std::string head = head_prefix_in(own.name); !head.empty())  // of the head that is looked at
    own.name = opened_head(h.state, h.results.runs) + own.name.substr(head.size());
  if (!find(h.results.runs, own.name)) own.name = step_of(h.state).cell.name;
  const auto found = find(h.results.runs, own.name);
  if (found && found->row)
    h.state.view.cell = CellName{own.name, word->row, own.col};
  else
    h.state.view.cell =
        CellName{h.results.runs.bench ? "difference" : h.results.runs.inputs.name, word->row, 0};
}

// The sentence and how one looks at it stay; the rest is as the lesson opens.
void go_to_lesson(Doing& h, const std::string& name) {
  const State before = h.state;
  h.state = defaults_of(name);
  const bool own_text = before.inputs.text != defaults_of(before.inputs.lesson).inputs.text;
  if (own_text) h.state.inputs.text = before.inputs.text;
  h.state.inputs.word_seed = before.inputs.word_seed;
  fit_text(h.state);
  keep_looks(h.state.view, before.view);
  h.hand.step_began = h.now;
  h.hand.said = std::string(lesson_of(h.state).says->title) + ".";
}

// What a control stands at now, for who does not see it.
std::string set_words(const std::string& key, const Inputs& in, const Inputs& before) {
  if (key == "text") return "";
  if (key == "from" || key == "to")
    return filled("{0}: {1}.",
                  {key == "from" ? "Source" : "Target", class_name(key == "from" ? in.from : in.to)});
  const std::string query = query_of({.inputs = in, .view = {}}, {.inputs = before, .view = {}});
  for (const KeyValue& pair : pairs_of(query))
    if (pair.key == key)
      return pair.value.empty() ? filled("{0} is not set.", {key}) : filled("{0} is {1}.", {key, pair.value});
  return filled("{0} is as it was.", {key});
}

}  // namespace

void set_key(Doing& h, const std::string& key, const std::string& value) {
  const Inputs before = h.state.inputs;
  const bool no_words = key == "text" && value == " ";
  const bool is_number = key != "text" && key != "off" && key != "size";  // "0,1" are two heads
  const std::string plain = is_number ? plain_number(value) : value;
  const ReadQuery read = state_of(key + "=" + (no_words ? "" : percent_encoded(plain)), h.state);
  h.state = read.state;
  Inputs& in = h.state.inputs;
  h.hand.said = !read.problems.empty() ? read.problems.front() : set_words(key, in, before);
  if (in.target_seed == in.seed) in.target_seed.reset();
  // Moves are made between shapes and modules; where those change, the bench starts anew.
  const bool other_modules = in.from != before.from || in.to != before.to || in.bias != before.bias;
  if (has_heads(in.from) && has_heads(in.to) && (in.from != before.from || in.to != before.to) &&
      !(has_heads(before.from) && has_heads(before.to)))
    in.heads = std::max(in.heads, 2);  // of one there would be nothing to cut into bands
  if (in.example != before.example) take_example_sizes(in);
  const bool own_sizes = in.d_in != before.d_in || in.d_out != before.d_out || in.heads != before.heads ||
                         in.emb_dim != before.emb_dim;
  if (in.example && before.example && (own_sizes || in.bias != before.bias)) in.example = false;
  if (in.heads != before.heads)
    std::erase_if(in.off, [&](const std::string& part) { return std::atoi(part.c_str()) >= in.heads; });
  if (in.example != before.example) in.swap.reset();
  const bool other_shapes = own_sizes || in.example != before.example;
  if (auto& cell = h.state.view.cell; cell && other_shapes && head_in(cell->name) >= heads_of(in))
    cell.reset();
  if (own_sizes && !other_modules) carry_moves(in, before);
  if (other_modules) in.moves.clear();
  if ((other_modules || other_shapes) && !in.edits.empty()) {
    in.edits.clear();
    h.hand.said = h.hand.trouble =
        "Edited cells have no place in matrices of another shape. Undo brings them back.";
  }
  if (other_modules || other_shapes) in.fault.reset();
  if (!(in == before)) h.state.view.guess.clear();
}

namespace {

void switch_part(Doing& h, const std::string& head) {
  auto& off = h.state.inputs.off;
  const bool was_off = std::erase(off, head) > 0;
  std::string all = was_off ? "" : head;
  for (const std::string& other : off) all += (all.empty() ? "" : ",") + other;
  set_key(h, "off", all);
  const std::string name = head == "att"  ? "Attention"
                           : head == "ff" ? "Feed-forward"
                                          : filled("Head {0}", {std::to_string(std::atoi(head.c_str()) + 1)});
  h.hand.said = filled("{0} is {1}.", {name, was_off ? "on" : "off"});
}

// ---- cells of one's own -----------------------------------------------------------------------------------

void set_cell(Doing& h, const Edit& edit) {
  auto& edits = h.state.inputs.edits;
  std::erase_if(edits, [&](const Edit& e) { return e.cell == edit.cell; });
  if (int(edits.size()) >= kMaxEdits) {
    h.hand.said = h.hand.trouble = filled("At most {0} cells can be edited.", {std::to_string(kMaxEdits)});
    return;
  }
  edits.push_back(edit);
  h.state.view.guess.clear();
}

// "0.5" into a cell; an empty text gives it its own number back.
void type_into(Doing& h, const CellName& cell, const std::string& text) {
  if (text.find_first_not_of(' ') == std::string::npos) {
    std::erase_if(h.state.inputs.edits, [&](const Edit& e) { return e.cell == cell; });
  } else if (const auto edit = edit_of(text_of(cell) + ":" + plain_number(text))) {
    h.hand.said = filled("{0} is {1} now.", {report_of(h.results.runs, cell, 4).name, text});
    set_cell(h, *edit);
  } else {
    h.hand.said = h.hand.trouble =
        filled("“{0}” is not a number that a cell can hold.", {std::string(first_code_points(text, 24))});
  }
}

void start_editing(Doing& h, const CellName& cell) {
  if (!value_of(h.results.runs, cell) || is_locked(h.state.view, "edit-cell")) return;
  if (!is_editable(h.results.runs, cell.name)) {
    h.hand.said = h.hand.trouble = "This matrix compares two runs; edit one that it is made from.";
    return;
  }
  h.hand.editing = cell;
  h.hand.said = "Type a number; empty brings back its own.";
}

// The mask after dropout would be the right route without dropout, so it turns training on, and the next
// route puts back what that changed.
void set_route(Doing& h, const std::string& name) {
  Inputs& in = h.state.inputs;
  const MaskRoute before = in.mask;
  set_key(h, "mask", name);
  if (in.mask == before) return;
  if (before == MaskRoute::after_dropout && h.hand.before_route)
    std::tie(in.training, in.dropout) = *h.hand.before_route;
  h.hand.before_route.reset();
  if (in.mask != MaskRoute::after_dropout) return;
  h.hand.before_route = {in.training, in.dropout};
  in.training = true;
  if (in.dropout == 0) in.dropout = 0.5;
}

// A plain click on a control of few choices takes the next one.
std::string next_value(const Inputs& in, const std::string& key) {
  if (key == "bias") return in.bias ? "0" : "1";
  if (key == "training") return in.training ? "0" : "1";
  if (key == "example") return in.example ? "0" : "1";
  if (key == "sample") return std::to_string((in.sample + 1) % in.batch);
  if (key == "shortcuts") return in.shortcuts ? "0" : "1";
  if (key == "tied") return in.tied ? "0" : "1";
  if (key == "dummy") return in.dummy ? "0" : "1";
  if (key == "chance") return in.by_chance ? "0" : "1";
  if (key == "scaled") return in.scaled ? "0" : "1";
  if (key == "norm") return in.post_norm ? "before" : "after";
  if (key == "variance") return in.unbiased ? "biased" : "unbiased";
  if (key == "bend") return in.relu ? "gelu" : "relu";
  if (key == "stream") return in.stream == DropoutStream::mac ? "mkl" : "mac";
  return "";
}

}  // namespace

namespace {

constexpr const char* kFixed = "This is fixed by the link that opened the lab.";

bool do_act(State& state, Hand& hand, const Results& results, const Action& a, double now,
            std::uint32_t random) {
  Doing h{state, hand, results, now, random};
  const bool tick = a.id == "tick";
  const std::string open = std::exchange(hand.open, tick ? hand.open : "");  // any other act closes a menu
  if (a.id != "other-way") hand.refused.reset();
  if (a.id != "edit" && !tick) hand.editing.reset();
  if (const auto& bench = results.runs.bench; bench && !pair_from(bench->source, bench->target, hand.held))
    hand.held.clear();
  if (!tick) hand.said.clear();
  if (!tick && a.id != "play") hand.playing = false;
  std::string name;
  if (!tick && is_locked(state.view, a.id)) {
    hand.said = hand.trouble = kFixed;
    return true;
  }
  if (act_on_question(h, a)) return true;
  if (act_on_heads(h, a)) return true;
  if (results.gpt && act_on_gpt(h, a)) return true;
  if (results.book && act_on_book(h, a)) return true;
  if (results.runs.bench && act_on_bench(h, a)) return true;
  if (begins(a.id, "matrix.", name)) {
    name = without_cells(name);
    if (a.value == "Enter")
      start_editing(h, selected_cell(state).name == name ? selected_cell(state) : CellName{name, 0, 0});
    else if (a.value != "Delete" && !is_locked(state.view, "cell."))
      move_cell(h, name, a.value);
    else if (a.value == "Delete" && selected_cell(state).name == name && !is_locked(state.view, "edit-cell"))
      type_into(h, selected_cell(state), "");
  } else if (begins(a.id, "token.", name)) {
    choose_word(h, name);
  } else if (begins(a.id, "cell.", name)) {
    if (const auto cell = cell_of(name)) state.view.cell = *cell;
  } else if (begins(a.id, "step.", name) || begins(a.id, "station.", name)) {
    for (const Step& s : lesson_of(state).steps)
      if (s.id == name) go_to_step(h, s, true);
  } else if (begins(a.id, "ask.", name)) {
    for (const Step& s : lesson_of(state).questions)
      if (s.asks->id == name) go_to_question(h, s);
  } else if (a.id == "ask-next" || a.id == "ask-on") {
    go_on_asking(h, 1);
  } else if (a.id == "ask-back") {
    go_on_asking(h, -1);
  } else if (begins(a.id, "part.", name)) {
    if (const Step* step = step_about(lesson_of(state), name)) go_to_step(h, *step, true);
  } else if (a.id == "next") {
    go_on(h, 1);
  } else if (a.id == "back") {
    go_on(h, -1);
  } else if (a.id == "play") {
    play(h);
  } else if (tick) {
    play_on(h);
    hand.step_began = now;
  } else if (a.id == "by-word") {
    go_word_by_word(h);
  } else if (a.id == "changes") {
    state.view.changes = !state.view.changes;
  } else if (a.id == "edit") {
    if (hand.editing) type_into(h, *hand.editing, a.value);
  } else if (a.id == "edit-cell") {
    start_editing(h, selected_cell(state));
  } else if (begins(a.id, "route.", name)) {
    set_route(h, name);
  } else if (begins(a.id, "split.", name)) {
    set_key(h, "split", name);
  } else if (begins(a.id, "norm.", name)) {
    set_key(h, "norm", name);
  } else if (begins(a.id, "from.", name)) {
    set_key(h, "from", name);
  } else if (begins(a.id, "to.", name)) {
    set_key(h, "to", name);
  } else if (begins(a.id, "off.", name)) {
    switch_part(h, name);
  } else if (a.id == "break") {
    state.inputs.fault = state.inputs.fault.value_or(0) + 1;
    hand.said = "Another band is wrong now.";
  } else if (begins(a.id, "nav.", name) || begins(a.id, "open.", name)) {
    if (is_lesson(name) && name != state.inputs.lesson) go_to_lesson(h, name);
  } else if (a.id == "book-sentence") {
    set_key(h, "text", kBookSentence);
  } else if (a.id == "more") {
    hand.settings = !hand.settings;
  } else if (a.id == "inspect") {
    hand.sheet = true;
    hand.sheet_scroll = 0;
  } else if (a.id == "zoom-out") {
    hand.zoom = {};
  } else if (a.id == "sheet") {
    hand.sheet = !hand.sheet;
    hand.sheet_scroll = 0;
  } else if (a.id == "menu" || a.id == "export" || a.id == "routes" || a.id == "keys" ||
             (a.value.empty() && (a.id == "input.mask" || a.id == "input.split" || a.id == "input.size" ||
                                  a.id == "input.from" || a.id == "input.to"))) {
    if (open != a.id) hand.open = a.id;
  } else if (a.id == "input.mask") {
    set_route(h, a.value);
  } else if (begins(a.id, "input.", name)) {
    hand.before_route.reset();  // training and dropout may be the user's own from here on
    set_key(h, name, a.value.empty() ? next_value(state.inputs, name) : a.value);
  } else if (a.id == "theme") {
    state.view.theme = ThemeChoice((int(state.view.theme) + 1) % 3);
    constexpr const char* kThemes[] = {"Theme: automatic.", "Theme: light.", "Theme: dark."};
    hand.said = kThemes[int(state.view.theme)];
  } else if (a.id == "reset") {
    const View view = state.view;
    state = defaults_of(state.inputs.lesson);
    keep_looks(state.view, view);
    hand.said = "The lesson stands as it opens.";
  } else if (a.id != "dismiss") {
    return false;
  }
  return true;
}

}  // namespace

bool act(State& state, Hand& hand, const Results& results, const Action& a, double now,
         std::uint32_t random) {
  const State before = state;
  const bool known = do_act(state, hand, results, a, now, random);
  const bool changed = !(state == before);
  keep_locked(state, before);
  fit_view(state);
  if (changed && state == before) {  // all of it was fixed
    hand.said = hand.trouble = kFixed;
    hand.playing = false;
  }
  return known;
}

}  // namespace lab
