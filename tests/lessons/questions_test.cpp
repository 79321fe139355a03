// What the lessons ask: the answers come from the numbers, a wrong one is told why not, and what is to be set
// is checked where it stands.
#include <doctest.h>

#include <cctype>
#include <set>
#include <sstream>

#include "core/number_text.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::question_named, lab::test::User;

namespace {

// At the question, as a link opens it, with all numbers there.
struct Asked {
  User user;
  Results results;
  const Question& question;
  Asked(const std::string& lesson, const std::string& id, const std::string& rest = "")
      : user("lesson=" + lesson),
        results(results_of(opened("lesson=" + lesson + "&question=" + id + rest).state.inputs)),
        question(question_named(lesson, id)) {
    user.state = opened("lesson=" + lesson + "&question=" + id + rest).state;
  }
  std::string answer() const { return question.answer(results); }
  bool takes(const std::string& given) const { return is_right(question, results, given); }
  std::string why_not(const std::string& given) const { return question.why_not(results, given); }
};

struct Place {
  const Lesson& lesson;
  const Question& question;
};
std::vector<Place> all_questions() {
  std::vector<Place> all;
  for (const Lesson& lesson : lessons())
    for (const Step& step : lesson.questions) all.push_back({lesson, *step.asks});
  return all;
}

int words_in(const std::string& text) {
  std::istringstream in(text);
  int words = 0;
  for (std::string word; in >> word;)
    words += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c); });
  return words;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every lesson ends with its questions, and they are asked there alone") {
  std::set<std::string> ids;
  for (const Lesson& lesson : lessons()) {
    CAPTURE(lesson.id);
    REQUIRE_FALSE(lesson.questions.empty());
    CHECK(lesson.steps.back().asks == lesson.questions.front().asks);
    for (const Step& step : lesson.steps.first(lesson.steps.size() - 1)) CHECK_FALSE(step.asks);
    for (const Step& step : lesson.questions) {
      CHECK(std::string(step.id) == kQuestionStep);
      CHECK(ids.insert(step.asks->id).second);
      CHECK(is_name(step.asks->id));
    }
  }
  for (const char* exercise : {"e3.2", "e3.3", "e4.1", "e4.2-medium", "e4.2-large", "e4.2-xl", "e4.3"})
    CHECK(ids.count(exercise) == 1);
}

TEST_CASE("the answers to the questions come from the numbers") {
  for (const auto& [lesson, q] : all_questions()) {
    if (lesson.stage == Stage::gpt) continue;  // has a model to draw first: gpt_lesson_test
    CAPTURE(q.id);
    const Asked a(lesson.id, q.id);
    REQUIRE(can_be_asked(q, a.results));
    CHECK(words_in(q.asked(a.results)) <= 45);
    CHECK(words_in(q.asked(a.results)) >= 8);
    CHECK(q.hints(a.results).size() >= 2);
    CHECK(q.revealed(a.results) != "");
    CHECK_FALSE(a.takes(""));
    if (q.kind == Question::Kind::setting) continue;
    CHECK(a.takes(a.answer()));
    CHECK_FALSE(a.takes("nonsense"));
    if (q.kind != Question::Kind::choice) continue;
    const auto choices = q.choices(a.results);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      CHECK(a.takes(std::to_string(i)) == (std::to_string(i) == a.answer()));
      if (std::to_string(i) != a.answer()) CHECK(a.why_not(std::to_string(i)) != "");
    }
  }
}

