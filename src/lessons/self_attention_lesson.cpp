#include "lessons/self_attention_lesson.hpp"

#include "lessons/make_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/texts/self_attention_texts.hpp"

namespace lab {
namespace {

using namespace self_attention_texts;

const Step kSteps[] = {
    {.id = "inputs",
     .says = &inputs,
     .cell = {"simple.attn_scores", 2, 1},
     .show = "inputs simple.attn_scores",
     .code = "simple_scores ="},
    {.id = "simple-weights",
     .says = &simple_weights,
     .cell = {"simple.attn_weights", 1, 1},
     .show = "simple.attn_weights simple.attn_scores",
     .code = "simple_weights ="},
    {.id = "simple-context",
     .says = &simple_context,
     .cell = {"simple.context_vec", 1, 0},
     .show = "simple.context_vec simple.attn_weights inputs",
     .code = "simple_context ="},
    {.id = "project",
     .says = &project,
     .cell = {"queries", 1, 0},
     .arrangement = 1,
     .show = "inputs W_query W_key W_value queries keys values",
     .code = "queries ="},
    {.id = "scores",
     .says = &scores,
     .cell = {"attn_scores", 1, 2},
     .arrangement = 1,
     .show = "attn_scores queries keys",
     .code = "attn_scores ="},
    {.id = "scale",
     .says = &scale,
     .cell = {"scaled_scores", 1, 2},
     .arrangement = 1,
     .show = "scaled_scores attn_scores",
     .code = "scaled_scores ="},
    {.id = "softmax",
     .says = &softmax,
     .cell = {"attn_weights", 1, 2},
     .arrangement = 1,
     .show = "attn_weights scaled_scores",
     .code = "attn_weights ="},
    {.id = "context",
     .says = &context,
     .cell = {"context_vec", 1, 0},
     .arrangement = 1,
     .show = "context_vec attn_weights values",
     .code = "context_vec ="},
    {.id = "module",
     .says = &module,
     .cell = {"context_vec", 1, 1},
     .arrangement = 1,
     .show = "context_vec attn_weights values scaled_scores attn_scores queries keys inputs W_query W_key "
             "W_value",
     .code = "print(context_vec)"},
    questions::self_attention().front(),
};

const Arrangement kArrangements[] = {
    {{{{"inputs"}, {"simple.context_vec"}},
      {{"simple.attn_scores"}, {.name = "simple.attn_weights", .bars = Bars::row_sums}}}},
    {{{{"inputs"}},
      {{"W_query", .8f}, {"W_key", .8f}, {"W_value", .8f}},
      {{"queries", .85f}, {"keys", .85f}, {"values", .85f}},
      {{"attn_scores"}, {"scaled_scores"}},
      {{.name = "attn_weights", .bars = Bars::row_sums}, {"context_vec"}}}},
};

void make_self_attention_runs(Runs& runs, const Inputs& in) {
  add_run(runs, in, "simple.", {.kind = AttentionKind::simple, .d_in = in.d_in, .d_out = in.d_in});
  add_run(runs, in, "", fresh_module(AttentionKind::v1, in, in.seed));
  add_unedited_runs(runs, in);
}

}  // namespace

Lesson self_attention_lesson() {
  return {.id = "self-attention",
          .says = &lesson,
          .controls = "d_in d_out seed word_seed",
          .steps = kSteps,
          .make_runs = make_self_attention_runs,
          .program = self_attention_code,
          .arrangements = kArrangements,
          .questions = questions::self_attention()};
}

}  // namespace lab
