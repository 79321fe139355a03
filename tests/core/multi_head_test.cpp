// Stacked heads and fused heads are the same heads.
#include <doctest.h>

#include "core/atlas_check.hpp"
#include "core/examples.hpp"
#include "core/multi_head.hpp"

using namespace lab;

namespace {

Matrix numbers(int rows, int cols, std::uint64_t seed) {
  Matrix m(rows, cols);
  TorchRandom random(seed);
  random.rand({m.data(), std::size_t(m.size())});
  return m;
}

Pass causal_pass(int heads, int words, HeadRoute route = HeadRoute::right) {
  Pass pass{.head_route = route};
  pass.heads.assign(std::size_t(heads), {.route = MaskRoute::neginf, .keep = causal_mask(words)});
  return pass;
}

AttentionParams some_heads(bool bias) {
  TorchRandom random(123);
  return made_wrapper(3, 4, 2, bias, random, 123);
}

constexpr HeadRoute kHeadRoutes[] = {HeadRoute::right, HeadRoute::interleaved, HeadRoute::no_transpose,
                                     HeadRoute::no_transpose_back, HeadRoute::whole_scale};

Matrix columns(const Matrix& all, int head, int width) { return all.middleCols(head * width, width); }

}  // namespace

TEST_CASE("packed into one module the stacked heads give the same output, to the last bit") {
  for (const bool bias : {false, true}) {
    const AttentionParams stacked = some_heads(bias);
    const Matrix x = numbers(6, 4, 1);
    const Run a = run_of("", stacked, x, causal_pass(3, 6));
    const Run b = run_of("", packed(stacked, ""), x, causal_pass(3, 6));
    CHECK(a.trace.out == b.trace.concat);
    CHECK(a.trace.out == b.trace.out);
    for (std::size_t h = 0; h < 3; ++h) CHECK(a.parts[h].trace.attn_weights == b.parts[h].trace.attn_weights);
  }
}

TEST_CASE("a broken band of the packed weights changes its own head and no other") {
  const AttentionParams stacked = some_heads(false);
  AttentionParams fused = packed(stacked, "");
  const Rect band = band_of(fused, fused.W_key.weight, 1);
  CHECK(band == Rect{2, 4, 0, 4});
  fused.W_key.weight.stored(band.r0, 0) += 1;
  const Matrix x = numbers(6, 4, 1);
  const Run a = run_of("", stacked, x, causal_pass(3, 6)), b = run_of("", fused, x, causal_pass(3, 6));
  CHECK(columns(a.trace.out, 0, 2) == columns(b.trace.out, 0, 2));
  CHECK(columns(a.trace.out, 1, 2) != columns(b.trace.out, 1, 2));
  CHECK(columns(a.trace.out, 2, 2) == columns(b.trace.out, 2, 2));
}

TEST_CASE("each packed number knows the head that it was moved from") {
  const AttentionParams fused = packed(some_heads(true), "wrapper.");
  CHECK(fused.W_value.weight.name == "W_value.weight");
  CHECK(fused.W_value.weight.origin_of(5, 3).from == "wrapper.heads.2.W_value.weight");
  CHECK(fused.W_query.bias.origin_of(0, 2).from == "wrapper.heads.1.W_query.bias");
  CHECK(fused.out_proj.weight.origin_of(0, 0).kind == Origin::Kind::chosen);
}

TEST_CASE("heads are as wide as d_out divided by their number, or cannot be made") {
  CHECK(can_split(6, 3));
  CHECK_FALSE(can_split(7, 3));
  CHECK_FALSE(can_split(6, 0));
}

TEST_CASE("one stacked head is CausalAttention") {
  TorchRandom random(5), again(5);
  const Matrix x = numbers(5, 3, 2);
  const Run one = run_of("", made_attention(AttentionKind::causal, 3, 2, true, random, 5), x,
                         {.route = MaskRoute::neginf, .keep = causal_mask(5)});
  const Run stack = run_of("", made_wrapper(1, 3, 2, true, again, 5), x, causal_pass(1, 5));
  CHECK(one.trace.context_vec == stack.trace.out);
}

TEST_CASE("a head that is switched off leaves zeros in its own columns alone") {
  const Matrix x = numbers(6, 4, 1);
  const AttentionParams stacked = some_heads(false);
  Pass without = causal_pass(3, 6);
  without.heads[1].off = true;
  const Run a = run_of("", stacked, x, causal_pass(3, 6)), b = run_of("", stacked, x, without);
  CHECK(columns(b.trace.out, 1, 2).isZero(0));
  CHECK(columns(b.trace.out, 0, 2) == columns(a.trace.out, 0, 2));
  CHECK(columns(b.trace.out, 2, 2) == columns(a.trace.out, 2, 2));
}

TEST_CASE("every number goes to one head and comes back once, whatever the route") {
  const HeadShape shape{5, 3, 2};
  for (const HeadRoute route : kHeadRoutes) {
    std::vector<int> read(30), written(30);
    for (int h = 0; h < 3; ++h)
      for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 2; ++c) {
          const AllCell at = read_from(route, shape, {h, r, c});
          ++read[std::size_t(at.row * 6 + at.col)];
          if (route != HeadRoute::no_transpose_back) CHECK(written_by(route, shape, at) == HeadCell{h, r, c});
        }
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < 6; ++c) {
        const HeadCell by = written_by(route, shape, {r, c});
        ++written[std::size_t((by.head * 5 + by.row) * 2 + by.col)];
      }
    CHECK(read == std::vector<int>(30, 1));
    CHECK(written == std::vector<int>(30, 1));
  }
}

TEST_CASE("wrong splits are invisible where a head is one number wide, and seen where it is wider") {
  for (const int width : {1, 2}) {
    TorchRandom random(123);
    const AttentionParams fused = packed(made_wrapper(2, 3, width, false, random, 123), "");
    const Matrix x = numbers(6, 3, 1);
    const Matrix right = run_of("", fused, x, causal_pass(2, 6)).trace.out;
    const Matrix interleaved = run_of("", fused, x, causal_pass(2, 6, HeadRoute::interleaved)).trace.out;
    CHECK((right == interleaved) == (width == 1));
  }
}

TEST_CASE("each cell of several heads is what the atlas says, edited and switched off too") {
  for (const AttentionKind kind : {AttentionKind::wrapper, AttentionKind::mha})
    for (const HeadRoute route : kHeadRoutes) {
      const Example x{.kind = kind,
                      .d_out = 4,
                      .bias = true,
                      .route = MaskRoute::neginf,
                      .edits = {{{"heads.1.attn_weights", 2, 1}, 9},
                                {{"heads.0.queries", 1, 1}, 2},
                                {{"out", 3, 2}, 7},
                                {{"queries", 0, 1}, -1}},
                      .heads = 2,
                      .head_route = route};
      CHECK(first_wrong_cell(example(x)) == "");
    }
}
