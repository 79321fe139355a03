#include "core/gpt_config.hpp"

namespace lab {
namespace {

constexpr GptSize kSizes[] = {
    {"124M", "GPT-2 small", {.emb_dim = 768, .n_heads = 12, .n_layers = 12}},
    {"355M", "GPT-2 medium", {.emb_dim = 1024, .n_heads = 16, .n_layers = 24}},
    {"774M", "GPT-2 large", {.emb_dim = 1280, .n_heads = 20, .n_layers = 36}},
    {"1558M", "GPT-2 XL", {.emb_dim = 1600, .n_heads = 25, .n_layers = 48}},
};

constexpr std::int64_t kFloat = 4;        // bytes
constexpr std::int64_t kWider = 4;        // of the feed-forward's inner layer
constexpr std::int64_t kMultiplyAdd = 2;  // operations

}  // namespace

std::span<const GptSize> gpt_sizes() { return kSizes; }

double mebibytes(std::int64_t bytes) { return double(bytes) / (1024 * 1024); }

GptLedger ledger_of(const GptConfig& c, std::int64_t tokens, std::int64_t batch) {
  const std::int64_t d = c.emb_dim, vocab = c.vocab_size, layers = c.dummy ? 0 : c.n_layers,
                     rows = tokens * batch;
  const auto product = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    return kMultiplyAdd * m * k * n;
  };
  const std::int64_t qkv = 3 * d * d + (c.qkv_bias ? 3 * d : 0), out_proj = d * d + d;
  const std::int64_t scores_and_context = batch * 2 * product(tokens, d, tokens);
  GptLedger ledger;
  ledger.parts = {
      {"tok_emb", vocab * d, 0},
      {"pos_emb", c.context_length * d, 0},
      {"qkv", layers * qkv, layers * product(rows, d, 3 * d), 2 * kFloat * layers * rows * d},
      {"scores and context", 0, layers * scores_and_context},
      {"out_proj", layers * out_proj, layers * product(rows, d, d)},
      {"ff", layers * (2 * kWider * d * d + kWider * d + d), layers * 2 * product(rows, d, kWider * d)},
      {"norms", layers * 4 * d, 0},
      {"final_norm", c.dummy ? 0 : 2 * d, 0},
      {"out_head", c.tied ? 0 : vocab * d, product(rows, d, vocab)},
  };
  for (const GptPart& part : ledger.parts) {
    ledger.parameters += part.parameters;
    ledger.flops += part.flops;
    ledger.bytes += part.bytes();
    ledger.kv_cache_bytes += part.kv_cache_bytes;
  }
  ledger.flops_linear = ledger.flops - layers * scores_and_context;
  return ledger;
}

std::int64_t GptLedger::parameters_of(std::string_view part) const {
  for (const GptPart& p : parts)
    if (p.name == part) return p.parameters;
  return 0;
}

BlockLedger block_ledger(const GptConfig& config) {
  GptConfig one = config;
  one.n_layers = 1;
  const GptLedger ledger = ledger_of(one, 1, 1);
  return {ledger.parameters_of("qkv") + ledger.parameters_of("out_proj"), ledger.parameters_of("ff"),
          ledger.parameters_of("norms")};
}

}  // namespace lab
