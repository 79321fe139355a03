#include "core/gpt.hpp"

#include <algorithm>
#include <limits>

#include "core/gpt_builder.hpp"
#include "core/ops.hpp"

namespace lab {
Matrix embedded(const GptParams& p, std::span<const int> ids) {
  Matrix x(Eigen::Index(ids.size()), p.config.emb_dim);
  for (Eigen::Index t = 0; t < x.rows(); ++t)
    x.row(t) = p.tok_emb.stored.row(ids[std::size_t(t)]) + p.pos_emb.stored.row(t);
  return x;
}

GptParams made_gpt(const GptConfig& c, TorchRandom& random, std::uint64_t seed) {
  GptBuilder builder(c, random, seed);
  while (!builder.done()) builder.draw(std::numeric_limits<std::int64_t>::max());
  random = builder.random();
  return builder.take();
}

std::vector<Parameter*> parameters(GptParams& p) {
  std::vector<Parameter*> all = {&p.tok_emb, &p.pos_emb};
  for (TransformerBlockParams& block : p.trf_blocks)
    for (Parameter* q : parameters(block)) all.push_back(q);
  all.push_back(&p.final_norm.scale);
  all.push_back(&p.final_norm.shift);
  if (!p.out_head.empty()) all.push_back(&p.out_head);
  return all;
}

GptPass gpt_pass(const GptConfig& c, int words) {
  BlockPass block;
  block.attention.heads.assign(std::size_t(c.n_heads),
                               {.route = MaskRoute::neginf, .keep = causal_mask(words)});
  return {.embedding_drop = {}, .blocks = std::vector<BlockPass>(std::size_t(c.n_layers), block)};
}

// Torch draws one mask for the whole batch wherever the model drops: the embeddings, then in each block the
// attention weights and both shortcuts.
std::vector<GptPass> gpt_training_passes(const GptConfig& c, int words, int sequences, double dropout,
                                         DropoutStream stream, TorchRandom& random) {
  std::vector<GptPass> passes(std::size_t(sequences), gpt_pass(c, words));
  const auto rows = [&](auto field) {
    const Matrix all = drawn_mask(sequences * words, c.emb_dim, dropout, stream, random);
    for (int b = 0; b < sequences; ++b) field(passes[std::size_t(b)]) = all.middleRows(b * words, words);
  };
  rows([](GptPass& p) -> Matrix& { return p.embedding_drop; });
  for (std::size_t layer = 0; layer < std::size_t(c.n_layers); ++layer) {
    const Matrix weights = drawn_mask(sequences * c.n_heads * words, words, dropout, stream, random);
    for (int b = 0; b < sequences; ++b)
      for (int h = 0; h < c.n_heads; ++h)
        passes[std::size_t(b)].blocks[layer].attention.heads[std::size_t(h)].dropout_mask =
            weights.middleRows((b * c.n_heads + h) * words, words);
    rows([=](GptPass& p) -> Matrix& { return p.blocks[layer].shortcut_drop1; });
    rows([=](GptPass& p) -> Matrix& { return p.blocks[layer].shortcut_drop2; });
  }
  return passes;
}

GptTrace run_gpt(const GptParams& p, std::span<const int> ids, const GptPass& pass) {
  GptTrace t;
  t.embedded = embedded(p, ids);
  if (pass.embedding_drop.size() != 0) t.embedded = times(t.embedded, pass.embedding_drop);
  const Matrix* x = &t.embedded;
  t.blocks.reserve(p.trf_blocks.size());
  for (std::size_t i = 0; i < p.trf_blocks.size(); ++i) {
    t.blocks.push_back(
        run_block("trf_blocks." + std::to_string(i) + ".", p.trf_blocks[i], *x, pass.blocks[i]));
    x = &t.blocks.back().trace.resid_post;
  }
  t.final_norm = layer_norm(p.final_norm, *x);
  const Parameter& head = p.out_head.empty() ? p.tok_emb : p.out_head;
  t.logits = product(view(t.final_norm), transposed_view(head.stored));
  return t;
}

std::vector<int> generated_greedily(const GptParams& p, std::vector<int> ids, int max_new_tokens) {
  for (int i = 0; i < max_new_tokens && !ids.empty(); ++i) {
    const std::size_t read = std::min(ids.size(), std::size_t(p.config.context_length));
    const std::span<const int> last(ids.data() + ids.size() - read, read);
    const GptTrace t = run_gpt(p, last, gpt_pass(p.config, int(read)));
    Eigen::Index best = 0;
    t.logits.row(t.logits.rows() - 1).maxCoeff(&best);
    ids.push_back(int(best));
  }
  return ids;
}

}  // namespace lab
