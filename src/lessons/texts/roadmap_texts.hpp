// What the lesson roadmap says: every sentence, made from its numbers.
#pragma once
#include <array>
#include <span>

#include "lessons/says.hpp"

namespace lab::roadmap_texts {

extern const LessonText lesson;
extern const StepText build, pretrain, finetune;

// One of the three stages, and what it is made of.
struct Part {
  const char* words;   // null: no more
  const char* adds;    // in a few words
  const char* lesson;  // "" where the lab has none
};
struct Station {
  const char *step, *title, *state;
  std::array<Part, 6> parts;
};
std::span<const Station> stations();

}  // namespace lab::roadmap_texts
