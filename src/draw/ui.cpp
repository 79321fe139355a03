#include "draw/ui.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab {
namespace {

constexpr float kDragAfter = 4;       // CSS pixels
constexpr double kDoubleClick = 450;  // ms between two clicks
constexpr double kLongPress = 500;    // ms

float eased(double t) {
  const float x = float(std::clamp(t, 0.0, 1.0));
  return x * x * (3 - 2 * x);
}

bool is_arrow(const std::string& key) {
  return key == "ArrowLeft" || key == "ArrowRight" || key == "ArrowUp" || key == "ArrowDown" ||
         key == "Home" || key == "End" || key == "PageUp" || key == "PageDown";
}

}  // namespace

void Ui::begin(int canvas_width, int canvas_height, float scale, double now_ms) {
  const ImGuiIO& io = ImGui::GetIO();
  now = now_ms;
  animating = false;
  dropped.reset();
  tip.reset();
  width = float(canvas_width) / scale;
  height = float(canvas_height) / scale;
  pen.list = ImGui::GetBackgroundDrawList();
  pen.scale = scale;
  pen.alpha = 1;
  pointer.valid = ImGui::IsMousePosValid();
  // The middle of the device pixel that the pointer is in.
  pointer.x = pointer.valid ? (io.MousePos.x + .5f) / scale : -1e6f;
  pointer.y = pointer.valid ? (io.MousePos.y + .5f) / scale : -1e6f;
  pointer.down = io.MouseDown[0];
  pointer.pressed = ImGui::IsMouseClicked(0);
  pointer.released = ImGui::IsMouseReleased(0);
  pointer.wheel_x = io.MouseWheelH;
  pointer.wheel_y = io.MouseWheel;
  point();
  registry.clear();
  clips_.clear();
}

void Ui::point() {
  const Target* under = registry.hit(pointer.x, pointer.y);
  gesture.hover = under ? under->id : "";
  gesture.hover_cell = under ? cell_at(*under, pointer.x, pointer.y) : Cell{};
  if (pointer.pressed) press(under);

  const Target* held = registry.find(gesture.pressed);
  const float dx = pointer.x - gesture.press_x;
  const float dy = pointer.y - gesture.press_y;
  // Where frames are slow, the last move and the release come in one.
  const bool holds = pointer.down || pointer.released;
  const bool moved = pointer.valid && holds && std::hypot(dx, dy) > kDragAfter;
  if (held && moved && !gesture.drag && (held->draggable || !held->drag_as.empty())) {
    const Target* whole = held->drag_as.empty() ? held : registry.find(held->drag_as);
    if (whole && !whole->disabled) {
      gesture.drag =
          Drag{whole->id, whole->box, gesture.press_x - whole->box.x, gesture.press_y - whole->box.y, ""};
    }
  }
  if (held && !moved && !gesture.drag && pointer.down) wait_for_long_press(*held);
  if (gesture.drag) {
    const Target* zone = registry.drop_zone_at(pointer.x, pointer.y, gesture.drag->id);
    gesture.drag->over = zone ? zone->id : "";
  }
  if (pointer.released) release(under);
}

void Ui::press(const Target* under) {
  if (gesture.typing && (!under || under->id != gesture.typing->id)) stop_typing(Phase::TypingDone);
  gesture.pressed = under ? under->id : "";
  gesture.pressed_cell = gesture.hover_cell;
  gesture.press_x = pointer.x;
  gesture.press_y = pointer.y;
  gesture.pressed_at = now;
  const bool field = under && under->role == "textbox" && !under->disabled;
  if (field && !gesture.typing) start_typing(*under);
  // Arrows go on from the cell that was clicked.
  if (!field) set_focus(under && under->role == "grid" ? under->id : "", false);
}

