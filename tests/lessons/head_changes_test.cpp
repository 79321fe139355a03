// Heads that change places, are switched off, drop words, stand in a batch or are opened.
#include <doctest.h>

#include "core/atlas_check.hpp"
#include "core/head_figures.hpp"
#include "lessons/lesson.hpp"
#include "lessons/multi_head_facts.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/pytorch.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/user.hpp"

using namespace lab;

namespace {

Results results_for(const std::string& query) {
  return results_of(opened("lesson=multi-head" + (query.empty() ? "" : "&" + query)).state.inputs);
}
double most(const Results& r, const char* difference) {
  return double(difference_named(r.runs, difference).cwiseAbs().maxCoeff());
}
bool is(double value, double printed) { return std::abs(value - printed) <= 5e-5; }
Matrix cells(const Results& r, const std::string& name) {
  const auto found = find(r.runs, name);
  REQUIRE_MESSAGE(found, name);
  return found->cells;
}
std::string said(const std::string& query, const StepText& text) { return text.text(results_for(query)); }
std::string problem(const std::string& query) {
  const auto problems = state_of("lesson=multi-head&" + query).problems;
  return problems.size() == 1 ? problems.front() : std::to_string(problems.size()) + " problems";
}
std::string fact(const std::string& query, const std::string& label) {
  const State s = opened("lesson=multi-head&" + query).state;
  for (const Fact& f : head_facts(results_of(s.inputs), s))
    if (f.label == label) return f.value;
  return "";
}

using multi_head_texts::swap_step;

}  // namespace

TEST_CASE("every cell is explained of heads that changed places, dropped words and stand in a batch") {
  for (const char* query :
       {"swap=0,1", "swap=0,1&swap_out_proj=1&bias=1", "swap=0,2&heads=3&d_out=6&bias=1&off=0,1",
        "swap=1,11&heads=12&d_out=12&text=a+b+c&split=interleaved", "swap=0,1&heads=3&fault=5", "training=1",
        "training=1&batch=3&sample=2&off=0&swap=0,1", "training=1&stream=mkl&batch=2", "batch=8&sample=7",
        "example=1&swap=0,3&swap_out_proj=1&split=no-transpose", "context_length=9",
        "swap=0,1&training=1&edit=wrapper.heads.0.attn_weights.3.1:nan&edit=mha.W_key.weight.1.1:5",
        "swap=0,1&swap_out_proj=1&edit=mha.out_proj.weight.0.1:9&edit=W_value.weight.3.0:2&edit=mha.out.1.1:"
        "4",
        "swap=0,1&edit=wrapper.heads.1.W_value.weight.0.0:-2&edit=inputs.1.1:4&edit=wrapper.out.2.3:1&bias="
        "1"}) {
    CAPTURE(query);
    CHECK(first_wrong_cell(results_for(query).runs) == "");
  }
}

TEST_CASE(
    "swapped, the stack's columns change places and the mixed output moves; with out_proj's columns none "
    "does") {
  const Results r = results_for("swap=0,1");
  CHECK(is(most(r, "stacked_change"), 1.2502));
  CHECK(most(r, "fused_change") > .1);
  CHECK(difference_named(r.runs, "difference").isZero(0));
  CHECK(cells(r, "wrapper.out").leftCols(2) == cells(r, "before.wrapper.out").rightCols(2));
  CHECK(cells(r, "before.mha.out") == cells(results_for(""), "mha.out"));
  CHECK(difference_named(results_for("swap=0,1&swap_out_proj=1").runs, "fused_change").isZero(0));
  CHECK(most(results_for("swap=0,2&swap_out_proj=1&heads=3&d_out=6"), "fused_change") < 1e-6);
  CHECK_FALSE(find(results_for("").runs, "before.mha.out"));
}

