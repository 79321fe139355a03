// The causal mask: what zeroing leaves of a row, what dividing by its sum does, and what catches a wrong
// mask.
#include <cmath>

#include "core/leak.hpp"
#include "core/ops.hpp"
#include "lessons/causal_mask_lesson.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/causal_mask_texts.hpp"
#include "lessons/told.hpp"

namespace lab::questions {
namespace {

const Run& main_run(const Results& r) { return r.runs.runs[0]; }
const Trace& trace(const Results& r) { return main_run(r).trace; }
int last_row(const Results& r) { return int(r.runs.words.size()) - 1; }

// ---- which row keeps its sum ------------------------------------------------------------------------------

// The only row whose sum zeroing has left at 1; -1: there is none, or more than one.
int full_row(const Results& r) {
  const Matrix& sums = trace(r).row_sums;
  int full = -1, count = 0;
  for (int row = 0; row < int(sums.rows()); ++row)
    if (std::abs(sums(row, 0) - 1) < kSumRounding) full = row, ++count;
  return count == 1 ? full : -1;
}

const Question cm1 = {
    .id = "cm1",
    .kind = Question::Kind::cell,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string words = needs_words(r, 2); !words.empty()) return words;
      return full_row(r) < 0 ? "After these edits no single row keeps its sum: undo them, and one will." : "";
    },
    .asked =
        [](const Results&) {
          return std::string(
              "Everything above the diagonal is set to 0. Which row still sums to 1 afterwards? Click any "
              "cell of it.");
        },
    .answer = [](const Results& r) { return "masked_zeroed." + std::to_string(full_row(r)) + ".*"; },
    .revealed =
        [](const Results& r) {
          return filled(
              "Row {0}: nothing comes after the last word, so nothing of its row is hidden. Row {1} is left "
              "with {2}.",
              {word(r, full_row(r)), word(r, 0), decimals(trace(r).row_sums(0, 0))});
        },
    .why_not = [](const Results&, const std::string&) -> std::string {
      return "That row has cells above the diagonal. They held a part of its 1, and it is gone.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"A row loses what its later words held.",
              filled("{0} loses most: all but its first cell. Who has no later word at all?", {word(r, 0)})};
    },
    .hidden = "masked_zeroed",
};

// ---- renormalizing ----------------------------------------------------------------------------------------

extern const Question cm2;
const Question cm2 = {
    .id = "cm2",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) -> std::string {
      return r.runs.words.size() < 3 ? "Type three words or more: then something is hidden from the second."
                                     : "";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "After zeroing, row {0} holds {1} and nothing else. What is its first weight once the row is "
              "renormalized? Three decimals will do.",
              {word(r, 1), row_text(trace(r).masked_zeroed.leftCols(2), 1)});
        },
    .answer = [](const Results& r) { return exactly(trace(r).masked_renormalized(1, 0)); },
    .revealed =
        [](const Results& r) {
          const Trace& t = trace(r);
          return filled("{0} ÷ {1} = {2}.", {decimals(t.masked_zeroed(1, 0)), decimals(t.row_sums(1, 0)),
                                             decimals(t.masked_renormalized(1, 0))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      const Trace& t = trace(r);
      if (is_close(cm2, given, t.masked_zeroed(1, 0)))
        return filled("Zeroing does not rescale what is left. The row would go on summing to {0}.",
                      {decimals(t.row_sums(1, 0))});
      if (is_close(cm2, given, t.masked_renormalized(1, 1))) return "That is the row's second weight.";
      return "A full row sums to 1, and with that number this row would not.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"Zeroing does not rescale what is left: the row is short of 1 by what was hidden.",
              "What makes a row sum to 1 is dividing it by its own sum.",
              filled("Its sum is {0}. Divide {1} by that.",
                     {decimals(trace(r).row_sums(1, 0)), decimals(trace(r).masked_zeroed(1, 0))})};
    },
    .hidden = "masked_renormalized",
};

// ---- what catches a wrong mask ----------------------------------------------------------------------------

// The same module by another route, without dropout.
Run by_route(const Results& r, MaskRoute route) {
  Pass pass = main_run(r).pass;
  pass.route = route;
  pass.dropout_mask = {};
  return run_of("", main_run(r).module, trace(r).inputs, std::move(pass));
}

