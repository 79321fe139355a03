// What the causal-mask lesson says, made from its numbers.
#pragma once
#include <string>

#include "lessons/results.hpp"

namespace lab::causal_mask_texts {

std::string scores_text(const Results& r);
std::string scale_text(const Results& r);
std::string softmax_text(const Results& r);
std::string zero_text(const Results& r);
std::string renormalize_text(const Results& r);
std::string context_text(const Results& r);
std::string minus_infinity_text(const Results& r);
std::string leak_text(const Results& r);
std::string wrong_text(const Results& r);
std::string dropout_text(const Results& r);

// Word by word: of the word whose turn it is.
std::string turn_text(const Results& r, int row);
std::string words_from(const Results& r, int first, int end);  // "with one step", "nothing"

}  // namespace lab::causal_mask_texts
