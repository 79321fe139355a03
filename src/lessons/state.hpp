// All that the user can change. The URL is this, written down (query.hpp); a frame is drawn from nothing
// else.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/attention.hpp"
#include "core/cell.hpp"
#include "core/head_route.hpp"
#include "core/masks.hpp"
#include "core/transfer.hpp"

namespace lab {

constexpr int kMaxIndex = 4095;
struct TextRoom {
  int bytes, words;
};
constexpr TextRoom kAnyRoom = {std::numeric_limits<int>::max(), std::numeric_limits<int>::max()},
                   kSentenceRoom = {4096, 64},              // a word is a row of every matrix
    kPromptRoom = {8192, std::numeric_limits<int>::max()};  // a GPT reads a thousand tokens
constexpr int kMaxWords = kSentenceRoom.words, kMaxWidth = 64, kMaxHeads = 12, kMaxBatch = 8,
              kMaxGptWidth = 1600, kMaxGptHeads = 25, kMaxGptLayers = 48, kMaxTopK = 1000, kMaxEdits = 200,
              kMaxMoves = 80;
constexpr const char* kBookSentence = "Your journey starts with one step";

// What the numbers are made from. compute() reads this and nothing else; undo keeps this.
struct Inputs {
  std::string lesson = "transfer";
  std::string text = kBookSentence;
  std::uint64_t seed = 123;                  // of the module; on the bench of both
  std::optional<std::uint64_t> target_seed;  // bench: the target's own seed, where it differs
  std::uint64_t word_seed = 42;              // of the vectors of words that are not the book's
  std::uint64_t dropout_seed = 123;
  int d_in = 3, d_out = 2;
  int heads = 1, batch = 1;
  int sample = 0;                      // the sentence of the batch that is shown
  std::optional<int> context_length;   // rows of the mask's buffer; none: as many as there are words
  HeadRoute split = HeadRoute::right;  // how the fused module's heads get their columns
  std::vector<std::string> off;        // heads that are switched off, "0" …, and boxes, "att", "ff"
  std::optional<HeadPair> swap;        // heads that changed places
  bool swap_out_proj = false;          // and out_proj's columns with them
  bool example = false;                // multi-head: heads built by hand instead of drawn ones
  int emb_dim = 8;                     // of a transformer block
  bool shortcuts = true;               // what a block's boxes read is added to what they say
  bool post_norm = false;              // its norms stand behind the pluses
  bool unbiased = false;               // a norm's variance is over width − 1
  double eps = 1e-5;                   // what a norm adds to the variance
  bool relu = false;                   // in place of GELU
  std::string gpt_size = "124M";       // of gpt_sizes(), or "custom":
  int gpt_dim = 48, gpt_layers = 2, gpt_heads = 3;
  bool tied = false;       // a GPT's output head is its token embedding
  bool scaled = true;      // its scores are divided by √head_dim
  bool dummy = false;      // DummyGPTModel: its blocks and norms hand on what they get
  double temperature = 1;  // the next token’s scores are divided by it
  int top_k = 0;           // so many of the likeliest may come next; 0: all
  bool by_chance = false;  // the text goes on by chance, not by the likeliest token
  bool bias = false;
  MaskRoute mask = MaskRoute::zero_renorm;
  double dropout = 0;
  std::optional<double> drop_rate_attn, drop_rate_shortcut;  // of a block; none: as dropout
  DropoutStream stream = DropoutStream::mac;
  bool training = false;                                           // dropout acts in training only
  AttentionKind from = AttentionKind::v2, to = AttentionKind::v1;  // bench
  std::vector<Move> moves;                                         // bench, at most one per slot
  std::vector<Edit> edits;                                         // in the order they were made
  std::optional<std::uint32_t> fault;                              // bench: "Break it", which fault
  std::optional<int> leak;  // the word that the leak meter changes; none: the last
  bool as_is = false;  // bench: compare a causal and an unmasked module as they are, not both under the mask
  double rtol = 1e-5, atol = 1e-6;
  bool operator==(const Inputs&) const = default;
};

enum class ThemeChoice { automatic, light, dark };

// Where the user looks.
struct View {
  std::string step;              // empty: the lesson's first
  std::string question;          // of the step that asks; empty: the first
  std::optional<CellName> cell;  // selected
  std::optional<int> word;       // word by word: the one whose turn it is
  int head = 0, block = 0;
  std::optional<int> token;  // of a GPT's text; none: the last
  bool full = false;         // trace: a GPT's logits of all tokens, not of the last alone
  std::optional<int> row;    // book: the row that is compared number by number
  bool filter = false;       // book: only rows that are not equal to the last digit
  bool relative = false;     // maps are coloured by how far their weights are from even ones
  bool changes = false;      // matrices show how far edits moved them
  int digits = 4;            // 0…8
  ThemeChoice theme = ThemeChoice::automatic;
  std::string guess;  // bench, Break it: the slot that the learner named; empty: not yet
  bool present = false;
  std::vector<std::string> hide, lock;
  bool operator==(const View&) const = default;
};

struct State {
  Inputs inputs;
  View view;
  bool operator==(const State&) const = default;
};

}  // namespace lab
