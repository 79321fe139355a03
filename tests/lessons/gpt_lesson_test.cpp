// The lesson of the whole model: what it says and when, held to torch's figures for seed 123 and "Hello, I
// am".
#include <doctest.h>

#include <cmath>

#include "lessons/gpt_lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"
#include "lessons/user.hpp"
#include "vocabulary.hpp"

using namespace lab;
using lab::test::question_named, lab::test::User;

namespace {

const Tokenizer& tokenizer() {
  static const auto made = Tokenizer::from(kVocabulary);
  return *made;
}
void finish(GptWork& work) {
  work.start();
  work.advance([] { return true; });
}
Results read(const std::string& query, const Results* before = nullptr) {
  const State s = opened("lesson=gpt&" + query).state;
  Results r = results_of(s.inputs, &tokenizer(), before);
  finish(*r.gpt);
  return r;
}
std::string sentence(const Results& r, const std::string& step) {
  return sentence_of(*step_about(lesson_named("gpt"), step), r);
}
void says(const Results& r, const std::string& step, std::initializer_list<const char*> parts) {
  const std::string text = sentence(r, step);
  CAPTURE(text);
  for (const char* part : parts) CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}
constexpr const char* kSmall = "size=custom&custom_dim=24&custom_layers=3&custom_heads=2";

}  // namespace

TEST_CASE("GPT-2 small says of Hello, I am what torch computes") {
  const Results r = read("size=124M");
  says(r, "ids", {"4 pieces", "15496 11 314 716"});
  says(r, "embed", {"-1.1948 + -1.2565 = -2.4513", "0.0110"});
  says(r, "block", {"length 38.89", "6.83 from attention", "5.35 from feed-forward", "39.77"});
  says(r, "tower", {"12 blocks", "38.89 to 49.60", "0.0110 before", "0.1869 before the last"});
  says(r, "maps", {"0.1036 to 0.4913 around 0.2500", "block 10, head 7", "gives “,” 0.4913"});
  says(r, "why-even", {"spread by 1.00", "to 0.58", "64 products", "÷ √64 leaves 0.34"});
  const Spreads spreads = spreads_of(*r.gpt->reading());
  CHECK(std::abs(spreads.scaled - .3389) < 1e-4);
  CHECK(std::abs(spreads.least - .1336) < 1e-4);
  CHECK(spreads.flattest == HeadPlace{0, 4});
  CHECK(std::abs(spreads.most - .5719) < 1e-4);
  CHECK(spreads.sharpest == HeadPlace{1, 6});
  says(r, "logits", {"50257 rows", "spread by 0.5756", "the largest is 2.4972"});
  says(r, "next",
       {"Feature", "0.0205 percent", "10.33 times", "10.6602 of at most 10.8249", "nearly undecided"});
  says(r, "greedy", {"Featureiman Byeswickattribute argue logger Normandy Compton analogous"});
  for (const auto& [id, answer] :
       {std::pair<const char*, const char*>{"gp1", "2"}, {"gp2", "0"}, {"gp3", "1"}})
    CHECK(question_named("gpt", id).answer(r) == answer);
  CHECK(question_named("gpt", "gp3").revealed(r).find("423.94; the next one has 115.33") !=
        std::string::npos);
  const std::pair<const char*, const char*> temperatures[] = {
      {"0.1", "74.03"}, {"0.25", "3.2"}, {"2", "0.0067"}};
  for (const auto& [temperature, percent] : temperatures)
    says(read(std::string("size=124M&temperature=") + temperature, &r), "next", {"·Feature", percent});

  const Results tied = read("size=124M&tied=1", &r);
  CHECK(tied.gpt->model() == r.gpt->model());  // not drawn again
  says(tied, "tie", {"38,597,376", "423.94 against 115.33"});
  const Results bare = read("size=124M&shortcuts=0", &r);
  says(bare, "shortcuts", {"0.718", "1.0000"});
  const Results unscaled = read("size=124M&scaled=0", &r);
  CHECK(std::abs(spreads_of(*unscaled.gpt->reading()).scores - 2.7015) < 1e-4);

  std::string again = "size=124M&text=one+two+three";
  for (int i = 1; i < 21; ++i) again += "+one+two+three";
  const Results repeated = read(again, &r);
  CHECK(repeated.gpt->ids().size() == 63);
  says(repeated, "repeat", {"Block 3, head 11", "·three 1.609"});
  const Results dummy = read("size=124M&dummy=1");
  says(dummy, "logits", {"spread by 0.8072"});
  says(dummy, "tower", {"outline"});
  CHECK(next_tokens(dummy.gpt->logits(), 1).top[0].id == 12170);
  CHECK(std::abs(next_tokens(dummy.gpt->logits(), 1).entropy - 10.5017) < 1e-4);
}

