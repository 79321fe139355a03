#include "core/gpt_builder.hpp"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

constexpr std::int64_t kNormals = 16;  // torch makes so many normals at once

std::string block_prefix(int i) { return "trf_blocks." + std::to_string(i) + "."; }

}  // namespace

GptBuilder::GptBuilder(const GptConfig& c, TorchRandom random, std::uint64_t seed)
    : params_{.config = c}, random_(std::move(random)), seed_(seed) {
  const int layers = c.dummy ? 0 : c.n_layers;
  params_.trf_blocks.resize(std::size_t(layers));
  params_.tok_emb.name = "tok_emb.weight";
  params_.pos_emb.name = "pos_emb.weight";
  parts_ = {{&params_.tok_emb, c.vocab_size, c.emb_dim, 0},
            {&params_.pos_emb, c.context_length, c.emb_dim, 0}};
  for (int i = 0; i < layers; ++i) add_block(i);
  params_.final_norm = made_layer_norm("final_norm.", c.emb_dim);
  if (!c.tied) {
    params_.out_head.name = "out_head.weight";
    params_.out_head.stored_transposed = true;
    parts_.push_back({&params_.out_head, c.vocab_size, c.emb_dim, linear_weight_bound(c.emb_dim)});
  }
  for (const Part& part : parts_) all_ += size_of(part);
  head_done_ = c.tied;
}

void GptBuilder::add_linear(Projection& p, const std::string& name, int d_in, int d_out, bool bias) {
  p.weight.name = name + ".weight";
  p.weight.stored_transposed = true;
  parts_.push_back({&p.weight, d_out, d_in, linear_weight_bound(d_in)});
  if (!bias) return;
  p.bias.name = name + ".bias";
  p.bias.one_dimensional = true;
  parts_.push_back({&p.bias, 1, d_out, linear_bias_bound(d_in)});
}

void GptBuilder::add_block(int i) {
  const GptConfig& c = params_.config;
  const std::string prefix = block_prefix(i);
  TransformerBlockParams& b = params_.trf_blocks[std::size_t(i)];
  b.att = {.kind = AttentionKind::mha, .d_in = c.emb_dim, .d_out = c.emb_dim, .num_heads = c.n_heads};
  add_linear(b.att.W_query, prefix + "att.W_query", c.emb_dim, c.emb_dim, c.qkv_bias);
  add_linear(b.att.W_key, prefix + "att.W_key", c.emb_dim, c.emb_dim, c.qkv_bias);
  add_linear(b.att.W_value, prefix + "att.W_value", c.emb_dim, c.emb_dim, c.qkv_bias);
  add_linear(b.att.out_proj, prefix + "att.out_proj", c.emb_dim, c.emb_dim, true);
  add_linear(b.ff.expand, prefix + "ff.layers.0", c.emb_dim, 4 * c.emb_dim, true);
  add_linear(b.ff.contract, prefix + "ff.layers.2", 4 * c.emb_dim, c.emb_dim, true);
  b.norm1 = made_layer_norm(prefix + "norm1.", c.emb_dim);
  b.norm2 = made_layer_norm(prefix + "norm2.", c.emb_dim);
  block_ends_.push_back(parts_.size());
}

bool GptBuilder::has_block(int i) const {
  return next_ >= block_ends_[std::size_t(i)] &&
         !params_.trf_blocks[std::size_t(i)].att.W_query.weight.empty();
}

void GptBuilder::let_go(int block) {
  const auto i = std::size_t(block);
  for (std::size_t p = i == 0 ? kEmbeddings : block_ends_[i - 1]; p < block_ends_[i]; ++p)
    parts_[p].parameter->stored.resize(0, 0);
}

void GptBuilder::draw_blocks_again() {
  if (!before_blocks_) return;
  random_ = *before_blocks_;
  blocks_again_ = true;
  next_ = kEmbeddings;
  in_part_ = drawn_ = all_ = 0;
  const bool skips_head = head_done_ && !params_.config.tied;
  for (std::size_t i = next_; i < parts_.size() - skips_head; ++i) all_ += size_of(parts_[i]);
}

int GptBuilder::blocks_done() const {
  return int(
      std::count_if(block_ends_.begin(), block_ends_.end(), [&](std::size_t end) { return end <= next_; }));
}

void GptBuilder::begin(const Part& part) {
  Parameter& p = *part.parameter;
  p.stored.resize(part.rows, part.cols);
  p.origins = {{.cells = whole(p.stored),
                .seed = seed_,
                .first_draw = random_.draws() + 1,
                .bound = float(part.bound)}};
  if (part.bound == 0)
    p.origins = {{.kind = Origin::Kind::chosen,
                  .cells = whole(p.stored),
                  .from = "drawn from a normal distribution, mean 0 and spread 1"}};
}

// A slice of normals is a multiple of what torch makes at once, but for the last, which has all that is left.
void GptBuilder::draw(std::int64_t numbers) {
  while (numbers > 0 && !done()) {
    const Part& part = parts_[next_];
    if (in_part_ == 0) begin(part);
    const std::int64_t size = size_of(part), left = size - in_part_;
    std::int64_t slice = std::max(kNormals, numbers / kNormals * kNormals);
    if (left - slice < kNormals) slice = left;
    const std::span<float> cells(part.parameter->stored.data() + in_part_, std::size_t(slice));
    if (part.bound == 0)
      random_.normal_(cells, 0, 1);
    else
      random_.uniform_(cells, -part.bound, part.bound);
    in_part_ += slice;
    drawn_ += slice;
    numbers -= slice;
    if (in_part_ == size) end_part();
  }
}

// The head that is there already is not drawn again.
void GptBuilder::end_part() {
  in_part_ = 0;
  ++next_;
  if (next_ == kEmbeddings && !before_blocks_) before_blocks_ = random_;
  const bool at_head = next_ + 1 == parts_.size() && !params_.config.tied;
  if (next_ == parts_.size()) head_done_ = true;
  if (at_head && head_done_) ++next_;
}

}  // namespace lab
