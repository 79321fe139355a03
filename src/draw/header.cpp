// Title, purpose, and what belongs to the whole screen: undo, redo, reset, share.
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/lock.hpp"

namespace lab {

namespace {

void draw_menu_button(Ui& ui, float x, float mid_y) {
  const Box box{x, mid_y - 18, 36, 36};
  if (ui.hovered("menu")) ui.pen.fill(box, ui.theme->chip_hover, radius::button);
  for (const float dy : {-6.f, 0.f, 6.f}) ui.pen.hline(x + 9, x + 27, mid_y + dy, ui.theme->ink, 2);
  ui.registry.add({.id = "menu",
                   .role = "button",
                   .label = "Lessons and settings",
                   .box = box,
                   .menu = ui.open_menu == "menu" ? Target::Menu::open : Target::Menu::closed});
}

}  // namespace

void draw_header(Ui& ui, const Shown& shown, Box box, bool wide) {
  const Pen& pen = ui.pen;
  if (!has_rail(ui) && !hides(shown.state.view, "rail")) {
    draw_menu_button(ui, box.x - (wide ? 0 : 6), wide && !is_low(ui) ? box.y + 40 : box.y + (wide ? 30 : 28));
    box = {box.x + 40, box.y, box.w - 40, box.h};
  }
  const Palette& c = *ui.theme;
  const Lesson& lesson = lesson_of(shown.state);
  float right = box.right();
  const auto place = [&](const char* id, const char* words, bool disabled, const char* label,
                         const char* room_for = "") {
    const float w = std::max(button_width(ui, words, !wide), button_width(ui, room_for, !wide));
    right -= w;
    button(ui, {right, box.y + (wide && !is_low(ui) ? 24.f : 12.f), w, 32}, id, words,
           {.small = !wide,
            .disabled = disabled,
            .opens_menu = id == std::string_view("export"),
            .mirror_label = label});
    right -= gap::tight;
  };
  const char *share = wide ? "Share link" : "Share", *shared = wide ? "Link copied" : "Copied";
  place("share", shown.hand.copied == "share" ? shared : share, false, "Share link", shared);
  if (wide) place("reset", "Reset", shown.state == defaults_of(lesson.id), "Reset the lesson");
  if (wide) place("export", "Export", false, "Export: picture, program or numbers");
  if (wide || shown.can_redo) place("redo", "Redo", !shown.can_redo, "Redo");
  if (wide || shown.can_undo) place("undo", "Undo", !shown.can_undo, "Undo");
  const float room = right - gap::normal - box.x;
  if (wide && is_low(ui)) {
    const float w = pen.text(Bold, type::title, box.x, box.y + 36, c.ink, lesson.says->title);
    const std::string_view purpose = lesson.says->purpose;  // its first sentence, where one line has to do
    constexpr float kAFewWords = 120;
    if (room - w - 16 > kAFewWords)
      pen.text_fit(Sans, type::body, box.x + w + 16, box.y + 36, c.mute,
                   purpose.substr(0, purpose.find('.') + 1), room - w - 16);
  } else if (wide) {
    pen.text(Bold, type::title, box.x, box.y + 44, c.ink, lesson.says->title);
    pen.text_fit(Sans, type::body, box.x, box.y + 68, c.mute, lesson.says->purpose, room);
  } else {
    pen.text_fit(Bold, type::large, box.x, box.y + 34, c.ink, lesson.says->title, room);
  }
  ui.registry.add(
      {.id = "heading",
       .role = "heading",
       .label = lesson.says->title,
       .box = {box.x, box.y + 20,
               std::max(1.f, std::min(room, pen.width(Bold, type::title, lesson.says->title))), 32},
       .passive = true});
  ui.registry.add({.id = "purpose",
                   .role = "text",
                   .label = lesson.says->purpose,
                   .box = wide ? Box{box.x, box.y + 56, std::max(1.f, room), 16} : Box{box.x, box.y, 1, 1},
                   .passive = true});
}

void draw_footer(Ui& ui, const Shown& shown, Box box) {
  if (ui.open_menu == "menu") return;  // which has the same
  const float w = button_width(ui, "Export", true);
  button(ui, {box.x, box.y, w, 32}, "export", "Export", {.small = true, .opens_menu = true});
  button(ui, {box.x + w + gap::tight, box.y, button_width(ui, "Reset", true), 32}, "reset", "Reset",
         {.small = true,
          .disabled = shown.state == defaults_of(lesson_of(shown.state).id),
          .mirror_label = "Reset the lesson"});
}

}  // namespace lab
