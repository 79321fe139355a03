// What holds for every lesson, and what the causal mask's routes do.
#include <doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "core/atlas_check.hpp"
#include "core/leak.hpp"
#include "lessons/act.hpp"
#include "lessons/compute.hpp"
#include "lessons/csv.hpp"
#include "lessons/lock.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/causal_mask_texts.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::User;

namespace {

Inputs inputs_of(const std::string& query) { return state_of(query).state.inputs; }

// torch 1.13, seed 789, the book's words; the first number of the last word grows by 1, rows 1 to 5.
struct RouteFigures {
  const char* route;
  double row_sums[6];
  double moved[5];
};
constexpr RouteFigures kFigures[] = {
    {"none", {1, 1, 1, 1, 1, 1}, {0.0838, 0.0833, 0.0834, 0.0848, 0.0852}},
    {"zero-renorm", {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}},
    {"neginf", {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}},
    {"zero-scores", {1, 1, 1, 1, 1, 1}, {0.0834, 0.0796, 0.0782, 0.0815, 0.0816}},
    {"no-renorm", {0.1921, 0.3700, 0.5357, 0.6775, 0.8415, 1}, {0.0004, 0.0011, 0.0016, 0.0011, 0.0013}},
    {"off-by-one", {1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0.0852}},
    {"transposed", {1, 1, 1, 1, 1, 1}, {0.0838, 0.1035, 0.1294, 0.1735, 0.2538}},
};

}  // namespace

TEST_CASE("every cell of every lesson is made as the atlas says, edited or not") {
  for (const char* query :
       {"lesson=self-attention",
        "lesson=self-attention&edit=inputs.1.0:2&edit=W_key.0.1:-1&edit=simple.attn_scores.0.0:3",
        "lesson=causal-mask", "lesson=causal-mask&text=Your", "lesson=causal-mask&text=",
        "lesson=causal-mask&bias=1&d_in=5&d_out=4&text=a+b+c+d+e+f+g+h&training=1&stream=mkl",
        "lesson=causal-mask&training=1&leak=2&edit=attn_scores.0.5:148&edit=W_value.weight.0.0:7&edit=inputs."
        "2.1:0",
        "lesson=causal-mask&edit=keep.0.1:1&edit=influence.0.0:1",
        "lesson=transfer&move=W_key.weight,transpose,W_key"})
    for (const char* mask : {"", "&mask=none", "&mask=neginf", "&mask=zero-scores", "&mask=renorm-first",
                             "&mask=after-dropout", "&mask=transposed"}) {
      CAPTURE(query);
      CAPTURE(mask);
      CHECK(first_wrong_cell(compute(inputs_of(std::string(query) + mask))) == "");
    }
}

TEST_CASE("each route's row sums and leaks are those that PyTorch gives") {
  for (const RouteFigures& f : kFigures) {
    CAPTURE(f.route);
    const Runs runs = compute(inputs_of(std::string("lesson=causal-mask&mask=") + f.route));
    const Matrix& weights = runs.runs.front().trace.attn_weights;
    for (int r = 0; r < 6; ++r) CHECK(weights.row(r).sum() == doctest::Approx(f.row_sums[r]).epsilon(1e-4));
    for (int r = 0; r < 5; ++r) CHECK(std::abs(runs.influence(r, 5) - f.moved[r]) < 6e-5);
  }
}

TEST_CASE("the right routes do not leak, and every wrong one is caught by the leak or by its row sums") {
  for (const causal_mask_texts::RouteText& route : causal_mask_texts::routes()) {
    CAPTURE(route.name);
    const Runs runs =
        compute(inputs_of(std::string("lesson=causal-mask&training=1&mask=") + name_of(route.route)));
    const Matrix& weights = runs.runs.front().trace.attn_weights;
    float leak = 0, off = 0;
    for (int r = 0; r < 6; ++r) {
      const float sum = weights.row(r).sum();
      leak = std::max(leak, runs.leak(r, 0));
      off = std::isnan(sum) ? 1 : std::max(off, std::abs(sum - 1));
    }
    const bool caught = leak > kLeakRounding || off > 1e-4f || weights.array().isNaN().any();
    CHECK(caught == !is_right(route.route));
  }
}

