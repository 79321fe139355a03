// What the lesson transfer says: every sentence, made from its numbers.
#pragma once
#include "lessons/says.hpp"

namespace lab::transfer_texts {

extern const LessonText lesson;
extern const StepText pair, draws, W_query, W_key, W_value, match, square, slip, blame, freedom;

}  // namespace lab::transfer_texts
