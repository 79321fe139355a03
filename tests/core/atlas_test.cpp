// The spine: what the learner is told about a cell is what the program did.
#include <doctest.h>

#include <limits>
#include <set>

#include "core/atlas_check.hpp"
#include "core/examples.hpp"

using namespace lab;

namespace {

constexpr AttentionKind kAllKinds[] = {AttentionKind::simple, AttentionKind::v1,      AttentionKind::v2,
                                       AttentionKind::causal, AttentionKind::wrapper, AttentionKind::mha};

bool must_mask(AttentionKind kind) { return kind == AttentionKind::causal || has_heads(kind); }

// Every kind, mask, route, bias and dropout stream that go together.
template <class Visit>
void for_every_choice(Visit visit) {
  for (const AttentionKind kind : kAllKinds) {
    for (const bool bias : {false, true}) {
      if (bias && !can_have_bias(kind)) continue;
      for (const bool masked : {false, true}) {
        if (masked ? kind == AttentionKind::simple : must_mask(kind)) continue;
        for (const MaskRoute route : kAllRoutes) {
          if (!masked && route != MaskRoute::none) continue;
          for (const double dropout : {0.0, 0.5}) {
            if (dropout != 0 && kind == AttentionKind::simple) continue;
            for (const DropoutStream stream : {DropoutStream::mac, DropoutStream::mkl}) {
              if (dropout == 0 && stream == DropoutStream::mkl) continue;
              visit(Example{.kind = kind,
                            .bias = bias,
                            .masked = masked,
                            .route = route,
                            .dropout = dropout,
                            .stream = stream});
            }
          }
        }
      }
    }
  }
}

struct Sizes {
  int T, d_in, d_out;
};

Example sized(Example x, Sizes s) {
  x.T = s.T;
  x.d_in = s.d_in;
  x.d_out = x.kind == AttentionKind::simple ? s.d_in : s.d_out;
  x.heads = has_heads(x.kind) ? 2 : 1;
  if (x.kind == AttentionKind::mha) x.d_out *= x.heads;
  return x;
}

std::string described(const Example& x) {
  return std::string(class_name(x.kind)) + " T " + std::to_string(x.T) + " d_in " + std::to_string(x.d_in) +
         " d_out " + std::to_string(x.d_out) + " bias " + std::to_string(x.bias) + " masked " +
         std::to_string(x.masked) + " route " + std::to_string(int(x.route)) + " dropout " +
         std::to_string(x.dropout) + " stream " + std::to_string(int(x.stream)) + " seed " +
         std::to_string(x.seed);
}

std::uint32_t below(TorchRandom& random, std::size_t n) { return std::uint32_t(random.u32() % n); }

// Cells anywhere in these runs, overwritten with anything.
std::vector<Edit> random_edits(const Runs& runs, TorchRandom& random) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float kValues[] = {0,
                               1,
                               -1,
                               0.25f,
                               -3.5f,
                               100,
                               -1000,
                               1e-30f,
                               1e20f,
                               infinity,
                               -infinity,
                               3e38f,
                               std::numeric_limits<float>::quiet_NaN()};
  const std::vector<std::string> all = names(runs);
  std::vector<Edit> edits;
  for (std::uint32_t n = 1 + below(random, 3); n > 0; --n) {
    const std::string& name = all[below(random, all.size())];
    const auto cells = find(runs, name)->cells;
    const CellName cell{name, int(below(random, std::size_t(cells.rows()))),
                        int(below(random, std::size_t(cells.cols())))};
    for (std::uint32_t again = 1 + (below(random, 4) == 0); again > 0; --again)  // at times one cell twice
      edits.push_back({cell, kValues[below(random, std::size(kValues))]});
  }
  return edits;
}

bool mentions(const std::vector<Edit>& edits, const char* name) {
  for (const Edit& e : edits)
    if (e.cell.name == name) return true;
  return false;
}

void add_with_heads(const Run& run, std::vector<const Run*>& all) {
  all.push_back(&run);
  for (const Run& head : run.heads) add_with_heads(head, all);
}
std::vector<const Run*> with_heads(const Runs& runs) {
  std::vector<const Run*> all;
  for (const Run& run : runs.runs) add_with_heads(run, all);
  return all;
}

}  // namespace

