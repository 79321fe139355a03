// A state's whole screen, drawn once, still and without a display.
#pragma once
#include <vector>

#include "draw/registry.hpp"
#include "draw/stage.hpp"
#include "lessons/lesson.hpp"

namespace lab::test {

struct Drawn {
  Picture picture;
  std::vector<Target> targets;
};

Drawn drawn(const State& state, int width, int height, bool dark);
// The same while its step begins, so many milliseconds after it was chosen.
Drawn drawn_in_motion(const State& state, int width, int height, double after_ms);

// The lesson as it opens, gone to that step by its button in the timeline.
State at_step(const Lesson& lesson, const Step& step);

}  // namespace lab::test
