// How large a GPT is, and what it costs: counted from its configuration alone, before anything is allocated.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// Chapter 4's GPT_CONFIG, with its names.
struct GptConfig {
  int vocab_size = 50257, context_length = 1024, emb_dim = 768, n_heads = 12, n_layers = 12;
  bool qkv_bias = false;
  bool tied = false;   // the output head is the token embedding
  bool dummy = false;  // chapter 4's DummyGPTModel: blocks and norms hand on what they get
  bool operator==(const GptConfig&) const = default;
};

struct GptSize {
  const char *id, *name;  // "124M", "GPT-2 small"
  GptConfig config;
};
std::span<const GptSize> gpt_sizes();  // small, medium, large, XL

// One part of the model, all its blocks together.
struct GptPart {
  const char* name;  // "tok_emb", "qkv", "ff", "norms" …
  std::int64_t parameters = 0;
  std::int64_t flops = 0;           // of one forward pass: 2 a multiply-add, all matrix products
  std::int64_t kv_cache_bytes = 0;  // of the keys and values that it keeps
  std::int64_t bytes() const { return 4 * parameters; }  // float32
};
struct GptLedger {
  std::vector<GptPart> parts;
  std::int64_t parameters = 0;
  std::int64_t flops = 0;         // attention dense, QKᵀ and AV included
  std::int64_t flops_linear = 0;  // without QKᵀ and AV, as the book counts
  std::int64_t bytes = 0;         // float32
  std::int64_t kv_cache_bytes = 0;

  std::int64_t parameters_of(std::string_view part) const;  // 0: no such part
};
// tokens: of each of batch sequences. Exact; sizes are checked at the door, so that nothing overflows.
GptLedger ledger_of(const GptConfig& config, std::int64_t tokens, std::int64_t batch);

// Parameters of one of its blocks; both norms together.
struct BlockLedger {
  std::int64_t attention = 0, ff = 0, norms = 0;
};
BlockLedger block_ledger(const GptConfig& config);

double mebibytes(std::int64_t bytes);  // MiB; the book prints them as MB

}  // namespace lab
