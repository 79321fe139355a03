#include "lessons/multi_head_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "core/example_heads.hpp"
#include "core/head_figures.hpp"
#include "core/multi_head.hpp"
#include "core/word_vectors.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab {

void pack_rightly(State& s) {
  s.inputs.fault.reset();
  s.inputs.split = HeadRoute::right;
}

namespace {

using namespace multi_head_texts;

// ---- what choosing a step sets ----------------------------------------------------------------------------

void break_a_band(State& s) {
  s.inputs.split = HeadRoute::right;
  if (!s.inputs.fault) s.inputs.fault = 0;
}

const Step kSteps[] = {
    {.id = "heads",
     .says = &heads,
     .cell = {"wrapper.out", 1, 0},
     .show = "wrapper.out mha.out",
     .code = "stacked_out ="},
    {.id = "maps",
     .says = &maps,
     .cell = {"wrapper.heads.1.attn_weights", 5, 4},
     .arrangement = 1,
     .show = "wrapper.heads.*.attn_weights",
     .code = "heads ="},
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
    {.id = "project",
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
     .code = "split ="},
    {.id = "transpose",
     .says = &transpose,
     .cell = {"heads.1.queries", 1, 1},
     .arrangement = 5,
     .show = "heads.*.queries queries",
     .code = "split ="},
    {.id = "inside",
     .says = &inside,
     .cell = {"heads.0.attn_weights", 1, 0},
     .arrangement = 6,
     .show = "heads.*.attn_weights heads.*.scaled_scores heads.*.context_vec",
     .code = "weights ="},
    {.id = "pack",
     .says = &pack,
     .cell = {"difference", 1, 0},
     .patch = pack_rightly,
     .arrangement = 7,
     .show = "difference out wrapper.out",
     .code = "difference ="},
    {.id = kWrongBandStep,
     .says = &break_band,
     .cell = {"difference", 1, 1},
     .patch = break_a_band,
     .arrangement = 7,
     .show = "difference out wrapper.out",
     .code = "difference ="},
    {.id = "out_proj",
     .says = &out_proj,
     .cell = {"mha.out", 1, 0},
     .patch = pack_rightly,
     .arrangement = 8,
     .show = "mha.out mha.concat mha.out_proj.weight",
     .code = "mha_out ="},
    questions::multi_head().front(),
};

const Arrangement kArrangements[] = {
    {{{{.name = "inputs"}},
      {{.name = "wrapper.out", .from = "inputs", .by = "stacked", .title = "Stacked"},
       {.name = "mha.out", .from = "inputs", .by = "fused", .title = "Fused"}}},
     110},
    {{{{.name = "wrapper.heads.*.attn_weights", .across = true}}}},
    {{{{.name = "map_difference"}}, {{.name = "context_difference"}}}, 90},
    {{{{.name = "wrapper.heads.*.context_vec"}}, {{.name = "wrapper.out", .title = "Side by side"}}}, 90},
    {{{{.name = "inputs"}},
      {{.name = "wrapper.heads.*.W_query.weight", .scale = .9f}},
      {{.name = "W_query.weight", .scale = .9f, .title = "W_query.weight"}},
      {{.name = "queries", .title = "Queries of all heads"}}},
     60},
    {{{{.name = "queries", .title = "Queries of all heads"}}, {{.name = "heads.*.queries"}}}, 110},
    {{{{.name = "heads.*.scaled_scores"}},
      {{.name = "heads.*.attn_weights", .from = "heads.*.scaled_scores", .by = "mask, softmax"}},
      {{.name = "heads.*.context_vec"}}},
     76},
    {{{{.name = "wrapper.out", .title = "Stacked"}},
      {{.name = "out", .title = "Fused"}},
      {{.name = "difference"}}},
     60},
    {{{{.name = "mha.concat"}}, {{.name = "mha.out_proj.weight", .scale = .9f}}, {{.name = "mha.out"}}}, 76},
};

// ---- the head that is looked at ---------------------------------------------------------------------------

constexpr int kFirstFused = 4;  // the step "project": from here on there is a module to compare with

const Run* head_of(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  return found && found->run && found->run->head >= 0 ? found->run : nullptr;
}

std::vector<Fact> head_facts(const Results& r, const State& s) {
  std::vector<Fact> facts;
  const Run* head = head_of(r.runs, selected_cell(s));
  if (!head && r.runs.comparison.max_difference >= 0 && step_index(s) >= kFirstFused) {
    const bool same = r.runs.comparison.max_difference == 0;
    facts.push_back({"Stacked = fused?", same ? "yes" : "no", Role::neutral, true});
    facts.push_back({"max |Δ| of the outputs", difference_text(double(r.runs.comparison.max_difference))});
  }
  if (!head) return facts;
  const HeadFigures f = figures_of(head->trace.attn_weights),
                    even = figures_of(even_weights(int(r.runs.words.size())));
  const auto beside_even = [&](double x, double e) {
    return decimals(x, s.view.digits) + " (even " + decimals(e, s.view.digits) + ")";
  };
  facts.push_back(
      {filled("head {0}", {std::to_string(head->head + 1)}), head_name(r, head->head), Role::neutral, true});
  facts.push_back({"entropy, nats", beside_even(f.entropy, even.entropy)});
  facts.push_back({"looks back, words", beside_even(f.distance, even.distance)});
  facts.push_back(
      {"most attended", word(r, f.most_attended) + " " + decimals(f.most_attended_by, s.view.digits)});
  return facts;
}

// ---- numbers ----------------------------------------------------------------------------------------------

// One mask a head, in the order in which both modules draw them.
Pass pass_of(const Inputs& in, int num_heads, int words, bool fused) {
  Pass pass{.route = in.mask, .keep = causal_mask(words)};
  TorchRandom random(in.dropout_seed);
  std::vector<Pass> heads(std::size_t(num_heads), pass);
  for (int h = 0; h < num_heads; ++h) {
    Pass& head = heads[std::size_t(h)];
    head.off = std::count(in.off.begin(), in.off.end(), std::to_string(h)) > 0;
    if (!in.training || in.dropout == 0 || words == 0) continue;
    head.dropout_mask = drawn_mask(words, words, in.dropout, in.stream, random);
  }
  pass.heads = std::move(heads);
  if (fused) pass.head_route = in.split;
  return pass;
}

AttentionParams wrapper_of(const Runs& runs, const Inputs& in) {
  return in.example ? example_wrapper(runs.words) : fresh_module(AttentionKind::wrapper, in, in.seed);
}

// The book's own fused module; beside the example heads theirs, with an out_proj that mixes.
std::optional<AttentionParams> mixing_module(const Inputs& in, const AttentionParams& packed) {
  if (!in.example && !can_split(in.d_out, in.heads)) return std::nullopt;
  if (!in.example) return fresh_module(AttentionKind::mha, in, in.seed);
  AttentionParams m = packed;
  TorchRandom random(in.seed);
  m.out_proj = drawn_linear("out_proj", m.d_out, m.d_out, true, random, in.seed);
  return m;
}

void add_modules(Runs& runs, const Inputs& in, const std::string& prefix,
                 const std::vector<CellEdit>& inputs) {
  const int words = int(runs.words.size());
  const auto add = [&](const std::string& name, AttentionParams module, bool fused) -> Run& {
    Pass pass = pass_of(in, module.num_heads, words, fused);
    for (Parameter* p : parameters(module)) apply_edits(*p, prefix + name, in.edits);
    pass = with_edits(std::move(pass), in.edits, prefix + name);
    pass.edits.insert(pass.edits.begin(), inputs.begin(), inputs.end());
    runs.runs.push_back(run_of(prefix + name, std::move(module), runs.inputs.stored, std::move(pass)));
    runs.runs.back().dropout_seed = in.dropout_seed;
    return runs.runs.back();
  };
  const AttentionParams wrapper = add("wrapper.", wrapper_of(runs, in), false).module;
  AttentionParams all = packed(wrapper, prefix + "wrapper.");
  if (const auto wrong = fault_of(in, wrapper.num_heads))
    put_wrong_band(all, wrapper, *wrong, prefix + "wrapper.");
  add("", all, true);
  if (auto mixing = mixing_module(in, packed(wrapper, prefix + "wrapper.")))
    add("mha.", std::move(*mixing), true);
}

void make_multi_head_runs(Runs& runs, const Inputs& in) {
  add_modules(runs, in, "", {});
  const Run &wrapper = runs.runs[0], &fused = runs.runs[1];
  if (!runs.words.empty()) runs.comparison = compared(output_of(fused), output_of(wrapper), in.rtol, in.atol);
  if (runs.runs.size() == 2) runs.problems.push_back(cannot_share(in.d_out, in.heads));
  if (wrapper.module.num_heads > 1) {
    add_difference(runs, map_difference_row(), "wrapper.heads.1.attn_weights",
                   "wrapper.heads.0.attn_weights");
    add_difference(runs, context_difference_row(), "wrapper.heads.1.context_vec",
                   "wrapper.heads.0.context_vec");
  }
  add_difference(runs, packed_difference_row(), "wrapper.out", "out");
  if (in.edits.empty()) return;
  Inputs unedited = in;
  unedited.edits.clear();
  add_modules(runs, unedited, kUnedited, inputs_taken_back(runs));
}

}  // namespace

Lesson multi_head_lesson() {
  return {
      .id = "multi-head",
      .says = &lesson,
      .controls = "d_in d_out heads seed bias split example off word_seed",
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