// What the lessons open with, computed with torch: the answer, one that tempts, and a part of why not.
struct Expected {
  const char *lesson, *id, *answer, *tempting, *why_not;
};
constexpr Expected kExpected[] = {
    {"self-attention", "sa1", "simple.attn_scores.3.1", "simple.attn_scores.3.3", "low even with itself"},
    {"self-attention", "sa2", "1.2806", "0.9056", "divided by 2, and not by its root"},
    {"self-attention", "sa3", "2", "0", "They cannot all grow"},
    {"self-attention", "sa4", "0.1667", "0", "not no scores"},
    {"transfer", "tr1", "0", "1", "not the same shape"},
    {"transfer", "tr2", "0", "0.8715", "So far apart are the outputs"},
    {"transfer", "tr3", "2", "0", "0.0067"},
    {"transfer", "tr4", "0", "1", "q · k + q · b"},
    {"causal-mask", "cm1", "masked_zeroed.5.0", "masked_zeroed.0.0", "above the diagonal"},
    {"causal-mask", "cm2", "0.5517", "0.2041", "summing to 0.3700"},
    {"causal-mask", "cm3", "1", "0", "after a softmax every row sums to 1"},
    {"causal-mask", "cm4", "0", "1", "divided"},
    {"multi-head", "mh1", "4", "2", "in the stack d_out counts per head"},
    {"multi-head", "mh2", "1", "2", "interleaving"},
    {"multi-head", "mh3", "2", "1", "True of concat"},
    {"multi-head", "e3.3", "64", "768", "d_out is the total"},
    {"multi-head", "e3.3-parameters", "2,360,064", "2,359,296", "out_proj has 768 biases"},
    {"transformer-block", "tb1", "1.656", "16.56", "The spread of the row is 10 times as large"},
    {"transformer-block", "tb2", "0", "1", "That is what attention does"},
    {"transformer-block", "tb3", "-0.1588", "0", "That is ReLU"},
    {"transformer-block", "tb4", "2", "0", "shrinks the signal"},
    {"transformer-block", "e4.3-where", "1", "2", "behind the box"},
    {"transformer-block", "e4.3-draws", "10,752", "4,608", "The embeddings are dropped, too"},
    {"transformer-block", "e4.3-draws", "10752", "158208", "if the shortcuts dropped something"},
    {"gpt", "e4.1", "4,722,432", "4718592", "biases as well"},
    {"gpt", "e4.1", "4722432", "9,440,256", "only two matrices"},
    {"gpt", "gp4", "2.0", "4", "attention has four squares"},
    {"roadmap", "rm1", "0", "1", "Training moves numbers"},
    {"book", "bk1", "0", "1", "Weights do not depend on the system"},
    {"book", "bk2", "1.2009", "2.08", "if every weight were 1"},
};

TEST_CASE(
    "as a lesson opens, its questions are answered by torch's numbers, and what tempts is told why not") {
  for (const Expected& e : kExpected) {
    CAPTURE(e.id);
    const Asked a(e.lesson, e.id);
    CHECK(a.takes(e.answer));
    CHECK_FALSE(a.takes(e.tempting));
    const std::string why = a.why_not(e.tempting);
    CHECK_MESSAGE(has(why, e.why_not), why);
  }
  const Asked mask("causal-mask", "cm4"), gradient("transformer-block", "tb4");
  CHECK(has(mask.question.revealed(mask.results), "by up to 0.0016"));
  CHECK(has(gradient.question.revealed(gradient.results), "1099 times"));
  const Asked value("transfer", "tr3"), draws("transformer-block", "e4.3-draws");
  CHECK(has(value.question.revealed(value.results), "W_value by 0.5773"));
  CHECK(has(draws.question.revealed(draws.results), "158,208"));
}

TEST_CASE("another sentence, seed or size has another answer") {
  CHECK(Asked("self-attention", "sa2", "&d_out=1").takes("0.7861"));
  CHECK(Asked("self-attention", "sa4", "&text=a+b").takes("0.5"));
  CHECK(Asked("causal-mask", "cm1", "&text=a+b+c").answer() == "masked_zeroed.2.*");
  CHECK(Asked("transfer", "tr1", "&d_out=3").answer() == "2");
  CHECK(Asked("multi-head", "mh1", "&heads=3&d_out=4").answer() == "12");
  CHECK(Asked("multi-head", "mh3", "&d_out=6&heads=3").answer() == "6");
  CHECK(Asked("transformer-block", "tb1", "&seed=7").answer() != Asked("transformer-block", "tb1").answer());
}

TEST_CASE("nothing is asked where nothing, or more than one thing, would be right") {
  const auto asks = [](const char* lesson, const char* id, const std::string& rest) {
    const Asked a(lesson, id, rest);
    CHECK(sentence_of(step_of(a.user.state), a.results) != "");
    return can_be_asked(a.question, a.results);
  };
  CHECK(asks("self-attention", "sa1", "&text=a+b"));
  CHECK_FALSE(asks("self-attention", "sa1", "&text=Hello"));
  CHECK_FALSE(asks("self-attention", "sa1", "&text=a+a+a+a"));
  CHECK(asks("causal-mask", "cm2", "&text=a+b+c"));
  CHECK_FALSE(asks("causal-mask", "cm2", "&text=a+b"));  // nothing is hidden from the second of two
  CHECK_FALSE(asks("multi-head", "mh2", "&heads=1"));
  CHECK_FALSE(asks("multi-head", "mh3", "&heads=3"));  // two columns for three heads
  CHECK_FALSE(asks("transformer-block", "tb2", "&emb_dim=6"));
  for (const auto& [lesson, q] : all_questions()) {
    const bool of_words = lesson.stage != Stage::roadmap && lesson.stage != Stage::book &&
                          lesson.stage != Stage::gpt && std::string(q.id).find("e3.3") != 0 &&
                          std::string(q.id) != "e4.3-draws";
    if (of_words) CHECK_FALSE(asks(lesson.id, q.id, "&text="));
  }
}

