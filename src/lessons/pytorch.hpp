// The PyTorch lines that do what the screen shows; run as they are, they print the screen's numbers.
#pragma once
#include <string>
#include <vector>

#include "lessons/results.hpp"

namespace lab {

struct Code {
  std::vector<std::string> lines;  // of the panel: what belongs to the current state
  std::string program;             // all of it, from "import torch": what Copy gives
  const char* lit = "";            // how the line begins that it is about, where none begins as the step says
};

// While a fault is hidden the moves are not shown.
Code pytorch_of(const Results& results, const State& state);

}  // namespace lab
