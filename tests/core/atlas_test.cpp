// The spine: what the learner is told about a cell is what the program did.
#include <doctest.h>

#include <limits>
#include <set>
#include <tuple>

#include "core/atlas_check.hpp"
#include "core/examples.hpp"
#include "core/gpt_head.hpp"

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

// Every way to build a block, with dropout and without.
template <class Visit>
void for_every_block(Visit visit) {
  for (int choice = 0; choice < 1 << 8; ++choice) {
    const auto is = [&](int bit) { return (choice >> bit & 1) != 0; };
    visit(BlockExample{.T = 4,
                       .width = 4,
                       .heads = 2,
                       .rates = {.attention = is(0) ? .5 : 0, .shortcut = is(7) ? .25 : 0},
                       .decided = {.shortcuts = is(1),
                                   .post_norm = is(2),
                                   .unbiased = is(3),
                                   .relu = is(4),
                                   .eps = is(3) ? 0.f : kNormEps,
                                   .attention_off = is(5),
                                   .ff_off = is(6)},
                       .seed = std::uint64_t(choice)});
  }
}

std::string described(const BlockExample& x) {
  const BlockPass& d = x.decided;
  std::string text = "block T " + std::to_string(x.T) + " width " + std::to_string(x.width) + " dropout " +
                     std::to_string(x.rates.attention) + " and " + std::to_string(x.rates.shortcut) +
                     " shortcuts " + std::to_string(d.shortcuts) + " post " + std::to_string(d.post_norm) +
                     " unbiased " + std::to_string(d.unbiased) + " relu " + std::to_string(d.relu) + " off " +
                     std::to_string(d.attention_off) + std::to_string(d.ff_off);
  for (const Edit& e : x.edits)
    text += " " + e.cell.name + "." + std::to_string(e.cell.row) + "." + std::to_string(e.cell.col) + ":" +
            std::to_string(e.value);
  return text;
}

Runs norm_example_runs(bool unbiased, float eps, const std::vector<Edit>& edits) {
  Runs runs;
  NormExample example = made_norm_example(123);
  example.unbiased = unbiased;
  example.eps = eps;
  runs.runs.push_back(run_norm_example("book.", with_edits(std::move(example), edits, "book.")));
  return runs;
}

