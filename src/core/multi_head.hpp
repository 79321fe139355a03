// Several causal heads at once, as the book builds them: modules of one head in a stack, and one module whose
// projections hold all heads side by side.
#pragma once
#include <cstdint>
#include <vector>

#include "core/forward.hpp"

namespace lab {

// MultiHeadAttentionWrapper: each head its own CausalAttention(d_in, head_dim); their results stand side by
// side.
struct StackedHeads {
  int d_in = 0, head_dim = 0;
  std::vector<AttentionParams> heads;  // parameters named as in state_dict: "heads.0.W_query.weight"
};
// Drawn head by head.
StackedHeads made_stacked_heads(int num_heads, int d_in, int head_dim, bool bias, TorchRandom& random,
                                std::uint64_t seed);

// MultiHeadAttention: head h owns columns h × head_dim … of the projections, and out_proj, which always has a
// bias, mixes what the heads found.
struct FusedHeads {
  int d_in = 0, d_out = 0, num_heads = 1;
  Projection W_query, W_key, W_value;  // d_in × d_out
  Projection out_proj;                 // d_out × d_out
  int head_dim() const { return d_out / num_heads; }
};
inline bool can_split(int d_out, int num_heads) { return num_heads > 0 && d_out % num_heads == 0; }
// d_out must be divisible by num_heads: ask can_split() first. The bias is of queries, keys and values.
FusedHeads made_fused_heads(int num_heads, int d_in, int d_out, bool bias, TorchRandom& random,
                            std::uint64_t seed);

// The same heads in one module: head h's weights become rows h × head_dim … of the stored ones, and out_proj
// passes on what comes in. Origins say where each number was moved from.
FusedHeads packed(const StackedHeads& m);

// All parameters in the order of state_dict().
std::vector<Parameter*> parameters(StackedHeads& m);
std::vector<const Parameter*> parameters(const StackedHeads& m);
std::vector<Parameter*> parameters(FusedHeads& m);
std::vector<const Parameter*> parameters(const FusedHeads& m);

struct MultiHeadTrace {
  Matrix inputs;                      // T × d_in
  Matrix queries, keys, values;       // T × d_out, of all heads; empty where heads are stacked
  std::vector<AttentionTrace> heads;  // each with the queries, keys and values of its own, T × head_dim
  Matrix concat;                      // T × (num_heads × head_dim): the heads' context vectors side by side
  Matrix out;                         // T × d_out, concat @ out_proj; empty where heads are stacked
};

// inputs: T × d_in. passes: one a head, each with the mask and the dropout of that head.
MultiHeadTrace forward(const StackedHeads& module, const Matrix& inputs, const std::vector<Pass>& passes);
MultiHeadTrace forward(const FusedHeads& module, const Matrix& inputs, const std::vector<Pass>& passes);

// Columns head × head_dim … of a matrix of all heads: what view and transpose make of it, T × head_dim.
Matrix columns_of_head(const Matrix& all, int head, int head_dim);

}  // namespace lab
