#include "lessons/gpt_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "core/gpt_head.hpp"
#include "core/multi_head.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/stages.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {

namespace {

constexpr const char* kOwnText = "Hello, I am";

std::string said_again() {
  std::string text;
  for (int i = 0; i < 21; ++i) text += i ? " one two three" : "one two three";
  return text;
}

}  // namespace

void as_it_is(State& s) {
  s.inputs.tied = s.inputs.dummy = false;
  s.inputs.shortcuts = s.inputs.scaled = true;
  if (s.inputs.text == said_again()) s.inputs.text = kOwnText;
}

namespace {

using namespace gpt_texts;

void say_again(State& s) {
  as_it_is(s);
  if (s.inputs.text == kOwnText) s.inputs.text = said_again();
}
void tie_head(State& s) { as_it_is(s), s.inputs.tied = true; }
void cut_shortcuts(State& s) { as_it_is(s), s.inputs.shortcuts = false; }

const Step kSteps[] = {
    {.id = "ids", .says = &ids, .patch = as_it_is, .code = "ids ="},
    {.id = "embed", .says = &embed, .patch = as_it_is, .code = "    x = model.tok_emb"},
    {.id = "block", .says = &block, .patch = as_it_is, .code = "        x = "},
    {.id = "tower", .says = &tower, .patch = as_it_is, .code = "    for block", .controls = "dummy"},
    {.id = "maps", .says = &maps, .patch = as_it_is, .code = "        weights =", .controls = "scaled"},
    {.id = "inside",
     .says = &inside,
     .patch = as_it_is,
     .show = "@softmax_unmasked @masked_zeroed @masked_renormalized @masked_softmax @masked_scores",
     .code = "        weights ="},
    {.id = "why-even",
     .says = &why_even,
     .patch = as_it_is,
     .code = "        weights =",
     .controls = "scaled"},
    {.id = "repeat", .says = &repeat, .patch = say_again, .code = "        weights ="},
    {.id = "logits", .says = &logits, .patch = as_it_is, .code = "    logits =", .controls = "dummy"},
    {.id = "next", .says = &next, .patch = as_it_is, .code = "    probas =", .controls = "temperature top_k"},
    {.id = "greedy",
     .says = &greedy,
     .patch = as_it_is,
     .code = "    ids =",
     .controls = "temperature top_k chance"},
    {.id = "tie", .says = &tie, .patch = tie_head, .code = "    logits =", .controls = "tied"},
    {.id = "shortcuts",
     .says = &shortcuts,
     .patch = cut_shortcuts,
     .code = "        x = ",
     .controls = "shortcuts"},
    {.id = "sizes", .says = &sizes, .patch = as_it_is, .code = "print(sum"},
    questions::gpt().front(),
};

const Arrangement kArrangements[] = {
    {.columns = {{{.name = "@scaled_scores", .title = "Scaled"},
                  {.name = "@masked_scores", .title = "With −∞"}},
                 {kSoftmaxStage,
                  {.name = "@masked_softmax", .bars = Bars::row_sums, .title = "Softmax of −∞"}},
                 {kZeroStage, kRenormalizeStage}},
     .gap = 34,
     .sums_only = true},
};

std::vector<Fact> facts_of(const Results& r, const State& s) {
  if (!r.gpt) return {};
  GptConfig c = r.gpt->config();
  c.tied = s.inputs.tied;
  const GptLedger l = ledger_of(c, std::max<std::int64_t>(1, std::int64_t(r.gpt->ids().size())), 1);
  GptConfig other = c;
  other.tied = !c.tied;
  std::vector<Fact> facts = {
      {"parameters", grouped(l.parameters), Role::neutral, true},
      {c.tied ? "without the tie" : "with a tied head", grouped(ledger_of(other, 1, 1).parameters)},
      {"MiB, float32 (the book: MB)", decimals(mebibytes(l.bytes), 2)},
      {"operations for this text", grouped(l.flops)},
      {"of them as the book counts", grouped(l.flops_linear)},
      {"keys and values kept, bytes", grouped(l.kv_cache_bytes)}};
  if (!r.gpt->has_read() || s.view.step == "sizes") return facts;
  if (s.view.step == "inside" && !r.runs.runs.empty()) {
    const int last = r.gpt->reading()->given() - 1;
    facts.clear();
    add_stage_facts(facts, r.runs.runs[0].parts[0].trace,
                    s.view.cell ? std::min(s.view.cell->row, last) : last, s.view.digits,
                    StagesTold::both_routes);
    return facts;
  }
  const NextTokens next = next_tokens(r.gpt->logits(), 1, r.inputs.temperature, r.inputs.top_k);
  facts.push_back({"entropy of the next token", decimals(next.entropy, s.view.digits), Role::weights, true});
  facts.push_back({"spread of the scores", decimals(next.spread, s.view.digits)});
  return facts;
}

}  // namespace

HeadPlace looked_at_head(const Results& r, const State& s) {
  if (!r.gpt) return {};
  const GptConfig& c = r.gpt->config();
  const bool chosen = s.view.block > 0 || s.view.head > 0;
  const bool of_block = s.view.step == std::string_view("block");
  if (!chosen && !of_block && r.gpt->has_read()) {
    const auto echo = s.view.step == std::string_view("repeat") ? echo_head(*r.gpt->reading()) : std::nullopt;
    return echo ? echo->place : boldest_head(*r.gpt->reading()).place;
  }
  return {std::min(s.view.block, c.n_layers - 1), std::min(s.view.head, c.n_heads - 1)};
}

std::string head_name(HeadPlace place) { return block_name(place.block) + head_prefix(place.head); }

void open_looked_at_head(Results& r, const State& s) {
  if (!r.gpt || !r.gpt->has_read() || r.gpt->reading()->blocks().empty()) return;
  const HeadPlace place = looked_at_head(r, s);
  const bool is_open = !r.runs.runs.empty() && !r.runs.runs[0].parts.empty() &&
                       r.runs.runs[0].parts[0].prefix == head_name(place);
  if (is_open) return;
  r.runs.runs = {run_of_block(*r.gpt->reading(), place.block, {place.head})};
  const Run& head = r.runs.runs[0].parts[0];
  r.glance = shares_beside_even(head.trace.attn_weights, kEnlargedSide);
  r.glances.clear();
  if (r.gpt->reading()->given() > kMostInCells) r.glances = stage_glances(head, kGlanceSide);
}

int looked_at_token(const Results& r, const State& s) {
  const int last = r.gpt ? int(r.gpt->ids().size()) - 1 : -1;
  return std::min(s.view.token.value_or(last), last);
}

Lesson gpt_lesson() {
  return {
      .id = "gpt",
      .says = &lesson,
      .controls =
          "size custom_dim custom_layers custom_heads seed bias tied shortcuts scaled dummy temperature "
          "top_k chance",
      .steps = kSteps,
      .make_runs = [](Runs&, const Inputs&) {},
      .program = gpt_code,
      .inputs = [](const std::vector<std::string>&, const Inputs&) { return Parameter{.name = "inputs"}; },
      .open = [](Inputs& in) { in.text = kOwnText; },
      .stage = Stage::gpt,
      .arrangements = kArrangements,
      .questions = questions::gpt(),
      .facts = facts_of,
  };
}

}  // namespace lab