// What a matrix of the trace is called in a run.
std::string name_in(const Run& run, const std::string& field) {
  if (run.block && run.block->pass.relu && field == "ff_gelu") return "ff_relu";
  if (!run.norm_example) return field;
  return field.ends_with('2') ? field.substr(0, field.size() - 1) + "_after"
                              : field.substr(0, field.size() - 1);
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
  for (const Run& head : run.parts) add_with_heads(head, all);
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
  constexpr AttentionKind kBench[] = {AttentionKind::v1, AttentionKind::v2, AttentionKind::causal,
                                      AttentionKind::wrapper, AttentionKind::mha};
  for (const AttentionKind from : kBench) {
    for (const AttentionKind to : kBench) {
      for (const Sizes s : {Sizes{6, 3, 2}, Sizes{4, 3, 3}}) {
        Example x = sized({.kind = from, .bias = true, .seed = 789}, s);
        x.heads = has_heads(from) && has_heads(to) ? 2 : 1;
        const AttentionParams source = example_side(x, from), target = example_side(x, to);
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

TEST_CASE("every cell of a transformer block is made as the atlas says, however it is built") {
  TorchRandom random(17);
  for_every_block([&](BlockExample x) {
    CHECK_MESSAGE(first_wrong_cell(block_example(x)) == "", described(x));
    for (const int T : {1, 3}) {
      x.T = T;
      x.width = 4;
      x.heads = 2;
      for (int i = 0; i < 3; ++i) {
        x.edits.clear();
        x.edits = random_edits(block_example(x), random);
        CHECK_MESSAGE(first_wrong_cell(block_example(x)) == "", described(x));
      }
    }
  });
}

TEST_CASE("every cell of the book's example of LayerNorm is made as the atlas says") {
  TorchRandom random(23);
  for (const bool unbiased : {false, true})
    for (const float eps : {0.f, kNormEps, .5f}) {
      CHECK(first_wrong_cell(norm_example_runs(unbiased, eps, {})) == "");
      for (int i = 0; i < 4; ++i) {
        const auto edits = random_edits(norm_example_runs(unbiased, eps, {}), random);
        CHECK(first_wrong_cell(norm_example_runs(unbiased, eps, edits)) == "");
      }
    }
}

TEST_CASE("blocks are explained at all sizes") {
  for (const auto& [T, width, heads] : {std::tuple{1, 1, 1}, {2, 1, 1}, {64, 4, 2}, {3, 64, 4}}) {
    const BlockExample x{.T = T, .width = width, .heads = heads, .seed = 5};
    CHECK_MESSAGE(first_wrong_cell(block_example(x)) == "", described(x));
  }
}

namespace {

// Two blocks of a small GPT, a head of each opened.
Runs gpt_example() {
  const GptConfig config{.vocab_size = 9, .context_length = 4, .emb_dim = 6, .n_heads = 2, .n_layers = 2};
  TorchRandom random(5);
  const GptParams model = made_gpt(config, random, 5);
  GptReader reader(model, {3, 1, 8});
  while (!reader.done()) reader.step();
  Runs runs;
  runs.words = {"a", "b", "c"};
  for (int b = 0; b < 2; ++b) runs.runs.push_back(run_of_block(reader, b, {1 - b}));
  return runs;
}

}  // namespace

TEST_CASE("every row of the atlas is some run's, and its sources are matrices of that run") {
  std::set<const AtlasRow*> met;
  const auto look_at = [&](const Runs& runs) {
    for (const Run* run : with_heads(runs))
      for (const AtlasRow* row : atlas_rows(*run)) {
        met.insert(row);
        for (const std::string& source : sources(runs, *find(runs, run->prefix + row->name)))
          CHECK_MESSAGE(find(runs, source), row->name, " from ", source);
      }
  };
  for_every_choice([&](const Example& x) { look_at(example(sized(x, {3, 2, 2}))); });
  for (const HeadRoute route :
       {HeadRoute::interleaved, HeadRoute::no_transpose, HeadRoute::no_transpose_back})
    look_at(example({.kind = AttentionKind::mha, .d_out = 4, .heads = 2, .head_route = route}));
  for_every_block([&](const BlockExample& x) { look_at(block_example(x)); });
  for (const bool unbiased : {false, true}) look_at(norm_example_runs(unbiased, kNormEps, {}));
  look_at(gpt_example());
  for (const AtlasRow& row : whole_atlas())
    CHECK_MESSAGE(met.count(&row) == 1, row.name, " as ", row.formula, " is made by no run");
}

TEST_CASE("a matrix that forward makes and the atlas forgot is missed") {
  // Every matrix of the trace, by what for_every_choice makes of it.
  const std::pair<const char*, Tensor> tensors[] = {
      {"inputs", &Trace::inputs},
      {"queries", &Trace::queries},
      {"keys", &Trace::keys},
      {"values", &Trace::values},
      {"attn_scores", &Trace::attn_scores},
      {"scaled_scores", &Trace::scaled_scores},
      {"keep", &Trace::keep},
      {"softmax_unmasked", &Trace::softmax_unmasked},
      {"masked_zeroed", &Trace::masked_zeroed},
      {"row_sums", &Trace::row_sums},
      {"masked_renormalized", &Trace::masked_renormalized},
      {"masked_scores", &Trace::masked_scores},
      {"masked_softmax", &Trace::masked_softmax},
      {"route_difference", &Trace::route_difference},
      {"route_keep", &Trace::route_keep},
      {"route_scores", &Trace::route_scores},
      {"route_dropped", &Trace::route_dropped},
      {"route_zeroed", &Trace::route_zeroed},
      {"route_renormalized", &Trace::route_renormalized},
      {"route_sums", &Trace::route_sums},
      {"sum_normalized", &Trace::sum_normalized},
      {"attn_weights", &Trace::attn_weights},
      {"dropout_mask", &Trace::dropout_mask},
      {"attn_weights_dropped", &Trace::attn_weights_dropped},
      {"context_vec", &Trace::context_vec},
      {"concat", &Trace::concat},
      {"out", &Trace::out},
      {"resid_pre", &Trace::resid_pre},
      {"mean1", &Trace::mean1},
      {"var1", &Trace::var1},
      {"norm1", &Trace::norm1},
      {"att", &Trace::att},
      {"drop_mask1", &Trace::drop_mask1},
      {"att_dropped", &Trace::att_dropped},
      {"att_added", &Trace::att_added},
      {"resid_mid", &Trace::resid_mid},
      {"mean2", &Trace::mean2},
      {"var2", &Trace::var2},
      {"norm2", &Trace::norm2},
      {"ff_hidden", &Trace::ff_hidden},
      {"ff_gelu", &Trace::ff_gelu},
      {"ff_out", &Trace::ff_out},
      {"drop_mask2", &Trace::drop_mask2},
      {"ff_dropped", &Trace::ff_dropped},
      {"ff_added", &Trace::ff_added},
      {"resid_post", &Trace::resid_post},
  };
  static_assert(sizeof(Trace) == std::size(tensors) * sizeof(Matrix) + sizeof(std::vector<Trace::Edited>),
                "name every matrix of the trace above");
  const auto look_at = [&](const Runs& runs) {
    for (const Run* run : with_heads(runs))
      for (const auto& [name, tensor] : tensors) {
        const AtlasRow* row = atlas_row(*run, tensor);
        CHECK_MESSAGE((row != nullptr) == ((run->trace.*tensor).size() != 0), name);
        CHECK_MESSAGE((!row || row->name == name_in(*run, name)), name);
      }
  };
  for_every_choice([&](const Example& x) { look_at(example(sized(x, {3, 2, 2}))); });
  for_every_block([&](const BlockExample& x) { look_at(block_example(x)); });
  for (const bool unbiased : {false, true}) look_at(norm_example_runs(unbiased, kNormEps, {}));
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
