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
};
const char* class_name(AttentionKind kind);  // "SelfAttention_v1"
inline bool can_have_bias(AttentionKind kind) {
  return kind == AttentionKind::v2 || kind == AttentionKind::causal;
}

struct AttentionParams {
  AttentionKind kind = AttentionKind::simple;
  int d_in = 0, d_out = 0;
  Projection W_query, W_key, W_value;
};

enum class Slot { query, key, value };
inline constexpr std::array kSlots = {Slot::query, Slot::key, Slot::value};
Projection& projection(AttentionParams& m, Slot s);
const Projection& projection(const AttentionParams& m, Slot s);

// A fresh module, its numbers drawn from random in the order of its constructor.
AttentionParams made_attention(AttentionKind kind, int d_in, int d_out, bool bias, TorchRandom& random,
                               std::uint64_t seed);

// All parameters in the order of state_dict().
std::vector<Parameter*> parameters(AttentionParams& m);
std::vector<const Parameter*> parameters(const AttentionParams& m);
const Parameter* find_parameter(const AttentionParams& m, std::string_view name);  // null: no such parameter
Parameter* find_parameter(AttentionParams& m, std::string_view name);

}  // namespace lab
