// GPTModel of chapter 4: token and position embeddings, blocks, a last norm and the output head.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/gpt_config.hpp"
#include "core/run.hpp"

namespace lab {

struct GptParams {
  GptConfig config;
  Parameter tok_emb;  // vocab_size × emb_dim
  Parameter pos_emb;  // context_length × emb_dim
  std::vector<TransformerBlockParams> trf_blocks;
  LayerNormParams final_norm;
  Parameter out_head;  // vocab_size × emb_dim, nn.Linear without a bias; empty where the head is tied
};
// Drawn in the order of the constructor: token embedding, position embedding, blocks, output head. emb_dim
// must be divisible by n_heads. What it takes is told by ledger_of(), which is asked first.
GptParams made_gpt(const GptConfig& config, TorchRandom& random, std::uint64_t seed);
std::vector<Parameter*> parameters(GptParams& p);  // in the order of state_dict()

// What is decided before the pass: the masks of one sequence.
struct GptPass {
  Matrix embedding_drop;  // T × emb_dim; empty without dropout
  std::vector<BlockPass> blocks;
};
GptPass gpt_pass(const GptConfig& config, int words);  // causal, without dropout
// In training mode, all masks of a batch as torch draws them, the generator standing behind the parameters.
std::vector<GptPass> gpt_training_passes(const GptConfig& config, int words, int sequences, double dropout,
                                         DropoutStream stream, TorchRandom& random);

struct GptTrace {
  Matrix embedded;  // T × emb_dim, tokens plus positions, after dropout
  std::vector<Run> blocks;
  Matrix final_norm;  // T × emb_dim
  Matrix logits;      // T × vocab_size
};
// T × emb_dim: of each token its row plus that of its place.
Matrix embedded(const GptParams& p, std::span<const int> ids);
// ids: T tokens of the vocabulary, at most context_length.
GptTrace run_gpt(const GptParams& p, std::span<const int> ids, const GptPass& pass);

// ids and what the model would add, always the token with the largest logit; of a longer text it reads the
// last context_length.
std::vector<int> generated_greedily(const GptParams& p, std::vector<int> ids, int max_new_tokens);

}  // namespace lab
