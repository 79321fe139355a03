#include "lessons/lesson.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/example_heads.hpp"
#include "core/words.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/causal_mask_lesson.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/roadmap_lesson.hpp"
#include "lessons/self_attention_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"
#include "lessons/transfer_lesson.hpp"
#include "lessons/transformer_block_lesson.hpp"

namespace lab {
namespace {

constexpr RailEntry kRail[] = {
    {"Self-attention", "self-attention",
     "Dot products between word vectors, then W_query, W_key and W_value, step by step."},
    {"Transfer weights", "transfer",
     "Move weights between two versions of a module until the outputs match."},
    {"Causal mask", "causal-mask",
     "Three stages: softmax, zero above the diagonal, renormalize; the −∞ mask beside it."},
    {"Multi-head", "multi-head", "Several heads with their own weights and maps, stacked and fused."},
    {"Transformer block", "transformer-block",
     "LayerNorm, attention, feed-forward and shortcuts as one block."},
    {"GPT model", "gpt", "The whole model in its sizes, built from a seed, untrained."},
    {"Book numbers", "book", "Every number that chapters 3 and 4 print, computed and ticked."},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "heads.*.keys" is heads.0.keys, heads.1.keys …; "@keys" is any head's.
bool is_meant(std::string_view pattern, std::string_view name) {
  if (pattern.starts_with('@')) return name.substr(name.rfind('.') + 1) == pattern.substr(1);
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos || pattern == name) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  std::size_t end = star;
  while (end < name.size() && is_digit(name[end])) ++end;
  return end > star && name.substr(end) == pattern.substr(star + 1);
}

// "b" is at 1 in "a b c"; -1: not in it.
int place_in(std::string_view all, std::string_view name) {
  int place = 0;
  for (std::size_t begin = 0; begin < all.size(); ++place) {
    const std::size_t end = std::min(all.find(' ', begin), all.size());
    if (is_meant(all.substr(begin, end - begin), name)) return place;
    begin = end + 1;
  }
  return -1;
}

}  // namespace

std::span<const Lesson> lessons() {
  static const std::array all = {
      self_attention_lesson(),    transfer_lesson(), causal_mask_lesson(), multi_head_lesson(),
      transformer_block_lesson(), gpt_lesson(),      roadmap_lesson(),     book_lesson()};
  return all;
}

bool is_lesson(std::string_view id) {
  for (const Lesson& l : lessons())
    if (l.id == id) return true;
  return false;
}

const Lesson& lesson_named(std::string_view id) {
  for (const Lesson& l : lessons())
    if (l.id == id) return l;
  return lessons().front();
}
const Lesson& lesson_of(const State& state) { return lesson_named(state.inputs.lesson); }

namespace {

std::string_view fault_step(const Lesson& lesson) {
  return lesson.stage == Stage::bench ? kFaultStep : kWrongBandStep;
}

}  // namespace

// A link to a question or to a hidden fault needs no step: it opens the one that is about it.
int step_index(const State& state) {
  const auto steps = lesson_of(state).steps;
  const bool none = state.view.step.empty();
  const std::string_view wanted = none && !state.view.question.empty() ? kQuestionStep
                                  : none && state.inputs.fault         ? fault_step(lesson_of(state))
                                                                       : std::string_view(state.view.step);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].id == wanted) return int(i);
  return 0;
}

namespace {

// −∞ hides a score and is no fault.
bool holds_no_numbers(const MatrixView& m) {
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c)
      if (std::isnan(m(r, c)) || m(r, c) == std::numeric_limits<float>::infinity()) return true;
  return false;
}

}  // namespace

std::string sentence_of(const Step& step, const Results& r) {
  if (step.asks) {
    const std::string lacks = step.asks->lacks(r);
    return lacks.empty() ? step.asks->asked(r) : lacks;
  }
  if (!step.tells_nan)
    for (const std::string& name : names(r.runs))
      if (shows(step, name) && holds_no_numbers(find(r.runs, name)->cells)) return not_numbers(name);
  return step.says->text(r);
}

const Step* step_about(const Lesson& lesson, std::string_view name) {
  for (const Step& step : lesson.steps)
    if (step.id == name) return &step;
  for (const Step& step : lesson.steps)
    if (shows(step, name)) return &step;
  return nullptr;
}

int place_in_show(const Step& step, std::string_view matrix) { return place_in(step.show, matrix); }
bool shows(const Step& step, std::string_view matrix) { return place_in_show(step, matrix) >= 0; }
bool has_control(const Lesson& lesson, std::string_view key) { return place_in(lesson.controls, key) >= 0; }

bool is_offered(const State& state, std::string_view key) {
  const Lesson& lesson = lesson_of(state);
  if (!has_control(lesson, key)) return false;
  if (key == "heads" && lesson.stage == Stage::bench)
    return has_heads(state.inputs.from) && has_heads(state.inputs.to);
  const auto names = [&](const Step& step) { return place_in(step.controls, key) >= 0; };
  if (names(step_of(state)) || std::none_of(lesson.steps.begin(), lesson.steps.end(), names)) return true;
  return is_changed(key, state, defaults_of(lesson.id));
}

