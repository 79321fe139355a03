// Draws the numbers of a GPT in slices: a small one has 163 million, and nobody wants a page that stands
// still.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpt.hpp"

namespace lab {

class GptBuilder {
 public:
  // In the order of GPTModel's constructor: token embedding, position embedding, each block's attention and
  // feed-forward, output head. emb_dim must be divisible by n_heads. seed: as told by the parameters'
  // origins.
  GptBuilder(const GptConfig& config, TorchRandom random, std::uint64_t seed);

  void draw(std::int64_t numbers);  // about so many more; memory is taken as they come
  bool done() const { return next_ == parts_.size(); }
  double progress() const { return all_ ? double(drawn_) / double(all_) : 1; }  // 0 … 1
  int blocks_done() const;
  const GptParams& params() const { return params_; }  // whole once done
  GptParams take() { return std::move(params_); }
  const TorchRandom& random() const { return random_; }  // behind what was drawn

 private:
  struct Part {
    Parameter* parameter;
    int rows, cols;
    double bound;  // between ∓ bound; 0: from a normal distribution
  };
  void add_linear(Projection& p, const std::string& name, int d_in, int d_out, bool bias);
  void add_block(int i);
  void begin(const Part& part);

  GptParams params_;
  TorchRandom random_;
  std::uint64_t seed_;
  std::vector<Part> parts_;
  std::vector<std::size_t> block_ends_;  // of parts_
  std::size_t next_ = 0;                 // the part that is being drawn
  std::int64_t in_part_ = 0, drawn_ = 0, all_ = 0;
};

}  // namespace lab
