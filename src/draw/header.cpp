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
    button(ui, {right, box.y + (wide && !is_low(ui) ? 24.f : 12.f), w, 32}, id, words,
           {.small = !wide, .disabled = disabled, .mirror_label = label});
    right -= gap::tight;
  };
  place("share", wide ? "Share link" : "Share", false, "Share link");
  if (wide) place("reset", "Reset", shown.state == defaults_of(lesson.id), "Reset the lesson");
  place("redo", "Redo", !shown.can_redo, "Redo");
  place("undo", "Undo", !shown.can_undo, "Undo");
  const float room = right - gap::normal - box.x;
  if (wide && is_low(ui)) {
    const float w = pen.text(Bold, type::title, box.x, box.y + 36, c.ink, lesson.title);
    const std::string_view purpose = lesson.purpose;  // its first sentence, where one line has to do
    pen.text_fit(Sans, type::body, box.x + w + 16, box.y + 36, c.mute,
                 purpose.substr(0, purpose.find('.') + 1), room - w - 16);
  } else if (wide) {
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

void draw_footer(Ui& ui, const Shown& shown, Box box) {
  const ThemeChoice theme = shown.state.view.theme;
  const char* words = theme == ThemeChoice::automatic ? "Theme: auto"
                      : theme == ThemeChoice::light   ? "Theme: light"
                                                      : "Theme: dark";
  const float w = button_width(ui, words, true);
  button(ui, {box.x, box.y, w, 32}, "theme", words, {.small = true});
  button(ui, {box.x + w + gap::tight, box.y, button_width(ui, "Reset", true), 32}, "reset", "Reset",
         {.small = true,
          .disabled = shown.state == defaults_of(lesson_of(shown.state).id),
          .mirror_label = "Reset the lesson"});
}

}  // namespace lab
