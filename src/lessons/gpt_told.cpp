#include "lessons/gpt_told.hpp"

#include <numeric>

#include "core/gpt_head.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr double kMost = 4e6;                 // numbers, some forty megabytes of text
constexpr double kStages = 14, kStreams = 5;  // matrices: T × T of a head, T × emb_dim of a block

bool tells_all_blocks(const GptReader& reading) {
  const GptConfig& c = reading.config();
  return kStreams * c.n_layers * reading.given() * c.emb_dim <= kMost;
}

std::vector<int> heads_told(const GptReader& reading, HeadPlace looked_at, int block) {
  const GptConfig& c = reading.config();
  const double stages = kStages * reading.given() * reading.given();
  if (stages * c.n_heads * c.n_layers > kMost)
    return looked_at.block == block && stages <= kMost ? std::vector<int>{looked_at.head}
                                                       : std::vector<int>{};
  std::vector<int> all(std::size_t(c.n_heads));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

std::string tell_gpt(const Results& r, const State& state, const TellTensor& tell) {
  const GptReader& reading = *r.gpt->reading();
  const HeadPlace looked_at = looked_at_head(r, state);
  const int blocks = int(reading.blocks().size());
  const bool all_blocks = tells_all_blocks(reading);
  for (int b = 0; b < blocks; ++b) {
    if (!all_blocks && b != looked_at.block) continue;
    Runs runs;
    runs.runs.push_back(run_of_block(reading, b, heads_told(reading, looked_at, b)));
    for (const std::string& name : names(runs))
      if (const auto found = find(runs, name)) tell(name, found->cells);
  }
  const bool full = state.view.full;
  const Matrix logits = full ? reading.all_logits() : r.gpt->logits();
  tell("final_norm", full ? reading.all_final_norms() : reading.given_final_norm());
  tell("logits", logits);
  tell("probas", shares_of(logits, state.inputs.temperature, state.inputs.top_k));
  if (all_blocks || blocks == 0) return "";
  return filled("All blocks but number {0}: together they are more than {1} numbers.",
                {std::to_string(looked_at.block + 1), std::to_string(std::int64_t(kMost))});
}

}  // namespace lab
