#include "lessons/lesson.hpp"

namespace lab {

bool is_lesson(std::string_view id) { return id == "transfer"; }

State defaults_of(std::string_view lesson) {
  State state;
  state.inputs.lesson = lesson;
  return state;
}

}  // namespace lab