TEST_CASE("what is said of a tied head, of a block and of the sum holds for small models too") {
  const Results tied = read("size=custom&custom_dim=24&custom_layers=3&custom_heads=2&tied=1");
  CHECK(next_tokens(tied.gpt->logits(), 1).top[0].id != tied.gpt->ids().back());
  says(tied, "tie", {"have moved the stream away"});
  CHECK(sentence(tied, "tie").find("repeats itself") == std::string::npos);
  const State s = opened(std::string("lesson=gpt&tied=1&step=tie&") + kSmall).state;
  const auto facts = lesson_of(s).facts(tied, s);
  CHECK(facts[0].value ==
        gpt_texts::grouped(
            ledger_of({.emb_dim = 24, .n_heads = 2, .n_layers = 3, .tied = true}, 1, 1).parameters));
  Results r = read(kSmall);
  const State last = opened(std::string("lesson=gpt&step=block&block=2&") + kSmall).state;
  open_looked_at_head(r, last);
  says(r, "block", {"Block 3 adds", decimals(r.gpt->reading()->blocks()[2].figures.att, 2).c_str()});
  says(read(std::string(kSmall) + "&shortcuts=0"), "tower", {"shrink from"});
}

TEST_CASE("with top-k others have no share, and by chance the seed decides, the same each time") {
  const Results r = read(std::string(kSmall) + "&top_k=5");
  CHECK(next_tokens(r.gpt->logits(), 10, 1, 5).top.size() == 5);
  says(r, "next", {"Only the 5 likeliest may come next", "of at most 1.6094"});
  const Results chance = read(std::string(kSmall) + "&top_k=5&chance=1", &r);
  CHECK(chance.gpt->written() != r.gpt->written());
  CHECK(chance.gpt->written() == read(std::string(kSmall) + "&top_k=5&chance=1").gpt->written());
  says(chance, "greedy", {"laid end to end"});
  CHECK(read(std::string(kSmall) + "&top_k=1&chance=1", &chance).gpt->written() == r.gpt->written());
}

TEST_CASE("a model that is too large is read block by block, writes nothing, and says why") {
  const GptPlan plan = gpt_plan(gpt_sizes()[3].config, 1024);
  CHECK(plan.by_block);
  CHECK(plan.bytes <= kMostBytes);
  CHECK(!gpt_plan(gpt_sizes()[1].config, 1024).by_block);
  const Results r = results_of(opened("lesson=gpt&size=1558M").state.inputs, &tokenizer());
  CHECK(r.gpt->stage() == GptWork::Stage::waiting);
  CHECK(sentence(r, "next").find("6247.68 MiB, more than a page may keep") != std::string::npos);
  CHECK(sentence(r, "greedy").find("6247.68 MiB") != std::string::npos);
}

TEST_CASE("a text that is being read can be stopped, and goes on where it was") {
  Results r = results_of(opened(std::string("lesson=gpt&") + kSmall).state.inputs, &tokenizer());
  while (r.gpt->stage() == GptWork::Stage::drawing || !r.gpt->reading()) {
    int pieces = 0;
    r.gpt->advance([&] { return ++pieces < 2; });
  }
  r.gpt->advance([&] { return r.gpt->stage() != GptWork::Stage::writing; });
  r.gpt->cancel();
  CHECK(r.gpt->stage() == GptWork::Stage::halted);
  const Results other =
      results_of(opened(std::string("lesson=gpt&digits=2&") + kSmall).state.inputs, &tokenizer(), &r);
  CHECK(other.gpt->stage() == GptWork::Stage::halted);
  finish(*r.gpt);
  CHECK(r.gpt->stage() == GptWork::Stage::done);
  CHECK(r.gpt->written() == read(kSmall).gpt->written());
}

