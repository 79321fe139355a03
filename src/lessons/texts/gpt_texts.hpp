// What the lesson gpt says: every sentence, made from its numbers.
#pragma once
#include "lessons/says.hpp"

namespace lab::gpt_texts {

extern const LessonText lesson;
extern const StepText ids, embed, block, tower, maps, inside, why_even, repeat, logits, next, greedy, tie,
    shortcuts, sizes;

std::string grouped(std::int64_t n);  // "163,009,536"
// What stands in the model's place while its numbers are not there.
std::string not_drawn(const GptWork& work);
std::string not_read(const Results& r);  // while its text is not read; "": it is

}  // namespace lab::gpt_texts
