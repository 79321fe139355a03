#include "lessons/texts/causal_mask_texts.hpp"

#include <algorithm>
#include <cmath>

#include "core/compare.hpp"
#include "core/leak.hpp"
#include "core/number_text.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab::causal_mask_texts {
namespace {

constexpr RouteText kRoutes[] = {
    {MaskRoute::zero_renorm, "Softmax, zero, renormalize",
     "Right. Each row sums to 1, and no earlier word moves: what is left is rounding."},
    {MaskRoute::neginf, "−∞ before softmax",
     "Right. e to the −∞ is exactly 0, so the past does not move at all."},
    {MaskRoute::none, "No mask", "Each row sums to 1, and hears the future."},
    {MaskRoute::zero_scores, "Zero the scores",
     "A score of 0 is not hidden: e to the 0 is 1. The row sums look right; the leak meter says otherwise."},
    {MaskRoute::no_renorm, "Forget to renormalize",
     "Rows are short, and each was divided by a total that still counted the hidden words: a small leak."},
    {MaskRoute::renorm_first, "Renormalize too early",
     "The rows summed to 1 already, so dividing did nothing; zeroing then leaves them short."},
    {MaskRoute::off_by_one, "One step too far",
     "Each word but the last also sees the next one, and hears it."},
    {MaskRoute::transposed, "Mask upside down",
     "Every word sees itself and the future, and nothing of its past."},
    {MaskRoute::after_dropout, "Mask after dropout",
     "Renormalizing undoes the doubling, and a row that lost everything becomes 0 ÷ 0. Mask first, drop "
     "last."},
};

const Trace& trace(const Results& r) { return r.runs.runs[0].trace; }
bool has_nan(const Matrix& m) { return m.array().isNaN().any(); }

double future_share(const Matrix& weights, int row) {
  double sum = 0;
  for (int c = row + 1; c < weights.cols(); ++c) sum += weights(row, c);
  return sum;
}

// The first row that NaN has taken, or -1.
int nan_row(const Matrix& m) {
  for (int r = 0; r < m.rows(); ++r)
    for (int c = 0; c < m.cols(); ++c)
      if (std::isnan(m(r, c))) return r;
  return -1;
}

// The largest leak of all rows, and in whose row.
std::string leak_words(const Results& r) {
  const Matrix& leak = r.runs.leak;
  if (leak.rows() < 2) return "With one word nothing comes later, so nothing can be heard too early.";
  if (const int row = nan_row(leak); row >= 0)
    return filled("Row {0} holds NaN: whether it moves cannot be told.", {word(r, row)});
  int most = 0, moved = 0;
  for (int i = 0; i < leak.rows(); ++i) {
    if (leak(i, 0) > leak(most, 0)) most = i;
    moved += leak(i, 0) > kLeakRounding;
  }
  if (leak(most, 0) == 0) return "No earlier word moves at all.";
  if (moved == 0)
    return filled("No earlier word moves by more than {0}: rounding.", {difference_text(leak(most, 0))});
  if (leak.rows() == 2)
    return filled("{0}, the earlier word, moves by {1}: a leak.", {word(r, most), decimals(leak(most, 0))});
  return filled(
      "{0} of {1} earlier words move, {2} by {3}: a leak.",
      {std::to_string(moved), std::to_string(leak.rows() - 1), word(r, most), decimals(leak(most, 0))});
}

std::string scores_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  if (last == 0)
    return "Row: the word that asks. Column: the word it looks at. With one word there is no future to hide.";
  return filled(
      "Row: the word that asks. Column: the word it looks at. Here {0} looks at {1}, {2} later. A model that "
      "writes from left to right will not have that word yet.",
      {word(r, 0), word(r, last), counted(last, "place")});
}

std::string scale_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.inputs.d_out == 1) return "As before, each score is divided by √d_k. √1 = 1 leaves them as they are.";
  const auto row = trace(r).scaled_scores.row(0);
  constexpr double kSmall = 1;
  if (row.size() == 1)
    return filled("As before, each score is divided by √{0}. With one word there is one, {1} now.",
                  {std::to_string(r.inputs.d_out), decimals(row(0))});
  if (row.minCoeff() == row.maxCoeff())
    return filled(
        "As before, each score is divided by √{0}. Every score of row {1} is {2} now. Equal scores will make "
        "equal shares.",
        {std::to_string(r.inputs.d_out), word(r, 0), decimals(row(0))});
  return filled(
      "As before, each score is divided by √{0}. Row {1} now runs from {2} to {3}.{4}",
      {std::to_string(r.inputs.d_out), word(r, 0), decimals(row.minCoeff()), decimals(row.maxCoeff()),
       row.maxCoeff() - row.minCoeff() < kSmall
           ? " Such small differences will make shares that are nearly even."
           : ""});
}

