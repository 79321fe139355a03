// TransformerBlock of chapter 4: LayerNorm, attention, LayerNorm, FeedForward, and the residual stream past
// both.
#pragma once
#include <cstdint>
#include <vector>

#include "core/layers.hpp"
#include "core/multi_head.hpp"

namespace lab {

struct TransformerBlockParams {
  AttentionParams att;  // MultiHeadAttention(width, width), names "att.W_query.weight" …
  FeedForwardParams ff;
  LayerNormParams norm1, norm2;
};
// Drawn in the order of the constructor: attention, feed-forward; the norms draw nothing.
TransformerBlockParams made_transformer_block(int width, int num_heads, bool qkv_bias, TorchRandom& random,
                                              std::uint64_t seed);
std::vector<Parameter*> parameters(TransformerBlockParams& p);  // in the order of state_dict()

// What is decided before the pass.
struct BlockPass {
  Pass attention;                         // a pass for each head
  Matrix shortcut_drop1, shortcut_drop2;  // T × width, 0 or 1 / (1 − p); empty without dropout
};

struct TransformerBlockTrace {
  Matrix resid_pre;  // T × width, what comes in
  LayerNormTrace norm1;
  Run att;             // .trace.out: T × width
  Matrix att_dropped;  // T × width, what is added; empty without dropout
  Matrix resid_mid;    // T × width
  LayerNormTrace norm2;
  FeedForwardTrace ff;
  Matrix ff_dropped;  // T × width; empty without dropout
  Matrix resid_post;  // T × width, what goes out
};
TransformerBlockTrace run_block(const TransformerBlockParams& p, const Matrix& x, const BlockPass& pass);

}  // namespace lab
