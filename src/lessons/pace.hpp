// How long Play stays where it is: as long as it takes to read what is said there.
#pragma once
#include <string_view>

#include "lessons/results.hpp"

namespace lab {

double reading_ms(std::string_view text);  // from 3 to 12 s
// Of the step, or of the word whose turn it is.
double stay_ms(const State& state, const Results& results);
// After so many ms of that: how far it is on the way to the next step, from 0 to 1.
double played_part(const State& state, const Results& results, double ms);

}  // namespace lab