TEST_CASE("how long it still takes is told from how long it took") {
  Results r = results_of(opened("lesson=gpt").state.inputs, &tokenizer());
  r.gpt->start();
  double now = 0;
  const auto piece = [&] {
    int pieces = 0;
    r.gpt->advance([&] { return ++pieces < 40; }, now);
    now += 500;
  };
  piece();
  CHECK(!r.gpt->seconds_left());
  for (int i = 0; i < 5; ++i) piece();
  REQUIRE(r.gpt->seconds_left());
  CHECK(*r.gpt->seconds_left() ==
        doctest::Approx(2 * (1 - r.gpt->progress()) / r.gpt->progress()).epsilon(.4));
}

TEST_CASE("the answers to the questions about the model come from its numbers") {
  const Results small = read(kSmall);
  for (const Step& step : lesson_named("gpt").questions) {
    const Question& q = *step.asks;
    CAPTURE(q.id);
    REQUIRE(can_be_asked(q, small));
    CHECK(q.hints(small).size() >= 2);
    CHECK(q.revealed(small) != "");
    if (q.kind == Question::Kind::setting) continue;
    CHECK(is_right(q, small, q.answer(small)));
    if (q.kind != Question::Kind::choice) continue;
    const auto choices = q.choices(small);
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (std::to_string(i) != q.answer(small)) {
        CHECK_FALSE(is_right(q, small, std::to_string(i)));
        CHECK(q.why_not(small, std::to_string(i)) != "");
      }
  }
  CHECK_FALSE(can_be_asked(question_named("gpt", "gp2"), read(std::string(kSmall) + "&text=Hello")));
  CHECK_FALSE(can_be_asked(question_named("gpt", "gp3"), read(std::string(kSmall) + "&tied=1")));
}

TEST_CASE(
    "a small model is drawn unasked, a large one when it is told to, and what it cost is let go on Cancel") {
  Results small = results_of(opened(std::string("lesson=gpt&") + kSmall).state.inputs, &tokenizer());
  CHECK(small.gpt->stage() == GptWork::Stage::drawing);
  Results large = results_of(opened("lesson=gpt").state.inputs, &tokenizer());
  CHECK(large.gpt->stage() == GptWork::Stage::waiting);
  CHECK(sentence(large, "next").find("163,009,536 numbers are not drawn yet: 621.83 MiB") !=
        std::string::npos);
  large.gpt->start();
  int pieces = 0;
  large.gpt->advance([&] { return ++pieces < 5; });
  CHECK(large.gpt->progress() > 0);
  CHECK(large.gpt->stage() == GptWork::Stage::drawing);
  large.gpt->cancel();
  CHECK(large.gpt->progress() == 0);
  CHECK(large.gpt->stage() == GptWork::Stage::waiting);
}

TEST_CASE("what a page cannot keep and what does not divide is said before it is tried") {
  const auto stage = [](const char* query) {
    return results_of(opened(std::string("lesson=gpt&") + query).state.inputs, &tokenizer()).gpt->stage();
  };
  for (const char* size : {"size=355M", "size=774M", "size=1558M"})
    CHECK(stage(size) == GptWork::Stage::waiting);
  const Results odd = read("size=custom&custom_dim=10&custom_heads=3");
  CHECK(sentence(odd, "tower") == "10 columns cannot be shared by 3 heads. Try emb_dim 9 or 12.");
  CHECK(sentence(odd, "sizes").find("Four") == std::string::npos);
}

