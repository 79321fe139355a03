// Why the outputs of the transfer bench differ: which matrix is blamed, and what cannot be seen.
#include <doctest.h>

#include <algorithm>
#include <string>

#include "lessons/plans.hpp"

using namespace lab;
using namespace lab::test;

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

TEST_CASE("under the mask the first row tells a wrong value from a wrong query or key") {
  Inputs in = bench(2, 123, "kqv");
  in.from = AttentionKind::causal;
  CHECK(difference_named(results_of(in).runs, "difference").row(0).cwiseAbs().maxCoeff() == 0);
  in.moves = plan("qk-");
  CHECK(difference_named(results_of(in).runs, "difference").row(0).cwiseAbs().maxCoeff() ==
        doctest::Approx(0.6596).epsilon(1e-3));
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
