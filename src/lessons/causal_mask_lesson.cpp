#include "lessons/causal_mask_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "core/leak.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

constexpr RouteWords kRoutes[] = {
    {MaskRoute::zero_renorm, "Softmax, zero, renormalize",
     "Right. Each row sums to 1, and no earlier word moves: what is left is rounding."},
    {MaskRoute::neginf, "−∞ before softmax",
     "Right. e to the −∞ is exactly 0, so the past does not move at all."},
    {MaskRoute::none, "No mask",
     "Each row sums to 1, and every earlier word moves: they all hear the future."},
    {MaskRoute::zero_scores, "Zero the scores",
     "A score of 0 is not hidden: e to the 0 is 1. The row sums look well; the leak meter does not."},
    {MaskRoute::no_renorm, "Forget to renormalize",
     "Rows are short, and each was divided by a total that still counted the hidden words: a small leak."},
    {MaskRoute::renorm_first, "Renormalize too early",
     "The rows summed to 1 already, so dividing did nothing; zeroing then leaves them short."},
    {MaskRoute::off_by_one, "One step too far", "Each word sees one word ahead, and hears that one only."},
    {MaskRoute::transposed, "Mask upside down",
     "Every word sees itself and the future, and nothing of its past."},
    {MaskRoute::after_dropout, "Mask after dropout",
     "Renormalizing undoes the doubling, and a row that lost everything becomes 0 ÷ 0. Mask first, drop "
     "last."},
};

const AttentionTrace& trace(const Results& r) { return r.runs.runs[0].trace; }
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

std::string scores_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  if (last == 0)
    return "Row: the word that asks. Column: the word it looks at. With one word there is no future to hide.";
  return filled(
      "Row: the word that asks. Column: the word it looks at. Here {0} looks at {1}, {2} later. A model that "
      "writes "
      "from left to right will not have that word yet.",
      {word(r, 0), word(r, last), counted(last, "place")});
}

std::string scale_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.inputs.d_out == 1) return "As before, each score is divided by √d_k. √1 = 1 leaves them as they are.";
  const auto row = trace(r).scaled_scores.row(0);
  return filled(
      "As before, each score is divided by √{0}. Row {1} now runs from {2} to {3}. Such small differences "
      "will make "
      "shares that are nearly even.",
      {std::to_string(r.inputs.d_out), word(r, 0), decimals(row.minCoeff()), decimals(row.maxCoeff())});
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
  const Matrix& sums = trace(r).row_sums;
  std::string rest;
  for (int i = 1; i < std::min(3, last); ++i)
    rest += filled(", of {0} {1}", {word(r, i), decimals(sums(i, 0))});
  if (last > 0) rest += filled(", of {0} {1}", {word(r, last), decimals(sums(last, 0))});
  return filled(
      "Stage 2. Every cell above the diagonal becomes 0. What is left of row {0} is {1}{2}. These rows are "
      "leftovers, "
      "not shares.",
      {word(r, 0), decimals(sums(0, 0)), rest});
}

std::string renormalize_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const AttentionTrace& t = trace(r);
  if (const int row = nan_row(t.masked_renormalized); row >= 0)
    return filled(
        "Row {0} is 0 ÷ 0, and that is NaN. The future was so loud that softmax rounded the past to 0 before "
        "it was "
        "hidden. The −∞ route never hears it.",
        {word(r, row)});
  const int row = told_row(r, 2);
  return filled(
      "Stage 3. Divide each row by its own sum. {0}: {1} ÷ {2} = {3}, all on itself. {4}: {5}. The order of "
      "shares "
      "within a row is unchanged; the row is full again.",
      {word(r, 0), decimals(t.masked_zeroed(0, 0)), decimals(t.row_sums(0, 0)),
       decimals(t.masked_renormalized(0, 0)), word(r, row),
       row_text(t.masked_renormalized.leftCols(row + 1), row)});
}

std::string context_text(const Results& r) {
  const int last = told_row(r, 1000);
  if (last < 0) return no_words();
  const AttentionTrace& t = trace(r);
  if (t.dropout_mask.size() != 0 || !is_right(r.inputs.mask))
    return filled("Blend the values with these weights: {0} gets {1}.",
                  {word(r, 0), row_text(t.context_vec, 0)});
  return filled(
      "Blend the values with the masked shares. {0} gets exactly its own value, {1}. {2} may see every word, "
      "so its "
      "row, {3}, is the same as without a mask.",
      {word(r, 0), row_text(t.context_vec, 0), word(r, last), row_text(t.context_vec, last)});
}

