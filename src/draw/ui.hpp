// What a frame needs besides the State, and what hands do in it. Draw functions read State and Ui, register
// targets and draw; they never write State. What the user does comes out as `acted`, for the app to carry
// out.
//
// A frame:  ui.begin(…)  →  the app takes ui.acted and changes State  →  draw  →  ui.finish()
// begin() tests the pointer against the list of the frame that the user saw, so an act is in the picture at
// once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "draw/heatmap.hpp"
#include "draw/pen.hpp"
#include "draw/registry.hpp"
#include "draw/text_edit.hpp"
#include "draw/theme.hpp"

namespace lab {

struct Pointer {
  float x = -1e6f, y = -1e6f;  // CSS pixels; far away when there is none
  bool valid = false, down = false, pressed = false, released = false;
  float wheel_x = 0, wheel_y = 0;  // notches
};

struct Drag {
  std::string id;                // what is carried
  Box from;                      // where it lay when it was taken
  float grab_x = 0, grab_y = 0;  // the hand's place in that box
  std::string over;              // the drop zone under the hand, or ""
};

// What hands are doing. Never in a link, nor in undo.
struct Gesture {
  std::string hover;    // the topmost target under the pointer
  Cell hover_cell;      // … and its cell, when it is a grid
  std::string pressed;  // where the press began
  Cell pressed_cell;
  float press_x = 0, press_y = 0;
  double pressed_at = 0;  // ms
  std::optional<Drag> drag;
  std::string clicked;  // the grid that was clicked last, its cell and when: a second click opens the cell
  Cell clicked_cell;
  double clicked_at = -1e9;  // ms
  std::string focus;         // the target with the keyboard
  bool focus_visible = false;
  std::optional<TextEdit> typing;  // the native text field; the page has real <input>s
  double motion_began = -1e9;      // ms
};

enum class Phase { Whole, Typing, TypingDone, TypingCancelled };

// Something was done to a target. Value: "" it was used; "r.c" this cell of a grid was clicked; "ArrowLeft" …
// a key for a grid; otherwise the text typed so far.
struct Act {
  std::string id, value;
  Phase phase = Phase::Whole;
};
struct Drop {
  std::string id, over;  // over: a drop zone, or "" when let go elsewhere
  float x = 0, y = 0;    // CSS pixels
};

struct Ui {
  Pen pen;
  Theme theme = theme_of(false);
  Heatmaps* heatmaps = nullptr;
  Registry registry;
  Pointer pointer;
  Gesture gesture;
  double now = 0;                                      // ms
  float width = 0, height = 0;                         // CSS pixels
  std::string open_menu;                               // the target whose menu is open; set as is_locked
  std::function<bool(std::string_view id)> is_locked;  // by the link; set while the screen is drawn
  float stage_zoom = 1;                                // of the stage while it is drawn
  bool reduced_motion = false;
  bool animating = false;  // set while drawing: the next frame is wanted as well
  std::vector<Act> acted;
  std::optional<Drop> dropped;  // in this frame
  struct Tip {
    Box about;
    std::string words;
  };
  std::optional<Tip> tip;  // wanted while drawing; drawn when all else is (draw_tip of widgets.hpp)

  // After ImGui::NewFrame. Canvas in device pixels; scale = device pixels per CSS pixel.
  void begin(int canvas_width, int canvas_height, float scale, double now_ms);
  // After the last target: focus ring, cursor, what can be reached.
  void finish();

  // A key by name ("Enter", "Shift+Tab", "ArrowLeft", "Ctrl+a"), text from a native keyboard or the
  // clipboard. True when it was used here; else it is the app's.
  bool key(const std::string& name);
  bool text(const std::string& typed);
  void set_focus(const std::string& id, bool visible);  // "" = none
  void start_typing(const Target& field);
  void stop_typing(Phase phase);  // TypingDone or TypingCancelled

  // How a target is to be drawn.
  bool hovered(const std::string& id) const { return !gesture.drag && gesture.hover == id; }
  bool held(const std::string& id) const {
    return gesture.pressed == id && gesture.hover == id && pointer.down;
  }
  bool focused(const std::string& id) const { return gesture.focus == id; }
  bool dragging(const std::string& id) const { return gesture.drag && gesture.drag->id == id; }
  // Where a carried thing lies now: its box moved with the hand.
  Box carried() const;

  // 0 … 1, eased, since the motion began; 1 at once under reduced motion. Asks for frames until it is 1.
  float motion(double duration_ms = 300);
  // The same for a part of the motion that starts `delay_ms` later.
  float motion_after(double delay_ms, double duration_ms);

  bool locked(const std::string& id) const { return is_locked && is_locked(id); }

  // Clips drawing and hit-testing alike.
  void push_clip(Box box);
  void pop_clip();

 private:
  void point();
  void press(const Target* under);
  void release(const Target* under);
  void wait_for_long_press(const Target& held);

  std::vector<Box> clips_;
  std::vector<std::string> wanted_focus_;  // ids that already had their turn
  std::string menu_before_;                // whose menu was open in the last frame
  std::string focus_back_;                 // where the keyboard was before a field took it by itself
  std::size_t focus_place_ = 0;            // in the list of the frame before
};

}  // namespace lab