TEST_CASE("a question shows its answer when it is right or given up, and hints say more each time") {
  User s("lesson=self-attention&step=question");
  s.act("hint");
  s.act("hint");
  CHECK(s.hand.answering.hints.size() == 2);
  CHECK(s.hand.answering.hints[0] != s.hand.answering.hints[1]);
  for (int i = 0; i < 5; ++i) s.act("hint");
  CHECK(s.hand.answering.hints.size() == 3);
  s.act("cell.simple.attn_scores.3.3");
  CHECK(s.hand.answering.checked);
  CHECK_FALSE(s.hand.answering.revealed);
  CHECK(has(s.hand.answering.told, "low even with itself"));
  CHECK_FALSE(s.state.view.cell.has_value());  // a wrong click is not a look
  s.act("cell.simple.attn_scores.3.1");
  CHECK(s.hand.answering.right);
  CHECK(s.hand.answering.revealed);
  s.act("step.question");
  CHECK_FALSE(s.hand.answering.revealed);
  s.act("reveal");
  CHECK(s.hand.answering.revealed);
  CHECK_FALSE(s.hand.answering.right);
}

TEST_CASE("a question is answered by keyboard: arrows walk through the hidden matrix, Enter answers") {
  User s("lesson=self-attention&step=question");
  s.act("matrix.simple.attn_scores", "Home");
  for (int i = 0; i < 10; ++i) s.act("matrix.simple.attn_scores", "ArrowUp");
  for (int i = 0; i < 10; ++i) s.act("matrix.simple.attn_scores", "ArrowLeft");
  for (int i = 0; i < 3; ++i) s.act("matrix.simple.attn_scores", "ArrowDown");
  s.act("matrix.simple.attn_scores", "Enter");
  CHECK(s.hand.answering.checked);
  CHECK_FALSE(s.hand.answering.revealed);
  CHECK_FALSE(s.hand.editing.has_value());
  s.act("matrix.simple.attn_scores", "ArrowRight");
  s.act("matrix.simple.attn_scores", "Enter");
  CHECK(s.hand.answering.right);
}

TEST_CASE("a number is taken as people write it, a count with its thousands") {
  User s("lesson=causal-mask&step=question&question=cm2");
  s.hand.answering.given = "abc";
  s.act("check");
  CHECK_FALSE(s.hand.answering.checked);
  CHECK(s.hand.trouble != "");
  s.hand.answering.given = "0,552";
  s.act("check");
  CHECK(s.hand.answering.right);
  const Asked count("multi-head", "e3.3-parameters");
  for (const char* given : {"2360064", "2,360,064", "2 360 064", "2'360'064"}) CHECK(count.takes(given));
  CHECK_FALSE(count.takes("2,360"));
}

// ---- one of several ---------------------------------------------------------------------------------------

TEST_CASE("questions are gone through one by one, chosen, and left by the step") {
  User s("lesson=multi-head&step=question");
  const auto asked = [&] { return std::string(step_of(s.state).asks->id); };
  CHECK(asked() == "mh1");
  s.act("ask-back");
  CHECK(asked() == "mh1");
  s.act("ask-next");
  CHECK(asked() == "mh2");
  CHECK(s.state.view.question == "mh2");
  CHECK(s.hand.said == "Your turn, question 2 of 6.");
  s.act("ask.e3.3");
  CHECK(asked() == "e3.3");
  s.act("hint");
  s.act("ask-on");
  CHECK(asked() == "e3.3-parameters");
  CHECK(s.hand.answering.hints.empty());
  s.act("ask-next");
  CHECK(asked() == "e3.3-parameters");  // the last
  s.act("ask.mh1");
  CHECK(s.state.view.question == "");  // as the step opens
  s.act("ask.mh3");
  s.act("step.heads");
  CHECK(s.state.view.question == "");
  s.act("ask-next");
  CHECK(s.step() == "heads");
}

TEST_CASE("a link opens a question, and one that there is not is told") {
  CHECK(opened("lesson=causal-mask&question=cm3").state.view.step == "question");
  CHECK(opened("lesson=causal-mask&question=cm3").state.inputs.mask == MaskRoute::zero_scores);  // as chosen
  const State s = opened("lesson=causal-mask&step=question&question=cm3").state;
  CHECK(query_of(s) == "lesson=causal-mask&step=question&question=cm3&mask=zero-scores");
  CHECK(opened(query_of(s)).state == s);
  CHECK(query_of(opened("lesson=causal-mask&question=cm1").state) == "lesson=causal-mask&step=question");
  for (const char* link : {"lesson=causal-mask&question=cm99", "lesson=causal-mask&step=zero&question=cm3"}) {
    const ReadQuery read = opened(link);
    REQUIRE(read.problems.size() == 1);
    CHECK(has(read.problems[0], "question=cm"));
    CHECK(read.state.view.question == "");
  }
}