// A finger that rests on a cell asks what it is made of.
void Ui::wait_for_long_press(const Target& held) {
  if (ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen || !gesture.pressed_cell.valid()) return;
  animating = true;
  if (now - gesture.pressed_at < kLongPress) return;
  const Cell cell = gesture.pressed_cell;
  acted.push_back({held.id, std::to_string(cell.row) + "." + std::to_string(cell.col)});
  acted.push_back({"inspect", ""});
  gesture.pressed.clear();  // lifting it is no tap
}

void Ui::release(const Target* under) {
  if (gesture.drag) {
    // Let go outside the page, or taken away by the system: no drop.
    if (pointer.valid) dropped = Drop{gesture.drag->id, gesture.drag->over, pointer.x, pointer.y};
  } else if (under && under->id == gesture.pressed && !under->disabled && under->role != "textbox") {
    const Cell cell = gesture.hover_cell;
    if (!cell.valid()) {
      acted.push_back({under->id, ""});
    } else if (cell == gesture.pressed_cell) {
      acted.push_back({under->id, std::to_string(cell.row) + "." + std::to_string(cell.col)});
      const bool twice = gesture.clicked == under->id && gesture.clicked_cell == cell &&
                         now - gesture.clicked_at < kDoubleClick;
      if (twice) acted.push_back({under->id, "Enter"});
      gesture.clicked = twice ? "" : under->id;
      gesture.clicked_cell = cell;
      gesture.clicked_at = now;
    }
  }
  gesture.drag.reset();
  gesture.pressed.clear();
}

void Ui::finish() {
  registry.finish(width, height);

  // What moved under a resting pointer is found in the next frame.
  const Target* under = registry.hit(pointer.x, pointer.y);
  if ((under ? under->id : "") != gesture.hover) animating = true;

  for (const Target& t : registry.targets()) {
    const bool had_turn = std::count(wanted_focus_.begin(), wanted_focus_.end(), t.id) > 0;
    if (!t.wants_focus || had_turn) continue;
    focus_back_ = gesture.focus;
    if (t.role == "textbox")
      start_typing(t);
    else if (gesture.focus_visible)  // a menu that the keyboard opened
      set_focus(t.id, true);
  }
  wanted_focus_.clear();
  for (const Target& t : registry.targets()) {
    if (t.wants_focus) wanted_focus_.push_back(t.id);
  }

  // The keyboard is never lost with what it was on.
  if (!gesture.focus.empty() && !registry.find(gesture.focus) && gesture.focus_visible) {
    const Target* opener = open_menu.empty() ? registry.find(menu_before_) : nullptr;
    const Target* heir = opener                       ? opener
                         : registry.find(focus_back_) ? registry.find(focus_back_)
                                                      : registry.heir_of(focus_place_);
    set_focus(heir ? heir->id : "", true);
    focus_back_.clear();
  }
  menu_before_ = open_menu;
  const Target* focused = registry.find(gesture.focus);
  if (focused) focus_place_ = std::size_t(focused - registry.targets().data());
  if (focused && gesture.focus_visible && focused->role != "textbox") {
    pen.outline(focused->box.grown(4), theme->focus, focused->radius + 4, 2);
  }

  ImGuiMouseCursor cursor = ImGuiMouseCursor_Arrow;
  if (gesture.drag) {
    cursor = ImGuiMouseCursor_ResizeAll;
  } else if (under && under->disabled) {
    cursor = ImGuiMouseCursor_NotAllowed;
  } else if (under && under->role == "textbox") {
    cursor = ImGuiMouseCursor_TextInput;
  } else if (under && under->role != "group" && under->role != "dialog") {
    cursor = ImGuiMouseCursor_Hand;
  }
  ImGui::SetMouseCursor(cursor);
}

void Ui::set_focus(const std::string& id, bool visible) {
  if (gesture.typing && gesture.typing->id != id) stop_typing(Phase::TypingDone);
  gesture.focus = id;
  gesture.focus_visible = visible;
}

void Ui::start_typing(const Target& field) {
  if (gesture.typing) stop_typing(Phase::TypingDone);
  gesture.typing = editing(field.id, field.value);
  gesture.focus = field.id;
}

