// The transfer bench, as a learner meets it: what is moved, refused and compared, and what matches.
#include <doctest.h>

#include <string>

#include "lessons/plans.hpp"
#include "lessons/pytorch.hpp"

using namespace lab;
using namespace lab::test;

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