TEST_CASE("every cell of every kind, mask, route, bias and dropout is made as the atlas says") {
  for_every_choice([](Example x) {
    for (const Sizes s : {Sizes{6, 3, 2}, Sizes{3, 2, 5}, Sizes{3, 3, 3}}) {
      const Example y = sized(x, s);
      CHECK_MESSAGE(first_wrong_cell(example(y)) == "", described(y));
      x.seed += 333;
    }
  });
}

TEST_CASE("cells are explained at all sizes from 1 to 64") {
  int i = 0;
  for (const Sizes s : {Sizes{1, 1, 1}, Sizes{1, 64, 1}, Sizes{2, 1, 64}, Sizes{13, 17, 19}, Sizes{64, 3, 2},
                        Sizes{21, 64, 33}, Sizes{64, 64, 64}})
    for (const AttentionKind kind : kAllKinds) {
      if (s.T == 64 && kind != (s.d_in == 3 ? AttentionKind::v1 : AttentionKind::causal)) continue;
      Example x{.kind = kind,
                .bias = can_have_bias(kind),
                .masked = must_mask(kind),
                .route = kAllRoutes[i++ % 9],
                .dropout = must_mask(kind) ? 0.1 : 0,
                .seed = std::uint64_t(i)};
      if (!x.masked) x.route = MaskRoute::none;
      x = sized(x, s);
      CHECK_MESSAGE(first_wrong_cell(example(x)) == "", described(x));
    }
}

TEST_CASE("cells are explained after edits of any cell to any value") {
  TorchRandom random(7);
  for_every_choice([&](Example x) {
    for (const Sizes s : {Sizes{4, 3, 2}, Sizes{3, 2, 2}}) {
      Example y = sized(x, s);
      for (int i = 0; i < 3; ++i) {
        y.edits = random_edits(example(sized(x, s)), random);
        std::string edits;
        for (const Edit& e : y.edits)
          edits += " " + e.cell.name + "." + std::to_string(e.cell.row) + "." + std::to_string(e.cell.col) +
                   ":" + std::to_string(e.value);
        CHECK_MESSAGE(first_wrong_cell(example(y)) == "", described(y), edits);
      }
    }
  });
}

TEST_CASE("both sides of a transfer and their difference are explained") {
  TorchRandom random(11);
  constexpr AttentionKind kBench[] = {AttentionKind::v1, AttentionKind::v2, AttentionKind::causal};
  for (const AttentionKind from : kBench) {
    for (const AttentionKind to : kBench) {
      for (const Sizes s : {Sizes{6, 3, 2}, Sizes{4, 3, 3}}) {
        Example x = sized({.kind = from, .bias = true, .seed = 789}, s);
        const AttentionParams source = example_module(x, from), target = example_module(x, to);
        std::vector<Move> right, crossed;
        for (const std::string& slot : slots(source, target))
          right.push_back(right_move(source, target, slot));
        for (const MoveOp op : {MoveOp::copy, MoveOp::transpose})  // those that do not fit are refused
          crossed.push_back({projection(source, Slot::query).weight.name,
                             op,
                             projection(target, Slot::key).weight.name,
                             {},
                             {}});
        const Move part{projection(source, Slot::value).weight.name, MoveOp::transpose,
                        projection(target, Slot::value).weight.name, Rect{0, 1, 0, 2}, Rect{0, 2, 1, 2}};
        crossed.push_back(part);
        for (const auto& moves : {std::vector<Move>{}, right, crossed}) {
          x.edits.clear();
          CHECK_MESSAGE(first_wrong_cell(example_bench(x, to, moves)) == "", described(x));
          CHECK_MESSAGE(first_wrong_cell(example_bench(x, to, moves, true)) == "", described(x));
          for (int i = 0; i < 4; ++i) {
            x.edits = random_edits(example_bench(x, to, moves), random);
            if (mentions(x.edits, "difference")) continue;  // it belongs to no run: nothing follows from it
            CHECK_MESSAGE(first_wrong_cell(example_bench(x, to, moves)) == "", described(x));
          }
        }
      }
    }
  }
}

TEST_CASE("every row of the atlas is some run's, and its sources are matrices of that run") {
  std::set<const AtlasRow*> met;
  for_every_choice([&](const Example& x) {
    const Runs runs = example(sized(x, {3, 2, 2}));
    for (const Run* run : with_heads(runs))
      for (const AtlasRow* row : atlas_rows(*run)) {
        met.insert(row);
        for (const std::string& source : sources(runs, *find(runs, run->prefix + row->name)))
          CHECK_MESSAGE(find(runs, source), row->name, " from ", source);
      }
  });
  for (const AtlasRow& row : whole_atlas())
    CHECK_MESSAGE(met.count(&row) == 1, row.name, " as ", row.formula, " is made by no run");
}