TEST_CASE("who moves whom: nothing above the diagonal, something on it") {
  const Runs runs = compute(inputs_of("lesson=causal-mask&mask=neginf&text=a+b+c+d+e+f+g+h+i"));
  for (int r = 0; r < 9; ++r) {
    CHECK(runs.influence(r, r) > 0);
    for (int later = r + 1; later < 9; ++later) CHECK(runs.influence(r, later) == 0);
  }
}

TEST_CASE("the run without edits is the run that there was before them") {
  const Runs before = compute(inputs_of("lesson=causal-mask"));
  const Runs after =
      compute(inputs_of("lesson=causal-mask&edit=inputs.1.0:2&edit=W_key.weight.0.1:-1&edit=attn_scores.0.0:3"
                        "&edit=inputs.1.0:4"));
  for (const char* name : {"inputs", "W_key.weight", "attn_scores", "masked_renormalized", "context_vec"}) {
    CAPTURE(name);
    const auto was = find(before, name), unedited = find(after, kUnedited + std::string(name)),
               now = find(after, name);
    CHECK(was->cells == unedited->cells);
    CHECK_FALSE(was->cells == now->cells);
  }
}

TEST_CASE("what a step says is read in a breath: at most 45 words, numbers not counted") {
  for (const Lesson& lesson : lessons())
    for (const Step& step : lesson.steps) {
      User p(std::string("lesson=") + lesson.id);
      p.act(std::string("step.") + step.id);
      std::istringstream text(sentence_of(step, results_of(p.state.inputs)));
      int words = 0;
      for (std::string word; text >> word;)
        words += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
      CAPTURE(step.id);
      CHECK(words <= 45);
      CHECK(words >= 8);
    }
}

TEST_CASE("choosing a step sets what the step is about") {
  User s("lesson=causal-mask&mask=transposed");
  s.act("step.context");
  CHECK(s.state.inputs.mask == MaskRoute::zero_renorm);
  s.act("step.wrong");
  CHECK(s.state.inputs.mask == MaskRoute::zero_scores);
  s.act("route.after-dropout");
  CHECK(s.state.inputs.training);
  CHECK(s.state.inputs.dropout > 0);
  s.act("step.dropout");
  CHECK(s.state.inputs.mask == MaskRoute::zero_renorm);
  CHECK(s.state.inputs.training);
  s.act("step.minus-inf");
}

TEST_CASE("word by word goes from the first word to the last and stops") {
  User s("lesson=causal-mask&step=zero");
  s.act("by-word");
  for (int word = 0; word < 6; ++word) {
    CHECK(s.state.view.word == word);
    CHECK(selected_cell(s.state).row == word);
    CHECK(s.hand.playing);
    s.act("tick");
  }
  CHECK_FALSE(s.hand.playing);
  CHECK(s.state.view.word == 5);
  s.act("play");
  CHECK(s.state.view.word == 0);
  s.act("by-word");
  CHECK_FALSE(s.state.view.word.has_value());
}

TEST_CASE("a cell takes a number, gives it back, and refuses what it cannot be") {
  User s("lesson=causal-mask&step=scores");
  s.act("cell.attn_scores.2.1");
  s.act("matrix.attn_scores", "Enter");
  REQUIRE(s.hand.editing.has_value());
  s.act("edit", "-0.5");
  s.act("edit", "1e-3");
  REQUIRE(s.state.inputs.edits.size() == 1);
  CHECK(s.state.inputs.edits[0] == Edit{{"attn_scores", 2, 1}, 1e-3f});
  s.act("edit", "x");
  CHECK(s.state.inputs.edits.size() == 1);
  s.act("edit", " ");
  CHECK(s.state.inputs.edits.empty());
  s.act("step.leak");
  s.act("cell.influence.0.5");
  s.act("edit-cell");
  CHECK_FALSE(s.hand.editing.has_value());
  CHECK(s.hand.trouble != "");
}

