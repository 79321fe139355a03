#include "app/history.hpp"

#include <utility>

namespace lab {

void History::remember(const State& before, const State& now, const std::string& id, bool typing) {
  redo_.clear();
  if (typing && typing_id_ == id) return;
  typing_id_ = typing ? id : "";
  undo_.push_back({before.inputs, before.view.step, now.view.step});
  if (undo_.size() > kMost) undo_.erase(undo_.begin());
}

void History::undo(State& state) { go(state, undo_, redo_); }
void History::redo(State& state) { go(state, redo_, undo_); }

void History::go(State& state, Moments& from, Moments& to) {
  if (from.empty()) return;
  Moment moment = std::move(from.back());
  from.pop_back();
  to.push_back({std::exchange(state.inputs, std::move(moment.inputs)), moment.other, moment.step});
  state.view.step = std::move(moment.step);
  end_typing();
}

}  // namespace lab