std::string minus_infinity_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const AttentionTrace& t = trace(r);
  const int row = told_row(r, 2);
  const Matrix& d = t.route_difference;
  if (has_nan(d))
    return "Put −∞ above the diagonal before softmax. e to the −∞ is 0, so hiding and sharing happen in one "
           "go. Where "
           "the three stages end in NaN, this route still has an answer: it never hears the future.";
  return filled(
      "Put −∞ above the diagonal before softmax. e to the −∞ is 0, so hiding and sharing happen in one go: "
      "row {0} "
      "reads {1} again. The two routes differ by {2} at most{3}.",
      {word(r, row), row_text(t.masked_softmax.leftCols(row + 1), row),
       difference_text(d.cwiseAbs().maxCoeff()),
       d.cwiseAbs().maxCoeff() < kLeakRounding ? ": rounding" : ""});
}

// The largest leak of all rows, and in whose row.
std::string leak_words(const Results& r) {
  const Matrix& leak = r.runs.leak;
  if (leak.rows() < 2) return "Nothing comes later.";
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
  return filled(
      "{0} of {1} earlier words move, {2} by {3}: a leak.",
      {std::to_string(moved), std::to_string(leak.rows() - 1), word(r, most), decimals(leak(most, 0))});
}

std::string leak_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  return "Change one word at a time, its first number by 1, and see whose output moves. Above the diagonal "
         "stand words "
         "that heard the future. " +
         leak_words(r);
}

std::string wrong_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  for (const RouteWords& w : kRoutes)
    if (w.route == r.inputs.mask) return std::string(w.says) + " " + leak_words(r);
  return "";
}

std::string dropout_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const AttentionTrace& t = trace(r);
  if (t.attn_weights_dropped.size() == 0)
    return "In training some weights are dropped at random and the others grow to make up for them. Now it "
           "is off: at "
           "inference nothing is dropped. Switch to training and see.";
  const int row = told_row(r, 1);
  const double kept = 1 / (1 - r.inputs.dropout);
  return filled(
      "In training each weight is dropped with probability {0}, and the others grow by {1}: on average a row "
      "still sums "
      "to 1. With seed {2} row {3} sums to {4} and row {5} to {6}.",
      {decimals(r.inputs.dropout, 2), decimals(kept, 2), std::to_string(r.inputs.dropout_seed), word(r, 0),
       decimals(t.attn_weights_dropped.row(0).sum()), word(r, row),
       decimals(t.attn_weights_dropped.row(row).sum())});
}

// ---- what choosing a step sets
// ---------------------------------------------------------------------------------

void mask_rightly(State& s) {
  s.inputs.training = false;
  if (!is_right(s.inputs.mask)) s.inputs.mask = MaskRoute::zero_renorm;
}
void mask_wrongly(State& s) {
  s.inputs.training = false;
  if (is_right(s.inputs.mask)) s.inputs.mask = MaskRoute::zero_scores;
}
void drop_out(State& s) {
  mask_rightly(s);
  s.inputs.training = true;
  if (s.inputs.dropout == 0) s.inputs.dropout = 0.5;
}

const Question kQuestion = {
    .id = "cm2",
    .kind = Question::Kind::number,
    .asked =
        [](const Results& r) {
          const int row = told_row(r, 1);
          if (row < 1) return std::string("Type two words or more: then there is something to hide.");
          return filled(
              "After zeroing, row {0} holds {1} and nothing else. What is its first weight once the row is "
              "renormalized? Three decimals will do.",
              {word(r, row), row_text(trace(r).masked_zeroed.leftCols(row + 1), row)});
        },
    .answer =
        [](const Results& r) {
          if (told_row(r, 1) < 1) return std::string();
          return decimals(trace(r).masked_renormalized(1, 0), 6);
        },
    .revealed =
        [](const Results& r) {
          const AttentionTrace& t = trace(r);
          return filled("{0} ÷ {1} = {2}.", {decimals(t.masked_zeroed(1, 0)), decimals(t.row_sums(1, 0)),
                                             decimals(t.masked_renormalized(1, 0))});
        },
    .why_not = "Zeroing does not rescale what is left; dividing by the row's own sum does.",
    .hints = {"A full row sums to 1.", "Add up what is left in the row, and divide by that."},
    .cell = {"masked_renormalized", 1, 0},
    .hidden = "masked_renormalized",
};

