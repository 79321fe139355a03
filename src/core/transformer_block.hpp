// TransformerBlock of chapter 4: LayerNorm, attention, LayerNorm, FeedForward, and the residual stream past
// both. A pass through it is a Run (run.hpp).
#pragma once
#include <cstdint>
#include <vector>

#include "core/attention.hpp"
#include "core/forward.hpp"
#include "core/layers.hpp"

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
template <class Params>                                         // const or not
auto parameters_besides_attention(Params& p) {
  return std::vector{&p.ff.expand.weight, &p.ff.expand.bias, &p.ff.contract.weight, &p.ff.contract.bias,
                     &p.norm1.scale,      &p.norm1.shift,    &p.norm2.scale,        &p.norm2.shift};
}

// What is decided before the pass.
struct BlockPass {
  Pass attention;                         // a pass for each head
  Matrix shortcut_drop1, shortcut_drop2;  // T × width, 0 or 1 / (1 − p); empty without dropout
  // As the book has it; or otherwise, to see what it is for.
  bool shortcuts = true;
  bool post_norm = false;  // the norms stand behind the pluses, as in the first transformers
  bool unbiased = false;   // variance over width − 1
  bool relu = false;       // in place of GELU
  float eps = kNormEps;
  bool attention_off = false, ff_off = false;  // says nothing: zeros
  std::vector<CellEdit> edits;
};

struct BlockSizes {
  int words, width, num_heads;
};
// A pass for each sequence of a batch, with the causal masks of all heads. With dropout its masks too, as
// torch draws them, each for the whole batch at once: of the attention weights, then of the first shortcut,
// then of the second.
std::vector<BlockPass> block_passes(BlockSizes sizes, int sequences, DropoutRates rates, DropoutStream stream,
                                    TorchRandom& random);
BlockPass causal_pass(BlockSizes sizes);  // of one sequence, without dropout
// One mask for the whole batch, cut into one for each sequence: rows × cols. None at a rate of 0.
std::vector<Matrix> batch_masks(int sequences, int rows, int cols, double rate, DropoutStream stream,
                                TorchRandom& random);

// A block with the pass it goes through.
struct Block {
  TransformerBlockParams params;
  BlockPass pass;
};

}  // namespace lab