TEST_CASE("a matrix that forward makes and the atlas forgot is missed") {
  // Every matrix of the trace, by what for_every_choice makes of it.
  const std::pair<const char*, Tensor> tensors[] = {
      {"inputs", &AttentionTrace::inputs},
      {"queries", &AttentionTrace::queries},
      {"keys", &AttentionTrace::keys},
      {"values", &AttentionTrace::values},
      {"attn_scores", &AttentionTrace::attn_scores},
      {"scaled_scores", &AttentionTrace::scaled_scores},
      {"keep", &AttentionTrace::keep},
      {"softmax_unmasked", &AttentionTrace::softmax_unmasked},
      {"masked_zeroed", &AttentionTrace::masked_zeroed},
      {"row_sums", &AttentionTrace::row_sums},
      {"masked_renormalized", &AttentionTrace::masked_renormalized},
      {"masked_scores", &AttentionTrace::masked_scores},
      {"masked_softmax", &AttentionTrace::masked_softmax},
      {"route_difference", &AttentionTrace::route_difference},
      {"route_keep", &AttentionTrace::route_keep},
      {"route_scores", &AttentionTrace::route_scores},
      {"route_dropped", &AttentionTrace::route_dropped},
      {"route_zeroed", &AttentionTrace::route_zeroed},
      {"route_renormalized", &AttentionTrace::route_renormalized},
      {"route_sums", &AttentionTrace::route_sums},
      {"sum_normalized", &AttentionTrace::sum_normalized},
      {"attn_weights", &AttentionTrace::attn_weights},
      {"dropout_mask", &AttentionTrace::dropout_mask},
      {"attn_weights_dropped", &AttentionTrace::attn_weights_dropped},
      {"context_vec", &AttentionTrace::context_vec},
      {"concat", &AttentionTrace::concat},
      {"out", &AttentionTrace::out},
  };
  static_assert(sizeof(AttentionTrace) ==
                    std::size(tensors) * sizeof(Matrix) + sizeof(std::vector<AttentionTrace::Edited>),
                "name every matrix of the trace above");
  for_every_choice([&](const Example& x) {
    const Runs runs = example(sized(x, {3, 2, 2}));
    for (const Run* run : with_heads(runs))
      for (const auto& [name, tensor] : tensors) {
        const AtlasRow* row = atlas_row(*run, tensor);
        CHECK_MESSAGE((row != nullptr) == ((run->trace.*tensor).size() != 0), name);
        CHECK_MESSAGE((!row || std::string(row->name) == name), name);
      }
  });
}

TEST_CASE("a cell that does not exist is not explained") {
  const Runs runs = example({});
  CHECK(explain(runs, {"attn_weights", 0, 0}));
  for (const CellName& cell :
       {CellName{"attn_weights", 6, 0}, CellName{"attn_weights", 0, 6}, CellName{"attn_weights", -1, 0},
        CellName{"attn_weights", 0, -1}, CellName{"W_query", 0, 0}, CellName{"", 0, 0},
        CellName{"source.queries", 0, 0}})
    CHECK_FALSE(explain(runs, cell));
}

TEST_CASE("an edited cell tells what it was") {
  Example x{.route = MaskRoute::neginf};
  const float was = *value_of(example(x), {"keys", 2, 1}),
              W_was = *value_of(example(x), {"W_key.weight", 1, 2});
  x.edits = {
      {{"keys", 2, 1}, 5}, {{"W_key.weight", 1, 2}, 1}, {{"W_key.weight", 1, 2}, 2}, {{"keys", 2, 1}, 6}};
  const Runs runs = example(x);
  CHECK(*value_of(runs, {"keys", 2, 1}) == 6);
  CHECK(*value_of(runs, {"W_key.weight", 1, 2}) == 2);
  CHECK(*explain(runs, {"W_key.weight", 1, 2})->was == W_was);
  const float then = *explain(runs, {"keys", 2, 1})->was;  // with the other edit in force
  CHECK(then != was);
  CHECK(then != 5);
}
