// The attention modules of chapter 3 as PyTorch builds them: which parameters each has, how it stores them,
// and in which order their numbers are drawn.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/linear.hpp"

namespace lab {

enum class AttentionKind {
  simple,  // no parameters: every token vector is its own query, key and value
  v1,      // SelfAttention_v1: nn.Parameter(torch.rand(d_in, d_out)), x @ W, never a bias
  v2,      // SelfAttention_v2: nn.Linear, x @ W.T + b
  causal,  // CausalAttention: v2 under the causal mask
  // Several causal heads (multi_head.hpp):
  wrapper,  // MultiHeadAttentionWrapper: each head a module of its own
  mha,      // MultiHeadAttention: one module whose projections hold all heads side by side
  head,     // one head of the latter: no parameters, its queries, keys and values are columns of all
};
const char* class_name(AttentionKind kind);  // "SelfAttention_v1"
inline bool can_have_bias(AttentionKind kind) {
  return kind != AttentionKind::simple && kind != AttentionKind::v1;
}
inline bool has_heads(AttentionKind kind) {
  return kind == AttentionKind::wrapper || kind == AttentionKind::mha;
}
inline bool is_causal(AttentionKind kind) { return kind == AttentionKind::causal || has_heads(kind); }

struct AttentionParams {
  AttentionKind kind = AttentionKind::simple;
  int d_in = 0;
  int d_out = 0;                       // as the class is called: of the wrapper each head's, of mha the total
  Projection W_query, W_key, W_value;  // d_in × d_out
  int num_heads = 1;
  Projection out_proj;                 // mha: d_out × d_out, always with a bias
  std::vector<AttentionParams> heads;  // wrapper: named as in state_dict, "heads.0.W_query.weight"
};
inline int head_dim(const AttentionParams& m) {
  return m.kind == AttentionKind::mha ? m.d_out / m.num_heads : m.d_out;
}
inline int output_width(const AttentionParams& m) { return head_dim(m) * m.num_heads; }

enum class Slot { query, key, value };
inline constexpr std::array kSlots = {Slot::query, Slot::key, Slot::value};
// A stack's are its heads'; all other modules have one, whatever head is asked for.
Projection& projection(AttentionParams& m, Slot s, int head = 0);
const Projection& projection(const AttentionParams& m, Slot s, int head = 0);
inline bool has_bias(const AttentionParams& m) { return !projection(m, Slot::value).bias.empty(); }

// A fresh module of one head, its numbers drawn from random in the order of its constructor.
AttentionParams made_attention(AttentionKind kind, int d_in, int d_out, bool bias, TorchRandom& random,
                               std::uint64_t seed);

// All parameters in the order of state_dict().
std::vector<Parameter*> parameters(AttentionParams& m);
std::vector<const Parameter*> parameters(const AttentionParams& m);
const Parameter* find_parameter(const AttentionParams& m, std::string_view name);  // null: no such parameter
Parameter* find_parameter(AttentionParams& m, std::string_view name);

}  // namespace lab
