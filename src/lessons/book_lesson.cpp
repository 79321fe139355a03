#include "lessons/book_lesson.hpp"

#include <algorithm>
#include <string_view>

#include "core/number_text.hpp"
#include "lessons/query.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/book_texts.hpp"

namespace lab {
namespace {

using namespace book_texts;

void list_all(State& s) { s.view.filter = false; }

const Step kSteps[] = {
    {.id = "run", .says = &run, .cell = {}, .patch = list_all},
    {.id = "rule", .says = &book_texts::rule, .cell = {}, .patch = list_all},
    {.id = "odd", .says = &odd, .cell = {}, .patch = [](State& s) { s.view.filter = true; }},
    {.id = "dice", .says = &dice, .cell = {}, .patch = list_all},
    questions::book().front(),
};

// What a step is about, by chapter and cell.
struct About {
  std::string_view step, chapter;
  int cell;
};
constexpr About kAbout[] = {{"odd", "ch03 exercises", 13}, {"dice", "ch03", 115}, {"", "ch03", 105}};

int row_about(std::string_view step) {
  for (const About& about : kAbout)
    if (about.step == step || about.step.empty())
      return int(book_row(about.chapter, about.cell) - book_rows().data());
  return 0;
}

// Those that say most: what differs, then the first of the others.
std::vector<const BookNumber*> told_numbers(const BookCheck& check) {
  constexpr std::size_t kTold = 8;
  std::vector<const BookNumber*> told;
  for (const BookNumber& n : check.numbers) told.push_back(&n);
  std::stable_partition(told.begin(), told.end(), [](const BookNumber* n) { return !n->to_last_digit; });
  if (told.size() > kTold && told.front()->to_last_digit && !check.row->drops)  // a mask hides most of them
    std::stable_partition(told.begin(), told.end(),
                          [](const BookNumber* n) { return n->printed != 0 && n->text != "-inf"; });
  told.resize(std::min(told.size(), kTold));
  return told;
}

// Printed beside computed, with the distance and what it may be.
void tell_numbers(std::vector<Fact>& facts, const BookCheck& check) {
  const bool is_judged = !check.row->cannot_be;  // else the printed ones are what is wrong
  facts.push_back({check.elsewhere ? "printed on Linux, Windows" : "printed", "computed"});
  const auto told = told_numbers(check);
  for (const BookNumber* n : told)
    facts.push_back({.label = printed_text(*n),
                     .value = is_run(check) ? computed_text(*n) : "–",
                     .mark = !is_judged || !is_run(check) ? Fact::Mark::none
                             : n->within                  ? Fact::Mark::good
                                                          : Fact::Mark::bad});
  if (told.size() < check.numbers.size())
    facts.push_back({filled("and {0} more", {std::to_string(check.numbers.size() - told.size())}), ""});
  const BookNumber* n = furthest(check);
  if (!n || !is_run(check) || !is_judged) return;
  facts.push_back({"largest distance", difference_text(n->distance), Role::neutral, true});
  facts.push_back({"the same means", rule_of(*n), Role::neutral, true});
}

std::vector<Fact> row_facts(const Results& r, const State& s) {
  if (!r.book) return {};
  const BookCheck& check = r.book->checks().all()[std::size_t(magnified_row(s))];
  const BookRow& row = *check.row;
  std::vector<Fact> facts = {{row.what, seed_of(row), Role::neutral, true}, {source_of(row), ""}};
  if (const std::string reason = reason_of(check); !reason.empty())
    facts.push_back({.label = "", .value = reason});
  if (*row.words) {
    facts.push_back({"printed", row.words});
    if (is_run(check)) facts.push_back({"computed", check.words, Role::neutral, true});
  } else if (check.state != BookCheck::State::waiting) {
    tell_numbers(facts, check);
  }
  return facts;
}

}  // namespace

std::string printed_text(const BookNumber& n) {
  return (n.name.empty() ? "" : "(" + n.name + ") ") + (n.text == "-inf" ? "−∞" : n.text);
}

// Six digits behind the point tell a float from its four printed ones; a gradient needs all that it has.
std::string computed_text(const BookNumber& n) {
  switch (n.rule) {
    case BookRule::exact: return decimals(n.computed, n.text.find('.') == std::string::npos ? 0 : 4);
    case BookRule::gradient: return number_text(float(n.computed));
    case BookRule::near_zero: return difference_text(n.computed);
    case BookRule::four_digits: return decimals(n.computed, 6);
  }
  return "";
}

int magnified_row(const State& s) { return s.view.row ? *s.view.row : row_about(step_of(s).id); }

const Lesson& lesson_of_place(const BookPlace& place) {
  const std::string_view query = place.query;
  const std::size_t from = query.find('=') + 1;
  return lesson_named(query.substr(from, query.find('&') - from));
}

bool is_listed(const State& s, const BookCheck& check) {
  if (!s.view.filter) return true;
  return is_run(check) &&
         (check.state != BookCheck::State::equal || check.to_last_digit < int(check.numbers.size()));
}

Code code_of_row(const BookWork& book, int row) {
  const BookPlace& place = place_of(book_rows()[std::size_t(row)]);
  if (!has_program(place)) return {};
  const State state = opened(place.query).state;
  Code code = pytorch_of(results_of(state.inputs, book.tokenizer()), state);
  code.lit = step_of(state).code;
  return code;
}

Lesson book_lesson() {
  return {
      .id = "book",
      .says = &lesson,
      .controls = "",
      .steps = kSteps,
      .make_runs = [](Runs&, const Inputs&) {},
      .program = [](const Results&, const std::string&) { return Code{}; },
      .stage = Stage::book,
      .questions = questions::book(),
      .facts = row_facts,
  };
}

}  // namespace lab
