#include "lessons/results.hpp"

#include <utility>

#include "lessons/compute.hpp"
#include "lessons/lesson.hpp"
#include "lessons/transformer_block_lesson.hpp"

namespace lab {

// A broken plan may leave a slot alone: that is its fault, and it is not told.
bool any_slot_empty(const Results& r) {
  if (!r.runs.bench || (r.inputs.fault && !(r.runs.bench->moves == r.inputs.moves))) return false;
  return !empty_slots(*r.runs.bench).empty();
}

bool Results::has_work() const { return (search && !search->done()) || (stack && !stack->done()); }

void Results::work_on() {
  if (search && !search->done()) return search->try_next();
  if (stack && !stack->done()) stack->add_block();
}

namespace {

Results::Left left_by(const Results& before) {
  if (before.book) return {before.book->gpt(), before.book->kept()};
  return {before.gpt ? before.gpt : before.left.gpt, before.left.book};
}

}  // namespace

Results results_of(const Inputs& inputs, const Tokenizer* tokenizer, const Results* before) {
  Results r{.inputs = inputs, .runs = compute(inputs)};
  if (before) r.left = left_by(*before);
  if (lesson_named(inputs.lesson).stage == Stage::gpt) {
    r.gpt = std::make_shared<GptWork>(inputs, tokenizer, r.left.gpt.get());
    r.left.gpt.reset();
    r.runs.words = r.gpt->tokens();
  }
  const bool differs = r.runs.bench && !r.runs.words.empty() && !r.runs.comparison.all_close;
  if (differs && !any_slot_empty(r)) r.search.emplace(*r.runs.bench);
  if (lesson_named(inputs.lesson).stage == Stage::block) r.stack = stack_of(r.runs, inputs);
  if (lesson_named(inputs.lesson).stage == Stage::book)
    r.book = std::make_shared<BookWork>(inputs.stream, tokenizer, std::move(r.left.book),
                                        std::exchange(r.left.gpt, nullptr));
  return r;
}

}  // namespace lab
