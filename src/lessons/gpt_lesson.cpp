#include "lessons/gpt_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {

void as_it_is(State& s) { s.inputs.tied = false, s.inputs.shortcuts = true; }

namespace {

using namespace gpt_texts;

void tie_head(State& s) { s.inputs.tied = true, s.inputs.shortcuts = true; }
void cut_shortcuts(State& s) { s.inputs.tied = false, s.inputs.shortcuts = false; }

const Step kSteps[] = {
    {.id = "ids", .says = &ids, .patch = as_it_is, .code = "ids ="},
    {.id = "embed", .says = &embed, .patch = as_it_is, .code = "    x = model.tok_emb"},
    {.id = "tower", .says = &tower, .patch = as_it_is, .code = "    for block"},
    {.id = "maps", .says = &maps, .patch = as_it_is, .code = "        weights =", .controls = "scaled"},
    {.id = "next", .says = &next, .patch = as_it_is, .code = "    probas =", .controls = "temperature"},
    {.id = "greedy", .says = &greedy, .patch = as_it_is, .code = "    ids ="},
    {.id = "tie", .says = &tie, .patch = tie_head, .code = "    logits =", .controls = "tied"},
    {.id = "shortcuts",
     .says = &shortcuts,
     .patch = cut_shortcuts,
     .code = "        x = ",
     .controls = "shortcuts"},
    {.id = "sizes", .says = &sizes, .patch = as_it_is, .code = "print(sum"},
    questions::gpt().front(),
};

std::vector<Fact> facts_of(const Results& r, const State& s) {
  if (!r.gpt) return {};
  const GptConfig& c = r.gpt->config();
  const GptLedger l = ledger_of(c, std::max<std::int64_t>(1, std::int64_t(r.gpt->ids().size())), 1);
  GptConfig tied = c;
  tied.tied = true;
  std::vector<Fact> facts = {{"parameters", grouped(l.parameters), Role::neutral, true},
                             {"with a tied head", grouped(ledger_of(tied, 1, 1).parameters)},
                             {"MiB, float32 (the book: MB)", decimals(mebibytes(l.bytes), 2)},
                             {"operations for this text", grouped(l.flops)},
                             {"of them as the book counts", grouped(l.flops_linear)},
                             {"keys and values kept, bytes", grouped(l.kv_cache_bytes)}};
  if (!r.gpt->has_read() || s.view.step == "sizes") return facts;
  const NextTokens next = next_tokens(r.gpt->reading()->logits(), 1);
  facts.push_back({"entropy of the next token", decimals(next.entropy, s.view.digits), Role::weights, true});
  facts.push_back({"spread of the scores", decimals(next.spread, s.view.digits)});
  return facts;
}

}  // namespace

BoldHead boldest_head(const GptReader& reading) {
  BoldHead bold;
  const auto& blocks = reading.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t h = 0; h < blocks[b].attn_weights.size(); ++h) {
      const Matrix& weights = blocks[b].attn_weights[h];
      for (Eigen::Index c = 0; c < weights.cols(); ++c) {
        const double share = double(weights(weights.rows() - 1, c));
        bold.least = std::min(bold.least, share);
        if (share > bold.share) bold = {{int(b), int(h)}, int(c), share, bold.least};
      }
    }
  return bold;
}

HeadPlace looked_at_head(const Results& r, const State& s) {
  if (!r.gpt) return {};
  const GptConfig& c = r.gpt->config();
  const bool chosen = s.view.block > 0 || s.view.head > 0;
  if (!chosen && r.gpt->has_read()) return boldest_head(*r.gpt->reading()).place;
  return {std::min(s.view.block, c.n_layers - 1), std::min(s.view.head, c.n_heads - 1)};
}

int looked_at_token(const Results& r, const State& s) {
  const int last = r.gpt ? int(r.gpt->ids().size()) - 1 : -1;
  return std::min(s.view.token.value_or(last), last);
}

Lesson gpt_lesson() {
  return {
      .id = "gpt",
      .says = &lesson,
      .controls = "size custom_dim custom_layers custom_heads seed bias tied shortcuts scaled temperature",
      .steps = kSteps,
      .make_runs = [](Runs&, const Inputs&) {},
      .program = gpt_code,
      .inputs = [](const std::vector<std::string>&, const Inputs&) { return Parameter{.name = "inputs"}; },
      .open = [](Inputs& in) { in.text = "Hello, I am"; },
      .stage = Stage::gpt,
      .questions = questions::gpt(),
      .facts = facts_of,
  };
}

}  // namespace lab