const Step kSteps[] = {
    {.id = "scores",
     .title = "Everyone sees everyone",
     .text = scores_text,
     .cell = {"attn_scores", 0, 5},
     .show = "queries keys attn_scores",
     .code = "attn_scores ="},
    {.id = "scale",
     .title = "Turn the volume down",
     .text = scale_text,
     .cell = {"scaled_scores", 0, 0},
     .show = "attn_scores scaled_scores",
     .code = "scaled_scores ="},
    {.id = "softmax",
     .title = "How much is future?",
     .text = softmax_text,
     .cell = {"softmax_unmasked", 0, 5},
     .arrangement = 1,
     .show = "scaled_scores softmax_unmasked",
     .code = "softmax_unmasked ="},
    {.id = "zero",
     .title = "Hide the future",
     .text = zero_text,
     .cell = {"masked_zeroed", 2, 1},
     .arrangement = 1,
     .show = "softmax_unmasked masked_zeroed",
     .code = "masked_zeroed =",
     .words = true},
    {.id = "renormalize",
     .title = "Fill the rows again",
     .text = renormalize_text,
     .cell = {"masked_renormalized", 2, 1},
     .arrangement = 1,
     .show = "masked_zeroed masked_renormalized",
     .code = "masked_renormalized =",
     .words = true},
    {.id = "context",
     .title = "Only the past speaks",
     .text = context_text,
     .cell = {"context_vec", 1, 0},
     .patch = mask_rightly,
     .arrangement = 2,
     .show = "attn_weights values context_vec",
     .code = "context_vec =",
     .words = true},
    {.id = "minus-inf",
     .title = "The shortcut: −∞",
     .text = minus_infinity_text,
     .cell = {"masked_scores", 2, 3},
     .arrangement = 3,
     .show = "keep masked_scores masked_softmax masked_renormalized route_difference",
     .code = "masked_scores ="},
    {.id = "leak",
     .title = "Ask the future",
     .text = leak_text,
     .cell = {"influence", 0, 5},
     .patch = mask_rightly,
     .arrangement = 4,
     .show = "inputs context_vec influence",
     .code = "context_vec ="},
    {.id = "wrong",
     .title = "Ways to get it wrong",
     .text = wrong_text,
     .cell = {"attn_weights", 0, 5},
     .patch = mask_wrongly,
     .arrangement = 5,
     .show = "attn_weights influence",
     .code = "attn_weights =",
     .routes = true},
    {.id = "dropout",
     .title = "Drop some at random",
     .text = dropout_text,
     .cell = {"attn_weights_dropped", 2, 0},
     .patch = drop_out,
     .arrangement = 6,
     .show = "attn_weights dropout_mask attn_weights_dropped",
     .code = "attn_weights_dropped ="},
    {.id = "question",
     .title = "Your turn",
     .text = [](const Results& r) { return kQuestion.asked(r); },
     .cell = {"masked_renormalized", 1, 0},
     .patch = mask_rightly,
     .arrangement = 1,
     .show = "masked_zeroed masked_renormalized",
     .code = "masked_renormalized =",
     .question = true},
};

constexpr Bars kSums = Bars::row_sums, kLeaks = Bars::leak;
const Arrangement kArrangements[] = {
    {{{{.name = "queries"}, {.name = "keys"}}, {{.name = "attn_scores"}}, {{.name = "scaled_scores"}}}, 76},
    {{{{.name = "scaled_scores"}, {.name = "masked_zeroed", .bars = kSums, .stage = 2}},
      {{.name = "softmax_unmasked", .bars = kSums, .stage = 1},
       {.name = "masked_renormalized", .bars = kSums, .stage = 3}}},
     90},
    {{{{.name = "attn_weights", .bars = kSums}}, {{.name = "values"}}, {{.name = "context_vec"}}}},
    {{{{.name = "keep", .scale = .6f}, {.name = "masked_scores"}},
      {{.name = "masked_renormalized", .bars = kSums}, {.name = "masked_softmax", .bars = kSums}},
      {{.name = "route_difference"}}},
     72},
    {{{{.name = "inputs"}}, {{.name = "context_vec"}}, {{.name = "influence", .bars = kLeaks}}}, 60},
    {{{{.name = "attn_weights", .bars = kSums}, {.name = "influence", .bars = kLeaks}}}},
    {{{{.name = "attn_weights", .bars = kSums}, {.name = "dropout_mask"}},
      {{.name = "attn_weights_dropped", .bars = kSums}}}},
};

