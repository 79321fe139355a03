// Blocks one on top of the other, each drawn behind the one below as a GPT draws them: what becomes of the
// stream on its way up, with shortcuts and without, with the norms before the boxes and after the pluses.
#pragma once
#include <vector>

#include "core/transformer_block.hpp"

namespace lab {

constexpr int kStacked = 12;  // blocks, as many as GPT-2 small has

struct StackWay {
  bool shortcuts = true, post_norm = false;
};

class BlockStack {
 public:
  // x: T × width, at least one row; first: the lowest block and all that is decided of it; random stands
  // where that block was drawn. The others are as it is, without its edits. Dropout is left out.
  BlockStack(Matrix x, Block first, bool qkv_bias, TorchRandom random);

  bool done() const { return height() == kStacked; }
  int height() const { return int(streams_[0][0].lengths.size()) - 1; }
  void add_block();

  // Of the stream's rows, before the first block and behind each that is there.
  struct Levels {
    std::vector<double> lengths;   // on average
    std::vector<double> likeness;  // the mean cosine of all pairs, 1 of a single row
  };
  const Levels& levels(StackWay way) const { return streams_[way.shortcuts][way.post_norm]; }

 private:
  Matrix x_[2][2];  // [shortcuts][post_norm], T × width: behind the highest block
  Levels streams_[2][2];
  Block next_;
  bool qkv_bias_;
  TorchRandom random_;
};

}  // namespace lab
