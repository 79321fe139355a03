// The lessons there are: what each opens with, and its steps.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lessons/arrangement.hpp"
#include "lessons/results.hpp"
#include "lessons/state.hpp"

namespace lab {

struct Step {
  const char* id;  // in links; capitalised it is the timeline's label
  const char* title;
  std::string (*text)(const Results&);  // what the learner reads
  CellName cell;                        // selected unless the user selected another
  std::optional<Slot> lit{};            // bench: the pair that it is about
  void (*patch)(State&) = nullptr;      // what choosing the step sets, as one undo entry
  int arrangement = 0;                  // which of the lesson's its matrices stand in
  const char* show = "";                // the matrices that it is about, names between spaces
  const char* code = "";                // how the PyTorch line begins that it is about
};

struct Lesson {
  const char* id;
  const char* title;
  const char* purpose;  // one line
  std::span<const Step> steps;
  std::span<const Arrangement> arrangements{};  // none: the transfer bench draws itself
};

std::span<const Lesson> lessons();
bool is_lesson(std::string_view id);
const Lesson& lesson_of(const State& state);
const Step& step_of(const State& state);  // the first where the state names none of the lesson's
int step_index(const State& state);
bool shows(const Step& step, std::string_view matrix);  // the step is about it

// inputs.lesson is the id, everything else as the lesson opens.
State defaults_of(std::string_view lesson);

// The rail, in the order of the book. A lesson that is still coming has no id; it stands there and says what
// it will show.
struct RailEntry {
  const char* title;
  const char* id;
  const char* shows;
};
std::span<const RailEntry> rail();

CellName selected_cell(const State& state);

}  // namespace lab
