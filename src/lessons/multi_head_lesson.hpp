// Several heads: stacked, packed into one module, and mixed by out_proj.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

constexpr const char *kMapsStep = "maps", *kStagesStep = "stages", *kProjectStep = "project",
                     *kWrongBandStep = "break", *kSwapStep = "swap";

Lesson multi_head_lesson();
void pack_rightly(State& state);  // no band is wrong, and heads are split as they are

}  // namespace lab
