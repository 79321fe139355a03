#include "app/history.hpp"

#include <utility>

namespace lab {

void History::remember(const State& before, const State& now, const std::string& id, bool typing) {
  redo_.clear();
  if (typing && typing_id_ == id) return;
  typing_id_ = typing ? id : "";
  undo_.push_back({before.inputs, place_in(before), place_in(now)});
  if (undo_.size() > kMost) undo_.erase(undo_.begin());
}

void History::undo(State& state) { go(state, undo_, redo_); }
void History::redo(State& state) { go(state, redo_, undo_); }

void History::go(State& state, Moments& from, Moments& to) {
  if (from.empty()) return;
  Moment moment = std::move(from.back());
  from.pop_back();
  to.push_back({std::exchange(state.inputs, std::move(moment.inputs)), moment.other, moment.here});
  state.view.step = std::move(moment.here.step);
  state.view.question = std::move(moment.here.question);
  end_typing();
}

}  // namespace lab