std::string softmax_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  const Matrix& m = trace(r).softmax_unmasked;
  if (last == 0) return "Stage 1. One word, one cell, 1. Nothing lies above the diagonal.";
  std::string others;
  for (int i = 1; i < std::min(3, last); ++i)
    others += ", " + word(r, i) + " " + decimals(future_share(m, i));
  return filled(
      "Stage 1. Each row sums to 1. Now count what lies above the diagonal: {0} spends {1} on words still to "
      "come{2}. Only {3} looks at nothing ahead.",
      {word(r, 0), decimals(future_share(m, 0)), others, word(r, last)});
}

std::string zero_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  if (last == 0)
    return "Stage 2. Every cell above the diagonal becomes 0. With one word there is none, and its row keeps "
           "its 1.";
  const Matrix& sums = trace(r).row_sums;
  std::string rest;
  for (int i = 1; i < std::min(3, last); ++i)
    rest += filled(", of {0} {1}", {word(r, i), decimals(sums(i, 0))});
  rest += filled(", of {0} {1}", {word(r, last), decimals(sums(last, 0))});
  return filled(
      "Stage 2. Every cell above the diagonal becomes 0. What is left of row {0} is {1}{2}. All rows but the "
      "last are leftovers, not shares.",
      {word(r, 0), decimals(sums(0, 0)), rest});
}

std::string renormalize_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const Trace& t = trace(r);
  if (has_nan(t.masked_zeroed)) return not_numbers("masked_zeroed");
  if (const int row = nan_row(t.masked_renormalized); row >= 0)
    return filled(
        "Row {0} is 0 ÷ 0, and that is NaN. The future was so loud that softmax rounded the past to 0 before "
        "it was hidden. The −∞ route never hears it.",
        {word(r, row)});
  const int row = told_row(r, 2);
  if (row == 0)
    return filled(
        "Stage 3. Divide each row by its own sum. With one word that is {0} ÷ {1} = {2}, as before.",
        {decimals(t.masked_zeroed(0, 0)), decimals(t.row_sums(0, 0)), decimals(t.masked_renormalized(0, 0))});
  return filled(
      "Stage 3. Divide each row by its own sum. {0}: {1} ÷ {2} = {3}, all on itself. {4}: {5}. The order of "
      "shares within a row is unchanged; the row is full again.",
      {word(r, 0), decimals(t.masked_zeroed(0, 0)), decimals(t.row_sums(0, 0)),
       decimals(t.masked_renormalized(0, 0)), word(r, row),
       row_text(t.masked_renormalized.leftCols(row + 1), row)});
}

std::string context_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  const Trace& t = trace(r);
  if (t.dropout_mask.size() != 0 || !is_right(r.inputs.mask))
    return filled("Blend the values with these weights: {0} gets {1}.",
                  {word(r, 0), row_text(t.context_vec, 0)});
  if (last == 0)
    return filled(
        "Blend the values with the masked shares. {0} is alone and gets exactly its own value, {1}.",
        {word(r, 0), row_text(t.context_vec, 0)});
  return filled(
      "Blend the values with the masked shares. {0} gets exactly its own value, {1}. {2} may see every word, "
      "so its row, {3}, is the same as without a mask.",
      {word(r, 0), row_text(t.context_vec, 0), word(r, last), row_text(t.context_vec, last)});
}

std::string minus_infinity_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const Trace& t = trace(r);
  const int row = told_row(r, 2);
  const Matrix& d = t.route_difference;
  if (has_nan(d))
    return "Put −∞ above the diagonal before softmax. e to the −∞ is 0, so hiding and sharing happen in one "
           "go. Where the three stages end in NaN, this route still has an answer: it never hears the "
           "future.";
  const double most = largest_size(d);
  if (most > 1e-4)
    return filled(
        "Put −∞ above the diagonal before softmax: row {0} reads {1}. Here the routes differ by {2}. A "
        "number "
        "was changed on the way of the three stages; this route starts again from attn_scores and does not "
        "see it.",
        {word(r, row), row_text(t.masked_softmax.leftCols(row + 1), row), difference_text(most)});
  return filled(
      "Put −∞ above the diagonal before softmax. e to the −∞ is 0, so hiding and sharing happen in one go: "
      "row {0} reads {1} again. The two routes {2}.",
      {word(r, row), row_text(t.masked_softmax.leftCols(row + 1), row),
       most == 0
           ? "give the very same numbers"
           : "differ by " + difference_text(most) + " at most" + (most < kLeakRounding ? ": rounding" : "")});
}

