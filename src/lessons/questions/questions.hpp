// What each lesson asks at its end, in order. Words, answers and hints of a lesson's questions stand in one
// file; a translation is another such file.
#pragma once
#include <span>
#include <string>

#include "lessons/lesson.hpp"

namespace lab::questions {

std::span<const Step> self_attention();
std::span<const Step> transfer();
std::span<const Step> causal_mask();
std::span<const Step> multi_head();
std::span<const Step> transformer_block();
std::span<const Step> gpt();
std::span<const Step> roadmap();
std::span<const Step> book();

// ---- what several of them have in common ------------------------------------------------------------------

std::string needs_words(const Results& r, int least);  // "": there are so many
std::string exactly(double number);                    // an answer with more digits than anybody types
inline std::string place(int choice) { return std::to_string(choice); }
int nearest(double number, std::initializer_list<double> choices);  // on a logarithmic scale

}  // namespace lab::questions
