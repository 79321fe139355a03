// The lessons there are: what each opens with, and its steps.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/atlas.hpp"
#include "lessons/arrangement.hpp"
#include "lessons/pytorch.hpp"
#include "lessons/question.hpp"
#include "lessons/results.hpp"
#include "lessons/says.hpp"
#include "lessons/state.hpp"

namespace lab {

struct Step {
  const char* id = "";  // in links; capitalised it is the timeline's label
  const StepText* says = nullptr;
  CellName cell{};                  // selected unless the user selected another
  std::optional<Slot> lit{};        // bench: the pair that it is about
  void (*patch)(State&) = nullptr;  // what choosing the step sets, as one undo entry
  int arrangement = 0;              // which of the lesson's its matrices stand in
  const char* show = "";            // the matrices that it is about, what matters most first; * is every head
  const char* code = "";            // how the PyTorch line begins that it is about
  const char* controls = "";        // of the lesson's keys those that matter here alone
  bool routes = false;              // the list of mask routes stands beside them
  bool words = false;               // can be gone through word by word
  const Question* asks = nullptr;   // the timeline's last step asks the lesson's questions, one at a time
  bool tells_nan = false;           // its text knows what to say of NaN and of infinity
};

// What the middle of the screen shows; a stage of its own is drawn by one file of draw/.
enum class Stage {
  arrangement,
  block,  // an arrangement beside the residual stream
  gpt,    // the model as a tower, and what the step is about
  bench,
  roadmap,
  book,  // the numbers that the book prints, ticked
};

// A line of the inspector about the row that is looked at.
struct Fact {
  std::string label, value;
  Role role = Role::neutral;
  bool stands_out = false;
  enum class Mark { none, good, bad } mark = Mark::none;
};

struct Lesson {
  const char* id;
  const LessonText* says;
  const char*
      controls;  // the keys of the query that the input bar offers, between spaces; empty: no input bar
  std::span<const Step> steps;
  void (*make_runs)(Runs&, const Inputs&);                    // words and vectors are there already
  Code (*program)(const Results&, const std::string& guess);  // guess as in verdict_of
  // Of the words; null: each has its own vector.
  Parameter (*inputs)(const std::vector<std::string>& words, const Inputs&) = nullptr;
  void (*open)(Inputs&) = nullptr;  // where it does not open with State's own numbers
  Stage stage = Stage::arrangement;
  std::span<const Arrangement> arrangements{};
  std::span<const Step> questions{};  // steps that ask; the first of them ends `steps`
  std::string (*turn)(const Results&,
                      int word) = nullptr;  // word by word: what is said of the one whose turn it is
  std::vector<Fact> (*facts)(const Results&, const State&) = nullptr;  // of the selected row
};

constexpr const char* kQuestionStep = "question";
extern const StepText your_turn;
constexpr Step asking(const Question& question, Step at = {}) {
  at.id = kQuestionStep;
  at.says = &your_turn;
  at.asks = &question;
  return at;
}

std::span<const Lesson> lessons();
bool is_lesson(std::string_view id);
const Lesson& lesson_named(std::string_view id);  // the first where there is none of that name
const Lesson& lesson_of(const State& state);
// What the learner reads. Where NaN or infinity stands in what the step is about, no sentence about shares or
// winners would hold, and one of a step that does not know it says so instead.
std::string sentence_of(const Step& step, const Results& results);
std::string title_of(const State& state);  // of the step, or of the question: "Exercise 3.2, question 2 of 5"
const Step& step_of(const State& state);   // the first where the state names none of the lesson's
int step_index(const State& state);        // among the lesson's steps, all questions being one
int question_index(const State& state);    // the first where the state names none of the lesson's
const Step* step_about(const Lesson& lesson,
                       std::string_view name);                 // of that id, or the first that shows it
int place_in_show(const Step& step, std::string_view matrix);  // -1: the step is not about it
bool shows(const Step& step, std::string_view matrix);         // the step is about it
bool has_control(const Lesson& lesson, std::string_view key);
// The input bar offers it: not where it matters in other steps alone and stands as the lesson opens.
bool is_offered(const State& state, std::string_view key);

// inputs.lesson is the id, everything else as the lesson opens.
State defaults_of(std::string_view lesson);

void take_example_sizes(Inputs& in);
int heads_of(
    const Inputs& in);  // of the lesson that can take built ones in place of as many as were asked for

// The rail, in the order of the book. A lesson that is still coming has no id; it stands there and says what
// it will show.
struct RailEntry {
  const char* title;
  const char* id;
  const char* shows;
};
std::span<const RailEntry> rail();

CellName selected_cell(const State& state);
std::string head_prefix_in(
    std::string_view name);          // "wrapper.heads.1." of such a matrix; empty: of no head's
int head_in(std::string_view name);  // 1 of it; -1: of no head's
// The head that a step of one head is about, by its prefix: the selected cell's, or the step's own.
std::string opened_head(const State& state, const Runs& runs);
const Arrangement& arrangement_of(const State& state);  // of a lesson that has one
// Of all heads that the step could show, only the one that is looked at, for it would not fit beside them.
bool shows_one_head(const State& state, const Runs& runs);

// Of the view goes what inputs and step have no place for: the turn of a word that is not there, changes
// where nothing is edited, a row of the book where there is no such row.
void fit_view(State& state);

}  // namespace lab
