#include "draw/drawn.hpp"

#include <string>

#include "draw/screen.hpp"
#include "lessons/act.hpp"
#include "lessons/gpt_lesson.hpp"
#include "vocabulary.hpp"

namespace lab::test {

namespace {

constexpr double kSettled = 1e9;  // ms, no motion lasts that long

Drawn drawn_at(const State& state, int width, int height, bool dark, double after_ms) {
  static const auto tokenizer = Tokenizer::from(kVocabulary);
  Results results = results_of(state.inputs, &*tokenizer);
  if (results.gpt) results.gpt->advance([] { return true; });  // a large one waits to be asked
  open_looked_at_head(results, state);
  while (results.has_work()) results.work_on();
  if (results.book) results.book->advance(0, [] { return true; });  // so do its largest rows
  const Verdict verdict = verdict_of(results, state.view.guess);
  const Code code = pytorch_of(results, state);
  const Hand hand;
  const Shown shown{state, results, hand, verdict, code};
  Drawn d;
  d.picture = stage().draw(width, height, 1, dark, [&](Ui& ui) {
    ui.gesture.motion_began = ui.now - after_ms;
    ui.reduced_motion = after_ms >= kSettled;
    draw_screen(ui, shown, 0);
  });
  d.targets = stage().ui.registry.targets();
  return d;
}

}  // namespace

Drawn drawn(const State& state, int width, int height, bool dark) {
  return drawn_at(state, width, height, dark, kSettled);
}
Drawn drawn_in_motion(const State& state, int width, int height, double after_ms) {
  return drawn_at(state, width, height, false, after_ms);
}

State at_step(const Lesson& lesson, const Step& step) {
  State state = defaults_of(lesson.id);
  Hand hand;
  act(state, hand, results_of(state.inputs), {std::string("step.") + step.id, ""}, 0, 0);
  return state;
}

}  // namespace lab::test
