// What attention must do, whatever the numbers.
#include <doctest.h>

#include <cmath>

#include "core/compare.hpp"
#include "core/examples.hpp"
#include "core/ops.hpp"

using namespace lab;

namespace {

// Inputs that no word table made.
Matrix random_inputs(int T, int d_in, TorchRandom& random) {
  Matrix m(T, d_in);
  random.normal_({m.data(), std::size_t(m.size())}, 0, 1);
  return m;
}

Pass causal_pass(MaskRoute route, int T) { return {route, causal_mask(T), {}, {}}; }

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](float x, float y) {
           return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
         });
}

}  // namespace

TEST_CASE("the three stages and the -inf route give the same weights") {
  TorchRandom random(17);
  for (int i = 0; i < 60; ++i) {
    const int T = 1 + int(random.u32() % 12), d_in = 1 + int(random.u32() % 8),
              d_out = 1 + int(random.u32() % 8);
    const AttentionParams m = made_attention(AttentionKind::causal, d_in, d_out, i % 2 == 0, random, 17);
    const Matrix inputs = random_inputs(T, d_in, random);
    const Trace stages = forward(m, inputs, causal_pass(MaskRoute::zero_renorm, T));
    const Trace neginf = forward(m, inputs, causal_pass(MaskRoute::neginf, T));
    CHECK(compared(stages.attn_weights, neginf.attn_weights, 0, 1e-6).all_close);
    CHECK(compared(stages.context_vec, neginf.context_vec, 0, 3e-6).all_close);
    CHECK(same_bits(stages.masked_softmax, neginf.attn_weights));  // both routes are in both traces
    CHECK(same_bits(neginf.masked_renormalized, stages.attn_weights));
  }
}

TEST_CASE("the first word looks at itself alone, with weight exactly 1") {
  for (const MaskRoute route : {MaskRoute::zero_renorm, MaskRoute::neginf}) {
    for (const int T : {1, 2, 6, 64}) {
      const Matrix weights = example({.T = T, .route = route}).runs[0].trace.attn_weights;
      CHECK(weights(0, 0) == 1.0f);
      for (int c = 1; c < T; ++c) CHECK(weights(0, c) == 0.0f);
    }
  }
}

TEST_CASE("rows of weights sum to 1 on both right routes, and below 1 where renormalizing was forgotten") {
  const Matrix right = row_sums(example({.route = MaskRoute::zero_renorm}).runs[0].trace.attn_weights);
  const Matrix forgot = row_sums(example({.route = MaskRoute::no_renorm}).runs[0].trace.attn_weights);
  for (int r = 0; r < 6; ++r) {
    CHECK(right(r, 0) == doctest::Approx(1));
    CHECK((r == 5) == (forgot(r, 0) > 0.999f));
  }
}

TEST_CASE("later words leave earlier outputs unchanged to the last bit on the -inf route") {
  TorchRandom random(23);
  const int T = 9;
  const AttentionParams m = made_attention(AttentionKind::causal, 5, 4, true, random, 23);
  const Matrix inputs = random_inputs(T, 5, random);
  const Trace before = forward(m, inputs, causal_pass(MaskRoute::neginf, T));
  for (int changed = 1; changed < T; ++changed) {
    Matrix other = inputs;
    other.row(changed) *= -3;
    const Trace after = forward(m, other, causal_pass(MaskRoute::neginf, T));
    CHECK(same_bits(before.context_vec.topRows(changed), after.context_vec.topRows(changed)));
    CHECK_FALSE(same_bits(before.context_vec.row(changed), after.context_vec.row(changed)));
  }
}

TEST_CASE("each wrong route but renormalizing in vain leaks the future, or hides the past") {
  const auto leaks = [](MaskRoute route) {
    const Runs runs = example({.T = 4, .route = route});
    Matrix other = runs.inputs.stored;
    other.row(3) *= -3;
    const Trace after = forward(runs.runs[0].module, other, causal_pass(route, 4));
    return !compared(runs.runs[0].trace.context_vec.topRows(3), after.context_vec.topRows(3), 0, 1e-6)
                .all_close;
  };
  CHECK_FALSE(leaks(MaskRoute::zero_renorm));
  CHECK_FALSE(leaks(MaskRoute::neginf));
  for (const MaskRoute wrong : {MaskRoute::none, MaskRoute::zero_scores, MaskRoute::no_renorm,
                                MaskRoute::renorm_first, MaskRoute::off_by_one, MaskRoute::transposed})
    CHECK(leaks(wrong));
  CHECK_FALSE(leaks(MaskRoute::after_dropout));  // wrong only where something is dropped
}

TEST_CASE("an edit is followed by everything after it, and by nothing before") {
  Example x{.route = MaskRoute::neginf};
  const Trace before = example(x).runs[0].trace;
  x.edits = {{{"attn_scores", 4, 1}, 9}};
  const Trace after = example(x).runs[0].trace;
  CHECK(same_bits(before.queries, after.queries));
  CHECK(same_bits(before.values, after.values));
  CHECK(after.attn_scores(4, 1) == 9);
  CHECK(after.scaled_scores(4, 1) == 9 / std::sqrt(2.0f));
  CHECK(after.masked_scores(4, 1) == 9);
  CHECK(after.attn_weights(4, 1) > 0.9f);
  CHECK(same_bits(before.context_vec.topRows(4), after.context_vec.topRows(4)));
  CHECK_FALSE(same_bits(before.context_vec.row(4), after.context_vec.row(4)));
  CHECK(same_bits(before.context_vec.row(5), after.context_vec.row(5)));
}

TEST_CASE("an edit on the route that is not chosen changes no output") {
  Example x{.route = MaskRoute::neginf};
  const Trace before = example(x).runs[0].trace;
  x.edits = {{{"masked_zeroed", 3, 0}, 1}};
  const Trace after = example(x).runs[0].trace;
  CHECK_FALSE(same_bits(before.masked_renormalized, after.masked_renormalized));
  CHECK(same_bits(before.context_vec, after.context_vec));
}

TEST_CASE("edits outside a matrix, or of a matrix that is not there, change nothing") {
  Example x;
  const Trace before = example(x).runs[0].trace;
  x.edits = {{{"attn_scores", 6, 0}, 9},
             {{"attn_scores", 0, 4095}, 9},
             {{"nothing", 0, 0}, 9},
             {{"W_query", 0, 0}, 9},
             {{"dropout_mask", 0, 0}, 9},
             {{"W_query.weight", 2, 0}, 9},
             {{"source.attn_scores", 0, 0}, 9},
             {{"inputs", 6, 0}, 9},
             {{"route_keep", 0, 0}, 9}};
  CHECK(same_bits(before.context_vec, example(x).runs[0].trace.context_vec));
}

TEST_CASE("the same arguments give the same bits") {
  const Example x{.T = 33, .d_in = 9, .d_out = 7, .bias = true, .dropout = 0.3};
  CHECK(same_bits(example(x).runs[0].trace.context_vec, example(x).runs[0].trace.context_vec));
}
