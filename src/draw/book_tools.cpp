#include <algorithm>
#include <string>

#include "draw/book.hpp"
#include "draw/widgets.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/text.hpp"

namespace lab {

void draw_book_tools(Ui& ui, const Shown& shown, Box box) {
  const BookRow& row = book_rows()[std::size_t(magnified_row(shown.state))];
  const std::string open = filled("Open in {0}", {lesson_of_place(place_of(row)).says->title});
  button(ui, {box.x, box.y + 6, box.w, 32}, "open-row", open, {.small = true});
  const float y = box.y + 54;
  ui.pen.text_mid(Sans, type::small, box.x, y + 16, ui.theme->mute, "The report");
  struct Outlet {
    const char *id, *words, *label;
  };
  const bool copied = shown.hand.copied == "report.copy";
  float x = box.right();
  for (const Outlet& o : {Outlet{"report.copy", copied ? "Copied" : "Copy", "Copy the report"},
                          Outlet{"report.json", ".json", "Save the report as JSON"},
                          Outlet{"report.txt", ".txt", "Save the report as text"}}) {
    const float w = button_width(ui,
                                 o.words == std::string_view(".txt")       ? ".json"
                                 : o.id == std::string_view("report.copy") ? "Copied"
                                                                           : o.words,
                                 true);
    x -= w;
    button(ui, {x, y, w, 32}, o.id, o.words, {.small = true, .mirror_label = o.label});
    x -= gap::tight;
  }
}

}  // namespace lab
