// What is asked at the end of a lesson: predict, then see; or set something until it holds. Every answer
// comes from the numbers on the screen.
#pragma once
#include <string>
#include <vector>

#include "lessons/results.hpp"

namespace lab {

struct Question {
  enum class Kind {
    cell,     // answered by a click on a cell of `hidden`: "attn_weights.2.1"; ".2.*" is all of its row
    number,   // "0.5517", as close as `close`
    choice,   // the place of the right one: "2"
    setting,  // by the controls, until is_set: the answer is what would do, "d_out=1&heads=2"
  };
  const char* id;  // in links, and kept when it was answered
  Kind kind;
  std::string (*lacks)(const Results&);  // what it needs before it can be asked; "": nothing
  std::string (*asked)(const Results&);
  std::string (*answer)(const Results&);
  std::string (*revealed)(const Results&);                           // the answer with its reason
  std::string (*why_not)(const Results&, const std::string& given);  // what is wrong with that one
  std::vector<std::string> (*hints)(const Results&);                 // from a nudge to nearly all of it
  std::vector<std::string> (*choices)(const Results&) = nullptr;
  bool (*is_set)(const Results&) = nullptr;
  double close = .0005;             // half of the last of three decimals
  const char* title = "Your turn";  // or the exercise of the book that it is
  const char* hidden = "";          // the matrix that would tell; hidden until then
  const char* pictured = "";        // GPT: the step whose picture stands there, hidden until then
};

bool can_be_asked(const Question& question, const Results& results);
bool is_right(const Question& question, const Results& results, const std::string& given);
bool is_close(const Question& question, const std::string& given, double number);
// "2,360,064" is a whole number where one is asked for; otherwise as plain_number().
std::string given_number(const Question& question, const std::string& typed);

}  // namespace lab
