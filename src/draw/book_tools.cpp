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
    const char* room_for;  // the longest that its button says, or its neighbour
  };
  const char* copy = shown.hand.copied == "report.copy" ? "Copied" : "Copy";
  float x = box.right();
  for (const Outlet& o : {Outlet{"report.copy", copy, "Copy the report", "Copied"},
                          Outlet{"report.json", ".json", "Save the report as JSON", ".json"},
                          Outlet{"report.txt", ".txt", "Save the report as text", ".json"}}) {
    const float w = button_width(ui, o.room_for, true);
    button(ui, {x - w, y, w, 32}, o.id, o.words, {.small = true, .mirror_label = o.label});
    x -= w + gap::tight;
  }
}

}  // namespace lab
