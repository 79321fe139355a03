#include "lessons/texts/self_attention_texts.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab::self_attention_texts {
namespace {

const Trace& without(const Results& r) { return r.runs.runs[0].trace; }
const Trace& with(const Results& r) { return r.runs.runs[1].trace; }

std::string inputs_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const int row = told_row(r, 2), own = row;
  const Matrix& scores = without(r).attn_scores;
  const int best = largest_in_row(scores, row);
  const std::string start =
      filled("Each word is {0}. Multiply two words number by number, add up: that is their score. ",
             {counted(r.inputs.d_in, "number")});
  if (r.runs.words.size() == 1)
    return start + "With one word there is nobody else to listen to: it only scores with itself.";
  if (scores(row, best) == scores(row, own) && !has_one_largest(scores, row))
    return start + filled("Look at {0}: it scores {1} with itself, and no higher with any word.",
                          {word(r, row), decimals(scores(row, own))});
  if (best == own)
    return start + filled("Look at {0}: it scores highest with itself, {1}.",
                          {word(r, row), decimals(scores(row, own))});
  return start + filled("Look at {0}: it scores {1} with {2} but only {3} with itself.{4}",
                        {word(r, row), decimals(scores(row, best)), word(r, best), decimals(scores(row, own)),
                         vector_length(without(r).inputs, best) > vector_length(without(r).inputs, own) &&
                                 point_alike(without(r).inputs, best, own)
                             ? filled(" {0} points almost the same way and is longer.", {word(r, best)})
                             : ""});
}

std::string simple_weights_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const int row = told_row(r, 1);
  if (row == 0)
    return "Raise e to each score and divide by the row's total. With one word the total is its own part, so "
           "its share is 1.";
  return filled(
      "Raise e to each score and divide by the row's total. Row {0} now reads {1}: shares of one whole. {2}, "
      "and none is negative.",
      {word(r, row), row_text(without(r).attn_weights, row),
       all_equal_in_row(without(r).attn_scores, row) ? "Equal scores get equal shares"
                                                     : "A bigger score gets a bigger share"});
}

std::string simple_context_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const int row = told_row(r, 1);
  const Matrix& weights = without(r).attn_weights;
  if (r.runs.words.size() == 1)
    return "Take each word's vector times its share and add. With one word the share is 1, and the context "
           "vector is the word's own.";
  return filled(
      "Take {0} of {1}, {2} of {3}{6}, and add. The blend is the context vector of {4}: {5}. It has "
      "heard from every word, itself included.",
      {decimals(weights(row, 0)), word(r, 0), decimals(weights(row, 1)), word(r, 1), word(r, row),
       row_text(without(r).context_vec, row), r.runs.words.size() > 2 ? " and so on" : ""});
}

std::string project_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  return filled(
      "So far one vector played every part. Three small matrices give each word three roles: a query that "
      "asks, a key that offers, a value that is handed over. Their numbers are random: the first {0} draws "
      "of seed {1}.",
      {std::to_string(3 * r.inputs.d_in * r.inputs.d_out), std::to_string(r.inputs.seed)});
}

std::string scores_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const int row = told_row(r, 1), col = told_row(r, 2);
  const Trace& t = with(r);
  std::string sum;
  for (int k = 0; k < std::min(2, r.inputs.d_out); ++k)
    sum += (k ? " + " : "") + decimals(t.queries(row, k)) + " × " + decimals(t.keys(col, k));
  if (r.inputs.d_out > 2) sum += " + …";
  const bool own_number = is_edited(r, "attn_scores", row, col);
  std::string text = filled(
      own_number ? "Row {0} asks, column {1} answers: {2}. You made it {3}. Rows are queries, columns are "
                   "keys, always."
                 : "Row {0} asks, column {1} answers: {2} = {3}. Rows are queries, columns are keys, always.",
      {word(r, row), word(r, col), sum, decimals(t.attn_scores(row, col))});
  if (row != col)
    text += filled(" Let {0} ask {1} instead and you get {2}.",
                   {word(r, col), word(r, row), decimals(t.attn_scores(col, row))});
  return text;
}

