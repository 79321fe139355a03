// One cell, told: its name with the learner's words, its value, and its arithmetic with the operands filled
// in.
#pragma once
#include <string>
#include <vector>

#include "core/atlas.hpp"

namespace lab {

// A run of signs in one hue.
struct Told {
  std::string text;  // "0.4306", " × "
  Role role = Role::neutral;
  bool is_operand = false;  // a number that is read from a matrix of this role
};
using ToldTerm = std::vector<Told>;  // what a line is never broken in: "+ 0.4306 × (−0.1500)"
struct ToldLine {
  std::vector<ToldTerm> terms{};
  bool is_summed = false;  // a term of a sum whose terms stand one below the other, or the sum
  std::string result{};    // what that term comes to
};

struct CellReport {
  std::string name;             // "difference[journey, 1]"
  std::string title;            // "Difference"
  std::string value;            // "-0.9290"
  std::string formula;          // as PyTorch says it; empty for parameters
  std::vector<ToldLine> lines;  // "−0.1080 − 0.8210 = −0.9290", "seed 123, draw 5"
  Role role = Role::neutral;
};

std::string text_of(const ToldTerm& term);
std::string text_of(const ToldLine& line);

// Empty name: no such cell.
CellReport report_of(const Runs& runs, const CellName& cell, int digits);

// What stands for a word in it: each row, each column.
bool rows_are_words(const Runs& runs, const Found& found);
bool columns_are_words(const Runs& runs, const Found& found);

// The hue of a matrix by its name; a parameter has its projection's.
Role role_of(const Runs& runs, const std::string& name);

}  // namespace lab
