#include "core/transformer_block.hpp"

#include "core/ops.hpp"

namespace lab {

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
  for (Projection* layer : {&p.ff.expand, &p.ff.contract}) {
    all.push_back(&layer->weight);
    all.push_back(&layer->bias);
  }
  for (LayerNormParams* norm : {&p.norm1, &p.norm2}) {
    all.push_back(&norm->scale);
    all.push_back(&norm->shift);
  }
  return all;
}

TransformerBlockTrace run_block(const TransformerBlockParams& p, const Matrix& x, const BlockPass& pass) {
  TransformerBlockTrace t;
  t.resid_pre = x;
  t.norm1 = layer_norm(p.norm1, x);
  t.att = run_of("att.", p.att, t.norm1.out, pass.attention);
  const Matrix& att = t.att.trace.out;
  if (pass.shortcut_drop1.size() != 0) t.att_dropped = times(att, pass.shortcut_drop1);
  t.resid_mid = x + (t.att_dropped.size() != 0 ? t.att_dropped : att);
  t.norm2 = layer_norm(p.norm2, t.resid_mid);
  t.ff = feed_forward(p.ff, t.norm2.out);
  if (pass.shortcut_drop2.size() != 0) t.ff_dropped = times(t.ff.out, pass.shortcut_drop2);
  t.resid_post = t.resid_mid + (t.ff_dropped.size() != 0 ? t.ff_dropped : t.ff.out);
  return t;
}

}  // namespace lab
