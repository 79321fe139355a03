// The block that a GPT repeats: what each of its parts does, and the stream past them.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson transformer_block_lesson();
// What stands on top of the block; none without one, or without words.
std::optional<BlockStack> stack_of(const Runs& runs, const Inputs& in);
// The gradient of that layer's weights is the one that the book prints.
bool is_as_printed(const Results& r, bool shortcuts, std::size_t layer);
DropoutRates rates_of(const Inputs& in);  // of the block; it embeds nothing

}  // namespace lab
