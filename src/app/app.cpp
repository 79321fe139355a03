#include "app/app.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/clock.hpp"
#include "core/words.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/compute.hpp"
#include "lessons/outcome.hpp"
#include "lessons/pace.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/trace_json.hpp"

namespace lab {
namespace {

// ms of a frame that the search for a fault or a stack of blocks may take
constexpr double kWorkBudget = 6;
constexpr float kPresentZoom = 1.25f;  // for a classroom: everything larger

// Where one is, for the browser's Back.
std::string place_of(const State& s) {
  return s.inputs.lesson + "/" + step_of(s).id + "/" + std::to_string(question_index(s));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

bool is_cell(const std::string& value) { return !value.empty() && value[0] >= '0' && value[0] <= '9'; }

// A matrix whose numbers cannot be read.
bool has_tiny_cells(const std::vector<Target>& targets) {
  constexpr float kReadable = 18;
  return std::any_of(targets.begin(), targets.end(), [](const Target& t) {
    return t.role == "grid" && t.reachable && t.cols > 0 && t.box.w / float(t.cols) < kReadable;
  });
}

bool follows(const std::string& text, std::string_view start, std::string& rest) {
  if (!std::string_view(text).starts_with(start)) return false;
  rest = text.substr(start.size());
  return true;
}

}  // namespace

App::App() { make_results(); }

bool App::start_drawing(const ImFontLoader* fallback) {
  if (!fonts_.face[0]) fonts_.load(fallback);
  ui_.pen.fonts = &fonts_;
  ui_.heatmaps = &heatmaps_;
  return heatmaps_.create();
}

void App::open(const std::string& query) {
  ReadQuery read = opened(query);
  const State before = std::exchange(state_, std::move(read.state));
  if (frames_ > 0 && !(before.inputs == state_.inputs)) history_.remember(before, state_, "open", false);
  if (before.inputs.lesson != state_.inputs.lesson) scroll_ = 0;
  problems_ = std::move(read.problems);
  hand_ = {};
  if (!(results_.inputs == state_.inputs)) make_results();
  for (std::string& problem : drop_what_is_not_there(state_.view, results_.runs))
    problems_.push_back(std::move(problem));
  typing_.reset();
  written_step_ = place_of(state_);  // the address has its entry already
  if (!problems_.empty()) tell_problems();
  tell_waiting_edits();
}

void App::tell_problems() {
  hand_.said = hand_.trouble = problems_.front();
  if (const std::size_t more = problems_.size() - 1; more > 0)
    hand_.said = hand_.trouble += more == 1 ? " One more part of the link could not be read."
                                            : " " + std::to_string(more) + " more parts could not be read.";
}

std::string App::query() const { return query_of(state_); }
std::string App::trace() const {
  if (results_.gpt && results_.inputs == state_.inputs) return gpt_trace_json(results_, state_);
  return trace_json(compute(state_.inputs), query());
}

std::string App::stats() const {
  char text[160];
  std::snprintf(text, sizeof text, "{\"frames\":%d,\"frame_ms\":%.3f,\"compute_ms\":%.3f,\"draws\":%d}",
                frames_, frame_ms_, compute_ms_, draws_);
  return text;
}

void App::finished(double frame_ms, int draws) {
  frame_ms_ = frame_ms;
  draws_ = draws;
  ++frames_;
}

void App::remember_done(const std::string& names) {
  done_.clear();
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (is_name(std::string_view(names).substr(begin, end - begin)))
      done_.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
}

void App::use(const std::string& id, const std::string& value) {
  const Target* t = ui_.registry.find(id);
  const bool typed = t && t->role == "textbox";
  pending_.push_back({id, value, typed ? Phase::Typing : Phase::Whole});
}

// From the mirror, whose fields do the typing: what the picture began to type by itself is theirs.
void App::focus(const std::string& id) {
  ui_.gesture.typing.reset();
  ui_.set_focus(id, !id.empty());
}

// The stage alone grows, so that small cells can be read; what lies under the fingers stays under them.
void App::pinch(float x, float y, float dx, float dy, float factor) {
  const float present = state_.view.present ? kPresentZoom : 1;
  x /= present, y /= present, dx /= present, dy /= present;
  Box stage = layout_for(ui_, shown()).stage;
  stage.y -= scroll_;
  if (!stage.has(x - dx, y - dy)) return;
  constexpr float kMost = 8;
  Hand::Zoom& z = hand_.zoom;
  const float scale = std::clamp(z.scale * factor, 1.f, kMost), grown = scale / z.scale;
  const auto moved = [&](float at, float by, float from, float size, float offset) {
    const float under = at - by - from - offset;  // the fingers' place in the picture, before
    return std::clamp(at - from - under * grown, size * (1 - scale), 0.f);
  };
  z = {scale, moved(x, dx, stage.x, stage.w, z.x), moved(y, dy, stage.y, stage.h, z.y)};
}

void App::typing_done(const std::string& id, bool cancelled) {
  if (ui_.gesture.focus == id)
    ui_.gesture.focus_visible = false;  // it may rest on the field, and does not edit it
  pending_.push_back({id, "", cancelled ? Phase::TypingCancelled : Phase::TypingDone});
}

bool App::key(const std::string& name) {
  std::string slot;
  if ((name == "Delete" || name == "Backspace") && follows(ui_.gesture.focus, "slot.", slot)) {
    pending_.push_back({"wire." + slot, ""});
    return true;
  }
  if (ui_.key(name)) return true;
  const auto press = [&](const char* id) {
    pending_.push_back({id, ""});
    return true;
  };
  if (name == "Ctrl+z") return press("undo");
  if (name == "Ctrl+Shift+z" || name == "Ctrl+y") return press("redo");
  if (name == "Escape") return press("dismiss");
  if (name == "+" || name == "=" || name == "-") {
    const Box stage = layout_for(ui_, shown()).stage;
    const float present = state_.view.present ? kPresentZoom : 1;
    pinch(stage.mid_x() * present, (stage.mid_y() - scroll_) * present, 0, 0, name == "-" ? .8f : 1.25f);
    return true;
  }
  if (name == "?") return press("keys");
  if (name == "ArrowRight") return press("next");
  if (name == "ArrowLeft") return press("back");
  if (name == " ") return press("play");
  return false;
}

std::string App::as_query(const std::string& id, const std::string& text) const {
  std::string key;
  if (follows(id, "input.", key))
    return key + "=" + percent_encoded(key == "text" ? text : plain_number(text));
  if (id == "edit" && hand_.editing)
    return "edit=" + percent_encoded(text_of(*hand_.editing) + ":" + plain_number(text));
  return "";
}

// An answer counts when the field is left; Escape forgets it.
void App::type_answer(const Act& a, const FrameInput& in) {
  Hand::Answering& answering = hand_.answering;
  if (a.phase == Phase::Typing) {
    answering.given = a.value;
    answering.checked = false;
  } else if (a.phase == Phase::TypingCancelled) {
    answering.given.clear();
  } else {
    do_action({"check", ""}, in);
  }
}

// Typing is taken up as soon as it means something; what does not yet is left alone until the field is left.
void App::type_into(const Act& a, const FrameInput& in) {
  if (a.id == "answer") return type_answer(a, in);
  const std::string query = as_query(a.id, a.value);
  if (query.empty()) return;
  if (a.phase != Phase::Typing) return finish_typing(a.id, a.phase == Phase::TypingCancelled, in);
  if (!typing_ || typing_->id != a.id) typing_ = {a.id, state_, history_, ""};
  const bool may_be_empty = a.id == "input.text" || a.id == "edit";
  const bool meaningless = a.value.empty() ? !may_be_empty : !state_of(query, state_).problems.empty();
  typing_->meaningless = meaningless ? a.value : "";
  if (meaningless) return;
  state_ = typing_->before;  // 2, 20, 2 again: what the 20 cost comes back
  do_action({a.id, a.value.empty() ? " " : a.value}, in, true);
}

// Escape puts everything back. What was refused to the end is said: a number that is too large becomes the
// largest there is, what is no number leaves all as it was.
void App::finish_typing(const std::string& id, bool cancelled, const FrameInput& in) {
  history_.end_typing();
  if (!typing_ || typing_->id != id) {
    if (id == "edit") hand_.editing.reset();
    return;
  }
  const Typing t = *std::exchange(typing_, std::nullopt);
  const bool refused = !cancelled && !t.meaningless.empty();
  if (cancelled || refused) {
    state_ = t.before;
    history_ = t.history;
    hand_.said = "It stays as it was.";
    outcome_due_ = true;
  }
  if (refused && id == "edit") {
    hand_.said = hand_.trouble =
        "“" + std::string(first_code_points(t.meaningless, 24)) +
        "” is not a number that a cell can hold, such as -0.5, 1e-3, inf or nan; it keeps its own.";
  } else if (refused) {
    const ReadQuery read = state_of(as_query(id, t.meaningless), t.before);
    if (!(read.state.inputs == t.before.inputs)) do_action({id, t.meaningless}, in);
    if (!read.problems.empty()) hand_.said = hand_.trouble = read.problems.front();
  }
  if (id == "edit") hand_.editing.reset();
  if (!(state_.inputs == results_.inputs)) refresh(in);
}

void App::do_action(const Action& a, const FrameInput& in, bool typing) {
  const State before = state_;
  std::string what;
  if (a.id != "tick") hand_.trouble.clear();
  if (a.id != "tick") hand_.copied.clear();
  if (a.id == "undo" || a.id == "redo") {
    const bool undoes = a.id == "undo";
    if (!(undoes ? history_.can_undo() : history_.can_redo())) return;
    undoes ? history_.undo(state_) : history_.redo(state_);
    keep_locked(state_, before);
    fit_view(state_);
    state_.view.guess.clear();
    hand_.refused.reset();
    hand_.held.clear();
    hand_.playing = false;
    hand_.said = undoes ? "Undone." : "Done again.";
    if (place_of(state_) != place_of(before)) {
      state_.view.cell.reset();
      hand_.said += " Step: " + title_of(state_) + ".";
    }
  } else if (a.id == "share") {
    // A bare address opens what was last; a link says at least the lesson.
    effects_.clipboard = query().empty() ? "lesson=" + state_.inputs.lesson : query();
    effects_.share = true;
    hand_.copied = a.id;
    hand_.said = "Link copied.";
  } else if (a.id == "copy") {
    effects_.clipboard = code_.program;
    hand_.copied = a.id;
    hand_.said = "PyTorch program copied.";
  } else if (a.id == "forget") {
    done_.clear();
    effects_.progress = "";
    hand_.said = "Forgotten: which questions were answered.";
  } else if (a.id == "stop-search") {
    if (results_.search && !results_.search->done()) results_.search->stop();
  } else if (follows(a.id, "export.", what) || follows(a.id, "report.", what)) {
    export_as(what);
  } else if (act(state_, hand_, results_, a, in.now, in.random) && !(state_.inputs == before.inputs)) {
    history_.remember(before, state_, a.id, typing);
  }
  if (state_.inputs.lesson != before.inputs.lesson) scroll_ = 0;
  if (a.id.starts_with("check.")) hand_.sheet = is_narrow(ui_);  // where a phone shows what was compared
  outcome_due_ |= !(state_.inputs == before.inputs) || place_of(state_) != place_of(before);
  if (a.id != "reveal") keep_answer(hand_, before, state_);  // that may set what was to be set
  if (!(state_.inputs == results_.inputs)) refresh(in);
}

void App::carry_out(const Act& a, const FrameInput& in) {
  std::string name;
  if (a.phase != Phase::Whole) return type_into(a, in);
  if (follows(a.id, "matrix.", name) && is_cell(a.value)) {
    std::string slot;
    const Target* grid = ui_.registry.find(a.id);
    const bool placing = !hand_.held.empty() && grid && follows(grid->drag_as, "slot.", slot);
    return do_action(placing ? Action{"slot." + slot, ""}
                             : Action{"cell." + std::string(without_cells(name)) + "." + a.value, ""},
                     in);
  }
  do_action({a.id, a.value}, in);
}

void App::carry_out(const Drop& d, const FrameInput& in) {
  std::string from, slot;
  if (follows(d.id, "source.", from)) {
    if (follows(d.over, "slot.", slot)) do_action({d.over, from}, in);
  } else if (follows(d.id, "slot.", slot) && d.over.empty() &&
             !hides_fault(state_.inputs, state_.view.guess)) {
    do_action({"wire." + slot, ""}, in);  // pulled out and let go
  }
}

void App::make_results() {
  const double began = clock_ms();
  results_ = results_of(state_.inputs, tokenizer_ ? &*tokenizer_ : nullptr, &results_);
  compute_ms_ = clock_ms() - began;
  told_tries_ = -1;
}

void App::refresh(const FrameInput& in) {
  if (!(results_.inputs == state_.inputs)) {
    make_results();
    tell_waiting_edits();
  }
  const int tries = results_.search ? results_.search->tried() + results_.search->done() : 0;
  const int row = results_.book ? magnified_row(state_) : -1;
  if (told_tries_ == tries && told_guess_ == state_.view.guess && told_row_ == row) return;
  told_tries_ = tries;
  told_guess_ = state_.view.guess;
  told_row_ = row;
  const Verdict::Kind before = verdict_.kind;
  verdict_ = verdict_of(results_, state_.view.guess);
  code_ = pytorch_of(results_, state_);
  if (verdict_.kind == Verdict::Kind::match && before != Verdict::Kind::match) hand_.matched_at = in.now;
}

// Edits of cells that a shorter sentence or smaller sizes have no place for are kept, and come back with it.
void App::tell_waiting_edits() {
  const auto& edits = state_.inputs.edits;
  const auto waiting = std::count_if(edits.begin(), edits.end(),
                                     [&](const Edit& e) { return !value_of(results_.runs, e.cell); });
  if (waiting == 0) return;
  hand_.trouble = waiting == 1 ? "One edited cell is not there now. Its number waits for it."
                               : std::to_string(waiting) +
                                     " edited cells are not there now. Their numbers wait for them.";
  if (hand_.said.empty()) hand_.said = hand_.trouble;
}

// What was done, and what came of it.
void App::tell_outcome() {
  std::string said = std::exchange(hand_.said, "");
  const std::string outcome = outcome_of(state_, results_, verdict_);
  if (std::exchange(outcome_due_, false) && !outcome.empty()) said += (said.empty() ? "" : " ") + outcome;
  if (!said.empty()) effects_.announce = std::move(said);
}

void App::work_on(double budget_ms) {
  const double until = clock_ms() + budget_ms;
  while (results_.has_work() && clock_ms() < until) results_.work_on();
}

Shown App::shown() const {
  return {state_,      results_, hand_, verdict_, code_, history_.can_undo(), history_.can_redo(),
          compute_ms_, done_};
}

// A menu is the last that was drawn, over what closes it. Who went elsewhere by keyboard has done with it.
void App::close_left_menu() {
  const Target *closes = ui_.registry.find("dismiss"), *focused = ui_.registry.find(ui_.gesture.focus);
  if (closes && focused && ui_.gesture.focus_visible && focused < closes && focused->id != hand_.open)
    hand_.open.clear();
}

Effects App::frame(const FrameInput& in) {
  effects_ = {};
  close_left_menu();
  const bool dark =
      state_.view.theme == ThemeChoice::dark || (state_.view.theme == ThemeChoice::automatic && in.dark);
  ui_.theme = theme_of(dark, in.more_contrast);
  ui_.reduced_motion = in.reduced_motion;
  refresh(in);
  const float zoom = state_.view.present ? kPresentZoom : 1;
  ui_.begin(in.width, in.height, in.scale * zoom, in.now);

  const std::string step = step_of(state_).id;
  const std::vector<Act> pending = std::exchange(pending_, {});
  for (const Act& a : pending) carry_out(a, in);
  const std::vector<Act> acted = std::exchange(ui_.acted, {});
  for (const Act& a : acted) carry_out(a, in);
  if (ui_.dropped) carry_out(*ui_.dropped, in);
  if (hand_.playing && in.now - hand_.step_began > stay_ms(state_, results_)) do_action({"tick", ""}, in);
  if (step_of(state_).id != step || hand_.replayed == in.now) ui_.gesture.motion_began = in.now;
  work_on(kWorkBudget);
  advance_work();
  refresh(in);

  scroll_by_hand(shown());
  draw_screen(ui_, shown(), scroll_);
  ui_.finish();
  follow_focus(shown());
  follow_match(shown(), in.now);

  const Question* question = step_of(state_).asks;
  if (question && hand_.answering.right && !std::count(done_.begin(), done_.end(), question->id)) {
    done_.push_back(question->id);
    effects_.progress = joined(done_);
  }
  tell_outcome();
  if (ui_.registry.targets() != published_ || zoom != published_zoom_) {
    published_zoom_ = zoom;
    published_ = ui_.registry.targets();
    effects_.mirror = mirror_json(published_, zoom);
  }
  if (const std::string q = query(); q != written_query_ || frames_ == 0) {
    effects_.query = q;
    effects_.new_entry = frames_ > 0 && written_step_ != place_of(state_);
    written_query_ = q;
    written_step_ = place_of(state_);
  }
  const bool working = results_.has_work() || (results_.gpt && results_.gpt->is_working()) ||
                       (results_.book && results_.book->is_working());
  effects_.own_pinch = hand_.zoom.scale > 1 || has_tiny_cells(published_);
  effects_.scrolls = scroll_room(shown());
  effects_.wants_frame = ui_.animating || working || hand_.playing || !pending_.empty();
  return effects_;
}

}  // namespace lab
