#include "lessons/book_lesson.hpp"

#include <algorithm>
#include <string_view>

#include "core/number_text.hpp"
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
  const auto rows = book_rows();
  for (const About& about : kAbout)
    if (about.step == step || about.step.empty())
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].cell == about.cell && rows[i].chapter == about.chapter) return int(i);
  return 0;
}

std::string printed_text(const BookNumber& n) { return n.text == "-inf" ? "−∞" : n.text; }

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

std::vector<Fact> row_facts(const Results& r, const State& s) {
  if (!r.book) return {};
  const BookCheck& check = r.book->all()[std::size_t(magnified_row(s))];
  const BookRow& row = *check.row;
  std::vector<Fact> facts = {
      {row.what, row.seed < 0 ? "" : "seed " + std::to_string(row.seed), Role::neutral, true},
      {source_of(row), ""}};
  if (const std::string reason = reason_of(check); !reason.empty())
    facts.push_back({.label = "", .value = reason});
  if (!row.computed) return facts;
  if (check.state == BookCheck::State::waiting) return facts;
  facts.push_back({"printed", "computed"});
  const bool is_judged = !row.cannot_be;  // else the printed ones are what is wrong
  const auto told = told_numbers(check);
  for (const BookNumber* n : told)
    facts.push_back({.label = printed_text(*n),
                     .value = computed_text(*n),
                     .mark = !is_judged  ? Fact::Mark::none
                             : n->within ? Fact::Mark::good
                                         : Fact::Mark::bad});
  if (told.size() < check.numbers.size())
    facts.push_back({filled("and {0} more", {std::to_string(check.numbers.size() - told.size())}), ""});
  if (const BookNumber* n = furthest(check); n) {
    facts.push_back({"largest distance", difference_text(n->distance), Role::neutral, true});
    facts.push_back({"the same means", rule_of(*n), Role::neutral, true});
  }
  return facts;
}

}  // namespace

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
  const bool is_known = check.state != BookCheck::State::waiting && check.state != BookCheck::State::not_run;
  return is_known &&
         (check.state != BookCheck::State::equal || check.to_last_digit < int(check.numbers.size()));
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
