#include "core/transformer_block.hpp"

#include "core/maker.hpp"
#include "core/multi_head.hpp"
#include "core/ops.hpp"
#include "core/run.hpp"

namespace lab {
namespace {

using T = Trace;

// A module of its own, its parameters without "att.".
AttentionParams attention_module(const TransformerBlockParams& p) {
  constexpr std::string_view prefix = "att.";
  AttentionParams att = p.att;
  for (Parameter* q : parameters(att)) q->name = q->name.substr(q->name.find(prefix) + prefix.size());
  return att;
}

// Which matrices a norm makes.
struct NormTensors {
  Tensor mean, var, out;
};

void level(const Maker& make, const NormTensors& to, const Matrix& x, const LayerNormParams& p,
           const BlockPass& pass) {
  make(to.mean, row_means(x));
  make(to.var, row_variances(x, make.trace.*to.mean, pass.unbiased));
  make(to.out, scaled_and_shifted(p, levelled(x, make.trace.*to.mean, make.trace.*to.var, pass.eps)));
}

// One of the block's two halves: what it makes, and from what.
struct Half {
  NormTensors norm;
  Tensor from, said, drop_mask, dropped, added, to;
};
constexpr Half kFirst{{&T::mean1, &T::var1, &T::norm1},
                      &T::resid_pre,
                      &T::att,
                      &T::drop_mask1,
                      &T::att_dropped,
                      &T::att_added,
                      &T::resid_mid};
constexpr Half kSecond{{&T::mean2, &T::var2, &T::norm2},
                       &T::resid_mid,
                       &T::ff_out,
                       &T::drop_mask2,
                       &T::ff_dropped,
                       &T::ff_added,
                       &T::resid_post};

// Norm, then say, then add; or say, add, then norm. `say` reads a matrix and makes half.said.
template <class Say>
void go_through(const Half& half, const Maker& make, const LayerNormParams& norm, const BlockPass& pass,
                const Matrix& drop, Say say) {
  Trace& t = make.trace;
  if (!pass.post_norm) level(make, half.norm, t.*half.from, norm, pass);
  say(pass.post_norm ? t.*half.from : t.*half.norm.out);
  Tensor said = half.said;
  if (drop.size() != 0) {
    make(half.drop_mask, drop);
    make(said = half.dropped, times(t.*half.said, t.*half.drop_mask));
  }
  const Matrix sum = pass.shortcuts ? Matrix(t.*half.from + t.*said) : t.*said;
  if (!pass.post_norm) return make(half.to, sum);
  make(half.added, sum);
  level(make, half.norm, t.*half.added, norm, pass);
  make(half.to, t.*half.norm.out);
}

}  // namespace

TransformerBlockParams made_transformer_block(int width, int num_heads, bool qkv_bias, TorchRandom& random,
                                              std::uint64_t seed) {
  TransformerBlockParams p;
  p.att = made_mha(num_heads, width, width, qkv_bias, random, seed);
  for (Parameter* q : parameters(p.att)) q->name = "att." + q->name;
  p.ff = made_feed_forward("ff.", width, random, seed);
  p.norm1 = made_layer_norm("norm1.", width);
  p.norm2 = made_layer_norm("norm2.", width);
  return p;
}

std::vector<Parameter*> parameters(TransformerBlockParams& p) {
  std::vector<Parameter*> all = parameters(p.att);
  for (Parameter* q : parameters_besides_attention(p)) all.push_back(q);
  return all;
}

BlockPass causal_pass(BlockSizes s) {
  BlockPass pass;
  pass.attention.heads.assign(std::size_t(s.num_heads),
                              {.route = MaskRoute::neginf, .keep = causal_mask(s.words)});
  return pass;
}

std::vector<Matrix> batch_masks(int sequences, int rows, int cols, double rate, DropoutStream stream,
                                TorchRandom& random) {
  if (rate == 0) return {};
  const Matrix all = drawn_mask(sequences * rows, cols, rate, stream, random);
  std::vector<Matrix> masks;
  for (int b = 0; b < sequences; ++b) masks.push_back(all.middleRows(b * rows, rows));
  return masks;
}

std::vector<BlockPass> block_passes(BlockSizes s, int sequences, DropoutRates rates, DropoutStream stream,
                                    TorchRandom& random) {
  std::vector<BlockPass> passes(std::size_t(sequences), causal_pass(s));
  const auto weights =
      batch_masks(sequences, s.num_heads * s.words, s.words, rates.attention, stream, random);
  for (std::size_t b = 0; b < weights.size(); ++b)
    for (int h = 0; h < s.num_heads; ++h)
      passes[b].attention.heads[std::size_t(h)].dropout_mask = weights[b].middleRows(h * s.words, s.words);
  for (Matrix BlockPass::*drop : {&BlockPass::shortcut_drop1, &BlockPass::shortcut_drop2}) {
    auto masks = batch_masks(sequences, s.words, s.width, rates.shortcut, stream, random);
    for (std::size_t b = 0; b < masks.size(); ++b) passes[b].*drop = std::move(masks[b]);
  }
  return passes;
}

Run run_block(std::string prefix, TransformerBlockParams params, const Matrix& x, BlockPass pass) {
  Run run{.prefix = std::move(prefix),
          .block = Block{std::move(params), std::move(pass)},
          .inputs_name = "resid_pre"};
  const TransformerBlockParams& p = run.block->params;
  const BlockPass& decided = run.block->pass;
  Trace& t = run.trace;
  const Maker make{t, decided.edits};
  make(&T::resid_pre, x);
  go_through(kFirst, make, p.norm1, decided, decided.shortcut_drop1, [&](const Matrix& read) {
    Run att = run_of(run.prefix + "att.", attention_module(p), read, decided.attention);
    att.inputs_name = run.prefix + (decided.post_norm ? "resid_pre" : "norm1");
    const Matrix& out = output_of(att);
    make(&T::att, decided.attention_off ? Matrix::Zero(out.rows(), out.cols()) : out);
    run.parts.push_back(std::move(att));
  });
  go_through(kSecond, make, p.norm2, decided, decided.shortcut_drop2, [&](const Matrix& read) {
    make(&T::ff_hidden, projected(read, p.ff.expand));
    make(&T::ff_gelu, decided.relu ? relu(t.ff_hidden) : gelu(t.ff_hidden));
    const Matrix out = projected(t.ff_gelu, p.ff.contract);
    make(&T::ff_out, decided.ff_off ? Matrix::Zero(out.rows(), out.cols()) : out);
  });
  return run;
}

}  // namespace lab
