// The numbers that the lesson of several heads speaks of, as PyTorch gives them.
#include <doctest.h>

#include "core/atlas_check.hpp"
#include "core/head_figures.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/user.hpp"

using namespace lab;

namespace {

Results results_for(const std::string& query) {
  return results_of(opened("lesson=multi-head" + (query.empty() ? "" : "&" + query)).state.inputs);
}
double difference_in(const std::string& query) {
  return double(results_for(query).runs.comparison.max_difference);
}
double most(const Matrix& m) { return double(m.cwiseAbs().maxCoeff()); }
double cell(const Results& r, const char* name, int row, int col) {
  return double(value_of(r.runs, {name, row, col}).value());
}
bool is(double value, double printed) { return std::abs(value - printed) <= 5e-5; }

Matrix weights_of_head(const Results& r, int head) {
  return find(r.runs, "wrapper.heads." + std::to_string(head) + ".attn_weights")->cells;
}

}  // namespace

TEST_CASE("both classes called with the same numbers answer as the book prints") {
  const Results r = results_for("");
  CHECK(is(cell(r, "wrapper.out", 1, 0), -0.5874));
  CHECK(is(cell(r, "wrapper.out", 1, 3), 0.3257));
  CHECK(is(cell(r, "mha.out", 1, 0), 0.2943));
  CHECK(is(cell(r, "mha.out", 1, 1), 0.3897));
  CHECK(is(most(difference_named(r.runs, "map_difference")), 0.0433));
  CHECK(is(most(difference_named(r.runs, "context_difference")), 1.2502));
  CHECK(difference_named(r.runs, "difference").isZero(0));
  CHECK(is(cell(r, "heads.1.queries", 1, 1), 0.5643));
  CHECK(is(cell(r, "queries", 1, 3), 0.5643));
}

TEST_CASE("wrong splits are off by what PyTorch is off by") {
  CHECK(difference_in("") == 0);
  CHECK(is(difference_in("split=interleaved"), 0.0143));
  CHECK(is(difference_in("split=no-transpose"), 0.5819));
  CHECK(std::abs(difference_in("split=no-transpose-back") - 1.173) < 5e-4);
  CHECK(is(difference_in("split=whole-scale"), 0.0068));
}

TEST_CASE("a wrong band moves the columns of its head alone") {
  const Results r = results_for("fault=0");
  const Matrix& d = difference_named(r.runs, "difference");
  CHECK(is(most(d.leftCols(2)), 0.0116));
  CHECK(d.rightCols(2).isZero(0));
  CHECK(is(double(d(1, 1)), -0.0116));
  CHECK(is(difference_in("fault=4"), 1.2430));  // the value band of head 1
  CHECK(is(most(difference_named(results_for("fault=4").runs, "difference")), 1.2430));
}

TEST_CASE("switched off, a head leaves zeros before out_proj and moves every column after it") {
  const Results all = results_for(""), without = results_for("off=0");
  const auto moved = [&](const char* name) {
    return Matrix(find(without.runs, name)->cells - find(all.runs, name)->cells);
  };
  CHECK(is(most(moved("wrapper.out").leftCols(2)), 0.6300));
  CHECK(moved("wrapper.out").rightCols(2).isZero(0));
  CHECK(is(most(moved("mha.out").col(0)), 0.1053));
  CHECK(is(most(moved("mha.out").col(1)), 0.3157));
}

TEST_CASE("the figures of a head are those of its weights") {
  const Results r = results_for("");
  const HeadFigures first = figures_of(weights_of_head(r, 0)), second = figures_of(weights_of_head(r, 1)),
                    even = figures_of(even_weights(6));
  CHECK(is(first.entropy, 1.3155));
  CHECK(is(second.entropy, 1.3123));
  CHECK(is(even.entropy, 1.3159));
  CHECK(is(first.last_entropy, 0.9999));
  CHECK(is(second.last_entropy, 0.9985));
  CHECK(is(first.distance, 1.2467));
  CHECK(is(even.distance, 1.25));
  CHECK(first.most_attended == 0);
  CHECK(is(second.most_attended_by, 0.3801));
}

TEST_CASE("heads built by hand look where their names say, in sentences of any length") {
  for (const char* text : {"to+be+or+not+to+be", "a", "a+b", "a+a+a", "Your+journey+starts+with+one+step",
                           "one+two+three+four+five+six+seven+eight+nine+ten+one+two+three+four+five+six"}) {
    CAPTURE(text);
    const Results r = results_for(std::string("example=1&text=") + text);
    const auto& words = r.runs.words;
    for (int row = 0; row < int(words.size()); ++row) {
      const auto share = [&](int head, int col) { return weights_of_head(r, head)(row, col); };
      CHECK(share(0, std::max(0, row - 1)) > .7f);
      CHECK(share(1, 0) > .7f);
      CHECK(share(2, row) > .7f);
      float same = 0;
      for (int c = 0; c <= row; ++c)
        if (words[std::size_t(c)] == words[std::size_t(row)]) same += share(3, c);
      CHECK(same > .7f);
    }
  }
}

TEST_CASE("heads that cannot share the columns are told what would do") {
  const Results r = results_for("heads=3");
  CHECK_FALSE(find(r.runs, "mha.out"));
  CHECK(multi_head_texts::cannot_share(2, 3) == "2 columns cannot be shared by 3 heads. Try d_out 3 or 6.");
  CHECK(multi_head_texts::cannot_share(7, 2) == "7 columns cannot be shared by 2 heads. Try d_out 6 or 8.");
  CHECK(multi_head_texts::heads.text(r).starts_with("2 columns cannot be shared"));
  CHECK(find(r.runs, "wrapper.out")->cells.cols() == 6);
}

