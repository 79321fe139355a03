#include "lessons/multi_head_lesson.hpp"

#include "core/example_heads.hpp"
#include "core/word_vectors.hpp"
#include "lessons/multi_head_facts.hpp"
#include "lessons/multi_head_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/stages.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {

void pack_rightly(State& s) {
  s.inputs.fault.reset();
  s.inputs.split = HeadRoute::right;
  s.inputs.swap.reset();
  s.inputs.swap_out_proj = false;
}

namespace {

using namespace multi_head_texts;

// ---- what choosing a step sets ----------------------------------------------------------------------------

void swap_two(State& s) {
  const bool changed = s.inputs.swap || !s.inputs.off.empty();
  if (!changed && heads_of(s.inputs) > 1) s.inputs.swap = HeadPair{};
}
void break_a_band(State& s) {
  s.inputs.split = HeadRoute::right;
  if (!s.inputs.fault) s.inputs.fault = 0;
}

const Step kSteps[] = {
    {.id = "heads",
     .says = &heads,
     .cell = {"wrapper.out", 1, 0},
     .show = "wrapper.out mha.out",
     .code = "stacked_out =",
     .controls = "batch"},
    {.id = kMapsStep,
     .says = &maps,
     .cell = {"wrapper.heads.1.attn_weights", 5, 4},
     .arrangement = 1,
     .show = "wrapper.heads.*.attn_weights wrapper.heads.*.attn_weights_dropped "
             "wrapper.heads.*.W_query.weight wrapper.heads.*.W_key.weight wrapper.heads.*.W_value.weight",
     .code = "heads =",
     .controls = "training batch"},
    {.id = kStagesStep,
     .says = &stages,
     .cell = {"wrapper.heads.0.masked_renormalized", 2, 1},
     .arrangement = 9,
     .show = "@masked_renormalized @masked_softmax @route_difference @softmax_unmasked @masked_zeroed "
             "@masked_scores",
     .code = "def attend(",
     .controls = "training",
     .tells_nan = true},
    {.id = "carry",
     .says = &carry,
     .cell = {"context_difference", 1, 0},
     .arrangement = 2,
     .show = "map_difference context_difference",
     .code = "stacked_out ="},
    {.id = "concat",
     .says = &concat,
     .cell = {"wrapper.out", 1, 2},
     .patch = pack_rightly,
     .arrangement = 3,
     .show = "wrapper.out wrapper.heads.*.context_vec",
     .code = "stacked_out ="},
    {.id = kProjectStep,
     .says = &project,
     .cell = {"queries", 1, 2},
     .patch = pack_rightly,
     .arrangement = 4,
     .show = "queries W_query.weight wrapper.heads.*.W_query.weight inputs",
     .code = "packed ="},
    {.id = "view",
     .says = &view_step,
     .cell = {"queries", 1, 3},
     .arrangement = 5,
     .show = "queries",
     .code = "split =",
     .controls = "split"},
    {.id = "transpose",
     .says = &transpose,
     .cell = {"heads.1.queries", 1, 1},
     .arrangement = 5,
     .show = "heads.*.queries queries",
     .code = "split =",
     .controls = "split"},
    {.id = "inside",
     .says = &inside,
     .cell = {"heads.0.attn_weights", 1, 0},
     .arrangement = 6,
     .show = "heads.*.attn_weights heads.*.scaled_scores heads.*.context_vec "
             "heads.*.attn_weights_dropped",
     .code = "weights =",
     .controls = "split training context_length"},
    {.id = "pack",
     .says = &pack,
     .cell = {"difference", 1, 0},
     .patch = pack_rightly,
     .arrangement = 7,
     .show = "difference out wrapper.out",
     .code = "difference =",
     .controls = "split training"},
    {.id = kWrongBandStep,
     .says = &break_band,
     .cell = {"difference", 1, 1},
     .patch = break_a_band,
     .arrangement = 7,
     .show = "difference out wrapper.out",
     .code = "difference =",
     .controls = "split training"},
    {.id = "out_proj",
     .says = &out_proj,
     .cell = {"mha.out", 1, 0},
     .patch = pack_rightly,
     .arrangement = 8,
     .show = "mha.out mha.concat mha.out_proj.weight",
     .code = "mha_out ="},
    {.id = kSwapStep,
     .says = &swap_step,
     .cell = {"fused_change", 1, 0},
     .patch = swap_two,
     .arrangement = 10,
     .show = "fused_change stacked_change mha.out wrapper.out before.mha.out before.wrapper.out",
     .code = "mha_change =",
     .controls = "swap swap_out_proj training"},
    questions::multi_head().front(),
};

const Arrangement kArrangements[] = {
    {{{{.name = "inputs"}},
      {{.name = "wrapper.out", .from = "inputs", .by = "stacked", .title = "Stacked", .wide = true},
       {.name = "mha.out", .from = "inputs", .by = "fused", .title = "Fused", .wide = true}}},
     110},
    {.columns = {{{.name = "wrapper.heads.*.W_query.weight", .scale = .8f, .title = "W_query"},
                  {.name = "wrapper.heads.*.W_key.weight", .scale = .8f, .title = "W_key"},
                  {.name = "wrapper.heads.*.W_value.weight", .scale = .8f, .title = "W_value"}},
                 {{.name = "wrapper.heads.*.attn_weights", .across = true, .opens = true},
                  {.name = "wrapper.heads.*.attn_weights_dropped", .title = "After dropout"}}},
     .gap = 76,
     .by_head = true},
    {.columns = {{{.name = "map_difference", .wide = true}}, {{.name = "context_difference", .wide = true}}},
     .gap = 60,
     .one_scale = true},
    {{{{.name = "wrapper.heads.*.context_vec"}}, {{.name = "wrapper.out", .title = "Side by side"}}}, 90},
    {{{{.name = "inputs"}},
      {{.name = "wrapper.heads.*.W_query.weight", .scale = .9f}},
      {{.name = "W_query.weight", .scale = .9f, .title = "W_query.weight"}},
      {{.name = "queries", .title = "Queries of all heads"}}},
     60},
    {{{{.name = "queries", .title = "Queries of all heads"}},
      {{.name = "queries", .from = "queries", .by = "view", .title = "After view", .cut = true}},
      {{.name = "heads.*.queries"}}},
     90},
    {.columns = {{{.name = "heads.*.scaled_scores"}},
                 {{.name = "heads.*.attn_weights",
                   .from = "heads.*.scaled_scores",
                   .by = "mask, softmax",
                   .opens = true}},
                 {{.name = "heads.*.attn_weights_dropped"}},
                 {{.name = "heads.*.context_vec"}}},
     .gap = 76,
     .most_heads = 2},
    {{{{.name = "wrapper.out", .title = "Stacked", .wide = true}},
      {{.name = "out", .title = "Fused", .wide = true}},
      {{.name = "difference", .wide = true}}},
     40},
    {{{{.name = "mha.concat"}}, {{.name = "mha.out_proj.weight", .scale = .9f}}, {{.name = "mha.out"}}}, 76},
    {.columns = {{{.name = "@scaled_scores"}, {.name = "@attn_scores"}},
                 {kSoftmaxStage, {.name = "@masked_scores"}},
                 {kZeroStage, kMaskedSoftmax},
                 {kRenormalizeStage, {.name = "@route_difference"}}},
     .gap = 30,
     .sums_only = true},
    {{{{.name = "wrapper.out", .title = "Stacked", .wide = true},
       {.name = "mha.out", .title = "Fused", .wide = true}},
      {{.name = "before.wrapper.out", .title = "Stacked, before", .wide = true},
       {.name = "before.mha.out", .title = "Fused, before", .wide = true}},
      {{.name = "stacked_change", .wide = true}, {.name = "fused_change", .wide = true}}},
     60},
};

}  // namespace

Lesson multi_head_lesson() {
  return {
      .id = "multi-head",
      .says = &lesson,
      .controls =
          "d_in d_out heads seed bias split example training dropout dropout_seed stream batch sample "
          "context_length swap swap_out_proj relative off word_seed",
      .steps = kSteps,
      .make_runs = make_multi_head_runs,
      .program = multi_head_code,
      .inputs =
          [](const std::vector<std::string>& words, const Inputs& in) {
            return in.example ? example_inputs(words) : word_vectors(words, in.d_in, in.word_seed);
          },
      .open =
          [](Inputs& in) {
            in.heads = 2;
            in.mask = MaskRoute::neginf;
            in.dropout = 0.5;
          },
      .arrangements = kArrangements,
      .questions = questions::multi_head(),
      .facts = head_facts,
  };
}

}  // namespace lab