std::string leak_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  return "Change one word at a time, its first number by 1, and see whose output moves. A number above "
         "the diagonal would mean: this word heard the future. " +
         leak_words(r);
}

std::string wrong_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.runs.words.size() == 1)
    return "With one word there is nothing to hide, and no way to hide it wrongly. Type two words or more.";
  if (r.inputs.mask == MaskRoute::after_dropout && trace(r).dropout_mask.size() == 0)
    return "Without dropout there is nothing to come after, and this is the right route. Switch to training "
           "and see.";
  for (const RouteText& w : kRoutes)
    if (w.route == r.inputs.mask) return std::string(w.says) + " " + leak_words(r);
  return "";
}

std::string dropout_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.inputs.training && r.inputs.dropout == 0)
    return "This is training, and dropout is 0: each weight is dropped with probability 0, so all of them "
           "stay as they are. Type a larger dropout, such as 0.5, and see.";
  const Trace& t = trace(r);
  if (t.attn_weights_dropped.size() == 0)
    return "In training some weights are dropped at random and the others grow to make up for them. Now it "
           "is off: at inference nothing is dropped. Switch to training and see.";
  const int row = told_row(r, 1);
  const double kept = 1 / (1 - r.inputs.dropout);
  const std::string other =
      row == 0
          ? ""
          : filled(" and row {0} to {1}", {word(r, row), decimals(t.attn_weights_dropped.row(row).sum())});
  return filled(
      "In training each weight is dropped with probability {0}, and the others are multiplied by {1}: on "
      "average a row keeps its sum. The same seed drops others on macOS than on Linux and Windows. With "
      "seed {2} row {3} sums to {4}{5}.",
      {number_text(r.inputs.dropout), number_text(float(kept)), std::to_string(r.inputs.dropout_seed),
       word(r, 0), decimals(t.attn_weights_dropped.row(0).sum()), other});
}

}  // namespace

const LessonText lesson = {
    "Causal mask",
    "Softmax, zero above the diagonal, renormalize: three stages. One −∞ does the same at once."};
const StepText scores = {"Everyone sees everyone", scores_text};
const StepText scale = {"Turn the volume down", scale_text};
const StepText softmax = {"How much is future?", softmax_text};
const StepText zero = {"Hide the future", zero_text};
const StepText renormalize = {"Fill the rows again", renormalize_text};
const StepText context = {"Only the past speaks", context_text};
const StepText minus_infinity = {"The shortcut: −∞", minus_infinity_text, "−∞"};
const StepText leak = {"Ask the future", leak_text};
const StepText wrong = {"Ways to get it wrong", wrong_text};
const StepText dropout = {"Drop some at random", dropout_text};

std::span<const RouteText> routes() { return kRoutes; }

std::string leak_text(float most) {
  constexpr float kPrintsAsZero = 5e-5f;
  const bool small = most > kLeakRounding && most < kPrintsAsZero;
  return small ? difference_text(double(most)) : decimals(double(most));
}

std::string words_from(const Results& r, int first, int end) {
  constexpr int kMost = 8;
  std::string all;
  for (int i = first; i < std::min(end, first + kMost); ++i)
    all += (all.empty() ? "" : ", ") + r.runs.words[std::size_t(i)];
  return all.empty() ? "nothing" : all + (end - first > kMost ? ", …" : "");
}

// Whether a model could cheat: what it sees of words that are not there yet.
std::string leak_of_turn(const Results& r, int row) {
  const float most = r.runs.leak(row, 0);
  if (!std::isfinite(most)) return "";
  if (most <= kLeakRounding) return " Its leak is 0: nothing can be copied from them.";
  return filled(" Its leak is {0}: a model could copy from them.", {leak_text(most)});
}

std::string turn_text(const Results& r, int row) {
  const int words = int(r.runs.words.size());
  if (row < 0 || row >= words) return "";
  if (words == 1)
    return filled("{0} is the only word: there is nothing that it must not look at.", {word(r, 0)});
  if (row + 1 == words)
    return filled("{0} is the last word: all the others are there already, and it may look at every one.",
                  {word(r, row)});
  return filled(
             "It is the turn of {0}. When a model writes, what follows does not exist yet: {1}. So {0} must "
             "not "
             "look there.",
             {word(r, row), words_from(r, row + 1, words)}) +
         leak_of_turn(r, row);
}

}  // namespace lab::causal_mask_texts