struct Caught {
  bool by_sums = false;
  float leak = 0;  // the most that an earlier output moves when the last word is changed
  bool by_leak() const { return leak > kLeakRounding; }
};
Caught caught(const Results& r, MaskRoute route) {
  const Run run = by_route(r, route);
  const Matrix before = output_of(run), after = output_of(nudged(run, last_row(r)));
  return {.by_sums = !rows_sum_to_one(view(run.trace.attn_weights)),
          .leak = (after - before).topRows(last_row(r)).cwiseAbs().maxCoeff()};
}

enum Check { sums, leak, both, neither };

const Question cm3 = {
    .id = "cm3",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 2); },
    .asked =
        [](const Results&) {
          return std::string(
              "Somebody writes 0 over the hidden scores, where −∞ belongs, and then takes the softmax. Which "
              "check catches it?");
        },
    .answer =
        [](const Results& r) {
          const Caught c = caught(r, MaskRoute::zero_scores);
          return place(c.by_sums ? (c.by_leak() ? both : sums) : c.by_leak() ? leak : neither);
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "The leak meter: change {0}, and earlier outputs move by up to {1}. The row sums see nothing: "
              "softmax makes every row sum to 1, and e^0 = 1 gives hidden words a share.",
              {word(r, last_row(r)), difference_text(double(caught(r, MaskRoute::zero_scores).leak))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == place(neither)
                 ? "Hidden words get a share, so what they say is heard: something can be seen to move."
                 : "Softmax comes last here, and after a softmax every row sums to 1, right or wrong.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"What is e^0?", "After a softmax, what does a row sum to?",
              "Take the row of the first word: it should have only itself. Does it still when the last word "
              "changes?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"The row sums", "The leak meter", "Both", "Neither"};
    },
    .hidden = "influence",
};

const Question cm4 = {
    .id = "cm4",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 3); },
    .asked =
        [](const Results&) {
          return std::string(
              "Softmax, then zeros above the diagonal, and the rows are left as they are. Every hidden cell "
              "is 0. Do earlier outputs still depend on later words?");
        },
    .answer = [](const Results& r) { return place(caught(r, MaskRoute::no_renorm).by_leak() ? 0 : 1); },
    .revealed =
        [](const Results& r) {
          return filled(
              "Yes: change {0}, and earlier outputs move by up to {1}. The cells are 0, but every weight was "
              "divided by a total that had counted the hidden words.",
              {word(r, last_row(r)), difference_text(double(caught(r, MaskRoute::no_renorm).leak))});
        },
    .why_not = [](const Results&, const std::string&) -> std::string {
      return "The hidden cells are 0, true. But by what were the others divided, before anything was zeroed?";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Softmax divides by the sum of a whole row. What stood in that sum?",
              "Renormalizing would cancel that sum. Here nobody does it."};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"Yes, a little", "No, not at all"};
    },
    .hidden = "influence",
};

void mask_with_zeros(State& s) {
  mask_rightly(s);
  s.inputs.mask = MaskRoute::zero_scores;
}
void forget_to_renormalize(State& s) {
  mask_rightly(s);
  s.inputs.mask = MaskRoute::no_renorm;
}

constexpr int kStages = 1, kRoutes = 5;  // arrangements

}  // namespace

std::span<const Step> causal_mask() {
  static const Step all[] = {
      asking(cm1, {.cell = {"masked_zeroed", 2, 1},
                   .patch = mask_rightly,
                   .arrangement = kStages,
                   .show = "masked_zeroed softmax_unmasked",
                   .code = "masked_zeroed ="}),
      asking(cm2, {.cell = {"masked_renormalized", 1, 0},
                   .patch = mask_rightly,
                   .arrangement = kStages,
                   .show = "masked_renormalized masked_zeroed",
                   .code = "masked_renormalized ="}),
      asking(cm3, {.cell = {"influence", 0, 5},
                   .patch = mask_with_zeros,
                   .arrangement = kRoutes,
                   .show = "influence",
                   .code = "attn_weights ="}),
      asking(cm4, {.cell = {"influence", 0, 5},
                   .patch = forget_to_renormalize,
                   .arrangement = kRoutes,
                   .show = "influence",
                   .code = "attn_weights ="}),
  };
  return all;
}

}  // namespace lab::questions
