// The block that a GPT repeats: what each of its parts does, and the stream past them.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson transformer_block_lesson();
DropoutRates rates_of(const Inputs& in);  // of the block; it embeds nothing

}  // namespace lab
