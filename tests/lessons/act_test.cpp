// What clicks, drops and keys do to the State.
#include "lessons/act.hpp"

#include <string>

#include <doctest.h>
#include "lessons/query.hpp"
#include "lessons/user.hpp"
#include "lessons/verdict.hpp"

using namespace lab;

namespace {

struct Player {
  State state;
  Hand hand;
  std::uint32_t random = 7;

  explicit Player(const std::string& query = "") : state(state_of(query).state) {}
  bool does(const std::string& id, const std::string& value = "") {
    return act(state, hand, results_of(state.inputs), {id, value}, 0, random);
  }
  Verdict::Kind verdict() const { return verdict_of(results_of(state.inputs), state.view.guess).kind; }
};

}  // namespace

TEST_CASE("three drops with transposed switches lead to a match, and the lesson walks along") {
  Player p;
  for (const char* name : {"W_query", "W_key", "W_value"}) {
    CHECK(p.verdict() == Verdict::Kind::incomplete);
    p.does(std::string("op.") + name, "transpose");
    p.does(std::string("slot.") + name, std::string(name) + ".weight");
  }
  CHECK(p.verdict() == Verdict::Kind::match);
  CHECK(p.state.view.step == "match");
}

TEST_CASE("a drop that fits only the other way is refused, and completed by one more word") {
  Player p;
  const Inputs before = p.state.inputs;
  p.does("slot.W_query", "W_query.weight");
  CHECK(p.state.inputs == before);
  REQUIRE(p.hand.refused.has_value());
  p.does("other-way");
  CHECK_FALSE(p.hand.refused.has_value());
  REQUIRE(p.state.inputs.moves.size() == 1);
  CHECK(p.state.inputs.moves[0].op == MoveOp::transpose);
  CHECK(p.state.inputs.moves[0].from == "W_query.weight");
}

TEST_CASE("a matrix is picked up and placed without a mouse") {
  Player p("move=,transpose,W_key");
  p.does("source.W_key.weight");
  CHECK(p.hand.held == "W_key.weight");
  p.does("slot.W_key");
  CHECK(p.hand.held.empty());
  CHECK(text_of(p.state.inputs.moves[0]) == "W_key.weight,transpose,W_key");
}

TEST_CASE("a filled slot's switch is refused where the other way does not fit, and nothing is lost") {
  Player p("move=W_query.weight,transpose,W_query");
  const Inputs before = p.state.inputs;
  p.does("op.W_query");
  CHECK(p.state.inputs == before);
  CHECK(p.hand.refused.has_value());
}

TEST_CASE("a wire is taken out, and the slot holds its own numbers again") {
  Player p("move=W_query.weight,transpose,W_query");
  p.does("wire.W_query");
  CHECK(p.state.inputs.moves[0].from.empty());
  const Results r = results_of(p.state.inputs);
  CHECK(r.runs.runs[1].module.W_query.weight.stored == r.runs.bench->target.W_query.weight.stored);
}

TEST_CASE("Auto, Swap direction, Square trap and Reset do what they say") {
  Player p;
  p.does("auto");
  CHECK(p.verdict() == Verdict::Kind::match);
  p.does("swap");
  CHECK(p.state.inputs.from == AttentionKind::v1);
  CHECK(p.state.inputs.to == AttentionKind::v2);
  CHECK(p.verdict() == Verdict::Kind::incomplete);
  p.does("auto");
  CHECK(p.verdict() == Verdict::Kind::match);
  p.does("trap");
  CHECK(query_of(p.state).find("seed=789") != std::string::npos);
  CHECK(p.verdict() == Verdict::Kind::differ);
  p.does("reset");
  CHECK(p.state == State{});
}

TEST_CASE("Break it hides one fault; naming a slot reveals; the next change makes the plan one's own") {
  Player p;
  p.does("break");
  CHECK(p.state.inputs.fault == 7u);
  CHECK(hides_fault(p.state.inputs, p.state.view.guess));
  p.does("op.W_query");
  CHECK(hides_fault(p.state.inputs, p.state.view.guess));
  p.does("slot.W_key");
  CHECK(p.state.view.guess == "W_key");
  p.does("auto");
  CHECK_FALSE(p.state.inputs.fault.has_value());
  CHECK(p.verdict() == Verdict::Kind::match);
}

