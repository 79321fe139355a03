// The transfer bench, as a learner meets it: what matches, what differs, and which matrix is blamed.
#include "core/bench.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <doctest.h>
#include "lessons/pytorch.hpp"
#include "lessons/query.hpp"
#include "lessons/results.hpp"
#include "lessons/verdict.hpp"

using namespace lab;

namespace {

Results searched(const Inputs& inputs) {
  Results r = results_of(inputs);
  while (r.search && !r.search->done()) r.search->try_next();
  return r;
}
Results searched(const std::string& query) { return searched(state_of(query).state.inputs); }

std::string all_lines(const Verdict& v) {
  std::string text = v.headline + "\n";
  for (const std::string& line : v.lines) text += line + "\n";
  return text;
}

// A plan by letters for query, key and value: q, k, v is that source transposed, Q, K, V that source copied,
// - is the slot's own numbers.
std::vector<Move> plan(const std::string& letters) {
  const std::string slots[] = {"W_query", "W_key", "W_value"};
  std::vector<Move> moves;
  for (int i = 0; i < 3; ++i) {
    const char c = letters[std::size_t(i)];
    const bool copied = c >= 'A' && c <= 'Z';
    const auto which = std::string("qkv").find(copied ? char(c - 'A' + 'a') : c);
    moves.push_back({c == '-' ? "" : slots[which] + ".weight",
                     copied ? MoveOp::copy : MoveOp::transpose,
                     slots[i],
                     {},
                     {}});
  }
  return moves;
}

Inputs bench(int d_out, std::uint64_t seed, const std::string& letters) {
  Inputs in;
  in.d_out = d_out;
  in.seed = seed;
  in.moves = plan(letters);
  return in;
}

}  // namespace

TEST_CASE("both modules are made right after their own manual_seed, as exercise 3.1 makes them") {
  const Results r = results_of(Inputs{});
  const Matrix &v2 = r.runs.runs[0].trace.context_vec, &v1 = r.runs.runs[1].trace.context_vec;
  CHECK(v2(1, 0) == doctest::Approx(-0.5323).epsilon(1e-4));
  CHECK(v2(1, 1) == doctest::Approx(-0.1080).epsilon(1e-3));
  CHECK(v1(1, 0) == doctest::Approx(0.3061).epsilon(1e-3));
  CHECK(v1(1, 1) == doctest::Approx(0.8210).epsilon(1e-4));
  CHECK(r.runs.comparison.max_difference == doctest::Approx(0.9290).epsilon(1e-4));
}

TEST_CASE("three transposes make the outputs equal to the last bit") {
  for (const int d_out : {1, 2, 3, 7})
    for (const std::uint64_t seed : {123ull, 789ull, 18446744073709551615ull}) {
      const Results r = results_of(bench(d_out, seed, "qkv"));
      CHECK(r.runs.comparison.max_difference == 0);
      CHECK(verdict_of(r, "").kind == Verdict::Kind::match);
    }
}

TEST_CASE("faults move the outputs by what PyTorch says they do") {
  struct Row {
    const char* letters;
    double d3x2_123, d3x2_789, d3x3_123, d3x3_789;  // 0: refused by shape
  };
  constexpr Row rows[] = {
      {"Qkv", 0, 0, 0.00755, 0.006715},
      {"qKv", 0, 0, 0.003112, 0.02234},
      {"qkV", 0, 0, 0.513, 0.5773},
      {"QKv", 0, 0, 0.01312, 0.01407},
      {"QkV", 0, 0, 0.512, 0.5802},
      {"qKV", 0, 0, 0.5082, 0.5761},
      {"QKV", 0, 0, 0.5084, 0.5751},
      {"kqv", 0.007464, 0.007501, 0.003234, 0.003959},
      {"vkq", 0.2882, 0.7528, 0.5064, 0.256},
      {"qvk", 0.2112, 0.3957, 0.9593, 0.7554},
      {"qqv", 0.007502, 0.01049, 0.01463, 0.02681},
      {"-kv", 0.01565, 0.03405, 0.01798, 0.02662},
      {"q-v", 0.006991, 0.005186, 0.01459, 0.02798},
      {"qk-", 0.8715, 0.8158, 1.238, 1.334},
      {"--v", 0.02454, 0.01286, 0.02914, 0.06479},
      {"-k-", 0.8596, 0.8045, 1.211, 1.334},
      {"q--", 0.8733, 0.8385, 1.21, 1.357},
      {"---", 0.929, 0.9168, 1.274, 1.402},
  };
  const auto check = [](const Row& row, int d_out, std::uint64_t seed, double expected) {
    if (expected == 0) return;
    CAPTURE(row.letters);
    CAPTURE(d_out);
    const Results r = results_of(bench(d_out, seed, row.letters));
    CHECK(double(r.runs.comparison.max_difference) == doctest::Approx(expected).epsilon(1e-3));
  };
  for (const Row& row : rows) {
    check(row, 2, 123, row.d3x2_123);
    check(row, 2, 789, row.d3x2_789);
    check(row, 3, 123, row.d3x3_123);
    check(row, 3, 789, row.d3x3_789);
  }
}

