// What of the page is in sight: the wheel and the finger move it, and it follows the keyboard's focus.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/app.hpp"
#include "draw/screen.hpp"

namespace lab {
namespace {

constexpr float kAir = 12;           // CSS pixels left around what came into sight
constexpr float kHandleHeight = 36;  // of a phone's sheet, for a finger

// The focus, or the cell of it that is chosen.
Box box_of(const Target& t) {
  if (t.rows < 1 || t.grid.row < 0 || t.grid.row >= t.rows) return t.box;
  const float row = t.box.h / float(t.rows);
  return {t.box.x, t.box.y + row * float(t.grid.row), t.box.w, row};
}

// By how much what stands there has to move up to be seen between top and bottom.
float way_into(const Box& box, float top, float bottom) {
  if (box.y < top + kAir || box.h > bottom - top - 2 * kAir) return box.y - top - kAir;
  return std::max(0.f, box.bottom() - bottom + kAir);
}

}  // namespace

// The wheel, or a finger that moves over what cannot be dragged: the page, or a phone's sheet.
void App::scroll_by_hand(const Shown& s) {
  const float range = scroll_range(ui_, s);
  const Box dock = layout_for(ui_, s).dock;
  const bool can_pan = !ui_.gesture.drag;  // a drag begins after fewer pixels
  const float from = ui_.pointer.down ? ui_.gesture.press_y : ui_.pointer.y;
  const bool on_sheet = hand_.sheet && dock.h > 0 && from >= dock.y, menu = !hand_.open.empty();
  float by = -ui_.pointer.wheel_y * 60;
  if (ui_.pointer.pressed) {
    const Box sheet = layout_for(ui_, s).inspector;
    pan_from_ = ui_.pointer.y;
    on_handle_ = dock.h > 0 && is_narrow(ui_) &&
                 Box{sheet.x, sheet.y, sheet.w, kHandleHeight}.has(ui_.pointer.x, ui_.pointer.y);
  }
  if (ui_.pointer.down && ui_.pointer.valid && can_pan && (range > 0 || on_sheet || on_handle_)) {
    if (std::abs(ui_.pointer.y - pan_from_) > 8 && !panning_) {
      panning_ = true;
      ui_.gesture.pressed.clear();
      pan_from_ = ui_.pointer.y;
    }
    if (panning_) {
      by -= ui_.pointer.y - pan_from_;
      pan_from_ = ui_.pointer.y;
    }
  } else {
    panning_ = false;
  }
  if (panning_ && on_handle_)  // draws the sheet up and down
    hand_.sheet = ui_.pointer.y < ui_.gesture.press_y;
  else if (on_sheet)
    hand_.sheet_scroll = std::clamp(hand_.sheet_scroll + by, 0.f, sheet_range(ui_, s));
  else if (!menu)
    scroll_ += by;
  scroll_ = std::clamp(scroll_, 0.f, range);
}

Scrolls App::scroll_room(const Shown& s) const {
  const bool zoomed = hand_.zoom.scale > 1, sheet = hand_.sheet;
  const float range = scroll_range(ui_, s);
  const bool drags = std::any_of(published_.begin(), published_.end(),
                                 [](const Target& t) { return t.draggable || !t.drag_as.empty(); });
  return {.up = zoomed || sheet || scroll_ > 0, .down = zoomed || sheet || scroll_ < range, .drags = drags};
}

// The outputs have just come to match: the verdict is not left below the fold.
void App::follow_match(const Shown& s, double now) {
  const Target* verdict = ui_.registry.find("verdict");
  if (hand_.matched_at != now || !verdict || !is_narrow(ui_)) return;
  const Target* dock = ui_.registry.find("dock");
  const float before = scroll_;
  scroll_ += way_into(verdict->box, 0, dock ? dock->box.y : ui_.height);
  scroll_ = std::clamp(scroll_, 0.f, scroll_range(ui_, s));
  ui_.animating |= before != scroll_;
}

void App::follow_focus(const Shown& s) {
  const Target* t = ui_.registry.find(ui_.gesture.focus);
  if (!t || !ui_.gesture.focus_visible) return followed_.clear();
  const std::string now = t->id + " " + std::to_string(t->grid.row);
  if (now == std::exchange(followed_, now)) return;
  const Layout l = layout_for(ui_, s);
  const Target* dock =
      ui_.registry.find("dock");  // the page is drawn before it, the sheet and the steps after
  if (!hand_.open.empty() || (l.rail.w > 0 && t->box.right() <= l.rail.right())) return;
  const float before = scroll_ + hand_.sheet_scroll;
  if (!dock || t < dock) {
    scroll_ += way_into(box_of(*t), 0, dock ? dock->box.y : ui_.height);
    scroll_ = std::clamp(scroll_, 0.f, scroll_range(ui_, s));
  } else if (const Target* play = ui_.registry.find("play"); !play || t < play) {
    if (t->box.bottom() > l.inspector.bottom() && t->id != "sheet") hand_.sheet = true;
    const Layout drawn_up = layout_for(ui_, shown());
    const float moved = drawn_up.inspector.y - l.inspector.y;
    Box box = t->box;
    box.y += moved;
    hand_.sheet_scroll += way_into(box, drawn_up.inspector.y + kSheetHandle, drawn_up.inspector.bottom());
    hand_.sheet_scroll = std::clamp(hand_.sheet_scroll, 0.f, hand_.sheet ? sheet_range(ui_, shown()) : 0.f);
    ui_.animating |= moved != 0;
  }
  ui_.animating |= before != scroll_ + hand_.sheet_scroll;
}

}  // namespace lab
