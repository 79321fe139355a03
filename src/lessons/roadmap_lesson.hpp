// Where this lab stands on the way from one head to a model that answers.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson roadmap_lesson();

}  // namespace lab
