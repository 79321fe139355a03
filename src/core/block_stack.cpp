#include "core/block_stack.hpp"

#include <utility>

#include "core/gpt_reader.hpp"
#include "core/run.hpp"

namespace lab {
namespace {

void drop_nothing(BlockPass& pass) {
  pass.shortcut_drop1 = pass.shortcut_drop2 = {};
  for (Pass& head : pass.attention.heads) head.dropout_mask = {};
}
void edit_nothing(BlockPass& pass) { pass = with_edits(std::move(pass), {}, ""); }

void measure(BlockStack::Levels& levels, const Matrix& x) {
  levels.lengths.push_back(mean_length(x));
  levels.likeness.push_back(likeness_of_rows(x));
}

}  // namespace

BlockStack::BlockStack(Matrix x, Block first, bool qkv_bias, TorchRandom random)
    : next_(std::move(first)), qkv_bias_(qkv_bias), random_(random) {
  drop_nothing(next_.pass);
  for (const bool shortcuts : {false, true})
    for (const bool post_norm : {false, true}) {
      x_[shortcuts][post_norm] = x;
      measure(streams_[shortcuts][post_norm], x);
    }
}

void BlockStack::add_block() {
  const int width = int(x_[0][0].cols()), heads = int(next_.pass.attention.heads.size());
  for (const bool shortcuts : {false, true})
    for (const bool post_norm : {false, true}) {
      BlockPass pass = next_.pass;
      pass.shortcuts = shortcuts;
      pass.post_norm = post_norm;
      Matrix& x = x_[shortcuts][post_norm];
      x = run_block("", next_.params, x, std::move(pass)).trace.resid_post;
      measure(streams_[shortcuts][post_norm], x);
    }
  next_.params = made_transformer_block(width, heads, qkv_bias_, random_, 0);
  edit_nothing(next_.pass);
}

}  // namespace lab
