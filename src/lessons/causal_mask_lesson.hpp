// The causal mask: softmax, zero above the diagonal, renormalize; −∞ beside it; and the ways to get it wrong.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson causal_mask_lesson();
void mask_rightly(State& state);  // by a right route, without dropout

}  // namespace lab
