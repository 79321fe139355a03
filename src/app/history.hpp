// Undo and redo of State.inputs, and of the step in which they were changed. One drag, one run of typing, one
// choice is one entry; moving about is Back's work.
#pragma once
#include <string>
#include <vector>

#include "lessons/state.hpp"

namespace lab {

class History {
 public:
  // before was just replaced by now, which the action `id` made of it. A run of typing into one field is one
  // entry.
  void remember(const State& before, const State& now, const std::string& id, bool typing);
  void end_typing() { typing_id_.clear(); }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo(State& state);
  void redo(State& state);

 private:
  struct Place {
    std::string step, question;
  };
  static Place place_in(const State& state) { return {state.view.step, state.view.question}; }
  struct Moment {
    Inputs inputs;
    Place here, other;  // where they stood; and where stands what they became or came from
  };
  using Moments = std::vector<Moment>;
  static constexpr std::size_t kMost = 200;
  void go(State& state, Moments& from, Moments& to);

  Moments undo_, redo_;
  std::string typing_id_;
};

}  // namespace lab