TEST_CASE(
    "another text, another seed and other choices are read anew with what is drawn already, or drawn anew") {
  const Results r = read(kSmall);
  CHECK(read(std::string(kSmall) + "&text=other+words", &r).gpt->model() == r.gpt->model());
  CHECK(read(std::string(kSmall) + "&scaled=0", &r).gpt->model() == r.gpt->model());
  CHECK(read(std::string(kSmall) + "&seed=124", &r).gpt->model() != r.gpt->model());
  CHECK(read(std::string(kSmall) + "&bias=1", &r).gpt->model() != r.gpt->model());
}

TEST_CASE("every step has words in every state, and none has more than a breath holds") {
  const Results none = results_of(opened("lesson=gpt&text=").state.inputs, &tokenizer());
  const Results without = results_of(opened("lesson=gpt").state.inputs);  // the vocabulary is on its way
  for (const Results& r : {read(kSmall), read(std::string(kSmall) + "&text=a"), none, without})
    for (const Step& step : lesson_named("gpt").steps) CHECK(sentence_of(step, r) != "");
}

TEST_CASE("a text that is longer than there are places loses its beginning, and that is said") {
  std::string many = "text=";
  for (int i = 0; i < 800; ++i) many += "wordword+";
  const Results r = read(std::string(kSmall) + "&" + many);
  CHECK(r.gpt->ids().size() == 1024);
  CHECK(r.gpt->to_write() == 0);
  says(r, "greedy", {"All places are taken"});
  CHECK(sentence(r, "ids").find(std::to_string(r.gpt->cut()) + " tokens had no place") != std::string::npos);
}

TEST_CASE("heads are walked and chosen, the boldest is looked at first, and sizes are taken") {
  User user(std::string("lesson=gpt&step=maps&") + kSmall);
  Results r = results_of(user.state.inputs, &tokenizer());
  finish(*r.gpt);
  const auto act = [&](const char* id, const char* value = "") {
    lab::act(user.state, user.hand, r, {id, value}, 0, 0);
  };
  const HeadPlace bold = boldest_head(*r.gpt->reading()).place;
  CHECK(looked_at_head(r, user.state).block == bold.block);
  act("cell.heads.2.1");
  CHECK(looked_at_head(r, user.state).block == 2);
  CHECK(looked_at_head(r, user.state).head == 1);
  act("matrix.heads", "ArrowUp");
  CHECK(looked_at_head(r, user.state).block == 1);
  open_looked_at_head(r, user.state);
  REQUIRE(find(r.runs, "blocks.1.heads.1.attn_weights"));
  CHECK(!is_editable(r.runs, "blocks.1.heads.1.attn_weights"));
  act("cell.blocks.1.heads.1.attn_weights.2.1");
  CHECK(user.state.view.cell == CellName{"blocks.1.heads.1.attn_weights", 2, 1});
  act("floor.2");
  CHECK(looked_at_head(r, user.state).block == 2);
  CHECK(user.state.view.step == "maps");
  act("part.embed");
  CHECK(user.state.view.step == "embed");
  act("floor.0");
  CHECK(user.state.view.step == "block");
  act("token.1");
  CHECK(looked_at_token(r, user.state) == 1);
  act("ledger.774M");
  CHECK(user.state.inputs.gpt_size == "774M");
}

TEST_CASE("one's own sentence goes along from lesson to lesson, a lesson's own does not") {
  User user("lesson=causal-mask");
  user.act("nav.gpt");
  CHECK(user.state.inputs.text == "Hello, I am");
  user.act("nav.causal-mask");
  CHECK(user.state.inputs.text == kBookSentence);
  user.act("input.text", "my own words");
  user.act("nav.gpt");
  CHECK(user.state.inputs.text == "my own words");
}

TEST_CASE("how a piece is put together is told merge by merge") {
  const Results r = read(std::string(kSmall) + "&text=lowest");
  const auto merges = r.gpt->merges(0);
  REQUIRE(merges.size() > 1);
  CHECK(merges.front().size() == 6);
  for (std::size_t i = 1; i < merges.size(); ++i) CHECK(merges[i].size() == merges[i - 1].size() - 1);
}