TEST_CASE("what is said of a swap is so") {
  CHECK(said("swap=0,1", swap_step).find("no number is new") != std::string::npos);
  CHECK(said("swap=0,1", swap_step).find("moves by up to 0.2652") != std::string::npos);
  CHECK(said("swap=0,1&swap_out_proj=1", swap_step).find("not a bit changes") != std::string::npos);
  const char* rounds = "swap=0,2&swap_out_proj=1&heads=3&d_out=6";
  CHECK((most(results_for(rounds), "fused_change") == 0) ==
        (said(rounds, swap_step).find("not a bit changes") != std::string::npos));
  const std::string dropped = said("swap=0,1&training=1", swap_step);
  CHECK(dropped.find("no number is new") == std::string::npos);
  CHECK(dropped.find("dropout's masks stayed") != std::string::npos);
  CHECK(said("heads=3&swap=0,1", swap_step).find("2 columns cannot be shared by 3 heads") !=
        std::string::npos);
  CHECK(said("off=0", swap_step).find("2 of 2 columns move, by up to 0.3157") != std::string::npos);
  CHECK(said("swap=0,1&off=1", swap_step).find("head 2 is off") != std::string::npos);
  CHECK(said("heads=1", swap_step).starts_with("One head"));
  CHECK(said("", swap_step).starts_with("Choose two heads"));
}

TEST_CASE("what was edited or switched off goes where its head goes") {
  test::User user(
      "lesson=multi-head&heads=3&off=0&edit=wrapper.heads.0.W_value.weight.0.1:2&edit=mha.concat.1.0:3"
      "&d_out=6");
  const std::string before = query_of(user.state);
  user.act("swap.0");
  CHECK(user.hand.picked_head == 0);
  CHECK(query_of(user.state) == before);
  user.act("swap.2");
  CHECK(user.state.inputs.swap == HeadPair{0, 2});
  CHECK(user.state.inputs.off == std::vector<std::string>{"2"});
  CHECK(user.state.inputs.edits[0].cell == CellName{"wrapper.heads.2.W_value.weight", 0, 1});
  CHECK(user.state.inputs.edits[1].cell == CellName{"mha.concat", 1, 4});
  const Results r = results_of(user.state.inputs);
  CHECK(value_of(r.runs, {"before.wrapper.heads.0.W_value.weight", 0, 1}) == 2.f);
  user.act("swap.0");  // it takes its place back
  CHECK(query_of(user.state) == before);
  user.act("input.swap");
  CHECK(user.state.inputs.swap == HeadPair{0, 1});
  user.act("input.swap_out_proj");
  CHECK(user.state.inputs.swap_out_proj);
  user.act("input.swap", "1,7");
  CHECK_FALSE(user.state.inputs.swap);
}

TEST_CASE("of two heads either swaps both, and another lesson's step puts them back") {
  test::User user("lesson=multi-head&step=out_proj&edit=wrapper.heads.0.W_value.weight.0.1:2");
  user.act("step.swap");
  CHECK(user.state.inputs.swap == HeadPair{0, 1});
  CHECK(user.state.inputs.edits[0].cell.name == "wrapper.heads.1.W_value.weight");
  user.act("step.out_proj");
  CHECK_FALSE(user.state.inputs.swap);
  CHECK(user.state.inputs.edits[0].cell.name == "wrapper.heads.0.W_value.weight");
  user.act("swap.1");
  CHECK(user.state.inputs.swap == HeadPair{0, 1});
}

TEST_CASE("heads, sentences and sizes that are not there are told") {
  CHECK(problem("swap=0,5") == "swap=0,5: there is no such head; they are counted from 0, and there are 2.");
  CHECK(problem("example=1&swap=0,3") == "0 problems");
  for (const char* bad : {"swap=1", "swap=1,1", "swap=0,12", "swap=a,b", "swap=0,1,2", "swap=-1,0"}) {
    CAPTURE(bad);
    CHECK(problem(bad).find("not two heads") != std::string::npos);
  }
  CHECK(state_of("lesson=multi-head&swap=1,0").state.inputs.swap == HeadPair{0, 1});
  CHECK(problem("batch=2&sample=5") == "sample=5: counted from 0, the batch ends at 1, which is taken.");
  CHECK(
      problem("context_length=4") ==
      "context_length=4: the mask would have 4 rows and columns, and the sentence has 6 words; 6 is taken.");
  CHECK(problem("context_length=6") == "0 problems");
  test::User user("lesson=multi-head&batch=3&sample=2&context_length=7");
  user.act("input.batch", "2");
  CHECK(user.state.inputs.sample == 1);
  user.act("input.sample");
  CHECK(user.state.inputs.sample == 0);
  user.act("input.context_length", "2");
  CHECK(user.state.inputs.context_length == 6);
  CHECK(user.hand.said.find("6 words") != std::string::npos);
}

