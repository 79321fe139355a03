// Going through a lesson: by steps, by words, at the pace of reading; and what a step tells by then.
#include <doctest.h>

#include <sstream>
#include <vector>

#include "core/number_text.hpp"
#include "lessons/act.hpp"
#include "lessons/compute.hpp"
#include "lessons/lock.hpp"
#include "lessons/pace.hpp"
#include "lessons/query.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::User;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string some_words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "word ";
  return text;
}

}  // namespace

TEST_CASE("Play stays as long as it takes to read, from 3 to 12 seconds") {
  CHECK(reading_ms("") == 3000);
  CHECK(reading_ms(some_words(5)) == 3000);
  CHECK(reading_ms(some_words(25)) == doctest::Approx(7000));
  CHECK(reading_ms(some_words(45)) == doctest::Approx(11800));
  CHECK(reading_ms(some_words(500)) == 12000);
  User s("lesson=causal-mask&step=zero");
  CHECK(stay_ms(s.state, results_of(s.state.inputs)) == reading_ms(s.sentence()));
}

TEST_CASE(
    "word by word a turn is as long as its own sentence takes, and the way to the next step is shared out") {
  User s("lesson=causal-mask&step=zero&word=0");
  const Results r = results_of(s.state.inputs);
  std::istringstream turn(lesson_of(s.state).turn(r, 0));
  int words = 0;
  for (std::string word; turn >> word;) ++words;
  const double stay = stay_ms(s.state, r);
  CHECK(stay == doctest::Approx(2000 + words * 240));
  CHECK(played_part(s.state, r, 0) == 0);
  CHECK(played_part(s.state, r, stay / 2) == doctest::Approx(.5 / 6));
  s.state.view.word = 5;
  CHECK(played_part(s.state, r, 1e9) == 1);
}

TEST_CASE("word by word Next and Back go by word, and over the ends to the steps beside") {
  User s("lesson=causal-mask&step=zero");
  s.act("by-word");
  s.act("next");
  CHECK(s.state.view.word == 1);
  CHECK(selected_cell(s.state).row == 1);
  CHECK(s.step() == "zero");
  for (int i = 0; i < 5; ++i) s.act("next");
  CHECK(s.step() == "renormalize");
  CHECK(s.state.view.word == 0);  // it begins anew there
  CHECK(selected_cell(s.state).row == 0);
  s.act("back");
  CHECK(s.step() == "zero");
  CHECK(s.state.view.word == 5);
  for (int i = 0; i < 6; ++i) s.act("back");
  CHECK(s.step() == "softmax");
  CHECK_FALSE(s.state.view.word.has_value());
}

TEST_CASE("word by word begins with the first word in every step, whoever was last in the one before") {
  User s("lesson=causal-mask&step=zero&word=5");
  s.act("step.renormalize");
  CHECK(s.state.view.word == 0);
  s.act("by-word");
  s.act("cell.masked_renormalized.5.1");
  s.act("by-word");
  CHECK(s.state.view.word == 0);
}

TEST_CASE("a turn is kept only where there is a word for it") {
  User s("lesson=causal-mask&step=zero&word=5");
  s.act("input.text", "one two");
  CHECK(s.state.view.word == 1);
  s.act("input.text", " ");
  CHECK_FALSE(s.state.view.word.has_value());
  State link = state_of("lesson=causal-mask&step=zero&word=5&text=a+b+c").state;
  fit_view(link);
  CHECK(link.view.word == 2);
  link.view.step = "minus-inf";
  fit_view(link);
  CHECK_FALSE(link.view.word.has_value());
}

TEST_CASE("training that a mask route has turned on goes with the route, and one's own stays") {
  User s("lesson=causal-mask&step=wrong&mask=none&dropout=0");
  s.act("route.after-dropout");
  CHECK(s.state.inputs.training);
  CHECK(s.state.inputs.dropout == 0.5);
  s.act("route.after-dropout");
  s.act("input.mask", "transposed");
  CHECK(s.state.inputs.mask == MaskRoute::transposed);
  CHECK_FALSE(s.state.inputs.training);
  CHECK(s.state.inputs.dropout == 0);
  s.act("input.training", "1");
  s.act("route.after-dropout");
  s.act("route.none");
  CHECK(s.state.inputs.training);
  s.act("input.training", "0");
  s.act("route.after-dropout");
  s.act("input.dropout", "0.25");
  s.act("route.none");
  CHECK(s.state.inputs.training);  // they are the user's own by then
  CHECK(s.state.inputs.dropout == 0.25);
}

TEST_CASE("the mask after dropout is called wrong only where there is dropout") {
  User s("lesson=causal-mask&mask=after-dropout");
  s.act("step.wrong");
  CHECK(s.state.inputs.training);
  CHECK(holds(s.sentence(), "0 ÷ 0"));
  s.act("input.training", "0");
  CHECK(holds(s.sentence(), "the right route"));
}

