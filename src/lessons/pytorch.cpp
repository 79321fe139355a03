#include "lessons/pytorch.hpp"

#include "lessons/book_lesson.hpp"
#include "lessons/lesson.hpp"

namespace lab {

Code pytorch_of(const Results& r, const State& state) {
  if (r.book) return code_of_row(*r.book, magnified_row(state));
  if (r.runs.words.empty()) return {};
  return lesson_named(r.inputs.lesson).program(r, state.view.guess);
}

}  // namespace lab