TEST_CASE("two alike sentences differ only where dropout throws other dice for them") {
  CHECK(cells(results_for("batch=2"), "mha.out") == cells(results_for("batch=2&sample=1"), "mha.out"));
  CHECK(cells(results_for("batch=2"), "mha.out") == cells(results_for(""), "mha.out"));
  const Results first = results_for("batch=2&training=1"),
                second = results_for("batch=2&sample=1&training=1"), alone = results_for("training=1");
  CHECK(cells(first, "wrapper.out") != cells(second, "wrapper.out"));
  // One module throws for the first sentence as if it were alone.
  CHECK(cells(first, "mha.out") == cells(alone, "mha.out"));
  CHECK(cells(first, "wrapper.heads.0.dropout_mask") == cells(alone, "wrapper.heads.0.dropout_mask"));
  CHECK(cells(first, "wrapper.heads.1.dropout_mask") != cells(alone, "wrapper.heads.1.dropout_mask"));
  CHECK(alone.runs.comparison.max_difference == 0);
  CHECK(first.runs.comparison.max_difference > 0);
}

TEST_CASE("why packed heads differ is told: other dice, a hand, a wrong band") {
  using namespace multi_head_texts;
  CHECK(said("training=1", pack).find("the largest difference is 0") != std::string::npos);
  CHECK(said("training=1&batch=2", pack).find("dice fall in another order") != std::string::npos);
  CHECK(said("training=1&stream=mkl", pack).find("dice fall in another order") != std::string::npos);
  CHECK(said("edit=heads.0.queries.1.1:3", pack).find("changed by hand") != std::string::npos);
  CHECK(said("fault=0", break_band).find("Only columns 0 and 1 move") != std::string::npos);
  CHECK(said("fault=0&training=1&batch=2", break_band).find("Only") == std::string::npos);
  CHECK(said("fault=0&d_out=1", break_band).find("Only column 0 moves") != std::string::npos);
}

TEST_CASE("what a head is worth is how far the output moves without it") {
  const Results r = results_for(""), off = results_for("off=0");
  CHECK(effect_of(r.runs.runs[0], 0) == doctest::Approx(most(off, "stacked_change")));
  CHECK(effect_of(r.runs.runs[2], 0) == doctest::Approx(most(off, "fused_change")));
  CHECK(is(double(effect_of(r.runs.runs[2], 1)), .0503));
  CHECK(effect_of(results_for("off=0").runs.runs[0], 0) == 0);
  CHECK(fact("step=maps&cell=wrapper.heads.0.attn_weights.1.0", "without it outputs move by") == "0.6300");
  CHECK(fact("step=maps&off=0&cell=wrapper.heads.0.attn_weights.1.0", "takes part").starts_with("no"));
}

TEST_CASE("how wide a head is, the two classes read from the same d_out in two ways") {
  CHECK(fact("d_out=6&heads=3", "Stacked: a head has") == "6 columns");
  CHECK(fact("d_out=6&heads=3", "all heads") == "3 × 6 = 18");
  CHECK(fact("d_out=6&heads=3", "Fused: all heads") == "6 columns");
  CHECK(fact("d_out=6&heads=3", "a head has") == "6 ÷ 3 = 2");
  CHECK(fact("batch=2", "shapes of the outputs") == "[2, 6, 4] [2, 6, 2]");
  CHECK(fact("context_length=8", "the mask's buffer") == "8 × 8, used 6 × 6");
  CHECK(fact("heads=3", "shapes of the outputs") == "[6, 6] none");
}

