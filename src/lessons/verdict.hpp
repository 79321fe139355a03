// Do the two modules of the bench agree, and if not, which matrix is to blame: in words.
#pragma once
#include <string>
#include <vector>

#include "lessons/results.hpp"

namespace lab {

struct Verdict {
  enum class Kind { incomplete, match, differ };
  Kind kind = Kind::incomplete;
  std::string headline;               // "Not yet"
  std::string figures;                // "max |Δ| = 0.9290"
  std::vector<std::string> lines;     // why, and what to do
  std::vector<std::string> to_blame;  // slots; known only when the search is done and nothing is hidden
  bool searching = false;
  bool guessed_right = false;  // Break it: the learner named a slot that is to blame
};

// guess: while a fault is hidden, the slot that the learner named; empty: not yet.
Verdict verdict_of(const Results& results, const std::string& guess);
const char* name_of(Verdict::Kind kind);  // "incomplete", "match", "differ"

// A fault is hidden on the bench: ends and switches of the wires must not give it away.
bool hides_fault(const Inputs& inputs, const std::string& guess);

}  // namespace lab
