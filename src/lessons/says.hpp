// The words of a lesson. All of them stand in lessons/texts, a file a lesson: a translation is another such
// file.
#pragma once
#include <string>

#include "lessons/question.hpp"
#include "lessons/results.hpp"

namespace lab {

struct LessonText {
  const char* title;
  const char* purpose;  // one line
};

struct StepText {
  const char* title;
  std::string (*text)(const Results&);  // what the learner reads
  const char* label = "";               // in the timeline; empty: the id, capitalised
};

}  // namespace lab
