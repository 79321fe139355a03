// Every matrix on the screen as comma-separated values, for a spreadsheet.
#pragma once
#include <string>

#include "core/runs.hpp"

namespace lab {

// Of each matrix: a line with its name and shape, its rows, an empty line. Numbers with 9 significant digits.
std::string csv(const Runs& runs);

}  // namespace lab
