// Every matrix on the screen as comma-separated values, for a spreadsheet.
#pragma once
#include <string>

#include "lessons/results.hpp"

namespace lab {

// Of each matrix: a line with its name and shape, its rows, an empty line. Numbers with 9 significant digits.
std::string csv(const Runs& runs);

// Of each number of the book a line: where it is printed, as what, what is computed and how far apart they
// are.
std::string csv(const BookChecks& checks);

std::string csv(const Results& results,
                const State& state);  // whatever the lesson is about; of a GPT what its trace tells

}  // namespace lab
