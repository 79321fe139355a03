// Title, purpose, and what belongs to the whole screen: undo, redo, reset, share.
#include "draw/screen.hpp"
#include "draw/widgets.hpp"

namespace lab {

void draw_header(Ui& ui, const Shown& shown, Box box, bool wide) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const Lesson& lesson = lesson_of(shown.state);
  float right = box.right();
  const auto place = [&](const char* id, const char* words, bool disabled, const char* label) {
    const float w = button_width(ui, words, !wide);
    right -= w;
    button(ui, {right, wide ? 24 + box.y : 14 + box.y, w, wide ? 32.f : 32.f}, id, words,
           {.small = !wide, .disabled = disabled, .mirror_label = label});
    right -= gap::tight;
  };
  place("share", wide ? "Share link" : "Share", false, "Share link");
  place("reset", "Reset", shown.state == defaults_of(lesson.id), "Reset the lesson");
  place("redo", "Redo", !shown.can_redo, "Redo");
  place("undo", "Undo", !shown.can_undo, "Undo");
  const float room = right - gap::normal - box.x;
  if (wide) {
    pen.text(Bold, type::title, box.x, box.y + 44, c.ink, lesson.title);
    pen.text_fit(Sans, type::body, box.x, box.y + 68, c.mute, lesson.purpose, room);
  } else {
    pen.text_fit(Bold, type::large, box.x, box.y + 36, c.ink, lesson.title, room);
  }
  ui.registry.add({.id = "heading",
                   .role = "heading",
                   .label = lesson.title,
                   .box = {box.x, box.y + 20,
                           std::max(1.f, std::min(room, pen.width(Bold, type::title, lesson.title))), 32},
                   .passive = true});
}

}  // namespace lab
