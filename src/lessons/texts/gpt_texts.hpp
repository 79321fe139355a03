// What the lesson gpt says: every sentence, made from its numbers.
#pragma once
#include "lessons/says.hpp"

namespace lab::gpt_texts {

extern const LessonText lesson;
extern const StepText ids, embed, block, tower, maps, why_even, repeat, logits, next, greedy, tie, shortcuts,
    sizes, question;
extern const Question predict;

std::string grouped(std::int64_t n);  // "163,009,536"
// What stands in the model's place while its numbers are not there.
std::string not_drawn(const GptWork& work);

}  // namespace lab::gpt_texts