TEST_CASE("any head of any module opens into its stages, and its neighbours are one step away") {
  test::User user("lesson=multi-head&step=maps&example=1");
  const auto head = [&] { return opened_head(user.state, results_of(user.state.inputs).runs); };
  user.act("open-head.wrapper.heads.2");
  CHECK(user.step() == kStagesStep);
  CHECK(head() == "wrapper.heads.2.");
  CHECK(selected_cell(user.state).name == "wrapper.heads.2.masked_renormalized");
  user.act("head-after");
  user.act("head-after");  // there are four
  CHECK(head() == "wrapper.heads.3.");
  user.act("head-before");
  CHECK(head() == "wrapper.heads.2.");
  user.act("token.4");
  CHECK(selected_cell(user.state) == CellName{"wrapper.heads.2.masked_renormalized", 4, 1});
  user.act("close-head");
  CHECK(user.step() == kMapsStep);
  CHECK(selected_cell(user.state).name == "wrapper.heads.2.attn_weights");
  user.act("step.inside");
  user.act("open-head.heads.1");
  CHECK(head() == "heads.1.");
  user.act("close-head");
  CHECK(user.step() == "inside");
  user.act("open-head.heads.9");
  CHECK(user.step() == "inside");
  CHECK(opened_head(opened("lesson=multi-head&step=stages&cell=wrapper.out.0.0").state,
                    results_for("").runs) == "wrapper.heads.0.");
}

TEST_CASE(
    "of three heads or more inside shows the one that is looked at, and its neighbours are one step away") {
  test::User user("lesson=multi-head&step=inside&heads=3&d_out=6");
  CHECK(shows_one_head(user.state, results_of(user.state.inputs).runs));
  user.act("head-after");
  CHECK(user.step() == "inside");
  CHECK(selected_cell(user.state) == CellName{"heads.1.attn_weights", 1, 0});
  const State two = opened("lesson=multi-head&step=inside").state;
  CHECK_FALSE(shows_one_head(two, results_of(two.inputs).runs));
}

TEST_CASE("both routes of an opened head stand beside it, with what they differ by") {
  const Results r = results_for("step=stages");
  for (const char* name : {"softmax_unmasked", "masked_zeroed", "masked_renormalized", "masked_scores",
                           "masked_softmax", "route_difference"})
    for (const char* head : {"wrapper.heads.1.", "heads.0.", "mha.heads.1."})
      CHECK(find(r.runs, std::string(head) + name));
  CHECK(fact("step=stages", "row sum after zeroing") == "0.5132");
  CHECK(fact("step=stages", "max |Δ| to the −∞ route") == "2.98e-08");
  CHECK(said("", multi_head_texts::stages).find("rounding") != std::string::npos);
  CHECK(said("edit=wrapper.heads.0.masked_softmax.1.0:0", multi_head_texts::stages).find("by hand") !=
        std::string::npos);
  CHECK(said("edit=heads.1.attn_scores.0.5:1000", multi_head_texts::stages).find("0 ÷ 0") !=
        std::string::npos);
}

TEST_CASE("each sentence stands for heads that changed, dropped and were batched") {
  for (const char* query :
       {"swap=0,1", "swap=0,1&heads=3", "off=0,1", "swap=0,1&off=1&training=1", "batch=2&training=1",
        "training=1&heads=1", "text=&swap=0,1&training=1", "text=one&training=1&batch=3",
        "swap=0,3&example=1&swap_out_proj=1", "fault=1&training=1&batch=2"}) {
    const Results r = results_for(query);
    CHECK_FALSE((r.runs.words.empty()
                     ? Code{}
                     : pytorch_of(r, opened(std::string("lesson=multi-head&") + query).state))
                    .program.find('{') != std::string::npos);
    for (const Step& step : lesson_named("multi-head").steps) {
      CAPTURE(query);
      CAPTURE(step.id);
      const std::string text = sentence_of(step, r);
      CHECK_FALSE(text.empty());
      CHECK(text.find('{') == std::string::npos);
    }
  }
}
