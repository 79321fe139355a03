// Self-attention: which word scores highest, scaling, and what softmax sees of a row.
#include <cmath>

#include "core/ops.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab::questions {
namespace {

constexpr int kAsks = 1, kAnswers = 2;  // the words of the cell that most of it is about

const Trace& without(const Results& r) { return r.runs.runs[0].trace; }
const Trace& with(const Results& r) { return r.runs.runs[1].trace; }
int row_of(const Results& r) { return told_row(r, kAsks); }
int col_of(const Results& r) { return told_row(r, kAnswers); }
int key_width(const Results& r) { return int(with(r).keys.cols()); }

// ---- without weights: who scores highest ------------------------------------------------------------------

constexpr int kCompared = 3;
int compared_row(const Results& r) { return told_row(r, kCompared); }

const Question sa1 = {
    .id = "sa1",
    .kind = Question::Kind::cell,
    .lacks = [](const Results& r) -> std::string {
      const int row = compared_row(r);
      if (row < 0) return no_words();
      if (row == 0) return "Type two words or more: then there is something to compare.";
      if (has_one_largest(without(r).attn_scores, row)) return "";
      return filled(
          "In row {0} more than one word scores highest, as equal words do. Type words that differ, and "
          "there "
          "is something to ask.",
          {word(r, row)});
    },
    .asked =
        [](const Results& r) {
          return filled(
              "Without weights, by dot products alone: in row {0}, which word scores highest? Click its "
              "cell.",
              {word(r, compared_row(r))});
        },
    .answer =
        [](const Results& r) {
          const int row = compared_row(r);
          return "simple.attn_scores." + std::to_string(row) + "." +
                 std::to_string(largest_in_row(without(r).attn_scores, row));
        },
    .revealed =
        [](const Results& r) {
          const Matrix& scores = without(r).attn_scores;
          const int row = compared_row(r), best = largest_in_row(scores, row);
          if (best == row)
            return filled("{0} scores {1} with itself, and with every other word less.",
                          {word(r, row), decimals(scores(row, row))});
          return filled(
              "{0} scores {1} with {2}, and {3} with itself.",
              {word(r, row), decimals(scores(row, best)), word(r, best), decimals(scores(row, row))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      const int row = compared_row(r);
      if (given != "simple.attn_scores." + std::to_string(row) + "." + std::to_string(row))
        return "A dot product rewards length. Look for the longest row that points the same way.";
      return filled(
          "{0} is {1} long. A dot product rewards length: a short word scores low even with itself.",
          {word(r, row), decimals(vector_length(without(r).inputs, row))});
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {
          "A score is the sum of products of two rows of the inputs.",
          filled("Look for the row of the inputs whose numbers are large where those of {0} are large too.",
                 {word(r, compared_row(r))}),
          filled("Multiply the row of {0}, {1}, with every row, number by number, and add up. Do it first "
                 "for the rows with the largest numbers.",
                 {word(r, compared_row(r)), row_text(without(r).inputs, compared_row(r), 2)})};
    },
    .hidden = "simple.attn_scores",
};

// ---- scaling ----------------------------------------------------------------------------------------------

float score(const Results& r) { return with(r).attn_scores(row_of(r), col_of(r)); }
float scaled(const Results& r) { return with(r).scaled_scores(row_of(r), col_of(r)); }
std::string root_of_width(const Results& r) { return "√" + std::to_string(key_width(r)); }

extern const Question sa2;
const Question sa2 = {
    .id = "sa2",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results& r) {
          return filled(
              "{0} asks, {1} answers: the score is {2}. Keys have {3}. What is the scaled score? Three "
              "decimals will do.",
              {word(r, row_of(r)), word(r, col_of(r)), decimals(score(r)), counted(key_width(r), "number")});
        },
    .answer = [](const Results& r) { return exactly(scaled(r)); },
    .revealed =
        [](const Results& r) {
          return filled("{0} ÷ {1} = {2}.", {decimals(score(r)), root_of_width(r), decimals(scaled(r))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (is_close(sa2, given, score(r) / double(key_width(r))))
        return filled("That is divided by {0}, and not by its root.", {std::to_string(key_width(r))});
      if (is_close(sa2, given, score(r))) return "That is the score as it was, before anything is divided.";
      return "The score is divided by the root of how many numbers a key has.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {
          "The more numbers a key has, the larger scores grow: not as their count, but as its root.",
          filled("Divide by {0}, which is {1}.", {root_of_width(r), decimals(std::sqrt(key_width(r)))}),
          filled("{0} ÷ {1} is what is asked for.", {decimals(score(r)), decimals(std::sqrt(key_width(r)))})};
    },
    .hidden = "scaled_scores",
};

// ---- what softmax sees of a row ---------------------------------------------------------------------------

constexpr float kAdded = 10;

// How far each weight of the row moves when as much is added to all of its scores.
Matrix moved_by_adding(const Results& r) {
  const Matrix row = with(r).attn_scores.row(row_of(r));
  const auto weights = [&](const Matrix& scores) { return softmax(scaled_down(scores, key_width(r))); };
  return weights((row.array() + kAdded).matrix()) - weights(row);
}
float most_moved(const Results& r) { return moved_by_adding(r).cwiseAbs().maxCoeff(); }

const Question sa3 = {
    .id = "sa3",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 2); },
    .asked =
        [](const Results& r) {
          return filled("You add {0} to every score of row {1}. What becomes of its weights?",
                        {decimals(kAdded, 0), word(r, row_of(r))});
        },
    .answer =
        [](const Results& r) {
          constexpr float kRounding = 1e-6f;
          const Matrix moved = moved_by_adding(r);
          return place(moved.cwiseAbs().maxCoeff() < kRounding ? 2 : moved.minCoeff() >= 0 ? 0 : 1);
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "They stay: computed with {0} more, none moves by more than {1}, which is rounding. Softmax "
              "sees only how far the scores of a row are apart.",
              {decimals(kAdded, 0), difference_text(double(most_moved(r)))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == "0" ? "They cannot all grow: a row's weights sum to 1, whatever its scores are."
                          : "Every e^score grows by the same factor, and so does the total that divides it.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {
          "Before and after, the weights of a row sum to 1.",
          filled("e^(score + {0}) is e^score times e^{0}. What is the total then?", {decimals(kAdded, 0)})};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"They grow", "They shrink", "They stay the same"};
    },
};

