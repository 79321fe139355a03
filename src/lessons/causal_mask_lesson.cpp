#include "lessons/causal_mask_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "core/leak.hpp"
#include "core/ops.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/stages.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/causal_mask_texts.hpp"
#include "lessons/told.hpp"

namespace lab {

void mask_rightly(State& s) {
  s.inputs.training = false;
  if (!is_right(s.inputs.mask)) s.inputs.mask = MaskRoute::zero_renorm;
}

namespace {

using namespace causal_mask_texts;

const Trace& trace(const Results& r) { return r.runs.runs[0].trace; }

// ---- what choosing a step sets ----------------------------------------------------------------------------

void mask_wrongly(State& s) {
  if (is_right(s.inputs.mask)) s.inputs.mask = MaskRoute::zero_scores;
  s.inputs.training = s.inputs.mask == MaskRoute::after_dropout;  // without dropout that would be right
  if (s.inputs.training && s.inputs.dropout == 0) s.inputs.dropout = 0.5;
}
void drop_out(State& s) {
  mask_rightly(s);
  s.inputs.training = true;
  if (s.inputs.dropout == 0) s.inputs.dropout = 0.5;
}

const Step kSteps[] = {
    {.id = "scores",
     .says = &scores,
     .cell = {"attn_scores", 0, 5},
     .show = "attn_scores queries keys",
     .code = "attn_scores ="},
    {.id = "scale",
     .says = &scale,
     .cell = {"scaled_scores", 0, 0},
     .show = "scaled_scores attn_scores",
     .code = "scaled_scores ="},
    {.id = "softmax",
     .says = &causal_mask_texts::softmax,
     .cell = {"softmax_unmasked", 0, 5},
     .arrangement = 1,
     .show = "softmax_unmasked scaled_scores",
     .code = "softmax_unmasked ="},
    {.id = "zero",
     .says = &zero,
     .cell = {"masked_zeroed", 2, 1},
     .arrangement = 1,
     .show = "masked_zeroed softmax_unmasked",
     .code = "masked_zeroed =",
     .words = true},
    {.id = "renormalize",
     .says = &renormalize,
     .cell = {"masked_renormalized", 2, 1},
     .arrangement = 1,
     .show = "masked_renormalized masked_zeroed",
     .code = "masked_renormalized =",
     .words = true,
     .tells_nan = true},
    {.id = "context",
     .says = &context,
     .cell = {"context_vec", 1, 0},
     .patch = mask_rightly,
     .arrangement = 2,
     .show = "context_vec attn_weights values",
     .code = "context_vec =",
     .words = true},
    {.id = "minus-inf",
     .says = &minus_infinity,
     .cell = {"masked_scores", 2, 3},
     .arrangement = 3,
     .show = "masked_scores masked_softmax masked_renormalized route_difference keep",
     .code = "masked_scores =",
     .tells_nan = true},
    {.id = "leak",
     .says = &leak,
     .cell = {"influence", 0, 5},
     .patch = mask_rightly,
     .arrangement = 4,
     .show = "influence context_vec inputs",
     .code = "context_vec =",
     .tells_nan = true},
    {.id = "wrong",
     .says = &wrong,
     .cell = {"attn_weights", 0, 5},
     .patch = mask_wrongly,
     .arrangement = 5,
     .show = "attn_weights influence",
     .code = "attn_weights =",
     .routes = true,
     .tells_nan = true},
    {.id = "dropout",
     .says = &dropout,
     .cell = {"attn_weights_dropped", 2, 0},
     .patch = drop_out,
     .arrangement = 6,
     .show = "attn_weights_dropped dropout_mask attn_weights",
     .code = "attn_weights_dropped ="},
    questions::causal_mask().front(),
};

constexpr Bars kSums = Bars::row_sums, kLeaks = Bars::leak;
const Arrangement kArrangements[] = {
    {{{{.name = "queries"}, {.name = "keys"}}, {{.name = "attn_scores"}}, {{.name = "scaled_scores"}}}, 76},
    {{{{.name = "scaled_scores"}, kZeroStage}, {kSoftmaxStage, kRenormalizeStage}}, 90},
    {{{{.name = "attn_weights", .bars = kSums}}, {{.name = "values"}}, {{.name = "context_vec"}}}},
    {{{{.name = "keep", .scale = .6f}, {.name = "masked_scores"}},
      {{.name = "masked_renormalized", .bars = kSums}, kMaskedSoftmax},
      {{.name = "route_difference"}}},
     72},
    {{{{.name = "inputs"}},
      {{.name = "context_vec", .from = "inputs", .by = "attention"}},
      {{.name = "influence", .bars = kLeaks}}},
     110},
    {{{{.name = "attn_weights", .bars = kSums}, {.name = "influence", .bars = kLeaks}}}},
    {{{{.name = "attn_weights", .bars = kSums}, {.name = "dropout_mask"}},
      {{.name = "attn_weights_dropped", .bars = kSums}}}},
};

// ---- the row that is looked at ----------------------------------------------------------------------------

// The lesson has come to that step: what it shows may be told.
bool has_come_to(const State& s, std::string_view step) {
  for (int i = 0; i <= step_index(s); ++i)
    if (kSteps[i].id == step) return true;
  return false;
}

StagesTold told_of_stages(const State& s) {
  return has_come_to(s, "minus-inf")     ? StagesTold::both_routes
         : has_come_to(s, "renormalize") ? StagesTold::renormalized
         : has_come_to(s, "zero")        ? StagesTold::zeroed
         : has_come_to(s, "softmax")     ? StagesTold::softmax
                                         : StagesTold::none;
}

std::vector<Fact> row_facts(const Results& r, const State& s) {
  const CellName cell = selected_cell(s);
  const int row = cell.row, words = int(r.runs.words.size());
  if (row < 0 || row >= words) return {};
  std::vector<Fact> facts;
  const bool stage = is_stage(cell.name);
  if ((stage && has_come_to(s, "zero")) || s.view.word) {
    facts.push_back({"May look at", words_from(r, 0, row + 1)});
    facts.push_back({"Hidden from it", words_from(r, row + 1, words)});
  }
  if (stage) add_stage_facts(facts, trace(r), row, s.view.digits, told_of_stages(s));
  const bool asks_for_leak =
      (cell.name == "influence" || cell.name == "attn_weights") && has_come_to(s, "leak");
  if (asks_for_leak || s.view.word)
    facts.push_back({"leak of row " + word(r, row), leak_text(r.runs.leak(row, 0))});
  return facts;
}

// ---- numbers ----------------------------------------------------------------------------------------------

void make_causal_runs(Runs& runs, const Inputs& in) {
  const int words = int(runs.words.size());
  Pass pass{.route = in.mask, .keep = causal_mask(words)};
  if (in.training && in.dropout > 0 && words > 0) {
    TorchRandom random(in.dropout_seed);
    pass.dropout_mask = drawn_mask(words, words, in.dropout, in.stream, random);
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

Lesson causal_mask_lesson() {
  return {
      .id = "causal-mask",
      .says = &lesson,
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
      .questions = questions::causal_mask(),
      .turn = turn_text,
      .facts = row_facts,
  };
}

}  // namespace lab
