// What the lesson multi-head says: every sentence, made from its numbers.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/multi_head.hpp"
#include "lessons/says.hpp"

namespace lab::multi_head_texts {

extern const LessonText lesson;
extern const StepText heads, maps, stages, swap_step, carry, concat, project, view_step, transpose, inside,
    pack, break_band, out_proj;

// What a way of splitting is called, and what comes of it.
struct SplitText {
  HeadRoute route;
  const char* name;
  const char* says;
};
std::span<const SplitText> splits();

std::string head_name(const Results& r,
                      int head);  // of an example head what it looks at; else "drawn from seed 123"
std::string cannot_share(
    int width, int num_heads,
    const char* name = "d_out");  // "2 columns cannot be shared by 3 heads. Try d_out 3 or 6."
std::optional<WrongBand> fault_of(const Inputs& in,
                                  int heads);  // the band that is wrong; none: all are right

}  // namespace lab::multi_head_texts
