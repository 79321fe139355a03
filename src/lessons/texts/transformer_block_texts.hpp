// What the lesson transformer-block says: every sentence, made from its numbers.
#pragma once
#include "lessons/says.hpp"

namespace lab::transformer_block_texts {

extern const LessonText lesson;
extern const StepText stream, norm1, norm_book, att, add1, ff, gelu_step, add2, stack, gradients, order;

// What stands beside the stream: what attention and feed-forward add to it, dropped or not.
const char* added_by_attention(const Results& r);
const char* added_by_ff(const Results& r);
bool is_off(const Results& r, const char* box);  // "att", "ff"

}  // namespace lab::transformer_block_texts
