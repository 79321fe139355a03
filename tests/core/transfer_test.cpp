// Weights move between all modules of one or several heads; the slot, and with it the head, is blamed.
#include <doctest.h>

#include <algorithm>

#include "core/bench.hpp"
#include "core/multi_head.hpp"

using namespace lab;

namespace {

constexpr AttentionKind kKinds[] = {AttentionKind::v1, AttentionKind::v2, AttentionKind::causal,
                                    AttentionKind::wrapper, AttentionKind::mha};

AttentionParams module_of(AttentionKind kind, int heads, int d_in, int width, bool bias, std::uint64_t seed) {
  TorchRandom random(seed);
  const int d_out = kind == AttentionKind::mha ? heads * width : width;
  return made_module(kind, {d_in, d_out, heads, bias}, random, seed);
}

Bench bench_of(AttentionKind from, AttentionKind to, int heads, bool bias, int d_in = 3, int width = 2) {
  Bench b{.source = module_of(from, heads, d_in, width, bias, 123),
          .target = module_of(to, heads, d_in, width, bias, 7)};
  match_out_proj(b.source, b.target);
  TorchRandom random(5);
  b.inputs.resize(6, d_in);
  random.rand({b.inputs.data(), std::size_t(b.inputs.size())});
  return b;
}

std::vector<Move> right_moves(const Bench& b) {
  std::vector<Move> moves;
  for (const std::string& slot : slots(b.source, b.target))
    moves.push_back(right_move(b.source, b.target, slot));
  return moves;
}

Blame blame_of(const Bench& b) {
  BlameSearch search(b);
  while (!search.done()) search.try_next();
  REQUIRE(search.blame().has_value());
  return *search.blame();
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

TEST_CASE("with every slot filled rightly two modules agree, in every direction") {
  for (const AttentionKind from : kKinds)
    for (const AttentionKind to : kKinds)
      for (const int heads : {1, 2, 3})
        for (const bool bias : {false, true}) {
          if (heads > 1 && !(has_heads(from) && has_heads(to))) continue;
          if (bias && !(can_have_bias(from) && can_have_bias(to))) continue;
          CAPTURE(class_name(from));
          CAPTURE(class_name(to));
          CAPTURE(heads);
          Bench b = bench_of(from, to, heads, bias);
          CHECK(empty_slots(b) == slots(b.source, b.target));
          CHECK_FALSE(run_both(b).comparison.all_close);
          b.moves = right_moves(b);
          CHECK(empty_slots(b).empty());
          const Comparison c = run_both(b).comparison;
          CHECK(c.max_difference <= 1e-6f);
          if (from == AttentionKind::wrapper && to == AttentionKind::mha) CHECK(c.max_difference == 0);
        }
}

TEST_CASE("a head's weight and its band of the fused weight are each other's slots") {
  const Bench packs = bench_of(AttentionKind::wrapper, AttentionKind::mha, 2, true);
  CHECK(slots(packs.source, packs.target).size() == 12);
  CHECK(right_move(packs.source, packs.target, "W_key.weight[2:4,0:3]") ==
        Move{"heads.1.W_key.weight", MoveOp::copy, "W_key.weight", {}, Rect{2, 4, 0, 3}});
  CHECK(right_move(packs.source, packs.target, "W_key.bias[0:1,2:4]") ==
        Move{"heads.1.W_key.bias", MoveOp::copy, "W_key.bias", {}, Rect{0, 1, 2, 4}});
  const Bench splits = bench_of(AttentionKind::mha, AttentionKind::wrapper, 2, false);
  CHECK(right_move(splits.source, splits.target, "heads.1.W_key.weight") ==
        Move{"W_key.weight", MoveOp::copy, "heads.1.W_key.weight", Rect{2, 4, 0, 3}, {}});
  const Bench one = bench_of(AttentionKind::v1, AttentionKind::mha, 1, false);
  CHECK(right_move(one.source, one.target, "W_key.weight") ==
        Move{"W_key", MoveOp::transpose, "W_key.weight", {}, {}});
}

TEST_CASE("out_proj is a slot where both modules have one, and passes on where one has") {
  const Bench both = bench_of(AttentionKind::mha, AttentionKind::mha, 2, false);
  CHECK_FALSE(passes_on(both));
  const auto all = slots(both.source, both.target);
  CHECK(all.size() == 8);
  CHECK(all[6] == "out_proj.weight");
  CHECK(all[7] == "out_proj.bias");
  for (const auto& [from, to] : {std::pair{AttentionKind::wrapper, AttentionKind::mha},
                                 std::pair{AttentionKind::mha, AttentionKind::wrapper}}) {
    const Bench b = bench_of(from, to, 2, false);
    CHECK(passes_on(b));
    CHECK(slots(b.source, b.target).size() == 6);
    const Projection& p = (from == AttentionKind::mha ? b.source : b.target).out_proj;
    CHECK(p.weight.stored == Matrix::Identity(4, 4));
    CHECK(p.bias.stored == Matrix::Zero(1, 4));
  }
}

TEST_CASE("every single fault of several heads is found, and its head named") {
  int faults = 0;
  for (const auto& [from, to] : {std::pair{AttentionKind::wrapper, AttentionKind::mha},
                                 std::pair{AttentionKind::mha, AttentionKind::wrapper},
                                 std::pair{AttentionKind::mha, AttentionKind::mha},
                                 std::pair{AttentionKind::wrapper, AttentionKind::wrapper}})
    for (const bool square : {false, true}) {
      Bench b = bench_of(from, to, 2, false, square ? 2 : 3);
      const auto right = right_moves(b);
      const auto names = slots(b.source, b.target);
      for (const auto& plan : faulty_plans(b)) {
        b.moves = plan;
        if (run_both(b).comparison.all_close) continue;
        ++faults;
        std::string wrong;
        for (std::size_t i = 0; i < plan.size(); ++i)
          if (!(plan[i] == right[i])) wrong += names[i] + " ← " + text_of(from_piece(plan[i])) + "; ";
        CAPTURE(wrong);
        const Blame blame = blame_of(b);
        CHECK(blame.faults.size() == 1);
        for (const std::string& slot : blame.faults.front().slots) {
          const std::size_t at = place_of(names, slot);
          REQUIRE(at < names.size());
          CHECK_FALSE(plan[at] == right[at]);
        }
        Bench mended = b;
        mended.moves = blame.mended;
        CHECK(run_both(mended).comparison.all_close);
      }
    }
  CHECK(faults > 150);
}

TEST_CASE("another head's key in a band is blamed on that band, with what belongs there") {
  Bench b = bench_of(AttentionKind::wrapper, AttentionKind::mha, 3, false);
  b.moves = right_moves(b);
  for (Move& m : b.moves)
    if (m.to == "W_key.weight" && m.to_cells == Rect{2, 4, 0, 3}) m.from = "heads.2.W_key.weight";
  const Blame blame = blame_of(b);
  CHECK(blame.faults == std::vector<Fault>{{Fault::Kind::wrong_source,
                                            {"W_key.weight[2:4,0:3]"},
                                            "heads.2.W_key.weight",
                                            "heads.1.W_key.weight"}});
  CHECK(blame.remaining == 0);
}

TEST_CASE("one move of a whole matrix fills the bands of all heads") {
  Bench b = bench_of(AttentionKind::mha, AttentionKind::mha, 2, false);
  for (const char* name : {"W_query.weight", "W_key.weight", "W_value.weight", "out_proj.weight"})
    b.moves.push_back({name, MoveOp::copy, name, {}, {}});
  CHECK(empty_slots(b) == std::vector<std::string>{"out_proj.bias"});
  b.moves.push_back({"out_proj.bias", MoveOp::copy, "out_proj.bias", {}, {}});
  CHECK(run_both(b).comparison.max_difference == 0);
  b.moves[1].from = "W_query.weight";
  CHECK_FALSE(run_both(b).comparison.all_close);
  Bench mended = b;
  mended.moves = blame_of(b).mended;
  CHECK(run_both(mended).comparison.all_close);
}

TEST_CASE("many wrong bands of many heads are all named, without trying every plan") {
  Bench b = bench_of(AttentionKind::wrapper, AttentionKind::mha, 12, false, 2);
  b.moves = right_moves(b);
  const auto names = slots(b.source, b.target);
  std::vector<std::string> wrong;
  for (const std::size_t i : {0u, 4u, 11u, 17u, 35u}) {
    b.moves[i].op = MoveOp::transpose;
    wrong.push_back(names[i]);
  }
  BlameSearch search(b);
  while (!search.done()) search.try_next();
  REQUIRE(search.blame().has_value());
  std::vector<std::string> blamed;
  for (const Fault& f : search.blame()->faults) blamed.insert(blamed.end(), f.slots.begin(), f.slots.end());
  CHECK(blamed == wrong);
  CHECK(search.tried() < 20000);
}

TEST_CASE("a band that does not fit is refused with both rectangles and the reason") {
  const Bench b = bench_of(AttentionKind::wrapper, AttentionKind::mha, 2, false);
  const auto no = refusal({"heads.1.W_key.weight", MoveOp::transpose, "W_key.weight", {}, Rect{2, 4, 0, 3}},
                          b.source, b.target);
  REQUIRE(no.has_value());
  CHECK(no->what == "heads.1.W_key.weight transposed is 3 × 2, the slot W_key.weight[2:4,0:3] is 2 × 3.");
  CHECK(no->why == "x @ W.T needs 2 rows, one per output number of the head.");
  CHECK(no->other_way_fits);
}

TEST_CASE("as they are a stack of causal heads and an unmasked module agree in the last row alone") {
  Bench b = bench_of(AttentionKind::wrapper, AttentionKind::v2, 1, false);
  b.moves = right_moves(b);
  CHECK(run_both(b).comparison.all_close);
  b.as_is = true;
  CHECK(masks_differ(b));
  CHECK(blame_of(b).faults == std::vector<Fault>{{.kind = Fault::Kind::mask}});
}
