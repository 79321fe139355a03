#include "lessons/texts/book_texts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/book_computed.hpp"
#include "core/number_text.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab::book_texts {
namespace {

std::string run_text(const Results&) {
  return "Each row was printed in the book and has just been computed again on your machine. A tick means "
         "that the digits agree. Press a count to compare number by number; press a row to land in the "
         "lesson, on that very cell.";
}
std::string rule_text(const Results&) { return rule_words(); }
std::string odd_text(const Results&) {
  return "A few numbers hang on the very last bits: means that are really 0, gradients of 17 digits. They "
         "are "
         "named, not hidden. And one printed answer, that of exercise 3.2, does not come from the book's "
         "data "
         "at all.";
}

// "2 2 0 2 2 0", in one line
std::string first_row_of_mask(DropoutStream stream) {
  const std::vector<double> mask = book::dropout_of_ones(stream);
  std::string row;
  for (int i = 0; i < 6; ++i) row += (i ? "\u00a0" : "") + decimals(mask[std::size_t(i)], 0);
  return row;
}
std::string dice_text(const Results&) {
  return filled(
      "Only dropout depends on the system. With seed 123 the first row of the mask reads {0} on a Mac and "
      "{1} "
      "elsewhere. The book was printed on a Mac. Change the dice, and what lies behind a dropout is held to "
      "what your system prints.",
      {first_row_of_mask(DropoutStream::mac), first_row_of_mask(DropoutStream::mkl)});
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

std::string seconds_text(double seconds) { return decimals(seconds, seconds < 10 ? 1 : 0) + " s"; }
std::string model_megabytes() { return decimals(mebibytes(book_gpt_bytes()), 0) + " MiB"; }

std::string model_words() {
  return filled("GPT-2 small, {0} numbers in {1}",
                {gpt_texts::grouped(ledger_of(book_gpt(), 1, 1).parameters), model_megabytes()});
}

std::string left_of(const BookWork& work) {
  const double left = work.seconds_left();
  return left < 0 ? "" : filled(" · about {0} s left", {decimals(std::max(1., std::round(left)), 0)});
}

std::string not_run_words(const BookWork& work) {
  const int rest = work.checks().counted().not_run + work.checks().counted_apart().not_run;
  if (rest == 0) return "";
  const std::string numbers = std::to_string(rest);
  if (work.is_drawn()) return filled("{0} not run: GPT-2 small, which is drawn already", {numbers});
  const double last = work.last_seconds();
  const std::string time = last > 0 ? filled("{0} last time", {seconds_text(last)}) : "some seconds";
  return filled("{0} not run: GPT-2 small, {1}, {2}", {numbers, model_megabytes(), time});
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

std::string seed_of(const BookRow& row) {
  return row.seed < 0 ? "no seed" : "seed " + std::to_string(row.seed);
}

std::string dice_words(DropoutStream stream) {
  return stream == DropoutStream::mac
             ? "Dropout draws as on macOS, where the book was printed."
             : "Dropout draws as on Linux and Windows; what lies behind it is compared with what is printed "
               "there, and counted apart.";
}

std::string rule_words() {
  return filled(
      "Printed numbers are rounded to four digits, so the same means closer than {0}: half of the last "
      "digit, "
      "and a little for rounding. Gradients are held to one part in {1}, a mean that is really 0 to {2}. "
      "Counts, shapes and ids must be equal.",
      {decimals(kBookFourDigits, 6), gpt_texts::grouped(std::llround(1 / kBookGradient)),
       number_text(kBookNearZero)});
}

std::string reason_of(const BookCheck& check) {
  const BookRow& row = *check.row;
  switch (check.state) {
    case BookCheck::State::waiting: return "";
    case BookCheck::State::not_run:
      return filled("Not run: it takes {0}.", {row.cut ? "GPT-2’s tokenizer" : model_words()});
    case BookCheck::State::explained:
      return filled("Printed up to {0}, but no context of this module can be further from 0 than {1}.",
                    {decimals(largest_printed(check)), decimals(book::largest_context_of_exercise())});
    case BookCheck::State::failed:
      if (const BookNumber* n = first_that_fails(check))
        return filled("Printed {0}, computed {1}: {2} apart.",
                      {n->text, decimals(n->computed, 6), difference_text(n->distance)});
      if (*row.words) return filled("Printed “{0}”, computed “{1}”.", {row.words, check.words});
      return "Other numbers are computed than are printed.";
    case BookCheck::State::equal: break;
  }
  const BookNumber* n = first_that_rounds_otherwise(check);
  if (!n) return check.elsewhere ? "As Linux and Windows print it; the book was printed on a Mac." : "";
  switch (n->rule) {
    case BookRule::gradient: return "17 digits of a float: the last ones hang on the order of adding.";
    case BookRule::near_zero: return "A mean that is really 0: what is printed is what rounding left over.";
    default:
      return filled("{0} stands on the edge between two last digits: {1}.",
                    {n->text, decimals(n->computed, 6)});
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

const char* stream_name(DropoutStream stream) {
  return stream == DropoutStream::mac ? "macOS" : "Linux, Windows";
}

std::string summary_of(const BookCount& c) {
  return filled(c.wrong > 0 ? "{0} to the last digit · {1} wrong" : "{0} to the last digit · {1} explained",
                {std::to_string(c.to_last_digit), std::to_string(c.wrong > 0 ? c.wrong : c.explained)});
}

std::string apart_of(const BookCount& c) {
  if (c.numbers == 0) return "";
  return filled("Apart, behind dropout: {0} of {1}", {std::to_string(c.equal), std::to_string(c.numbers)});
}

std::string run_of(const BookWork& work) {
  const std::string percent = decimals(std::floor(100 * work.progress()), 0);
  switch (work.stage()) {
    case BookWork::Stage::refused: return work.problem();
    case BookWork::Stage::drawing:
      return filled("GPT-2 small is being drawn: {0} %{1}", {percent, left_of(work)});
    case BookWork::Stage::reading:
      if (!work.is_working()) return kWaitsForTokenizer;
      return filled("GPT-2 small reads: {0} %{1}", {percent, left_of(work)});
    case BookWork::Stage::done:
      return filled("all rows computed · GPT-2 small in {0}", {seconds_text(work.seconds())});
    case BookWork::Stage::waiting: break;
  }
  if (const int rows = work.checks().to_go()) return filled("{0} rows to go", {std::to_string(rows)});
  return not_run_words(work);
}

std::string status_of(const BookWork& work) {
  const BookCount count = work.checks().counted();
  std::string all = filled("{0} of {1} equal. {2}.",
                           {std::to_string(count.equal), std::to_string(count.numbers), summary_of(count)});
  for (const std::string& more : {apart_of(work.checks().counted_apart()), run_of(work)})
    if (!more.empty()) all += " " + more + ".";
  return all;
}

std::string no_room() {
  return filled("This device gives the page no {0}, so what GPT-2 small says is not run.",
                {model_megabytes()});
}

const LessonText lesson = {"Book numbers",
                           "Every number that chapters 3 and 4 print, computed now, on your machine."};
const StepText run = {"Every number, now", run_text};
const StepText rule = {"What a tick means", rule_text};
const StepText odd = {"The explained ones", odd_text};
const StepText dice = {"Two systems, two streams", dice_text};

}  // namespace lab::book_texts