TEST_CASE("the square trap and its two slips are named") {
  const Results plain = searched(bench(3, 789, "QKV"));
  CHECK(plain.runs.comparison.max_difference == doctest::Approx(0.5751).epsilon(1e-3));
  Verdict v = verdict_of(plain, "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(v.to_blame == std::vector<std::string>{"W_query", "W_key", "W_value"});
  CHECK(all_lines(v).find("W_query, W_key and W_value were copied, not transposed.") != std::string::npos);

  v = verdict_of(searched(bench(3, 789, "Qkv")), "");
  CHECK(v.figures == "max |Δ| = 0.0067");
  CHECK(all_lines(v).find("W_query was copied, not transposed. Transpose it.") != std::string::npos);

  v = verdict_of(searched(bench(3, 789, "kqv")), "");
  CHECK(v.figures == "max |Δ| = 0.0040");
  CHECK(all_lines(v).find("W_query and W_key changed places. Swap their wires.") != std::string::npos);
}

TEST_CASE("of all plans for three slots exactly one matches") {
  for (const int d_out : {2, 3})
    for (const std::uint64_t seed : {123ull, 789ull}) {
      int matching = 0, plans = 0;
      const std::string choices = d_out == 3 ? "qkvQKV-" : "qkv-";
      for (const char a : choices)
        for (const char b : choices)
          for (const char c : choices) {
            ++plans;
            matching += results_of(bench(d_out, seed, {a, b, c})).runs.comparison.all_close;
          }
      CHECK(plans == (d_out == 3 ? 343 : 64));
      CHECK(matching == 1);
    }
}

TEST_CASE("every fault that Break it can make is found, and mended by what the blame says") {
  int faults = 0;
  for (const char* pair : {"from=v2&to=v1", "from=v1&to=v2", "from=v2&to=causal", "from=causal&to=v1",
                           "from=v2&to=causal&bias=1", "from=v2&to=v2&target_seed=5"})
    for (const char* size : {"&d_in=3&d_out=2", "&d_in=3&d_out=3", "&d_in=4&d_out=4&seed=789"}) {
      const Results base = results_of(state_of(std::string(pair) + size).state.inputs);
      const auto plans = faulty_plans(*base.runs.bench);
      REQUIRE(!plans.empty());
      for (std::uint32_t n = 0; n < plans.size(); ++n) {
        ++faults;
        Results r = searched(std::string(pair) + size + "&fault=" + std::to_string(n));
        CAPTURE(pair);
        CAPTURE(size);
        CAPTURE(n);
        CHECK_FALSE(r.runs.comparison.all_close);
        REQUIRE(r.search.has_value());
        REQUIRE(r.search->blame().has_value());
        const Blame& blame = *r.search->blame();
        // One thing was broken. Where a fault can be mended with fewer changes than were made, that is the
        // answer.
        CHECK(blame.faults.size() == 1);
        Bench mended = *r.runs.bench;
        mended.moves = blame.mended;
        CHECK(run_both(mended).comparison.all_close);
        // The named slots are slots that really are wrong.
        for (const std::string& slot : blame.faults.front().slots) {
          const Move right = right_move(mended.source, mended.target, slot);
          const auto is = std::find_if(r.runs.bench->moves.begin(), r.runs.bench->moves.end(),
                                       [&](const Move& m) { return m.to == slot; });
          REQUIRE(is != r.runs.bench->moves.end());
          CHECK((is->from != right.from || is->op != right.op));
        }
      }
    }
  CHECK(faults > 250);
}

TEST_CASE("a hidden fault is not given away, and naming a slot reveals it") {
  const Results r = searched("fault=1&d_out=3&seed=789");
  const Verdict hidden = verdict_of(r, "");
  CHECK(hidden.kind == Verdict::Kind::differ);
  CHECK(hidden.to_blame.empty());
  for (const char* name : {"W_query", "W_key", "W_value"})
    CHECK(all_lines(hidden).find(name) == std::string::npos);
  const std::string culprit = r.search->blame()->faults.front().slots.front();
  CHECK(verdict_of(r, culprit).headline == "You found it");
  for (const char* name : {"W_query", "W_key", "W_value"})
    if (name != culprit) CHECK(verdict_of(r, name).headline == std::string("Not ") + name);
}

TEST_CASE("the verdict is incomplete while any slot is empty, whatever the outputs") {
  // Drawn from one seed, v2 and causal have the same weights before anything is moved.
  const Results r = results_of(state_of("to=causal").state.inputs);
  CHECK(r.runs.comparison.all_close);
  CHECK(verdict_of(r, "").kind == Verdict::Kind::incomplete);
  const Results two = results_of(bench(2, 123, "qk-"));
  CHECK(verdict_of(two, "").kind == Verdict::Kind::incomplete);
  CHECK(all_lines(verdict_of(two, "")).find("2 of 3 matrices transferred; W_value still holds its own") !=
        std::string::npos);
  CHECK(verdict_of(results_of(state_of("text=").state.inputs), "").kind == Verdict::Kind::incomplete);
}

TEST_CASE("a copy that cannot fit is refused with both shapes and the reason") {
  const Results r = results_of(Inputs{});
  const auto no = refusal({"W_query.weight", MoveOp::copy, "W_query", {}, {}}, r.runs.bench->source,
                          r.runs.bench->target);
  REQUIRE(no.has_value());
  CHECK(no->what == "W_query.weight is 2 × 3, the slot W_query is 3 × 2.");
  CHECK(no->why == "x @ W needs 3 rows, one per input number.");
  CHECK(no->other_way_fits);
  CHECK_FALSE(refusal({"W_query.weight", MoveOp::transpose, "W_query", {}, {}}, r.runs.bench->source,
                      r.runs.bench->target));
  CHECK_FALSE(refusal({"W_query.weight", MoveOp::transpose, "W_key", {}, {}}, r.runs.bench->source,
                      r.runs.bench->target));
}

TEST_CASE("a bias without a slot is a named cause") {
  Inputs in = bench(2, 789, "qkv");
  in.bias = true;
  const Verdict v = verdict_of(searched(in), "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(all_lines(v).find("SelfAttention_v2 adds a bias") != std::string::npos);
  CHECK(all_lines(v).find("SelfAttention_v1 has no place for it") != std::string::npos);
  CHECK(v.to_blame.empty());
}

TEST_CASE("the key's bias cannot be seen and is never blamed") {
  Inputs in = state_of("to=causal&bias=1&target_seed=9").state.inputs;
  for (const char* name : {"W_query", "W_key", "W_value"})
    for (const char* part : {".weight", ".bias"})
      in.moves.push_back({std::string(name) + part, MoveOp::copy, std::string(name) + part, {}, {}});
  CHECK(results_of(in).runs.comparison.all_close);
  in.moves[3] = {"W_query.bias", MoveOp::copy, "W_key.bias", {}, {}};
  CHECK(results_of(in).runs.comparison.all_close);
}

TEST_CASE("with one word query and key cannot be seen, and the verdict says so") {
  Inputs in = bench(2, 123, "kqv");
  in.text = "Your";
  const Results r = results_of(in);
  const Verdict v = verdict_of(r, "");
  CHECK(v.kind == Verdict::Kind::match);
  CHECK(all_lines(v).find("query and key cannot be seen") != std::string::npos);
  in.moves = plan("vkq");
  CHECK(results_of(in).runs.comparison.max_difference == doctest::Approx(0.175).epsilon(1e-2));
}

TEST_CASE("a causal and an unmasked module are compared under the mask, or as they are") {
  const std::string moves =
      "&move=W_query.weight,copy,W_query.weight&move=W_key.weight,copy,W_key.weight"
      "&move=W_value.weight,copy,W_value.weight";
  CHECK(searched("to=causal" + moves).runs.comparison.max_difference == 0);
  const Results r = searched("to=causal&compare=as-is" + moves);
  const Matrix& d = difference_named(r.runs, "difference");
  for (int row = 0; row < 5; ++row) CHECK(d.row(row).cwiseAbs().maxCoeff() > 1e-4f);
  CHECK(d.row(5).cwiseAbs().maxCoeff() < 1e-6f);
  const Verdict v = verdict_of(r, "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(all_lines(v).find("The mask: CausalAttention hides later words, SelfAttention_v2 does not.") !=
        std::string::npos);
}

TEST_CASE("under the mask the first row tells a wrong value from a wrong query or key") {
  Inputs in = bench(2, 123, "kqv");
  in.from = AttentionKind::causal;
  CHECK(difference_named(results_of(in).runs, "difference").row(0).cwiseAbs().maxCoeff() == 0);
  in.moves = plan("qk-");
  CHECK(difference_named(results_of(in).runs, "difference").row(0).cwiseAbs().maxCoeff() ==
        doctest::Approx(0.6596).epsilon(1e-3));
}

TEST_CASE("the tolerance decides, torch's own included") {
  Inputs in = bench(3, 789, "Qkv");
  in.atol = 0.01;
  CHECK(verdict_of(results_of(in), "").kind == Verdict::Kind::match);
  in.atol = 1e-8;
  CHECK(verdict_of(searched(in), "").kind == Verdict::Kind::differ);
}

TEST_CASE("a rectangle moves only its cells, and every target cell is written once") {
  const Results r =
      results_of(state_of("move=W_query.weight[0:1,0:3],transpose,W_query[0:3,0:1]").state.inputs);
  const Matrix &theirs = r.runs.runs[0].module.W_query.weight.stored,
               &ours = r.runs.runs[1].module.W_query.weight.stored;
  const Matrix own = r.runs.bench->target.W_query.weight.stored;
  for (int i = 0; i < 3; ++i) {
    CHECK(ours(i, 0) == theirs(0, i));
    CHECK(ours(i, 1) == own(i, 1));
  }
  const Results twice = results_of(
      state_of(
          "move=W_query.weight,transpose,W_query&move=W_query.weight[0:1,0:3],transpose,W_query[0:3,1:2]")
          .state.inputs);
  CHECK(twice.runs.problems.size() == 1);
  const std::string program = pytorch_of(twice, {.inputs = twice.inputs, .view = {}}).program;
  CHECK(program.find("v1.W_query.copy_(") != std::string::npos);
  CHECK(program.find("v1.W_query[0:3, 1:2].copy_(") == std::string::npos);
}

TEST_CASE("an edited source weight is the source's own; an edited target weight is a difference") {
  Inputs in = bench(2, 123, "qkv");
  in.edits = {{{"source.W_value.weight", 0, 0}, 2.0f}};
  CHECK(results_of(in).runs.comparison.max_difference == 0);
  in.edits = {{{"target.W_value", 0, 0}, 2.0f}};
  const Verdict v = verdict_of(searched(in), "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(all_lines(v).find("edited by hand") != std::string::npos);
}

TEST_CASE("a NaN in the source is named") {
  Inputs in = bench(2, 123, "qkv");
  in.edits = {{{"source.W_key.weight", 0, 2}, std::nanf("")}};
  const Verdict v = verdict_of(searched(in), "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(all_lines(v).find("NaN in W_key.weight[0, 2]") != std::string::npos);
}

TEST_CASE("four mistakes at once are all named") {
  Inputs in = bench(3, 123, "QKV");
  in.bias = true;
  const Verdict v = verdict_of(searched(in), "");
  CHECK(v.to_blame == std::vector<std::string>{"W_query", "W_key", "W_value"});
  CHECK(all_lines(v).find("adds a bias") != std::string::npos);
  CHECK(all_lines(v).find("were copied, not transposed") != std::string::npos);
}

TEST_CASE("a swap of plain copies is told with the transposes that it needs") {
  const Results r = searched(bench(3, 789, "KQv"));
  const Verdict v = verdict_of(r, "");
  CHECK(all_lines(v).find("W_query and W_key changed places.") != std::string::npos);
  CHECK(all_lines(v).find("W_query and W_key were copied, not transposed.") != std::string::npos);
}

TEST_CASE("a hidden fault stays the same fault when the sentence changes") {
  const Inputs six = state_of("fault=2").state.inputs;
  Inputs other = six;
  other.text = "journey starts with one";
  CHECK(results_of(six).runs.bench->moves == results_of(other).runs.bench->moves);
}

TEST_CASE("where no fault would show nothing is called a match") {
  const char* silent = "fault=0&text=Your&edit=inputs.0.0:0&edit=inputs.0.1:0&edit=inputs.0.2:0";
  CHECK(verdict_of(results_of(state_of(silent).state.inputs), "").kind == Verdict::Kind::incomplete);
}

TEST_CASE("a loose tolerance does not change the hidden plan, and the verdict says what hides it") {
  const Results strict = results_of(state_of("fault=3").state.inputs),
                loose = results_of(state_of("fault=3&atol=1").state.inputs);
  CHECK(strict.runs.bench->moves == loose.runs.bench->moves);
  CHECK(all_lines(verdict_of(loose, "")).find("the tolerance hides it") != std::string::npos);
}

TEST_CASE("either half of a swap is a right guess, whether its outputs show it or not") {
  for (const char* query : {"fault=0&text=Hello&d_in=4&d_out=4", "fault=6&text=Hello&d_in=4&d_out=4"}) {
    const Results r = searched(query);
    for (const Move& m : r.runs.bench->moves) {
      const bool right = m == right_move(r.runs.bench->source, r.runs.bench->target, m.to);
      CHECK(verdict_of(r, m.to).guessed_right == !right);
    }
  }
}

TEST_CASE("a wrong key's bias matches, and the verdict says that it cannot be seen") {
  std::string query = "from=causal&to=causal&bias=1";
  for (const char* p : {"W_query.weight", "W_query.bias", "W_key.weight", "W_value.weight", "W_value.bias"})
    query += std::string("&move=") + p + ",copy," + p;
  query += "&move=W_value.bias,copy,W_key.bias";
  const Verdict v = verdict_of(searched(query), "");
  CHECK(v.kind == Verdict::Kind::match);
  CHECK(all_lines(v).find("W_key.bias does not hold its partner") != std::string::npos);
}

TEST_CASE("a slot filled in part is empty, and pieces that do not add up are named") {
  const Results part = results_of(
      state_of("move=W_query.weight[0:1,0:3],transpose,W_query[0:3,0:1]&move=W_key.weight,transpose,W_key"
               "&move=W_value.weight,transpose,W_value")
          .state.inputs);
  CHECK(verdict_of(part, "").kind == Verdict::Kind::incomplete);
  const Results pieces = searched(
      "move=W_query.weight[0:1,0:3],transpose,W_query[0:3,1:2]&move=W_query.weight[1:2,0:3],transpose,W_"
      "query[0:3,0:1]"
      "&move=W_key.weight,transpose,W_key&move=W_value.weight,transpose,W_value");
  const Verdict v = verdict_of(pieces, "");
  CHECK(v.kind == Verdict::Kind::differ);
  CHECK(all_lines(v).find("W_query was filled piece by piece") != std::string::npos);
}

TEST_CASE("two halves that fill a slot rightly match") {
  const Results r = results_of(
      state_of(
          "move=W_query.weight[0:1,0:3],transpose,W_query[0:3,0:1]&move=W_query.weight[1:2,0:3],transpose,"
          "W_query[0:3,1:2]&move=W_key.weight,transpose,W_key&move=W_value.weight,transpose,W_value")
          .state.inputs);
  CHECK(verdict_of(r, "").kind == Verdict::Kind::match);
}

namespace {

const std::string kPacked =
    "&move=heads.0.W_query.weight,copy,W_query.weight[0:2,0:3]"
    "&move=heads.0.W_key.weight,copy,W_key.weight[0:2,0:3]"
    "&move=heads.0.W_value.weight,copy,W_value.weight[0:2,0:3]"
    "&move=heads.1.W_query.weight,copy,W_query.weight[2:4,0:3]"
    "&move=heads.1.W_value.weight,copy,W_value.weight[2:4,0:3]";

}  // namespace

TEST_CASE(
    "stacked heads packed into the fused module match to the last bit, and it is said what out_proj does") {
  const Results r = results_of(state_of("from=wrapper&to=mha&heads=2&target_seed=9" + kPacked +
                                        "&move=heads.1.W_key.weight,copy,W_key.weight[2:4,0:3]")
                                   .state.inputs);
  CHECK(r.runs.comparison.max_difference == 0);
  const Verdict v = verdict_of(r, "");
  CHECK(v.kind == Verdict::Kind::match);
  CHECK(all_lines(v).find("out_proj of MultiHeadAttention is the identity here") != std::string::npos);
  CHECK(pytorch_of(r, {.inputs = r.inputs, .view = {}})
            .program.find("mha.W_key.weight[2:4].copy_(\n        wrapper.heads[1].W_key.weight)") !=
        std::string::npos);
}

TEST_CASE("a wrong band is blamed by its head") {
  const Results r = searched("from=wrapper&to=mha&heads=2" + kPacked +
                             "&move=heads.0.W_key.weight,copy,W_key.weight[2:4,0:3]");
  const Verdict v = verdict_of(r, "");
  CHECK(v.to_blame == std::vector<std::string>{"W_key.weight[2:4,0:3]"});
  CHECK(
      all_lines(v).find("The slot W_key.weight of head 2 holds W_key.weight of head 1, where W_key.weight of "
                        "head 2 belongs.") != std::string::npos);
  // Of the other head nothing moves.
  CHECK(difference_named(r.runs, "difference").leftCols(2).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("every fault that Break it can make of several heads is named by the slot that is wrong") {
  for (const std::string pair :
       {"from=wrapper&to=mha", "from=mha&to=wrapper", "from=mha&to=mha&target_seed=5"})
    for (std::uint32_t n = 0; n < 40; n += 3) {
      const Results r = searched(pair + "&heads=2&d_in=2&d_out=2&fault=" + std::to_string(n));
      CAPTURE(pair);
      CAPTURE(n);
      REQUIRE(r.search.has_value());
      REQUIRE(r.search->blame().has_value());
      CHECK(r.search->blame()->faults.size() == 1);
      const std::string culprit = r.search->blame()->faults.front().slots.front();
      const Verdict v = verdict_of(r, culprit);
      CHECK(v.headline == "You found it");
      CHECK(state_of("guess=" + percent_encoded(culprit)).state.view.guess == culprit);
    }
}

TEST_CASE("modules of several heads do not stand beside one of a single head, and that is said") {
  const ReadQuery read = state_of("to=mha&heads=3");
  CHECK(read.state.inputs.heads == 1);
  CHECK(read.problems ==
        std::vector<std::string>{
            "heads=3: SelfAttention_v2 is one head, so MultiHeadAttention has one as well."});
  CHECK(state_of("from=mha&to=wrapper&heads=3").problems.empty());
  const ReadQuery wide = state_of("from=mha&to=wrapper&heads=12&d_out=40");
  CHECK(wide.state.inputs.d_out == 5);
  CHECK(wide.problems ==
        std::vector<std::string>{"d_out=40: 12 heads of that width are wider than 64; 5 is taken."});
  CHECK(state_of("heads=3").problems.empty());  // of neither
  // Whatever numbers there are, both sides are equally wide.
  Inputs in;
  in.to = AttentionKind::mha;
  in.heads = 5;
  CHECK(results_of(in).runs.comparison.all_close);
}

TEST_CASE("with the heads as they are a single one of a stack is compared with a module without a mask") {
  const std::string moves =
      "&move=heads.0.W_query.weight,transpose,W_query&move=heads.0.W_key.weight,transpose,W_key"
      "&move=heads.0.W_value.weight,transpose,W_value";
  CHECK(verdict_of(searched("from=wrapper" + moves), "").kind == Verdict::Kind::match);
  const Verdict v = verdict_of(searched("from=wrapper&compare=as-is" + moves), "");
  CHECK(all_lines(v).find("MultiHeadAttentionWrapper hides later words, SelfAttention_v1 does not.") !=
        std::string::npos);
}
