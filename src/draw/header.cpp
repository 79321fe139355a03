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

namespace {

struct Outlet {
  const char *id, *words, *label;
  bool disabled = false;
  const char* room_for = "";  // the longest that its button ever says
};

// Undo, Redo, Export, Reset, Share, ending at the right of the box. Returns where they begin.
float draw_tools(Ui& ui, const Shown& shown, Box box, bool wide) {
  const char *share = wide ? "Share link" : "Share", *shared = wide ? "Link copied" : "Copied";
  std::vector<Outlet> outlets;
  if (wide || shown.can_undo) outlets.push_back({"undo", "Undo", "Undo", !shown.can_undo});
  if (wide || shown.can_redo) outlets.push_back({"redo", "Redo", "Redo", !shown.can_redo});
  if (wide) outlets.push_back({"export", "Export", "Export: picture, program or numbers"});
  if (wide)
    outlets.push_back(
        {"reset", "Reset", "Reset the lesson", shown.state == defaults_of(lesson_of(shown.state).id)});
  outlets.push_back({"share", shown.hand.copied == "share" ? shared : share, "Share link", false, shared});
  const auto width = [&](const Outlet& o) {
    return std::max(button_width(ui, o.words, !wide), button_width(ui, o.room_for, !wide));
  };
  float begin = box.right();
  for (const Outlet& o : outlets) begin -= width(o) + gap::tight;
  float x = begin + gap::tight;
  for (const Outlet& o : outlets) {
    button(ui, {x, box.y + (wide && !is_low(ui) ? 24.f : 12.f), width(o), 32}, o.id, o.words,
           {.small = !wide,
            .disabled = o.disabled,
            .opens_menu = o.id == std::string_view("export"),
            .mirror_label = o.label});
    x += width(o) + gap::tight;
  }
  return begin;
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
  const float right = draw_tools(ui, shown, box, wide);
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
