// Stacked heads and fused heads are the same heads.
#include <doctest.h>

#include "core/multi_head.hpp"

using namespace lab;

namespace {

Matrix numbers(int rows, int cols, std::uint64_t seed) {
  Matrix m(rows, cols);
  TorchRandom random(seed);
  random.rand({m.data(), std::size_t(m.size())});
  return m;
}

std::vector<Pass> causal_passes(int heads, int words) {
  return std::vector<Pass>(std::size_t(heads), {.route = MaskRoute::neginf, .keep = causal_mask(words)});
}

StackedHeads some_heads(bool bias) {
  TorchRandom random(123);
  return made_stacked_heads(3, 4, 2, bias, random, 123);
}

}  // namespace

TEST_CASE("packed into one module the stacked heads give the same output, to the last bit") {
  for (const bool bias : {false, true}) {
    const StackedHeads stacked = some_heads(bias);
    const Matrix x = numbers(6, 4, 1);
    const MultiHeadTrace a = forward(stacked, x, causal_passes(3, 6));
    const MultiHeadTrace b = forward(packed(stacked), x, causal_passes(3, 6));
    CHECK(a.concat == b.concat);
    CHECK(a.concat == b.out);
    for (std::size_t h = 0; h < 3; ++h) CHECK(a.heads[h].attn_weights == b.heads[h].attn_weights);
  }
}

TEST_CASE("a broken band of the packed weights changes its own head and no other") {
  const StackedHeads stacked = some_heads(false);
  FusedHeads fused = packed(stacked);
  fused.W_key.weight.stored(2, 0) += 1;  // row 2 is the first of head 1
  const Matrix x = numbers(6, 4, 1);
  const MultiHeadTrace a = forward(stacked, x, causal_passes(3, 6)),
                       b = forward(fused, x, causal_passes(3, 6));
  CHECK(columns_of_head(a.concat, 0, 2) == columns_of_head(b.concat, 0, 2));
  CHECK(columns_of_head(a.concat, 1, 2) != columns_of_head(b.concat, 1, 2));
  CHECK(columns_of_head(a.concat, 2, 2) == columns_of_head(b.concat, 2, 2));
}

TEST_CASE("each packed number knows the head that it was moved from") {
  const FusedHeads fused = packed(some_heads(true));
  CHECK(fused.W_value.weight.name == "W_value.weight");
  CHECK(fused.W_value.weight.origin_of(5, 3).from == "heads.2.W_value.weight");
  CHECK(fused.W_query.bias.origin_of(0, 2).from == "heads.1.W_query.bias");
  CHECK(fused.out_proj.weight.origin_of(0, 0).from == "identity");
}

TEST_CASE("heads are as wide as d_out divided by their number, or cannot be made") {
  CHECK(can_split(6, 3));
  CHECK_FALSE(can_split(7, 3));
  CHECK_FALSE(can_split(6, 0));
}
