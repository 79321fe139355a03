#include "lessons/questions/questions.hpp"

#include <cmath>

#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab {

const StepText your_turn = {"Your turn", [](const Results&) { return std::string(); }};

namespace questions {

std::string needs_words(const Results& r, int least) {
  const int words = int(r.runs.words.size());
  if (words == 0) return no_words();
  return words < least ? filled("This question needs a sentence of {0}.", {counted(least, "word")}) : "";
}

std::string exactly(double number) { return decimals(number, 7); }

int nearest(double number, std::initializer_list<double> choices) {
  const auto far = [&](const double* choice) { return std::abs(std::log(number / *choice)); };
  const double* best = choices.begin();
  for (const double* choice = choices.begin(); choice != choices.end(); ++choice)
    if (far(choice) < far(best)) best = choice;
  return int(best - choices.begin());
}

}  // namespace questions
}  // namespace lab