TEST_CASE("every step of the lesson can be chosen, has words, and survives every bench") {
  for (const char* query : {"", "to=causal", "from=v1&to=v2", "bias=1", "text=", "text=Your",
                            "d_in=1&d_out=1", "d_in=5&d_out=4&text=a+b+c", "from=v2&to=v2&target_seed=4"})
    for (const Step& step : lesson_of(State{}).steps) {
      Player p(query);
      CHECK(p.does(std::string("step.") + step.id));
      CHECK(p.state.view.step == step.id);
      const std::string text = sentence_of(step_of(p.state), results_of(p.state.inputs));
      CAPTURE(query);
      CAPTURE(step.id);
      CHECK(text.size() > 20);
      CHECK(text.find('{') == std::string::npos);
      CHECK(state_of(query_of(p.state)).state == p.state);
    }
}

TEST_CASE("every question of the lesson can be chosen, and answered or not, on every bench") {
  for (const char* query : {"", "to=causal", "from=v1&to=v2", "from=wrapper&to=mha&heads=2", "bias=1",
                            "text=", "text=Your", "d_in=1&d_out=1", "d_in=5&d_out=4&text=a+b+c"})
    for (const Step& step : lesson_of(State{}).questions) {
      Player p(std::string(query) + (*query ? "&" : "") + "step=question");
      CHECK(p.does(std::string("ask.") + step.asks->id));
      const Results r = results_of(p.state.inputs);
      const std::string text = sentence_of(step_of(p.state), r);
      CAPTURE(query);
      CAPTURE(step.asks->id);
      CHECK(text.size() > 20);
      CHECK(text.find('{') == std::string::npos);
      if (can_be_asked(*step.asks, r)) CHECK(is_right(*step.asks, r, step.asks->answer(r)));
    }
}

TEST_CASE("turning query and key space alike changes weights and not outputs") {
  Player p;
  p.does("step.freedom");
  CHECK(p.state.inputs.edits.size() == 12);
  const Results r = results_of(p.state.inputs);
  CHECK(r.runs.comparison.max_difference < 1e-6f);
  CHECK(
      (r.runs.runs[1].module.W_query.weight.stored - r.runs.runs[0].module.W_query.weight.stored.transpose())
          .cwiseAbs()
          .maxCoeff() > 0.1f);
  CHECK(p.verdict() == Verdict::Kind::match);
}

TEST_CASE("Play fills the slots and ends at the match") {
  Player p;
  p.does("play");
  for (int i = 0; i < 20 && p.hand.playing; ++i) p.does("tick");
  CHECK_FALSE(p.hand.playing);
  CHECK(p.state.view.step == "match");
  CHECK(p.verdict() == Verdict::Kind::match);
}

TEST_CASE("arrow keys move the selected cell and stop at the edge") {
  Player p("cell=difference.0.0");
  p.does("matrix.difference", "ArrowDown");
  p.does("matrix.difference", "ArrowRight");
  CHECK(p.state.view.cell == CellName{"difference", 1, 1});
  p.does("matrix.difference", "ArrowRight");
  CHECK(p.state.view.cell == CellName{"difference", 1, 1});
  CHECK_FALSE(p.does("no-such-thing"));
}

TEST_CASE("other modules empty the bench; other sizes keep the wires") {
  Player p("move=W_query.weight,transpose,W_query");
  p.does("input.d_out", "3");
  CHECK(p.state.inputs.moves.size() == 1);
  p.does("input.to", "causal");
  CHECK(p.state.inputs.moves.empty());
}

TEST_CASE("the modules of the bench are chosen from menus, and with both of several heads there are two") {
  Player p;
  p.does("input.from");
  CHECK(p.hand.open == "input.from");
  p.does("from.wrapper");
  CHECK(p.hand.open.empty());
  CHECK(p.hand.said == "Source: MultiHeadAttentionWrapper.");
  CHECK(p.state.inputs.heads == 1);
  p.does("to.mha");
  CHECK(p.state.inputs.heads == 2);
  p.does("from.v2");
  CHECK(p.state.inputs.heads == 1);
  CHECK(p.hand.said.find("SelfAttention_v2 is one head") != std::string::npos);
  Player locked("lock=from");
  locked.does("from.wrapper");
  CHECK(locked.state.inputs.from == AttentionKind::v2);
}