int question_index(const State& state) {
  const auto questions = lesson_of(state).questions;
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (questions[i].asks->id == state.view.question) return int(i);
  return 0;
}

const Step& step_of(const State& state) {
  const Lesson& lesson = lesson_of(state);
  const Step& step = lesson.steps[std::size_t(step_index(state))];
  return step.asks ? lesson.questions[std::size_t(question_index(state))] : step;
}

std::string title_of(const State& state) {
  const Step& step = step_of(state);
  const auto all = lesson_of(state).questions.size();
  if (!step.asks) return step.says->title;
  if (all == 1) return step.asks->title;
  return filled("{0}, question {1} of {2}",
                {step.asks->title, std::to_string(question_index(state) + 1), std::to_string(all)});
}

State defaults_of(std::string_view lesson) {
  State s;
  s.inputs.lesson = std::string(lesson);
  if (const auto open = lesson_named(lesson).open) open(s.inputs);
  return s;
}

// The heads built by hand have sizes of their own; those that are drawn get the lesson's.
void take_example_sizes(Inputs& in) {
  const Inputs opening = defaults_of(in.lesson).inputs;
  in.d_in = in.example ? kExampleWidth : opening.d_in;
  in.d_out = in.example ? kExampleHeadDim : opening.d_out;
  in.heads = in.example ? int(example_heads().size()) : opening.heads;
  in.bias = false;
}

int heads_of(const Inputs& in) { return in.example ? int(example_heads().size()) : in.heads; }

std::span<const RailEntry> rail() { return kRail; }

const Arrangement& arrangement_of(const State& state) {
  return lesson_of(state).arrangements[std::size_t(step_of(state).arrangement)];
}

// "wrapper.heads.1." of "wrapper.heads.1.keys".
std::string head_prefix_in(std::string_view name) {
  constexpr std::string_view kHeads = "heads.";
  const std::size_t heads = name.find(kHeads);
  const std::size_t end = heads == std::string_view::npos ? heads : name.find('.', heads + kHeads.size());
  return end == std::string_view::npos ? "" : std::string(name.substr(0, end + 1));
}

int head_in(std::string_view name) {
  const std::string prefix = head_prefix_in(name);
  if (prefix.empty()) return -1;
  int head = -1;
  const std::size_t digits = prefix.rfind('.', prefix.size() - 2) + 1;
  std::from_chars(prefix.data() + digits, prefix.data() + prefix.size(), head);
  return head;
}

std::string opened_head(const State& state, const Runs& runs) {
  const CellName cell = selected_cell(state);
  const std::string selected = head_prefix_in(cell.name);
  if (!selected.empty() && find(runs, cell.name)) return selected;
  const bool of_gpt = lesson_of(state).stage == Stage::gpt && !runs.runs.empty();
  return of_gpt ? runs.runs.front().parts.front().prefix : head_prefix_in(step_of(state).cell.name);
}

bool shows_one_head(const State& state, const Runs& runs) {
  return lesson_of(state).stage == Stage::arrangement && !runs.runs.empty() &&
         runs.runs.front().module.num_heads > arrangement_of(state).most_heads;
}

namespace {

// What the bend makes has a name for each of the two; the cell stays the one that was looked at.
CellName as_bent(CellName cell, bool relu) {
  const std::string_view from = relu ? "ff_gelu" : "ff_relu", to = relu ? "ff_relu" : "ff_gelu";
  if (cell.name.ends_with(from)) cell.name.replace(cell.name.size() - from.size(), from.size(), to);
  return cell;
}

}  // namespace

CellName selected_cell(const State& state) {
  if (state.view.cell) return as_bent(*state.view.cell, state.inputs.relu);
  CellName cell = step_of(state).cell;
  if (state.view.word && step_of(state).words) cell.row = *state.view.word;  // whose turn it is
  return as_bent(cell, state.inputs.relu);
}

namespace {

// The first is what the step opens with and needs no name.
void fit_question(State& state) {
  View& view = state.view;
  if (view.question.empty()) return;
  const Step& step = step_of(state);
  if (step.asks && view.step.empty()) view.step = step.id;
  if (!step.asks || question_index(state) == 0) view.question.clear();
}

}  // namespace

void fit_view(State& state) {
  View& view = state.view;
  const int words = int(words_of(state.inputs.text).size());
  if (view.word && (words == 0 || !step_of(state).words)) view.word.reset();
  if (view.word) view.word = std::min(*view.word, words - 1);
  view.changes &= !state.inputs.edits.empty();
  fit_question(state);
  view.relative &= has_control(lesson_of(state), "relative");
  const bool has_rows = lesson_of(state).stage == Stage::book;
  view.filter &= has_rows;
  if (view.row && (!has_rows || *view.row >= int(book_rows().size()))) view.row.reset();
}

}  // namespace lab
