#include "app/history.hpp"

#include <utility>

namespace lab {

void History::remember(const Inputs& before, const std::string& id, bool typing) {
  redo_.clear();
  if (typing && typing_id_ == id) return;
  typing_id_ = typing ? id : "";
  undo_.push_back(before);
  if (undo_.size() > kMost) undo_.erase(undo_.begin());
}

void History::undo(Inputs& inputs) {
  if (undo_.empty()) return;
  redo_.push_back(std::exchange(inputs, undo_.back()));
  undo_.pop_back();
  end_typing();
}

void History::redo(Inputs& inputs) {
  if (redo_.empty()) return;
  undo_.push_back(std::exchange(inputs, redo_.back()));
  redo_.pop_back();
  end_typing();
}

}  // namespace lab
