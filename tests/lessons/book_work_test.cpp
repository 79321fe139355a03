// The run of all rows: GPT-2 small drawn and read a piece at a time, shared with the lesson of the whole
// model, and what becomes of it when one stops it or goes elsewhere.
#include <doctest.h>

#include "lessons/act.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/book_texts.hpp"
#include "vocabulary.hpp"

using namespace lab;

namespace {

const Tokenizer& tokenizer() {
  static const auto made = Tokenizer::from(kVocabulary);
  return *made;
}
Results visit(const std::string& query, const Results* before = nullptr) {
  return results_of(opened(query).state.inputs, &tokenizer(), before);
}
// So many pieces of work.
void advance(BookWork& work, int pieces, double now = 0) {
  work.advance(now, [&] { return pieces-- > 0; });
}
void check_quick_rows(BookWork& work) {
  while (!work.checks().done()) advance(work, 1);
}
int equal(const Results& r) { return r.book->checks().counted().equal; }

}  // namespace

TEST_CASE(
    "the rows of GPT-2 small wait to be asked for, run piece by piece, and stop where they are told to") {
  const Results r = visit("lesson=book");
  BookWork& work = *r.book;
  check_quick_rows(work);
  CHECK(work.stage() == BookWork::Stage::waiting);
  CHECK_FALSE(work.is_working());
  CHECK(book_texts::run_of(work) == "121 not run: GPT-2 small, 622 MiB, some seconds");
  work.remember(9.31);
  CHECK(book_texts::run_of(work) == "121 not run: GPT-2 small, 622 MiB, 9.3 s last time");
  work.start();
  CHECK(work.stage() == BookWork::Stage::drawing);
  check_quick_rows(work);
  CHECK(work.progress() == 0);
  double before = 0;
  for (int i = 1; i < 5; ++i) {
    advance(work, 1, i);
    CHECK(work.progress() > before);
    before = work.progress();
  }
  CHECK(work.seconds() == 4);
  advance(work, 1, 1000);  // the page was asleep
  CHECK(work.seconds() == 5);
  CHECK(book_texts::run_of(work).starts_with("GPT-2 small is being drawn: 0 %"));
  work.cancel();
  CHECK(work.stage() == BookWork::Stage::waiting);
  CHECK_FALSE(work.is_working());
  CHECK(work.gpt() == nullptr);
  CHECK(work.checks().counted().equal == 783);
  CHECK(work.checks().counted().not_run == 121);
  CHECK_FALSE(work.checks().any_failed());
}

TEST_CASE("the button that runs all rows stops them, but not by the second half of a double click") {
  State state = opened("lesson=book").state;
  Hand hand;
  const Results r = visit("lesson=book");
  const auto press = [&] { act(state, hand, r, {"run-book", ""}, 0, 0); };
  press();
  CHECK(r.book->is_running());
  press();
  CHECK(r.book->is_running());
  check_quick_rows(*r.book);
  for (int second = 1; second < 3; ++second) advance(*r.book, 1, second);
  press();
  CHECK_FALSE(r.book->is_running());
}

TEST_CASE("without the vocabulary, which may come late or never, all else is computed") {
  const Results r = results_of(opened("lesson=book").state.inputs);
  check_quick_rows(*r.book);
  CHECK(equal(r) == 769);
  r.book->start();
  check_quick_rows(*r.book);
  advance(*r.book, 3);
  CHECK(r.book->is_working());
  const Results arrived = visit("lesson=book", &r);
  CHECK(arrived.book->is_running());
  check_quick_rows(*arrived.book);
  CHECK(equal(arrived) == 783);
  advance(*arrived.book, 1);
  CHECK(arrived.book->progress() > 0);
}

TEST_CASE("who leaves while it runs finds it where it was, here and in the lesson of the whole model") {
  Results r = visit("lesson=book");
  r.book->start();
  check_quick_rows(*r.book);
  advance(*r.book, 40);
  const double drawn = r.book->gpt()->progress();
  CHECK(drawn > 0);
  r = visit("lesson=causal-mask", &r);
  CHECK(r.book == nullptr);
  r = visit("lesson=causal-mask&seed=5", &r);
  r = visit("lesson=book", &r);
  CHECK(r.book->is_running());
  check_quick_rows(*r.book);
  advance(*r.book, 1);
  CHECK(r.book->gpt()->progress() > drawn);
  r = visit("lesson=gpt", &r);
  CHECK(r.gpt->progress() > drawn);
  CHECK(r.gpt->stage() == GptWork::Stage::drawing);
  r.gpt->cancel();
  r = visit("lesson=book", &r);
  check_quick_rows(*r.book);
  advance(*r.book, 1);
  CHECK(r.book->gpt()->progress() < drawn);  // from the beginning
  r.book->cancel();
}

TEST_CASE("a model of another seed or size is not the book's") {
  const std::string custom = "lesson=gpt&size=custom&custom_dim=24&custom_layers=3&custom_heads=2";
  Results r = visit(custom);
  r.gpt->advance([] { return true; });
  REQUIRE(r.gpt->model() != nullptr);
  r = visit("lesson=book", &r);
  CHECK_FALSE(r.book->is_drawn());
  r.book->start();
  check_quick_rows(*r.book);
  advance(*r.book, 1);
  CHECK(r.book->gpt()->config() == book_gpt());
  CHECK(r.book->gpt()->model() == nullptr);
  r.book->cancel();
}

TEST_CASE("the model of one lesson serves the other, and all 904 numbers come, for both systems at once") {
  Results r = results_of(opened("lesson=gpt").state.inputs);  // without a vocabulary: nothing to read
  r.gpt->start();
  r.gpt->advance([] { return true; });
  const GptParams* model = r.gpt->model();
  REQUIRE(model != nullptr);
  r = visit("lesson=self-attention", &r);
  r = visit("lesson=book", &r);
  check_quick_rows(*r.book);
  CHECK(r.book->is_drawn());
  CHECK(book_texts::run_of(*r.book) == "121 not run: GPT-2 small, which is drawn already");
  r.book->start();
  check_quick_rows(*r.book);
  CHECK(r.book->stage() == BookWork::Stage::reading);
  CHECK(r.book->progress() == 0);
  double last = 0;
  while (r.book->is_working()) {
    advance(*r.book, 1);
    CHECK(r.book->progress() >= last);
    last = r.book->progress();
  }
  CHECK(last == 1);
  CHECK(r.book->stage() == BookWork::Stage::done);
  CHECK(equal(r) == 904);
  CHECK(r.book->last_seconds() == 0);  // the model was not drawn for it
  CHECK(r.book->gpt()->model() == model);
  r = visit("lesson=book&stream=mkl", &r);
  check_quick_rows(*r.book);
  CHECK(equal(r) == 722);
  CHECK(r.book->checks().counted_apart().equal == 182);
  r = visit("lesson=gpt", &r);
  CHECK(r.gpt->model() == model);
  const BookPlace& text = place_of(*book_row("ch04", 93));
  r = visit(text.query, &r);
  r.gpt->advance([] { return true; });
  const std::string said = sentence_of(step_of(opened(text.query).state), r);
  CHECK(said.find(text.told) != std::string::npos);
  r = visit("lesson=book", &r);
  check_quick_rows(*r.book);
  CHECK(equal(r) == 904);
  r.book->start();  // again: all of it anew, with the model that is there
  CHECK(equal(r) == 14);
  r.book->cancel();
  CHECK(r.book->is_drawn());
}
