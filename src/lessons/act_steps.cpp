// Going through a lesson: its steps, word by word within a step, and Play.
#include <algorithm>

#include "lessons/doing.hpp"
#include "lessons/lock.hpp"

namespace lab {
namespace {

int words_of(const Doing& h) { return int(h.results.runs.words.size()); }
bool goes_by_word(const Doing& h) {
  return h.state.view.word && step_of(h.state).words && !is_locked(h.state.view, "by-word");
}

void go_by(Doing& h, int by) {
  const auto steps = lesson_of(h.state).steps;
  const int to = std::clamp(step_index(h.state) + by, 0, int(steps.size()) - 1);
  if (to == step_index(h.state)) return;
  go_to_step(h, steps[std::size_t(to)], true);
  if (by < 0 && goes_by_word(h)) take_turn(h, words_of(h) - 1);
}

}  // namespace

namespace {

// What stood in the place before is no longer looked at.
void arrive(Doing& h) {
  h.state.view.cell.reset();
  h.state.view.row.reset();
  h.hand.answering = {};
  h.hand.picked_head.reset();
  h.hand.step_began = h.now;
}

void take_patch(Doing& h, const Step& step) {
  if (!step.patch) return;
  const std::optional<HeadPair> swap = h.state.inputs.swap;
  step.patch(h.state);
  follow_swap(h, swap);
  h.state.view.guess.clear();
}

}  // namespace

void go_to_step(Doing& h, const Step& chosen, bool patching) {
  h.state.view.step = chosen.id;
  h.state.view.question.clear();
  arrive(h);
  const Step& step = step_of(h.state);  // the first question, where that was chosen
  if (!step.words) h.state.view.word.reset();
  if (goes_by_word(h)) take_turn(h, 0);
  if (patching) take_patch(h, step);
  h.hand.said = step.says->title;
}

void go_to_question(Doing& h, const Step& question) {
  h.state.view.step = question.id;
  h.state.view.question = question.asks->id;
  arrive(h);
  take_patch(h, question);
  h.hand.said = title_of(h.state) + ".";
}

void go_on_asking(Doing& h, int by) {
  const auto questions = lesson_of(h.state).questions;
  const int to = question_index(h.state) + by;
  if (step_of(h.state).asks && to >= 0 && to < int(questions.size()))
    go_to_question(h, questions[std::size_t(to)]);
}

void go_on(Doing& h, int by) {
  const int word = h.state.view.word.value_or(0) + by;
  if (goes_by_word(h) && word >= 0 && word < words_of(h))
    take_turn(h, word);
  else
    go_by(h, by);
}

// The row of the word whose turn it is, in the matrix that is looked at.
void take_turn(Doing& h, int word) {
  h.state.view.word = word;
  CellName cell = selected_cell(h.state);
  cell.row = word;
  cell.col = std::min(cell.col, word);
  h.state.view.cell = cell;
  h.hand.step_began = h.now;
  if (const auto turn = lesson_of(h.state).turn) h.hand.said = turn(h.results, word);
}

void go_word_by_word(Doing& h) {
  if (h.state.view.word) return h.state.view.word.reset();
  if (words_of(h) == 0) return;
  take_turn(h, 0);
  h.hand.playing = true;
}

namespace {

bool play_on_words(Doing& h) {
  if (!h.state.view.word || !step_of(h.state).words) return false;
  const int next = *h.state.view.word + 1;
  if (next < words_of(h))
    take_turn(h, next);
  else
    h.hand.playing = false;
  return true;
}

}  // namespace

void play_on(Doing& h) {
  if (play_on_words(h)) return;
  const Step& step = step_of(h.state);
  const bool bench = h.results.runs.bench.has_value();
  if ((bench && std::string(step.id) == "match") ||
      step_index(h.state) + 1 == int(lesson_of(h.state).steps.size())) {
    h.hand.playing = false;
    return;
  }
  if (bench && play_on_bench(h)) return;
  go_by(h, 1);
}

void play(Doing& h) {
  h.hand.playing = !h.hand.playing;
  h.hand.step_began = h.now;
  if (h.hand.playing && h.state.view.word && *h.state.view.word + 1 >= words_of(h)) take_turn(h, 0);
}

}  // namespace lab
