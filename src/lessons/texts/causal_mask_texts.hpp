// What the lesson causal-mask says: every sentence, made from its numbers.
#pragma once
#include <span>
#include "lessons/says.hpp"

#include "core/masks.hpp"

namespace lab::causal_mask_texts {

extern const LessonText lesson;
extern const StepText scores, scale, softmax, zero, renormalize, context, minus_infinity, leak, wrong,
    dropout;

// What a route is called, and what its row sums and its leak show.
struct RouteText {
  MaskRoute route;
  const char* name;
  const char* says;
};
std::span<const RouteText> routes();

// Word by word: of the word whose turn it is.
std::string turn_text(const Results& r, int row);
std::string leak_text(float most);  // never rounded to 0 when it is more than rounding
std::string words_from(const Results& r, int first, int end);  // "with, one, step", "nothing"

}  // namespace lab::causal_mask_texts
