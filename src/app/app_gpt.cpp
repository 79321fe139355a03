// What a GPT needs of the program: its vocabulary, and a part of each frame.
#include <utility>

#include "app/app.hpp"
#include "app/clock.hpp"
#include "lessons/gpt_lesson.hpp"

namespace lab {
namespace {

constexpr double kWorkBudget = 14;  // ms of a frame, while numbers are drawn or a text is read

}  // namespace

void App::advance_gpt() {
  if (!results_.gpt) return;
  if (!tokenizer_ && !std::exchange(asked_for_vocabulary_, true)) effects_.wants_vocabulary = true;
  const GptWork::Stage before = results_.gpt->stage();
  const double now = clock_ms(), until = now + kWorkBudget;
  results_.gpt->advance([&] { return clock_ms() < until; }, now);
  open_looked_at_head(results_, state_);
  if (results_.gpt->stage() == before) return;
  told_tries_ = -1;  // what stands beside it is told anew
  outcome_due_ = results_.gpt->stage() == GptWork::Stage::done;
}

void App::take_vocabulary(std::string_view merges) {
  tokenizer_ = Tokenizer::from(merges);
  if (!tokenizer_)
    hand_.said = hand_.trouble = "The tokenizer’s list of words could not be read. Load the page again.";
  make_results();
}

}  // namespace lab
