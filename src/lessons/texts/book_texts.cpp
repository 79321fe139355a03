#include "lessons/texts/book_texts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/book_computed.hpp"
#include "lessons/text.hpp"

namespace lab::book_texts {
namespace {

std::string run_text(const Results&) {
  return "Each row was printed in the book and has just been computed again on your machine. A tick means "
         "that "
         "the digits agree. Press a count to compare number by number; press a row to land in the lesson, on "
         "that very cell.";
}
std::string rule_text(const Results&) {
  return "Printed numbers are rounded to four digits, so the same means closer than 0.000055: half of the "
         "last "
         "digit, and a little for rounding. Gradients are held to one part in a million. Counts, shapes and "
         "sizes must be equal.";
}
std::string odd_text(const Results&) {
  return "A few numbers hang on the very last bits: means that are really 0, gradients of 17 digits. They "
         "are "
         "named, not hidden. And one printed answer, that of exercise 3.2, does not come from the book's "
         "data "
         "at all.";
}
std::string dice_text(const Results&) {
  return "Only dropout depends on the system: a Mac and Linux or Windows throw other dice for the same seed. "
         "The book was printed on a Mac. Change the dice: the masks change, and no other number does.";
}

struct Section {
  std::string_view id;
  const char* title;
};
constexpr Section kSections[] = {
    {"3.3", "3.3  Attention without trainable weights"},
    {"3.4", "3.4  Trainable weights"},
    {"3.5", "3.5  Causal mask"},
    {"3.6", "3.6  Multi-head"},
    {"3 ex", "Exercises of chapter 3"},
    {"4.1", "4.1  A first GPT, nearly empty"},
    {"4.2", "4.2  LayerNorm"},
    {"4.3", "4.3  Feed-forward"},
    {"4.4", "4.4  Shortcuts"},
    {"4.5", "4.5  Transformer block"},
    {"4.6", "4.6  GPT model"},
    {"4.7", "4.7  Generating text"},
    {"4 ex", "Exercises of chapter 4"},
};

const BookNumber* first_that_fails(const BookCheck& check) {
  for (const BookNumber& n : check.numbers)
    if (!n.within) return &n;
  return nullptr;
}
const BookNumber* first_that_rounds_otherwise(const BookCheck& check) {
  for (const BookNumber& n : check.numbers)
    if (!n.to_last_digit) return &n;
  return nullptr;
}

}  // namespace

const char* section_title(const BookRow& row) {
  for (const Section& s : kSections)
    if (s.id == row.section) return s.title;
  return row.section;
}

std::string source_of(const BookRow& row) {
  const std::string chapter = row.chapter;
  return filled(chapter.size() > 4 ? "exercises of chapter {0}, cell {1}" : "chapter {0}, cell {1}",
                {chapter.substr(3, 1), std::to_string(row.cell)});
}

std::string reason_of(const BookCheck& check) {
  const BookRow& row = *check.row;
  switch (check.state) {
    case BookCheck::State::waiting: return "";
    case BookCheck::State::not_run: return filled("Not run: it takes {0}.", {row.needs});
    case BookCheck::State::explained:
      if (row.cannot_be)
        return filled("Printed up to {0}, but no context of this module can be further from 0 than {1}.",
                      {decimals(largest_printed(check)), decimals(book::largest_context_of_exercise())});
      return "The book was printed on a Mac; these are the dice of Linux and Windows.";
    case BookCheck::State::failed:
      if (const BookNumber* n = first_that_fails(check))
        return filled("Printed {0}, computed {1}: {2} apart.",
                      {n->text, decimals(n->computed, 6), difference_text(n->distance)});
      return "Other numbers are computed than are printed.";
    case BookCheck::State::equal: break;
  }
  if (check.against_readers) return "As readers saw it on Linux and Windows.";
  const BookNumber* n = first_that_rounds_otherwise(check);
  if (!n) return "";
  switch (n->rule) {
    case BookRule::gradient: return "17 digits of a float: the last ones hang on the order of adding.";
    case BookRule::near_zero: return "A mean that is really 0: what is printed is what rounding left over.";
    default: return "It stands on the edge between two last digits.";
  }
}

double largest_printed(const BookCheck& check) {
  double largest = 0;
  for (const BookNumber& n : check.numbers) largest = std::max(largest, std::abs(n.printed));
  return largest;
}

std::string rule_of(const BookNumber& n) {
  switch (n.rule) {
    case BookRule::exact: return "equal";
    case BookRule::near_zero: return filled("|x| ≤ {0}", {difference_text(n.limit)});
    default: return filled("|Δ| ≤ {0}", {difference_text(n.limit)});
  }
}

std::string summary_of(const BookChecks& checks) {
  int explained = 0, wrong = 0;
  for (const BookCheck& c : checks.all()) {
    const int numbers = int(c.numbers.size());
    if (c.row->cannot_be) continue;
    if (c.state == BookCheck::State::failed) wrong += numbers - c.equal;
    if (c.state == BookCheck::State::equal || c.state == BookCheck::State::explained)
      explained += numbers - c.to_last_digit;
  }
  return filled(wrong > 0 ? "{0} to the last digit · {1} wrong" : "{0} to the last digit · {1} explained",
                {std::to_string(checks.to_last_digit()), std::to_string(wrong > 0 ? wrong : explained)});
}

std::string waiting_of(const BookChecks& checks) {
  int waiting = 0, not_run = 0;
  for (const BookCheck& c : checks.all()) {
    waiting += c.state == BookCheck::State::waiting;
    not_run += c.state == BookCheck::State::not_run ? int(c.numbers.size()) : 0;
  }
  if (waiting > 0) return filled("{0} rows to go", {std::to_string(waiting)});
  return filled("{0} not run: they take a whole GPT or its tokenizer", {std::to_string(not_run)});
}

const LessonText lesson = {"Book numbers",
                           "Every number that chapters 3 and 4 print, computed now, on your machine."};
const StepText run = {"Every number, now", run_text};
const StepText rule = {"What a tick means", rule_text};
const StepText odd = {"The explained ones", odd_text};
const StepText dice = {"Two systems, two streams", dice_text};

}  // namespace lab::book_texts