TEST_CASE("a link that fixes the question leaves no way to another") {
  User s("lesson=multi-head&step=question&question=mh2&lock=question");
  for (const char* id : {"ask-next", "ask-back", "ask-on", "ask.mh3", "ask.mh1"}) {
    s.act(id);
    CHECK(s.state.view.question == "mh2");
  }
}

// ---- what is to be set ------------------------------------------------------------------------------------

TEST_CASE("exercise 3.2 is solved by setting d_out, and not by taking a head away") {
  User s("lesson=multi-head&step=question");
  s.act("ask.e3.2");
  s.act("check");
  CHECK_FALSE(s.hand.answering.right);
  CHECK(has(s.hand.answering.told, "It returns 4 columns now"));
  s.act("input.heads", "1");
  s.act("check");
  CHECK(has(s.hand.answering.told, "1 head now, and there were to be 2"));
  s.act("input.heads", "2");
  s.act("input.d_out", "1");
  s.act("check");
  CHECK(s.hand.answering.right);
  CHECK(has(s.hand.answering.told, "-0.5740 0.2216"));  // as torch has it
  CHECK(has(s.hand.answering.told, "-0.6424 -0.1065"));
}

TEST_CASE("exercise 4.3 is solved by rates of their own") {
  User s("lesson=transformer-block&step=question&question=e4.3");
  const auto told = [&] {
    s.hand.answering = {};
    s.act("check");
    return s.hand.answering.told;
  };
  CHECK(has(told(), "Training is off"));
  s.act("input.training", "1");
  CHECK(has(told(), "still dropped, with probability 0.1"));
  s.act("input.drop_rate_attn", "0");
  s.act("input.drop_rate_shortcut", "0");
  CHECK(has(told(), "Nothing is dropped from what the shortcuts add"));
  s.act("input.drop_rate_shortcut", "0.2");
  CHECK(has(told(), "drop_rate_shortcut is 0.2"));
  CHECK(s.hand.answering.right);
}

TEST_CASE("exercise 4.2 is solved by three settings, which the core counts") {
  User s("lesson=gpt&step=question&question=e4.2-medium");
  s.act("ask.e4.2-medium");  // starts from small
  const auto told = [&] {
    s.hand.answering = {};
    s.act("check");
    return s.hand.answering.told;
  };
  CHECK(has(told(), "163,009,536 parameters now, 243,203,072 too few"));
  s.act("input.custom_dim", "1024");
  CHECK(has(told(), "cannot be shared by 12 heads"));
  s.act("input.custom_heads", "8");
  CHECK(has(told(), "A head is 128 wide now"));
  s.act("input.custom_heads", "16");
  s.act("input.custom_layers", "25");
  CHECK(has(told(), "12,593,152 too many"));  // a block
  s.act("input.size", "355M");
  CHECK(has(told(), "The list has set all three for you"));
  s.act("input.size", "custom");
  s.act("input.custom_layers", "24");
  CHECK(has(told(), "1549.58 MiB; with a tied head 354,749,440"));
  CHECK(s.hand.answering.right);
}

TEST_CASE("what is given up is set, and holds then") {
  for (const auto& [lesson, q] : all_questions()) {
    if (q.kind != Question::Kind::setting) continue;
    CAPTURE(q.id);
    User s(std::string("lesson=") + lesson.id + "&step=question");
    s.act(std::string("ask.") + q.id);
    CHECK_FALSE(q.is_set(results_of(s.state.inputs)));
    s.act("reveal");
    CHECK(s.hand.answering.revealed);
    CHECK_FALSE(s.hand.answering.right);
    CHECK(q.is_set(results_of(s.state.inputs)));
  }
}

TEST_CASE("hints stay while something is being set, and go with what they were to") {
  State setting = opened("lesson=multi-head&question=e3.2").state, set = setting, other = setting;
  set.inputs.d_out = 1;
  other.view.question = "mh2";
  Hand hand;
  hand.answering = {.given = "set", .checked = true, .told = "no", .hints = {"one"}};
  keep_answer(hand, setting, set);
  CHECK(hand.answering.hints.size() == 1);
  CHECK_FALSE(hand.answering.checked);
  keep_answer(hand, set, other);
  CHECK(hand.answering.hints.empty());
  State number = opened("lesson=causal-mask&question=cm2").state, moved = number;
  moved.inputs.seed = 5;
  hand.answering = {.given = "1", .hints = {"one"}};
  keep_answer(hand, number, number);
  CHECK(hand.answering.given == "1");
  keep_answer(hand, number, moved);
  CHECK(hand.answering.given == "");
  CHECK(hand.answering.hints.empty());
}