void Ui::stop_typing(Phase phase) {
  if (!gesture.typing) return;
  acted.push_back({gesture.typing->id,
                   phase == Phase::TypingDone ? gesture.typing->text : gesture.typing->before, phase});
  gesture.typing.reset();
}

bool Ui::text(const std::string& typed) {
  if (!gesture.typing) return false;
  gesture.typing->insert(typed);
  acted.push_back({gesture.typing->id, gesture.typing->text, Phase::Typing});
  return true;
}

bool Ui::key(const std::string& name) {
  if (gesture.drag && name == "Escape") {
    gesture.drag.reset();
    gesture.pressed.clear();
    return true;
  }
  if (name == "Tab" || name == "Shift+Tab") {
    if (gesture.typing &&
        !focus_back_.empty()) {  // a field that came for one number: back to where it came from
      stop_typing(Phase::TypingDone);
      set_focus(std::exchange(focus_back_, ""), true);
      return true;
    }
    // Out of a menu it goes on from the button that opened it.
    const Target* focused = registry.find(gesture.focus);
    const std::string& from = focused && focused->in_menu ? open_menu : gesture.focus;
    const Target* next = registry.next_focus(from, name != "Tab");
    if (!next) return false;
    set_focus(next->id, true);
    if (next->role == "textbox") start_typing(*registry.find(next->id));
    return true;
  }
  if (gesture.typing) {
    if (name == "Enter" || name == "Escape") {
      stop_typing(name == "Enter" ? Phase::TypingDone : Phase::TypingCancelled);
      gesture.focus_visible = false;  // Tab goes on from here, but the field is not being edited
      if (!focus_back_.empty()) set_focus(std::exchange(focus_back_, ""), true);
      return true;
    }
    const std::string was = gesture.typing->text;
    const bool used = gesture.typing->key(name);
    if (gesture.typing->text != was)
      acted.push_back({gesture.typing->id, gesture.typing->text, Phase::Typing});
    return used;
  }
  const Target* focused = registry.find(gesture.focus);
  if (!focused || focused->disabled) return false;
  if (const Target* next = registry.next_in_menu(gesture.focus, name)) {
    set_focus(next->id, true);
    return true;
  }
  if (focused->role == "grid") {
    const bool clears = name == "Delete" || name == "Backspace";
    const bool space = name == " " && gesture.focus_visible;  // after a click it plays, as everywhere
    if (!is_arrow(name) && !clears && name != "Enter" && !space) return false;
    gesture.focus_visible = true;
    acted.push_back({focused->id, name == " " ? "Enter" : clears ? "Delete" : name});
    return true;
  }
  gesture.focus_visible = true;
  if (name != "Enter" && name != " ") return false;
  if (focused->role == "textbox") {
    start_typing(*focused);
  } else {
    acted.push_back({focused->id, ""});
  }
  return true;
}

Box Ui::carried() const {
  if (!gesture.drag) return {};
  const Drag& d = *gesture.drag;
  return {pointer.x - d.grab_x, pointer.y - d.grab_y, d.from.w, d.from.h};
}

float Ui::motion(double duration_ms) { return motion_after(0, duration_ms); }

float Ui::motion_after(double delay_ms, double duration_ms) {
  if (reduced_motion) return 1;
  const double t = (now - gesture.motion_began - delay_ms) / duration_ms;
  if (t < 1) animating = true;
  return eased(t);
}

void Ui::push_clip(Box box) {
  const Box outer = registry.clip();
  Box both = box;
  if (outer.w > 0) {
    both.x = std::max(box.x, outer.x);
    both.y = std::max(box.y, outer.y);
    both.w = std::max(1e-3f, std::min(box.right(), outer.right()) - both.x);
    both.h = std::min(box.bottom(), outer.bottom()) - both.y;
  }
  clips_.push_back(registry.clip_to(both));
  pen.push_clip(box);
}

void Ui::pop_clip() {
  registry.clip_to(clips_.back());
  clips_.pop_back();
  pen.pop_clip();
}

}  // namespace lab