TEST_CASE("what a link fixes cannot be changed by any act") {
  User s("lesson=causal-mask&step=wrong&mask=none&lock=lesson,step,mask,seed,edit,word");
  const State before = s.state;
  for (const char* id : {"nav.transfer", "open.transfer", "next", "back", "play", "step.zero", "route.neginf",
                         "input.mask", "edit-cell", "by-word"})
    s.act(id);
  s.act("input.seed", "5");
  s.act("matrix.attn_weights", "Enter");
  CHECK(s.state == before);
  CHECK_FALSE(s.hand.editing.has_value());
  s.act("input.d_out", "3");
  CHECK(s.state.inputs.d_out == 3);
}

TEST_CASE("what a link fixes stays fixed by any way round") {
  struct Way {
    const char *link, *id, *value;
  };
  for (const Way& w :
       {Way{"lesson=self-attention&seed=5&d_in=4&lock=seed,d_in", "nav.causal-mask", ""},
        {"lesson=self-attention&text=&lock=text", "book-sentence", ""},
        {"lesson=causal-mask&dropout=0&lock=dropout", "step.dropout", ""},
        {"lesson=causal-mask&step=wrong&dropout=0&lock=dropout,training", "route.after-dropout", ""},
        {"lesson=roadmap&lock=step", "station.pretrain", ""},
        {"lesson=book&lock=lesson", "book.3", ""},
        {"lesson=book&lock=row,filter", "check.3", ""},
        {"lesson=book&lock=row,filter", "filter", ""},
        {"lesson=causal-mask&step=zero&word=1&lock=word", "token.3", ""},
        {"lesson=causal-mask&step=zero&word=1&lock=word", "next", ""},
        {"lesson=self-attention&d_in=4&edit=inputs.0.0:9&lock=edit", "input.d_in", "5"},
        {"move=W_query.weight,transpose,W_query&lock=move", "input.from", ""},
        {"target_seed=5&lock=target_seed", "input.seed", "5"},
        {"lesson=causal-mask&lock=mask,training,step,lesson", "step.wrong", ""}}) {
    User s(w.link);
    const State before = s.state;
    s.act(w.id, w.value);
    CAPTURE(w.link);
    CAPTURE(w.id);
    State kept = s.state;
    keep_locked(kept, before);
    CHECK(kept == s.state);
  }
}

TEST_CASE("where NaN or infinity stands, no sentence tells of shares and winners") {
  for (const char* query : {"lesson=self-attention&step=softmax&edit=inputs.1.0:nan",
                            "lesson=self-attention&step=scale&edit=attn_scores.1.2:inf",
                            "lesson=self-attention&step=simple-weights&edit=inputs.1.0:nan",
                            "lesson=causal-mask&step=renormalize&edit=inputs.1.0:nan",
                            "lesson=causal-mask&step=context&edit=attn_scores.0.5:148"}) {
    const State s = state_of(query).state;
    CAPTURE(query);
    CHECK(sentence_of(step_of(s), results_of(s.inputs)).find("NaN or ∞") != std::string::npos);
  }
  const State underflow = state_of("lesson=causal-mask&step=renormalize&edit=attn_scores.0.5:148").state;
  CHECK(sentence_of(step_of(underflow), results_of(underflow.inputs)).find("0 ÷ 0") != std::string::npos);
}

TEST_CASE("a spreadsheet gets every matrix with its name and shape") {
  const std::string text = csv(compute(inputs_of("lesson=causal-mask")));
  CHECK(text.find("inputs,6,3\n0.43,0.15,0.89\n") == 0);
  CHECK(text.find("\nrow_sums,6,1\n") != std::string::npos);
  CHECK(text.find("masked_scores,6,6\n0.28") != std::string::npos);
  CHECK(text.find(",-inf") != std::string::npos);
}

