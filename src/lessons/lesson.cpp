#include "lessons/lesson.hpp"

#include <algorithm>
#include <array>

#include "lessons/self_attention_lesson.hpp"
#include "lessons/transfer_lesson.hpp"

namespace lab {
namespace {

constexpr RailEntry kRail[] = {
    {"Self-attention", "self-attention",
     "Dot products between word vectors, then W_query, W_key and W_value, step by step."},
    {"Transfer weights", "transfer",
     "Move weights between two versions of a module until the outputs match."},
    {"Causal mask", "",
     "Three stages: softmax, zero above the diagonal, renormalize; the −∞ mask beside it."},
    {"Multi-head", "", "Several heads with their own weights and maps, stacked and fused."},
    {"Transformer block", "", "LayerNorm, attention, feed-forward and shortcuts as one block."},
    {"GPT model", "", "The whole model in its sizes, built from a seed, untrained."},
    {"Book numbers", "", "Every number that chapters 3 and 4 print, computed and ticked."},
};

}  // namespace

std::span<const Lesson> lessons() {
  static const std::array all = {self_attention_lesson(), transfer_lesson()};
  return all;
}

bool is_lesson(std::string_view id) {
  for (const Lesson& l : lessons())
    if (l.id == id) return true;
  return false;
}

const Lesson& lesson_of(const State& state) {
  for (const Lesson& l : lessons())
    if (l.id == state.inputs.lesson) return l;
  return lessons().front();
}

// A link to a hidden fault needs no step: it opens the one that is about faults.
int step_index(const State& state) {
  const auto steps = lesson_of(state).steps;
  const std::string_view wanted = state.view.step.empty() && state.inputs.fault
                                      ? std::string_view(kFaultStep)
                                      : std::string_view(state.view.step);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].id == wanted) return int(i);
  return 0;
}

bool shows(const Step& step, std::string_view matrix) {
  const std::string_view all = step.show;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find(' ', begin), all.size());
    if (all.substr(begin, end - begin) == matrix) return true;
    begin = end + 1;
  }
  return false;
}

const Step& step_of(const State& state) { return lesson_of(state).steps[std::size_t(step_index(state))]; }

State defaults_of(std::string_view lesson) {
  State s;
  s.inputs.lesson = std::string(lesson);
  return s;
}

std::span<const RailEntry> rail() { return kRail; }

CellName selected_cell(const State& state) { return state.view.cell.value_or(step_of(state).cell); }

}  // namespace lab
