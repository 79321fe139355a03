// Attention from dot products up: without weights, then with W_query, W_key and W_value.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson self_attention_lesson();

}  // namespace lab
