// The smallest and the largest that the lab takes.
#include <doctest.h>

#include <cmath>

#include "core/atlas_check.hpp"
#include "core/examples.hpp"

using namespace lab;

TEST_CASE("one word of one number has one weight, 1, and its own value") {
  for (const AttentionKind kind :
       {AttentionKind::simple, AttentionKind::v1, AttentionKind::v2, AttentionKind::causal}) {
    const Runs runs =
        example({.kind = kind, .T = 1, .d_in = 1, .d_out = 1, .masked = kind == AttentionKind::causal});
    const Trace& t = runs.runs[0].trace;
    CHECK(t.attn_weights.size() == 1);
    CHECK(t.attn_weights(0, 0) == 1.0f);
    CHECK(t.context_vec(0, 0) == (kind == AttentionKind::simple ? runs.inputs.stored(0, 0) : t.values(0, 0)));
    CHECK(first_wrong_cell(runs) == "");
  }
}

TEST_CASE("sixty-four words of sixty-four numbers come out finite, rows summing to 1") {
  for (const MaskRoute route : {MaskRoute::zero_renorm, MaskRoute::neginf}) {
    const Runs runs = example({.T = 64, .d_in = 64, .d_out = 64, .bias = true, .route = route});
    const Trace& t = runs.runs[0].trace;
    CHECK(t.context_vec.rows() == 64);
    CHECK(t.context_vec.cols() == 64);
    CHECK(t.context_vec.allFinite());
    for (int r = 0; r < 64; ++r) CHECK(t.attn_weights.row(r).sum() == doctest::Approx(1));
  }
}

TEST_CASE("no word at all is an empty pass, not a crash") {
  const Runs runs = example({.T = 0});
  CHECK(runs.runs[0].trace.context_vec.size() == 0);
  CHECK(first_wrong_cell(runs) == "");
}

TEST_CASE("two words share one number where one of them is infinite") {
  Example x{.kind = AttentionKind::v2, .T = 2, .masked = false, .route = MaskRoute::none};
  x.edits = {{{"attn_scores", 0, 1}, INFINITY}, {{"attn_scores", 1, 0}, -INFINITY}};
  const Runs runs = example(x);
  const Trace& t = runs.runs[0].trace;
  CHECK(std::isnan(t.attn_weights(0, 0)));  // ∞ − ∞, as torch has it
  CHECK(t.attn_weights(1, 0) == 0.0f);
  CHECK(t.attn_weights(1, 1) == 1.0f);
  CHECK(first_wrong_cell(runs) == "");
}
