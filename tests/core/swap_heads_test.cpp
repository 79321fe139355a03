// Two heads change places: what moves, and what does not.
#include "core/swap_heads.hpp"

#include <doctest.h>

#include "core/atlas_check.hpp"
#include "core/multi_head.hpp"

using namespace lab;

namespace {

constexpr int kWords = 5, kWidth = 2, kHeads = 3;
constexpr HeadPair kPair{0, 2};

Matrix numbers() {
  TorchRandom random(1);
  return random.rand(kWords, 4);
}

Pass causal_pass() {
  Pass pass;
  pass.heads.assign(kHeads, {.route = MaskRoute::neginf, .keep = causal_mask(kWords)});
  return pass;
}

AttentionParams stack() {
  TorchRandom random(123);
  return made_wrapper(kHeads, 4, kWidth, true, random, 123);
}
AttentionParams module() {
  TorchRandom random(123);
  return made_mha(kHeads, 4, kHeads * kWidth, true, random, 123);
}

Matrix output(const AttentionParams& m) { return output_of(run_of("", m, numbers(), causal_pass())); }

Matrix in_order(const Matrix& m, const std::vector<int>& order) {
  Matrix other(m.rows(), m.cols());
  for (std::size_t c = 0; c < order.size(); ++c) other.col(Eigen::Index(c)) = m.col(order[c]);
  return other;
}

Runs runs_of(const AttentionParams& m) {
  Runs runs{.words = {"a", "b", "c", "d", "e"}};
  runs.inputs = {.name = "inputs", .stored = numbers()};
  runs.inputs.origins = {{.kind = Origin::Kind::book, .cells = {0, kWords, 0, 4}}};
  runs.runs.push_back(run_of("", m, runs.inputs.stored, causal_pass()));
  return runs;
}

}  // namespace

TEST_CASE("the columns of two stacked heads change places when they do, and no number is new") {
  const Matrix before = output(stack());
  AttentionParams swapped = stack();
  swap_heads(swapped, kPair);
  CHECK(output(swapped) == in_order(before, {4, 5, 2, 3, 0, 1}));
  CHECK(swapped_order(kHeads, kWidth, kPair) == std::vector<int>{4, 5, 2, 3, 0, 1});
  CHECK(swapped.heads[0].W_query.weight.name == "heads.0.W_query.weight");
  CHECK(swapped.heads[2].W_value.bias.name == "heads.2.W_value.bias");
}

TEST_CASE("bands that change places move a mixed output, unless out_proj's columns go along") {
  const Matrix before = output(module());
  AttentionParams swapped = module();
  swap_heads(swapped, kPair);
  CHECK((output(swapped) - before).cwiseAbs().maxCoeff() > .01f);
  swap_columns(swapped, kPair);
  CHECK((output(swapped) - before).cwiseAbs().maxCoeff() < 1e-6f);  // sums run in another order

  AttentionParams passing = module();
  pass_on(passing);
  const Matrix found = output(passing);
  swap_heads(passing, kPair);
  CHECK(output(passing) == in_order(found, {4, 5, 2, 3, 0, 1}));
  swap_columns(passing, kPair);
  CHECK(output(passing) == found);
}

TEST_CASE("packing and swapping may come in either order") {
  AttentionParams first = stack(), then = packed(stack(), "");
  swap_heads(first, kPair);
  swap_heads(then, kPair);
  const AttentionParams all = packed(first, "");
  for (const Slot s : kSlots) {
    CHECK(projection(all, s).weight.stored == projection(then, s).weight.stored);
    CHECK(projection(all, s).bias.stored == projection(then, s).bias.stored);
  }
}

TEST_CASE("after a swap each number still knows its draw, and every cell is explained") {
  for (AttentionParams m : {stack(), module()}) {
    swap_heads(m, kPair);
    if (m.kind == AttentionKind::mha) swap_columns(m, kPair);
    CHECK(first_wrong_cell(runs_of(m)) == "");
  }
  AttentionParams fused = module();
  const std::int64_t first = fused.W_query.weight.origin_of(0, 0).first_draw;
  swap_heads(fused, kPair);
  const Origin& moved = fused.W_query.weight.origin_of(4, 0);
  CHECK(moved.first_draw == first);
  CHECK(moved.cells == Rect{4, 5, 0, 4});
}

TEST_CASE("packed numbers that changed places are found where they were moved from") {
  AttentionParams all = packed(stack(), "wrapper.");
  swap_heads(all, kPair);
  const Origin& o = all.W_key.weight.origin_of(1, 2);
  CHECK(o.from == "wrapper.heads.2.W_key.weight");
  CHECK(o.from_cells == Rect{1, 2, 0, 4});
}

TEST_CASE("a head's cell goes where the head goes, and comes back") {
  const AttentionParams one = stack(), all = module();
  const auto place = [](const AttentionParams& m, CellName cell, bool columns = false) {
    const CellName there = place_after_swap(cell, m, kPair, columns);
    CHECK(place_after_swap(there, m, kPair, columns) == cell);
    return there;
  };
  CHECK(place(one, {"heads.0.attn_weights", 3, 1}) == CellName{"heads.2.attn_weights", 3, 1});
  CHECK(place(one, {"heads.1.W_key.weight", 1, 1}) == CellName{"heads.1.W_key.weight", 1, 1});
  CHECK(place(one, {"out", 3, 5}) == CellName{"out", 3, 1});
  CHECK(place(all, {"out", 3, 5}) == CellName{"out", 3, 5});
  CHECK(place(all, {"W_query.weight", 1, 3}) == CellName{"W_query.weight", 5, 3});
  CHECK(place(all, {"W_query.bias", 0, 4}) == CellName{"W_query.bias", 0, 0});
  CHECK(place(all, {"concat", 2, 0}) == CellName{"concat", 2, 4});
  CHECK(place(all, {"out_proj.weight", 2, 0}) == CellName{"out_proj.weight", 2, 0});
  CHECK(place(all, {"out_proj.weight", 2, 0}, true) == CellName{"out_proj.weight", 2, 4});
  CHECK(place(all, {"heads.", 0, 0}) == CellName{"heads.", 0, 0});
  CHECK(place(all, {"W_query.weight", 4000, 0}) == CellName{"W_query.weight", 4000, 0});
}

TEST_CASE("a stack draws its masks head by head, one module sentence by sentence") {
  constexpr BatchShape kShape{2, 3, 4};
  const auto masks = [&](AttentionKind kind, DropoutStream stream) {
    TorchRandom random(123);
    return head_masks(kind, kShape, .5, stream, random);
  };
  TorchRandom random(123);
  const Matrix all = drawn_mask(2 * 3 * 4, 4, .5, DropoutStream::mac, random);
  const auto nth = [&](int i) { return Matrix(all.middleRows(i * 4, 4)); };
  const HeadMasks stacked = masks(AttentionKind::wrapper, DropoutStream::mac),
                  fused = masks(AttentionKind::mha, DropoutStream::mac);
  for (int s = 0; s < 2; ++s)
    for (int h = 0; h < 3; ++h) {
      CHECK(stacked[std::size_t(s)][std::size_t(h)] == nth(h * 2 + s));
      CHECK(fused[std::size_t(s)][std::size_t(h)] == nth(s * 3 + h));
    }
  // Linux and Windows throw once a call, so that even one sentence is dropped otherwise.
  CHECK(masks(AttentionKind::wrapper, DropoutStream::mkl)[0][1] !=
        masks(AttentionKind::mha, DropoutStream::mkl)[0][1]);
}
