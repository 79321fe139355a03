// The transfer bench with modules of several heads.
#include <doctest.h>

#include <string>

#include "lessons/plans.hpp"
#include "lessons/pytorch.hpp"

using namespace lab;
using namespace lab::test;

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