TEST_CASE("what was changed is no longer shown when nothing is") {
  User s("lesson=causal-mask&step=zero&edit=attn_scores.1.0:2&cell=attn_scores.1.0");
  s.act("changes");
  CHECK(s.state.view.changes);
  s.act("matrix.attn_scores", "Delete");
  CHECK_FALSE(s.state.view.changes);
}

TEST_CASE("of the selected row only those stages are told that the lesson has come to") {
  const auto told = [](const char* step) {
    std::string all;
    const State s = state_of(std::string("lesson=causal-mask&cell=softmax_unmasked.2.1&step=") + step).state;
    for (const Fact& f : lesson_of(s).facts(results_of(s.inputs), s)) all += f.label + ";";
    return all;
  };
  CHECK(told("scale") == "");
  CHECK(told("softmax") == "after softmax;");
  CHECK(holds(told("zero"), "Hidden from it"));
  CHECK(holds(told("zero"), "row sum after zeroing"));
  CHECK_FALSE(holds(told("zero"), "renormalized"));
  CHECK(holds(told("renormalize"), "renormalized"));
  CHECK_FALSE(holds(told("renormalize"), "−∞"));
  CHECK(holds(told("minus-inf"), "−∞"));
}

TEST_CASE("one word, and words that are alike, are spoken of truly") {
  const auto says = [](const std::string& lesson, const std::string& text, const std::string& step) {
    User s("lesson=" + lesson + "&text=" + text);
    s.act("step." + step);
    return s.sentence();
  };
  for (const std::string step : {"scale", "softmax", "renormalize"})
    for (const std::string lesson : {"self-attention", "causal-mask"}) {
      const std::string one = says(lesson, "Hello", step);
      CAPTURE(one);
      CHECK_FALSE(holds(one, "1.0000 and not 1.0000"));
      CHECK_FALSE(holds(one, "Hello: 1.0000"));
      CHECK_FALSE(holds(one, "nearly even"));
    }
  CHECK_FALSE(holds(says("self-attention", "Hello", "context"), "Compare the rows"));
  CHECK_FALSE(holds(says("causal-mask", "Hello", "zero"), "leftovers"));
  CHECK_FALSE(holds(says("causal-mask", "Hello", "wrong"), "says otherwise"));
  CHECK_FALSE(holds(says("causal-mask", "Hello", "context"), "every word"));
  CHECK_FALSE(holds(says("transfer", "Hello", "W_key"), "agree now"));
  CHECK(holds(says("transfer", "Hello", "slip"), "still copied plain"));
  CHECK(holds(says("self-attention", "a+b", "simple-context"), "of b, and add"));
  const std::string alike = "a+a+a+a";
  CHECK_FALSE(holds(says("self-attention", alike, "inputs"), "but only"));
  CHECK(holds(says("self-attention", alike, "simple-weights"), "Equal scores"));
  CHECK_FALSE(holds(says("self-attention", alike, "scale"), "and not"));
  CHECK_FALSE(holds(says("self-attention", alike, "softmax"), "leads"));
  CHECK(holds(says("causal-mask", alike, "softmax"), "Only a (4th) looks at nothing ahead"));
  CHECK(holds(says("causal-mask", "the+cat+the+dog", "softmax"), "the (1st) spends"));
}

TEST_CASE("a link to a step opens it as choosing it would, for trace and program too") {
  const State chosen = opened("lesson=causal-mask&step=dropout").state;
  CHECK(chosen.inputs.training);
  CHECK(compute(chosen.inputs).runs.front().trace.dropout_mask.size() > 0);
  CHECK_FALSE(
      opened("lesson=causal-mask&step=dropout&seed=5").state.inputs.training);  // it says what it wants
}

TEST_CASE("the turn of a word without a cell is that word's row") {
  const State s = opened("lesson=causal-mask&step=zero&word=4").state;
  CHECK(selected_cell(s).row == 4);
}

TEST_CASE("in a word's turn stands whether a model could copy from what comes later") {
  const auto turn = [](const std::string& query) {
    const State s = opened("lesson=causal-mask&step=zero&word=1" + query).state;
    return lesson_of(s).turn(results_of(s.inputs), 1);
  };
  CHECK(turn("").find("starts, with, one, step") != std::string::npos);
  CHECK(turn("").find("Its leak is 0") != std::string::npos);
  CHECK(turn("&mask=zero-scores").find("a model could copy") != std::string::npos);
}

TEST_CASE("what fixes the moves of the bench fixes the fault, and the other way round") {
  for (const char* id : {"break", "auto", "swap", "trap", "op.W_key", "slot.W_key", "source.W_key.weight"})
    CHECK(is_locked(state_of("step=slip&fault=17&lock=fault").state.view, id));
  CHECK(is_locked(state_of("lock=move").state.view, "break"));
}
