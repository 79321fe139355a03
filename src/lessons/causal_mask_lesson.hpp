// The causal mask: softmax, zero above the diagonal, renormalize; −∞ beside it; and the ways to get it wrong.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson causal_mask_lesson();

// What a route is called, and what its row sums and its leak show.
struct RouteWords {
  MaskRoute route;
  const char* name;
  const char* says;
};
std::span<const RouteWords> route_words();

}  // namespace lab
