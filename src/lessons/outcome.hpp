// What came of an act, for who does not see the picture: said after what was done.
#pragma once
#include <string>

#include "lessons/verdict.hpp"

namespace lab {

// "Not yet. Largest difference 0.9290." of a bench; else the sums of the rows that the step is about. Empty:
// there is nothing of that kind here, or the step's question asks for it.
std::string outcome_of(const State& state, const Results& results, const Verdict& verdict);

}  // namespace lab
