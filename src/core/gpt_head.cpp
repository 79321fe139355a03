#include "core/gpt_head.hpp"

#include "core/multi_head.hpp"
#include "core/runs.hpp"

namespace lab {
namespace {

Run run_of_head(const Run& block, const GptReader& reading, int index, int h) {
  const GptConfig& c = reading.config();
  const int width = c.emb_dim / c.n_heads, words = reading.given();
  Run head{.prefix = block.prefix + head_prefix(h),
           .module = {.kind = AttentionKind::head, .d_in = c.emb_dim, .d_out = width},
           .pass = {.route = MaskRoute::neginf, .keep = causal_mask(words)}};
  if (!reading.how().scaled) head.pass.scale_by = 1;
  const auto own = [&](const Matrix& all) { return Matrix(all.middleCols(h * width, width)); };
  head.trace = attend(
      {.queries = own(block.trace.queries), .keys = own(block.trace.keys), .values = own(block.trace.values)},
      head.pass);
  for (const int off : reading.how().off) head.pass.off |= off == index * c.n_heads + h;
  head.head = h;
  head.module_prefix = block.prefix;
  return head;
}

}  // namespace

std::string block_name(int block) { return kBlocks + std::to_string(block) + "."; }

Run run_of_block(const GptReader& reading, int block, const std::vector<int>& heads) {
  const GptConfig& c = reading.config();
  const GptBlockReading& kept = reading.blocks()[std::size_t(block)];
  const int words = reading.given();
  Run run{
      .prefix = block_name(block),
      .module = {.kind = AttentionKind::mha, .d_in = c.emb_dim, .d_out = c.emb_dim, .num_heads = c.n_heads}};
  run.trace.resid_pre = kept.resid_pre;
  run.trace.queries = kept.queries.topRows(words);
  run.trace.keys = kept.keys.topRows(words);
  run.trace.values = kept.values.topRows(words);
  for (const int h : heads) run.parts.push_back(run_of_head(run, reading, block, h));
  run.trace.resid_mid = kept.resid_mid;
  return run;
}

}  // namespace lab