// ---- equal scores -----------------------------------------------------------------------------------------

float even_weight(const Results& r) { return softmax(Matrix::Zero(1, with(r).attn_scores.cols()))(0, 0); }

extern const Question sa4;
const Question sa4 = {
    .id = "sa4",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) { return needs_words(r, 2); },
    .asked =
        [](const Results& r) {
          return filled(
              "Suppose all {0} of a row were equal. How large is each weight then? Three decimals will do.",
              {counted(int(r.runs.words.size()), "score")});
        },
    .answer = [](const Results& r) { return exactly(even_weight(r)); },
    .revealed =
        [](const Results& r) {
          return filled("1 ÷ {0} = {1}: equal scores share evenly, whatever they are.",
                        {std::to_string(r.runs.words.size()), decimals(even_weight(r))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (is_close(sa4, given, 0)) return "Equal scores are not no scores: e^0 is 1, and the row sums to 1.";
      if (is_close(sa4, given, 1))
        return filled("Then the row would sum to {0}, and it sums to 1.",
                      {std::to_string(r.runs.words.size())});
      return "The weights of a row sum to 1, and none has a reason to be larger than another.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"Equal scores give equal weights, and they sum to 1.",
              filled("Share 1 among {0}.", {counted(int(r.runs.words.size()), "word")})};
    },
};

constexpr int kWithWeights = 1;  // the arrangement of attention with weights

}  // namespace

std::span<const Step> self_attention() {
  static const Step all[] = {
      asking(sa1, {.cell = {"simple.attn_scores", kCompared, 1}, .show = "inputs simple.attn_scores"}),
      asking(sa2, {.cell = {"scaled_scores", kAsks, kAnswers},
                   .arrangement = kWithWeights,
                   .show = "scaled_scores attn_scores queries keys",
                   .code = "scaled_scores ="}),
      asking(sa3, {.cell = {"attn_weights", kAsks, kAnswers},
                   .arrangement = kWithWeights,
                   .show = "attn_weights scaled_scores attn_scores",
                   .code = "attn_weights ="}),
      asking(sa4, {.cell = {"attn_weights", kAsks, kAnswers},
                   .arrangement = kWithWeights,
                   .show = "attn_weights scaled_scores attn_scores",
                   .code = "attn_weights ="}),
  };
  return all;
}

}  // namespace lab::questions
