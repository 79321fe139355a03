// What an act has at hand. Only act*.cpp include this.
#pragma once
#include <string>
#include <string_view>

#include "lessons/act.hpp"

namespace lab {

struct Doing {
  State& state;
  Hand& hand;
  const Results& results;
  double now;
  std::uint32_t random;

  const Bench& bench() const { return *results.runs.bench; }
};

bool begins(std::string_view text, std::string_view start, std::string& rest);
void go_to_step(Doing& h, const Step& step, bool patching);  // patching: what choosing the step sets
void go_by(Doing& h, int by);

// The transfer bench. False: not an act of its own.
bool act_on_bench(Doing& h, const Action& a);
bool play_on_bench(Doing& h);  // fills the slot that the step is about; false: nothing to fill

}  // namespace lab
