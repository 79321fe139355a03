// The question at the end of a lesson: predict, then see. The answer comes from the numbers on the screen.
#pragma once
#include <string>
#include <vector>

#include "lessons/results.hpp"

namespace lab {

struct Question {
  enum class Kind {
    cell,    // answered by a click on a cell of `hidden`: "attn_weights.2.1"
    number,  // "0.5517", within 0.0005
    choice,  // the place of the right one: "2"
  };
  const char* id;  // kept when it was answered
  Kind kind;
  std::string (*asked)(const Results&);
  std::string (*answer)(const Results&);    // "" where the question makes no sense: too few words
  std::string (*revealed)(const Results&);  // the answer with its reason
  const char* why_not;                      // what is wrong with the tempting answer
  std::vector<const char*> hints;           // from a nudge to nearly all of it
  std::vector<const char*> choices{};
  CellName cell{};          // opened with the answer
  const char* hidden = "";  // the matrix that would tell; hidden until then
};

bool is_right(const Question& question, const Results& results, const std::string& given);

}  // namespace lab
