// Runs to test with, made as the lessons make them: inputs, module, edits, masks, pass.
#pragma once
#include <string>
#include <vector>

#include "core/atlas.hpp"
#include "core/multi_head.hpp"
#include "core/runs.hpp"
#include "core/torch_random.hpp"
#include "core/transfer.hpp"
#include "core/word_vectors.hpp"

namespace lab {

struct Example {
  AttentionKind kind = AttentionKind::causal;
  int T = 6, d_in = 3, d_out = 2;
  bool bias = false;
  bool masked = true;  // whether the causal mask lies over it
  MaskRoute route = MaskRoute::zero_renorm;
  double dropout = 0;
  DropoutStream stream = DropoutStream::mac;
  std::uint64_t seed = 123;
  std::vector<Edit> edits{};
  int heads = 1;
  HeadRoute head_route = HeadRoute::right;
};

inline std::vector<std::string> example_words(int T) {
  std::vector<std::string> words = {"Your", "journey", "starts", "with", "one", "step"};
  for (int i = int(words.size()); i < T; ++i) words.push_back("w" + std::to_string(i));
  words.resize(std::size_t(T));
  return words;
}

inline Pass example_pass(const Example& x) {
  Pass pass{.route = x.route};
  if (x.masked) pass.keep = causal_mask(x.T);
  if (x.dropout != 0) {
    pass.dropout_mask.resize(x.T, x.T);
    TorchRandom(x.seed + 1)
        .dropout_mask({pass.dropout_mask.data(), std::size_t(pass.dropout_mask.size())}, x.dropout, x.stream);
  }
  return pass;
}

inline Runs with_inputs(const Example& x) {
  Runs runs;
  runs.words = example_words(x.T);
  runs.inputs = word_vectors(runs.words, x.d_in, 42);
  apply_edits(runs.inputs, "", x.edits);
  return runs;
}

inline void add_run(Runs& runs, const Example& x, std::string prefix, AttentionParams module) {
  for (Parameter* p : parameters(module)) apply_edits(*p, prefix, x.edits);
  Pass pass = example_pass(x);
  if (has_heads(module.kind)) {
    pass.heads.assign(std::size_t(module.num_heads), pass);
    pass.head_route = x.head_route;
  }
  pass = with_edits(std::move(pass), x.edits, prefix);
  runs.runs.push_back(run_of(std::move(prefix), std::move(module), runs.inputs.stored, std::move(pass)));
  runs.runs.back().dropout_seed = x.seed + 1;
}

inline AttentionParams example_module(const Example& x, AttentionKind kind) {
  TorchRandom random(x.seed);
  return made_module(kind, {x.d_in, x.d_out, x.heads, x.bias && can_have_bias(kind)}, random, x.seed);
}

inline Runs example(const Example& x) {
  Runs runs = with_inputs(x);
  add_run(runs, x, "", example_module(x, x.kind));
  return runs;
}

// A transformer block over drawn rows, as chapter 4 seeds them: first the rows, then the block.
struct BlockExample {
  int T = 6, width = 8, heads = 4;
  DropoutRates rates{};
  BlockPass decided{};  // all but its masks and edits
  std::uint64_t seed = 123;
  std::vector<Edit> edits{};
};

inline Runs block_example(const BlockExample& x) {
  Runs runs;
  runs.words = example_words(x.T);
  TorchRandom random(x.seed);
  runs.inputs = drawn_parameter("resid_pre", x.T, x.width, random, x.seed).weight;
  TransformerBlockParams block = made_transformer_block(x.width, x.heads, false, random, x.seed);
  BlockPass pass = x.decided;
  BlockPass masks = block_passes({x.T, x.width, x.heads}, 1, x.rates, DropoutStream::mac, random).front();
  pass.attention = std::move(masks.attention);
  pass.shortcut_drop1 = std::move(masks.shortcut_drop1);
  pass.shortcut_drop2 = std::move(masks.shortcut_drop2);
  pass = with_edits(std::move(pass), x.edits, "");
  apply_edits(runs.inputs, "", x.edits);
  for (Parameter* p : parameters(block)) apply_edits(*p, "", x.edits);
  runs.runs.push_back(run_block("", std::move(block), runs.inputs.stored, std::move(pass)));
  return runs;
}

// The bench: a source of x.kind, a target of the kind to with the moves made.
// Two modules side by side are equally wide.
inline AttentionParams example_side(Example x, AttentionKind kind) {
  if (kind == AttentionKind::mha) x.d_out *= x.heads;
  return example_module(x, kind);
}

inline Runs example_bench(const Example& x, AttentionKind to, const std::vector<Move>& moves,
                          bool as_is = false) {
  Runs runs = with_inputs(x);
  Bench bench;
  bench.source = example_side(x, x.kind);
  bench.target = example_side(x, to);
  match_out_proj(bench.source, bench.target);
  for (Parameter* p : parameters(bench.source)) apply_edits(*p, kSource, x.edits);
  bench.moves = moves;
  bench.inputs = runs.inputs.stored;
  bench.edits = x.edits;
  bench.as_is = as_is;
  Sides sides = run_both(bench);
  runs.runs = {std::move(sides.source), std::move(sides.target)};
  add_difference(runs, difference_row(), output_matrix(runs.runs[0]), output_matrix(runs.runs[1]));
  runs.bench = std::move(bench);
  return runs;
}

constexpr MaskRoute kAllRoutes[] = {MaskRoute::none,        MaskRoute::zero_renorm, MaskRoute::neginf,
                                    MaskRoute::zero_scores, MaskRoute::no_renorm,   MaskRoute::renorm_first,
                                    MaskRoute::off_by_one,  MaskRoute::transposed,  MaskRoute::after_dropout};

}  // namespace lab