// ---- the row that is looked at
// ------------------------------------------------------------------------------------

std::string words_from(const Results& r, int first, int end) {
  constexpr int kMost = 8;
  std::string all;
  for (int i = first; i < std::min(end, first + kMost); ++i) all += (all.empty() ? "" : " ") + word(r, i);
  return all.empty() ? "nothing" : all + (end - first > kMost ? " …" : "");
}

bool is_stage(const std::string& name) {
  return name == "softmax_unmasked" || name == "masked_zeroed" || name == "masked_renormalized" ||
         name == "row_sums";
}

std::vector<Fact> row_facts(const Results& r, const State& s) {
  const CellName cell = selected_cell(s);
  const int row = cell.row, words = int(r.runs.words.size());
  const AttentionTrace& t = trace(r);
  if (row < 0 || row >= words) return {};
  std::vector<Fact> facts;
  if (is_stage(cell.name) || s.view.word) {
    facts.push_back({"May look at", words_from(r, 0, row + 1)});
    facts.push_back({"Hidden from it", words_from(r, row + 1, words)});
  }
  if (is_stage(cell.name)) {
    const auto first = [&](const Matrix& m) { return row_text(m.leftCols(std::min(3, row + 1)), row); };
    facts.push_back({"after softmax", first(t.softmax_unmasked), Role::weights});
    facts.push_back({"row sum after zeroing", decimals(t.row_sums(row, 0))});
    facts.push_back({"renormalized", first(t.masked_renormalized), Role::weights, true});
    facts.push_back({"row sum", decimals(t.masked_renormalized.row(row).sum()), Role::neutral, true});
    facts.push_back({"max |Δ| to the −∞ route", difference_text(t.route_difference.cwiseAbs().maxCoeff())});
  }
  if (cell.name == "influence" || cell.name == "attn_weights")
    facts.push_back({"leak of row " + word(r, row), decimals(r.runs.leak(row, 0))});
  return facts;
}

// ---- numbers
// -------------------------------------------------------------------------------------------------------

void make_causal_runs(Runs& runs, const Inputs& in) {
  const int words = int(runs.words.size());
  Pass pass{.route = in.mask, .keep = causal_mask(words)};
  if (in.training && in.dropout > 0 && words > 0) {
    pass.dropout_mask.resize(words, words);
    TorchRandom random(in.dropout_seed);
    random.dropout_mask({pass.dropout_mask.data(), std::size_t(pass.dropout_mask.size())}, in.dropout,
                        in.stream);
  }
  Run& main = add_run(runs, in, "", fresh_module(AttentionKind::causal, in, in.seed), std::move(pass));
  main.dropout_seed = in.dropout_seed;
  runs.influence = influence_of(main);
  runs.leak = leak_of(runs.influence);
  add_unedited_runs(runs, in);
  if (words > 0)
    runs.runs.push_back(nudged(runs.runs.front(), std::min(in.leak.value_or(words - 1), words - 1)));
}

}  // namespace

std::span<const RouteWords> route_words() { return kRoutes; }

Lesson causal_mask_lesson() {
  return {
      .id = "causal-mask",
      .title = "Causal mask",
      .purpose =
          "Three stages: softmax, zero what lies above the diagonal, renormalize every row to sum to 1.",
      .controls = "d_in d_out seed bias mask training dropout dropout_seed stream word_seed",
      .steps = kSteps,
      .make_runs = make_causal_runs,
      .program = causal_mask_code,
      .open =
          [](Inputs& in) {
            in.seed = 789;
            in.dropout = 0.5;
          },
      .arrangements = kArrangements,
      .question = &kQuestion,
      .facts = row_facts,
  };
}

}  // namespace lab
