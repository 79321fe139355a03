// What a GPT and the book's numbers need of the program: the vocabulary, and a part of each frame.
#include <utility>

#include "app/app.hpp"
#include "app/clock.hpp"
#include "core/number_text.hpp"
#include "lessons/gpt_lesson.hpp"

namespace lab {
namespace {

constexpr double kWorkBudget = 14;  // ms of a frame, while numbers are drawn or a text is read

}  // namespace

void App::advance_work() {
  if (!results_.gpt && !results_.book) return;
  if (!tokenizer_ && !std::exchange(asked_for_vocabulary_, true)) effects_.wants_vocabulary = true;
  const double now = clock_ms();
  results_.gpt ? advance_gpt(now, now + kWorkBudget) : advance_book(now, now + kWorkBudget);
}

void App::advance_gpt(double now, double until) {
  const GptWork::Stage before = results_.gpt->stage();
  results_.gpt->advance([&] { return clock_ms() < until; }, now);
  open_looked_at_head(results_, state_);
  if (results_.gpt->stage() == before) return;
  told_tries_ = -1;  // what stands beside it is told anew
  outcome_due_ = results_.gpt->stage() == GptWork::Stage::done;
}

void App::advance_book(double now, double until) {
  BookWork& book = *results_.book;
  const BookWork::Stage before = book.stage();
  const bool was_done = book.checks().done();
  book.advance(now / 1000, [&] { return clock_ms() < until; });
  if (book.stage() == before && book.checks().done() == was_done) return;
  outcome_due_ = book.stage() != BookWork::Stage::drawing && book.stage() != BookWork::Stage::reading;
  if (book.stage() == BookWork::Stage::refused) hand_.trouble = book.problem();
  if (book.stage() == BookWork::Stage::done && book.kept().has_drawn)
    effects_.book_seconds = number_text(book.last_seconds());
}

void App::remember_book(const std::string& seconds) {
  const double known = double_of(seconds).value_or(0);
  if (results_.book)
    results_.book->remember(known);
  else
    results_.left.book.last_seconds = known;
}

void App::take_vocabulary(std::string_view merges) {
  tokenizer_ = Tokenizer::from(merges);
  if (!tokenizer_)
    hand_.said = hand_.trouble = "The tokenizer’s list of words could not be read. Load the page again.";
  make_results();
}

}  // namespace lab