std::string scale_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.inputs.d_out == 1)
    return "The more numbers a key has, the larger scores grow, so scores are divided by the square root of "
           "that count. √1 = 1: scaling changes nothing when keys have one number.";
  const int row = told_row(r, 1), col = told_row(r, 2);
  const Trace& t = with(r);
  const std::string with_it = decimals(t.attn_weights(row, largest_in_row(t.attn_weights, row))),
                    without_it = decimals(top_share(t.attn_scores, row));
  const std::string start = filled(
      "The more numbers a key has, the larger scores grow, and large scores let softmax pick one winner. So "
      "divide by the square root of that count, here √{0}: {1} → {2}. ",
      {std::to_string(r.inputs.d_out), decimals(t.attn_scores(row, col)),
       decimals(t.scaled_scores(row, col))});
  if (with_it == without_it)
    return start + filled("Here {0}'s top share is {1} with it and without.", {word(r, row), with_it});
  return start +
         filled("Without it, {0}'s top share would be {1} and not {2}.", {word(r, row), without_it, with_it});
}

std::string softmax_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const Matrix& weights = with(r).attn_weights;
  const int words = int(r.runs.words.size()), first = largest_in_row(weights, 0);
  if (words == 1)
    return "Softmax runs along each row, so that its shares sum to 1. With one word there is one share: 1.";
  bool everywhere = has_one_largest(weights, 0);
  for (int i = 1; i < words; ++i)
    everywhere &= largest_in_row(weights, i) == first && has_one_largest(weights, i);
  const std::string start =
      filled("Softmax runs along each row, so each row's {0} sum to 1. The columns need not. ",
             {counted(words, "share")});
  if (everywhere)
    return start + filled("One column has the largest share everywhere: {0} leads in {1} rows{2}.",
                          {word(r, first), words == 2 ? "both" : "all " + std::to_string(words),
                           has_longest_row(with(r).keys, first) && all_point_like(with(r).keys, first)
                               ? ", for its key is the longest and all keys point much the same way"
                               : ""});
  const int row = told_row(r, 1);
  if (all_equal_in_row(weights, row))
    return start + filled("The scores of row {0} are equal, so each of its shares is {1}.",
                          {word(r, row), decimals(weights(row, 0))});
  if (!has_one_largest(weights, row))
    return start + filled("More than one word has the largest share of row {0}, {1}.",
                          {word(r, row), decimals(weights(row, largest_in_row(weights, row)))});
  return start + filled("The largest share of row {0} goes to {1}.",
                        {word(r, row), word(r, largest_in_row(weights, row))});
}

std::string context_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const int row = told_row(r, 1);
  const Matrix& context = with(r).context_vec;
  const double low = context.col(0).minCoeff(), high = context.col(0).maxCoeff();
  constexpr double kAlike = 0.05;
  if (row == 0)
    return filled(
        "The shares now blend the values. With one word there is one share: {0} gets its own value, {1}.",
        {word(r, row), row_text(context, row)});
  if (low == high)
    return filled(
        "The shares now blend the values: {0} gets {1}. Compare the rows: the first column is {2} in all of "
        "them. Where every value is the same, so is every blend.",
        {word(r, row), row_text(context, row), decimals(low)});
  return filled(
      "The shares now blend the values: {0} gets {1}. Compare the rows: the first column runs from {2} to "
      "{3}.{4}",
      {word(r, row), row_text(context, row), decimals(low), decimals(high),
       high - low < kAlike ? " Nobody has trained these weights yet, so the answers are much alike." : ""});
}

std::string module_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  return "Three parameter matrices, and seven lines of PyTorch from queries to context_vec. The book keeps "
         "them in a class, SelfAttention_v1. The next lesson has a second version, which computes the same "
         "and keeps its matrices turned on their side.";
}

}  // namespace

const LessonText lesson = {"Self-attention",
                           "Every word asks (query), offers (key) and gives (value). The scores decide how "
                           "much of each value it takes."};
const StepText inputs = {"Compare every pair", inputs_text};
const StepText simple_weights = {"Scores become shares", simple_weights_text, "Shares"};
const StepText simple_context = {"Blend the vectors", simple_context_text, "Blend"};
const StepText project = {"Ask, offer, give", project_text};
const StepText scores = {"Queries meet keys", scores_text};
const StepText scale = {"Turn the volume down", scale_text};
const StepText softmax = {"Every row sums to one", softmax_text};
const StepText context = {"Collect the values", context_text};
const StepText module = {"Seven lines in all", module_text};

}  // namespace lab::self_attention_texts
