#include "draw/registry.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>

namespace lab {
namespace {

Box cut_by(const Box& clip, const Box& box) {
  const float x = std::max(box.x, clip.x), right = std::min(box.right(), clip.right());
  const float y = std::max(box.y, clip.y), bottom = std::min(box.bottom(), clip.bottom());
  const Box seen{x, y, right - x, bottom - y};
  return clip.w <= 0 || seen.w <= 0 || seen.h <= 0 || seen == box ? Box{} : seen;
}

bool inside(const Box& clip, float x, float y) { return clip.w <= 0 || clip.has(x, y); }

[[maybe_unused]] bool is_new(const Registry& registry, const std::string& id) {
  if (!registry.find(id)) return true;
  std::fprintf(stderr, "%s is already there\n", id.c_str());
  return false;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

}  // namespace

bool GridContent::operator==(const GridContent& o) const {
  return same_bits(cells, o.cells) && same_bits(peaks, o.peaks) && same_bits(selected_row, o.selected_row) &&
         peak_cols == o.peak_cols && row_labels == o.row_labels && col_labels == o.col_labels &&
         masked == o.masked && unknown == o.unknown && digits == o.digits && row == o.row && col == o.col;
}

void Registry::clear() {
  targets_.clear();
  clips_.clear();
  clip_ = {};
}

Box Registry::clip_to(Box clip) {
  const Box before = clip_;
  clip_ = clip;
  return before;
}

Target& Registry::add(Target target) {
  assert(is_new(*this, target.id) && "two targets of one id in a frame");
  targets_.push_back(std::move(target));
  clips_.push_back(clip_);
  return targets_.back();
}

void Registry::finish(float width, float height) {
  const Box screen{0, 0, width, height};
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    Target& t = targets_[i];
    const float x = t.box.mid_x();
    const float y = t.box.mid_y();
    t.seen = cut_by(clips_[i], t.box);
    t.reachable = t.box.w > 0 && t.box.h > 0 && screen.has(x, y) && inside(clips_[i], x, y);
    if (!t.reachable || t.passive) continue;
    const Target* top = hit(x, y);
    t.reachable = top == &t || (top && !top->drag_as.empty() && top->drag_as == t.id);
  }
}

const Target* Registry::find(std::string_view id) const {
  const auto it = std::find_if(targets_.begin(), targets_.end(), [&](const Target& t) { return t.id == id; });
  return it == targets_.end() ? nullptr : &*it;
}

const Target* Registry::hit(float x, float y) const {
  for (std::size_t i = targets_.size(); i-- > 0;) {
    const Target& t = targets_[i];
    if (!t.passive && t.box.has(x, y) && inside(clips_[i], x, y)) return &t;
  }
  return nullptr;
}

const Target* Registry::drop_zone_at(float x, float y, std::string_view except) const {
  for (std::size_t i = targets_.size(); i-- > 0;) {
    const Target& t = targets_[i];
    if (t.drop_zone && t.id != except && t.box.has(x, y) && inside(clips_[i], x, y)) return &t;
  }
  return nullptr;
}

const Target* Registry::next_focus(std::string_view id, bool backwards) const {
  const int n = int(targets_.size());
  int at = backwards ? n : -1;
  for (int i = 0; i < n; ++i) {
    if (targets_[std::size_t(i)].id == id) at = i;
  }
  for (int step = 1; step <= n; ++step) {
    const int i = ((at + (backwards ? -step : step)) % n + n) % n;
    const Target& t = targets_[std::size_t(i)];
    if (!t.passive && !t.disabled && t.box.w > 0) return &t;
  }
  return nullptr;
}

const Target* Registry::next_in_menu(std::string_view id, std::string_view key) const {
  std::vector<const Target*> menu;
  for (const Target& t : targets_)
    if (t.in_menu) menu.push_back(&t);
  const auto at = std::find_if(menu.begin(), menu.end(), [&](const Target* t) { return t->id == id; });
  if (at == menu.end()) return nullptr;
  if (key == "Home") return menu.front();
  if (key == "End") return menu.back();
  if (key == "ArrowDown") return at + 1 == menu.end() ? menu.front() : *(at + 1);
  if (key == "ArrowUp") return at == menu.begin() ? menu.back() : *(at - 1);
  return nullptr;
}

const Target* Registry::heir_of(std::size_t place) const {
  const auto takes = [](const Target& t) { return !t.passive && !t.disabled && t.box.w > 0; };
  for (std::size_t i = place; i < targets_.size(); ++i)
    if (takes(targets_[i])) return &targets_[i];
  for (std::size_t i = std::min(place, targets_.size()); i-- > 0;)
    if (takes(targets_[i])) return &targets_[i];
  return nullptr;
}

Cell cell_at(const Target& grid, float x, float y) {
  if (grid.rows <= 0 || grid.cols <= 0 || !grid.box.has(x, y)) return {};
  const int row = int((y - grid.box.y) / grid.box.h * float(grid.rows));
  const int col = int((x - grid.box.x) / grid.box.w * float(grid.cols));
  return {grid.first.row + std::min(row, grid.rows - 1), grid.first.col + std::min(col, grid.cols - 1)};
}

}  // namespace lab
