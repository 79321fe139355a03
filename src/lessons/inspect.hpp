// One cell, told: its name with the learner's words, its value, and its arithmetic with the operands filled
// in.
#pragma once
#include <string>
#include <vector>

#include "core/atlas.hpp"

namespace lab {

struct CellReport {
  std::string name;                // "difference[journey, 1]"
  std::string title;               // "Difference"
  std::string value;               // "-0.9290"
  std::string formula;             // as PyTorch says it; empty for parameters
  std::vector<std::string> lines;  // "-0.1080 − 0.8210", "seed 123, draw 5"
  Role role = Role::neutral;
};

// Empty name: no such cell.
CellReport report_of(const Runs& runs, const CellName& cell, int digits);

// The hue of a matrix by its name; a parameter has its projection's.
Role role_of(const Runs& runs, const std::string& name);

}  // namespace lab