TEST_CASE("Delete gives a cell back where it is selected, and not under a lock") {
  User s("lesson=causal-mask&step=zero&edit=softmax_unmasked.1.1:0.5&cell=softmax_unmasked.1.1");
  s.act("matrix.masked_zeroed", "Delete");
  CHECK(s.state.inputs.edits.size() == 1);
  s.act("matrix.softmax_unmasked", "Delete");
  CHECK(s.state.inputs.edits.empty());
  User locked("lesson=causal-mask&step=zero&lock=edit&edit=masked_zeroed.2.1:9&cell=masked_zeroed.2.1");
  locked.act("matrix.masked_zeroed", "Delete");
  CHECK(locked.state.inputs.edits.size() == 1);
}

TEST_CASE("what a teacher's link hides, enlarges and fixes goes along, and Reset does not undo it") {
  User s("lesson=causal-mask&step=zero&present=1&hide=inspector&lock=mask,edit&digits=3&seed=5");
  s.act("nav.self-attention");
  CHECK(s.state.inputs.lesson == "self-attention");
  CHECK(s.state.view.present);
  CHECK(s.state.view.hide == std::vector<std::string>{"inspector"});
  CHECK(s.state.view.lock.size() == 2);
  CHECK(s.state.view.digits == 3);
  User locked("lesson=causal-mask&seed=5&lock=seed");
  locked.act("reset");
  CHECK(locked.state.inputs.seed == 5);
}

TEST_CASE("a step does not set what is locked") {
  User s("lesson=causal-mask&lock=mask,training");
  s.act("step.wrong");
  CHECK(s.state.inputs.mask == MaskRoute::zero_renorm);
  s.act("step.dropout");
  CHECK_FALSE(s.state.inputs.training);
}

TEST_CASE("a locked cell stays selected whatever is pressed") {
  User s("lesson=causal-mask&step=zero&cell=masked_zeroed.1.0&lock=cell");
  s.act("matrix.masked_zeroed", "ArrowDown");
  s.act("token.3");
  s.act("cell.masked_zeroed.4.1");
  CHECK(selected_cell(s.state) == CellName{"masked_zeroed", 1, 0});
}

TEST_CASE("numbers are taken as people write them") {
  const auto value_of = [](const char* typed) {
    User s("lesson=causal-mask&step=scores&cell=attn_scores.2.1");
    s.act("edit-cell");
    s.act("edit", typed);
    CAPTURE(typed);
    REQUIRE(s.state.inputs.edits.size() == 1);
    return s.state.inputs.edits[0].value;
  };
  for (const char* typed : {"-2.5", "−2,5", " -2.5 ", "-25E-1"}) CHECK(value_of(typed) == -2.5f);
  for (const char* typed : {"inf", "INF", "∞", "+∞"}) CHECK(value_of(typed) > 3e38f);
  for (const char* typed : {"-inf", "-Inf", "−∞"}) CHECK(value_of(typed) < -3e38f);
  for (const char* typed : {"nan", "NaN"}) CHECK(std::isnan(value_of(typed)));
  for (const char* typed : {"1 2", "- 1", "1e99", "one"}) {
    User s("lesson=causal-mask&step=scores&cell=attn_scores.2.1");
    s.act("edit-cell");
    s.act("edit", typed);
    CAPTURE(typed);
    CHECK(s.state.inputs.edits.empty());
    CHECK(s.hand.trouble.find(typed) != std::string::npos);
  }
  User sizes("lesson=causal-mask");
  sizes.act("input.dropout", "0,25");
  CHECK(sizes.state.inputs.dropout == 0.25);
  sizes.act("input.d_in", " 4 ");
  CHECK(sizes.state.inputs.d_in == 4);
}

TEST_CASE("word by word ends where a step has no words, and a token takes its turn") {
  User s("lesson=causal-mask&step=zero&word=1");
  s.act("token.4");
  CHECK(s.state.view.word == 4);
  s.act("step.minus-inf");
  CHECK_FALSE(s.state.view.word.has_value());
}