TEST_CASE("every cell of the lesson is explained, whatever is chosen, edited and switched off") {
  for (const char* query :
       {"", "bias=1&heads=3&d_out=6", "heads=1", "heads=12&d_out=12&d_in=2&text=a+b+c",
        "split=interleaved&heads=3&d_out=3", "split=no-transpose", "split=no-transpose-back&off=1",
        "split=whole-scale", "fault=3&bias=1", "off=0,1", "training=1&off=1", "example=1",
        "example=1&split=interleaved&fault=7", "text=", "text=one",
        "edit=wrapper.heads.0.attn_weights.3.1:nan&edit=W_key.weight.1.1:5&edit=mha.concat.2.0:3",
        "edit=wrapper.heads.1.W_value.weight.0.0:-2&edit=inputs.1.1:4&edit=heads.0.queries.2.1:9&bias=1"}) {
    CAPTURE(query);
    CHECK(first_wrong_cell(results_for(query).runs) == "");
  }
}

TEST_CASE("each sentence of the lesson stands with any number of heads, words and widths") {
  for (const char* query : {"heads=1", "heads=12", "text=one", "text=", "d_out=1&d_in=1", "d_out=64&heads=4",
                            "example=1", "fault=5", "split=no-transpose"}) {
    const Results r = results_for(query);
    for (const Step& step : lesson_named("multi-head").steps) {
      CAPTURE(query);
      CAPTURE(step.id);
      const std::string text = sentence_of(step, r);
      CHECK_FALSE(text.empty());
      CHECK(text.find('{') == std::string::npos);
    }
  }
}

TEST_CASE("two heads are switched off one after the other, and come back") {
  test::User user("lesson=multi-head&heads=3");
  user.act("off.0");
  user.act("off.1");
  CHECK(user.state.inputs.off == std::vector<std::string>{"0", "1"});
  user.act("off.0");
  CHECK(user.state.inputs.off == std::vector<std::string>{"1"});
}

namespace {

std::string said(const std::string& query, const StepText& text) { return text.text(results_for(query)); }
bool tells(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }
std::string fact(const std::string& query, const std::string& label) {
  const State state = opened("lesson=multi-head&" + query).state;
  for (const Fact& f : lesson_of(state).facts(results_of(state.inputs), state))
    if (f.label == label) return f.value;
  return "none";
}

}  // namespace

TEST_CASE("heads that look elsewhere with one W_value are not said to look alike and carry other things") {
  const std::string example = said("example=1", multi_head_texts::carry);
  CHECK_MESSAGE(tells(example, "look in different places. Both have the same W_value"), example);
  CHECK(tells(said("", multi_head_texts::carry), "nearly the same places and carry different things"));
  CHECK(tells(said("edit=inputs.1.0:nan", multi_head_texts::carry), "holds NaN"));
}

TEST_CASE("a band that is exchanged for an equal one is told from a wrong one") {
  for (const int fault : {0, 1}) {  // heads 1, 2 and 3 have one key
    const std::string query = "example=1&fault=" + std::to_string(fault);
    const std::string equal = said(query, multi_head_texts::break_band);
    CHECK_MESSAGE(tells(equal, "hold the same numbers"), equal);
    CHECK_FALSE(tells(equal, "no number of that band"));
  }
  const std::string wrong = said("fault=4", multi_head_texts::break_band);
  CHECK_MESSAGE(tells(wrong, "Only columns 0 and 1 move, by up to 1.2430"), wrong);
  CHECK_FALSE(tells(wrong, "most"));
}

TEST_CASE("where numbers are none, no difference, share or reason is made up") {
  const std::string infinite = "edit=inputs.1.0:-inf&step=stages";
  CHECK(fact(infinite + "&cell=wrapper.heads.0.masked_zeroed.1.0", "max |Δ| to the −∞ route") == "NaN");
  CHECK(fact("edit=inputs.1.0:inf&step=maps&cell=wrapper.heads.0.attn_weights.1.0", "most attended") ==
        "NaN");
  CHECK(tells(said("edit=inputs.1.0:inf", multi_head_texts::maps), "holds NaN"));
}

TEST_CASE("a row that was changed by hand and no longer sums to 1 is told") {
  const std::string edit = "edit=wrapper.heads.1.attn_weights.5.4:9&cell=wrapper.heads.1.attn_weights.5.4";
  const std::string text = said(edit, multi_head_texts::maps);
  CHECK_MESSAGE(tells(text, "In head 2, row step sums to 9."), text);
  CHECK(tells(fact("step=maps&" + edit, "row step sums to"), ", not 1"));
  CHECK_FALSE(tells(said("", multi_head_texts::maps), "sums to"));
}

TEST_CASE("sizes are proposed that can be taken") {
  CHECK(multi_head_texts::cannot_share(64, 12) == "64 columns cannot be shared by 12 heads. Try d_out 60.");
  CHECK(multi_head_texts::cannot_share(2, 3) == "2 columns cannot be shared by 3 heads. Try d_out 3 or 6.");
}

TEST_CASE("a split that changes nothing for one head, or heads of one column, is said to change nothing") {
  for (const char* split : {"interleaved", "no-transpose", "no-transpose-back"}) {
    const std::string query = std::string("heads=1&split=") + split;
    CHECK(difference_in(query) == 0);
    CHECK_MESSAGE(tells(said(query, multi_head_texts::inside), "One head owns all columns"), split);
  }
  CHECK(tells(said("heads=1&split=whole-scale", multi_head_texts::inside), "this scale is the right one"));
  CHECK(difference_in("heads=2&d_out=1&split=interleaved") == 0);
  CHECK(tells(said("heads=2&d_out=1&split=interleaved", multi_head_texts::inside), "the same column"));
  CHECK(tells(said("split=interleaved", multi_head_texts::inside), "off by up to 0.0143"));
}