TEST_CASE("heads are dropped into bands one by one, and the lesson walks along projection by projection") {
  Player p("from=wrapper&to=mha&heads=2");
  p.does("slot.W_query.weight[0:2,0:3]", "heads.0.W_query.weight");
  CHECK(p.hand.said.find("W_query.weight of head 1 copied into W_query.weight of head 1.") == 0);
  CHECK(p.state.view.step == "W_query");
  p.does("slot.W_query.weight[2:4,0:3]", "heads.1.W_query.weight");
  CHECK(p.state.view.step == "W_key");
  for (const char* w : {"W_key", "W_value"})
    for (const int h : {0, 1})
      p.does(std::string("slot.") + w + ".weight[" + (h ? "2:4" : "0:2") + ",0:3]",
             "heads." + std::to_string(h) + "." + w + ".weight");
  CHECK(p.verdict() == Verdict::Kind::match);
  CHECK(p.state.view.step == "match");
  p.does("wire.W_key.weight[2:4,0:3]");
  CHECK(p.verdict() == Verdict::Kind::incomplete);
  p.does("swap");
  p.does("auto");
  CHECK(p.verdict() == Verdict::Kind::match);
  CHECK(p.state.inputs.moves.size() == 6);
  p.does("trap");
  CHECK(p.state.inputs.heads == 1);
  CHECK(p.state.inputs.from == AttentionKind::v2);
}

TEST_CASE("wires of heads go with their bands when sizes change") {
  Player p("from=wrapper&to=mha&heads=2&bias=1");
  p.does("auto");
  p.does("input.d_out", "3");
  p.does("input.d_in", "4");
  CHECK(p.verdict() == Verdict::Kind::match);
  CHECK(text_of(p.state.inputs.moves.back()) == "heads.1.W_value.bias,copy,W_value.bias[0:1,3:6]");
  p.does("input.heads", "3");
  CHECK(p.verdict() == Verdict::Kind::incomplete);
  CHECK(p.state.inputs.moves.size() == 12);
  p.does("input.heads", "1");
  CHECK(p.verdict() == Verdict::Kind::match);
  CHECK(text_of(p.state.inputs.moves.back()) == "heads.0.W_value.bias,copy,W_value.bias");
  Player back("from=mha&to=wrapper&heads=3&move=W_key.weight[2:4,0:3],copy,heads.2.W_key.weight");
  back.does("input.heads", "2");
  CHECK(back.state.inputs.moves.empty());
}

TEST_CASE("the steps of the bench say what is true of several heads") {
  for (const char* pair :
       {"from=wrapper&to=mha&heads=2", "from=mha&to=wrapper&heads=3", "from=mha&to=mha&heads=2",
        "from=wrapper&to=wrapper&heads=2", "to=mha", "from=wrapper&to=v1"}) {
    CAPTURE(pair);
    Player p(pair);
    p.does("auto");
    CHECK(p.verdict() == Verdict::Kind::match);
    p.does("step.freedom");
    CHECK(p.verdict() == Verdict::Kind::match);
    CHECK_FALSE(p.state.inputs.edits.empty());
    for (const Step& step : lesson_of(p.state).steps) {
      Player q(pair);
      q.state.view.step = step.id;
      const std::string text = sentence_of(step, results_of(q.state.inputs));
      CAPTURE(text);
      CHECK_FALSE(text.empty());
      CHECK(text.find('{') == std::string::npos);
    }
    p.does("break");
    const Results r = results_of(p.state.inputs);
    CHECK(hides_fault(r.inputs, ""));
    CHECK_FALSE(r.runs.comparison.all_close);
  }
}

TEST_CASE("what a fault of several heads hides is named by its band") {
  Player p("from=wrapper&to=mha&heads=2&fault=2");
  p.does("slot.W_key.weight[2:4,0:3]");
  CHECK(p.state.view.guess == "W_key.weight[2:4,0:3]");
  CHECK(p.hand.said == "You named W_key.weight of head 2.");
}

TEST_CASE("what a control stands at is told, also where it is what a link need not say") {
  test::User user("lesson=multi-head&heads=2");
  user.act("input.heads", "1");
  CHECK(user.hand.said == "heads is 1.");
  user.act("input.heads", "1");
  CHECK(user.hand.said == "heads is as it was.");
}
