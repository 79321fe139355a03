#include "lessons/pace.hpp"

#include <algorithm>

#include "core/words.hpp"
#include "lessons/lesson.hpp"

namespace lab {
namespace {

constexpr double kWord = 60'000 / 250.0, kLook = 1000, kLookAtTurn = 2000, kLeast = 3000, kMost = 12'000;

double words_ms(std::string_view text) { return kWord * double(whole_words(text).size()); }

bool goes_by_word(const State& state) {
  return state.view.word && step_of(state).words && lesson_of(state).turn;
}

}  // namespace

double reading_ms(std::string_view text) { return std::clamp(words_ms(text) + kLook, kLeast, kMost); }

double stay_ms(const State& state, const Results& results) {
  if (goes_by_word(state)) return words_ms(lesson_of(state).turn(results, *state.view.word)) + kLookAtTurn;
  return reading_ms(sentence_of(step_of(state), results));
}

double played_part(const State& state, const Results& results, double ms) {
  const double part = std::clamp(ms / stay_ms(state, results), 0.0, 1.0);
  if (!goes_by_word(state)) return part;
  return (*state.view.word + part) / std::max(1.0, double(results.runs.words.size()));
}

}  // namespace lab
