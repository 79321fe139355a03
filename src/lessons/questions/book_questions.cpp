// The book's numbers: what depends on the system, and why one printed answer cannot be right.
#include <cmath>

#include "core/book_computed.hpp"
#include "core/ops.hpp"
#include "core/word_vectors.hpp"
#include "core/words.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/book_texts.hpp"

namespace lab::questions {
namespace {

std::string nothing(const Results&) { return ""; }

const Question bk1 = {
    .id = "bk1",
    .kind = Question::Kind::choice,
    .lacks = nothing,
    .asked =
        [](const Results&) {
          return std::string(
              "The same book, the same seed 123, but another system: Linux instead of a Mac. Which numbers "
              "change?");
        },
    .answer = [](const Results&) { return place(0); },
    .revealed =
        [](const Results&) {
          return std::string(
              "Only those behind a dropout: its masks come from other dice. Weights are drawn alike on every "
              "system.");
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == "1"
                 ? "Weights do not depend on the system: SelfAttention_v2 prints the same everywhere."
                 : "Something is drawn by other dice there: change them in the step before and watch the "
                   "count.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {
          "What in the two chapters is drawn anew in each pass?",
          "Weights are drawn once, and alike everywhere. Change the dice in the step before and watch the "
          "count."};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"Those behind a dropout", "All of them", "None of them"};
    },
};

// ---- exercise 3.2's printed answer ------------------------------------------------------------------------

constexpr int kWidth = 3;  // numbers of a word in chapter 3

double largest_context() { return book::largest_context_of_exercise(); }
double longest_sum() {
  return double(row_sums(word_vectors(words_of(kBookSentence), kWidth, 0).stored).maxCoeff());
}
double largest_weight() { return 1 / std::sqrt(double(kWidth)); }  // nn.Linear draws within ±1/√d_in
// The largest that the book prints in the one row that cannot be.
double printed_most(const Results& r) {
  for (const BookCheck& check : r.book->checks().all())
    if (check.row->cannot_be) return book_texts::largest_printed(check);
  return 0;
}

extern const Question bk2;
const Question bk2 = {
    .id = "bk2",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) -> std::string {
      return r.book ? "" : "The rows of the book are not here.";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "The solution of exercise 3.2 is printed with numbers up to {0}. A word's numbers sum to {1} "
              "at "
              "most, and fresh weights lie within ±1/√{2}. How large can a number of a context be?",
              {decimals(printed_most(r)), decimals(longest_sum(), 2), std::to_string(kWidth)});
        },
    .answer = [](const Results&) { return exactly(largest_context()); },
    .revealed =
        [](const Results& r) {
          return filled(
              "{0} ÷ √{1} = {2}: no value can be larger, and a context is an average of values. The printed "
              "{3} must come from other words.",
              {decimals(longest_sum(), 2), std::to_string(kWidth), decimals(largest_context()),
               decimals(printed_most(r))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      if (is_close(bk2, given, longest_sum())) return "So large it would be if every weight were 1.";
      return "A context is an average of values, and an average is no larger than the largest of them.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"A value is a word's numbers times weights, added up. When is that as large as can be?",
              filled("When every weight is 1/√{0}, which is {1}: then take it out of the sum.",
                     {std::to_string(kWidth), decimals(largest_weight())})};
    },
    .close = .001,
    .title = "Exercise 3.2",
};

void list_all(State& s) { s.view.filter = false; }

}  // namespace

std::span<const Step> book() {
  static const Step all[] = {asking(bk1, {.patch = list_all}), asking(bk2, {.patch = list_all})};
  return all;
}

}  // namespace lab::questions
