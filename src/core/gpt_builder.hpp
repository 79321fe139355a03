// Draws the numbers of a GPT in slices: a small one has 163 million, and nobody wants a page that stands
// still. Of a model that is too large to be kept, a block can be let go of once it was used, and all of them
// drawn again.
#pragma once
#include <cstdint>
#include <optional>
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
  bool has_embeddings() const { return next_ >= kEmbeddings || blocks_again_; }
  bool has_block(int i) const;
  bool has_head() const { return head_done_; }
  int blocks_done() const;  // drawn, whether they are still there or not

  void let_go(int block);
  // Draws the blocks once more, from where the generator stood before the first; embeddings and head stay.
  void draw_blocks_again();
  const GptParams& params() const { return params_; }  // whole once done
  GptParams take() { return std::move(params_); }
  const TorchRandom& random() const { return random_; }  // behind what was drawn

 private:
  struct Part {
    Parameter* parameter;
    int rows, cols;
    double bound;  // between ∓ bound; 0: from a normal distribution
  };
  static std::int64_t size_of(const Part& part) { return std::int64_t(part.rows) * part.cols; }
  void add_linear(Projection& p, const std::string& name, int d_in, int d_out, bool bias);
  void add_block(int i);
  void begin(const Part& part);
  void end_part();
  static constexpr std::size_t kEmbeddings = 2;  // the first parts

  GptParams params_;
  TorchRandom random_;
  std::uint64_t seed_;
  std::vector<Part> parts_;
  std::vector<std::size_t> block_ends_;  // of parts_
  std::size_t next_ = 0;                 // the part that is being drawn
  std::int64_t in_part_ = 0, drawn_ = 0, all_ = 0;
  std::optional<TorchRandom> before_blocks_;
  bool blocks_again_ = false, head_done_ = false;
};

}  // namespace lab
