#include "lessons/pytorch.hpp"

#include "lessons/lesson.hpp"

namespace lab {

Code pytorch_of(const Results& r, const std::string& guess) {
  if (r.runs.words.empty()) return {};
  return lesson_named(r.inputs.lesson).program(r, guess);
}

}  // namespace lab
