// Several causal heads at once, as the book builds them: modules of one head in a stack, and one module whose
// projections hold all heads side by side.
#pragma once
#include <cstdint>
#include <string>

#include "core/run.hpp"

namespace lab {

// MultiHeadAttentionWrapper: num_heads times CausalAttention(d_in, head_dim), drawn head by head.
AttentionParams made_wrapper(int num_heads, int d_in, int head_dim, bool bias, TorchRandom& random,
                             std::uint64_t seed);

inline bool can_split(int d_out, int num_heads) { return num_heads > 0 && d_out % num_heads == 0; }
// MultiHeadAttention: head h owns rows h × head_dim … of the stored weights, and out_proj mixes what the
// heads found. d_out must be divisible by num_heads: ask can_split() first. The bias is of queries, keys and
// values; out_proj always has one.
AttentionParams made_mha(int num_heads, int d_in, int d_out, bool bias, TorchRandom& random,
                         std::uint64_t seed);

struct ModuleSizes {
  int d_in, d_out, num_heads;  // d_out as the class is called with
  bool bias;
};
AttentionParams made_module(AttentionKind kind, ModuleSizes sizes, TorchRandom& random, std::uint64_t seed);

// The wrapper's heads in one module: head h's weights become rows h × head_dim … of the stored ones, and
// out_proj passes on what comes in. Origins say where each number was moved from, names beginning with
// source.
AttentionParams packed(const AttentionParams& wrapper, const std::string& source);

// mha: out_proj becomes the identity, its bias 0, so that the module returns what its heads found.
void pass_on(AttentionParams& mha);

// "Break it": one head's weights of one projection stand where another head's belong.
struct WrongBand {
  Slot slot;
  int to, from;  // heads
};
std::vector<WrongBand> wrong_bands(int num_heads);  // in a fixed order; none of one head
void put_wrong_band(AttentionParams& all, const AttentionParams& wrapper, WrongBand wrong,
                    const std::string& source);

// Where the weights of a head stand in a parameter of all heads, as it is stored. out_proj: all of it.
Rect band_of(const AttentionParams& mha, const Parameter& p, int head);

// What nn.Dropout multiplies the weights of a batch with, T × T each, of sentence s and head h at [s][h]. A
// stack asks for them head by head, each time for the whole batch; one module once for all, sentence by
// sentence.
using HeadMasks = std::vector<std::vector<Matrix>>;
struct BatchShape {
  int sentences, heads, words;
};
HeadMasks head_masks(AttentionKind kind, BatchShape shape, double dropout, DropoutStream stream,
                     TorchRandom& random);

std::string head_prefix(int head);  // "heads.0."
// run.module has several heads: fills run.trace and run.parts from run.pass.
void run_heads(Run& run, const Matrix& inputs);

}  // namespace lab
