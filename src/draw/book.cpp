// The numbers that the book prints, a row a cell of its notebooks: printed, how many are the same, a tick.
#include <algorithm>
#include <string>
#include <vector>

#include "draw/book.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/book_places.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/book_texts.hpp"

namespace lab {
namespace {

using namespace book_texts;

constexpr float kStackedBelow = 600, kSeedFrom = 820;  // widths: two lines a row; room for the seed
constexpr float kSummary = 92, kStackedSummary = 150;
constexpr float kSection = 42, kRow = 34, kStackedRow = 58, kReasonLine = 17, kEnd = 14;
constexpr float kPad = 20, kCount = 112, kArrow = 30;

bool is_stacked(float width) { return width < kStackedBelow; }

// What stands in the list: the rows, and the title of a section before its first.
struct Line {
  int row;
  bool is_section;
  float y, h;
};

float reason_height(const Ui& ui, const BookCheck& check, float width) {
  const auto lines = ui.pen.lines(Sans, type::small, reason_of(check), width - 2 * kPad);
  return kReasonLine * float(lines.size()) + 8;
}

std::vector<Line> lines_of(const Ui& ui, const Shown& shown, float width) {
  std::vector<Line> lines;
  const char* section = "";
  float y = 6;
  const auto& checks = shown.results.book->all();
  for (int i = 0; i < int(checks.size()); ++i) {
    const BookCheck& check = checks[std::size_t(i)];
    if (!is_listed(shown.state, check)) continue;
    if (std::string_view(section) != check.row->section) {
      section = check.row->section;
      lines.push_back({i, true, y, kSection});
      y += kSection;
    }
    const float h = (is_stacked(width) ? kStackedRow : kRow) +
                    (shown.state.view.filter ? reason_height(ui, check, width) : 0);
    lines.push_back({i, false, y, h});
    y += h;
  }
  return lines;
}

float list_height(const Ui& ui, const Shown& shown, float width) {
  const auto lines = lines_of(ui, shown, width);
  return lines.empty() ? 76 : lines.back().y + lines.back().h + kEnd;
}

float summary_height(float width) { return is_stacked(width) ? kStackedSummary : kSummary; }

// As many whole numbers as there is room for.
std::string preview(const Pen& pen, const BookCheck& check, float room) {
  std::string text;
  for (const BookNumber& n : check.numbers) {
    const std::string more = (text.empty() ? "" : "  ") + (n.text == "-inf" ? std::string("−∞") : n.text);
    const bool last = &n == &check.numbers.back();
    if (pen.width(Mono, type::small, text + more + (last ? "" : " …")) > room) return text + " …";
    text += more;
  }
  return text;
}

std::string count_words(const BookCheck& check) {
  switch (check.state) {
    case BookCheck::State::waiting: return "…";
    case BookCheck::State::not_run: return "not run";
    case BookCheck::State::explained: return "explained";
    default: return filled("{0} of {1}", {std::to_string(check.equal), std::to_string(check.numbers.size())});
  }
}

ImU32 count_color(const Palette& c, const BookCheck& check) {
  switch (check.state) {
    case BookCheck::State::equal: return c.ok.text;
    case BookCheck::State::explained: return c.warn.text;
    case BookCheck::State::failed: return c.bad.text;
    default: return c.faint;
  }
}

// The count with its mark, which compares the row number by number.
void draw_count(Ui& ui, const Shown& shown, int row, const BookCheck& check, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const std::string id = "check." + std::to_string(row);
  const bool chosen = magnified_row(shown.state) == row;
  if (ui.hovered(id)) pen.fill(box, chosen ? c.panel : c.chip, radius::button);
  const float x = box.right() - 16, y = box.mid_y();
  const ImU32 ink = count_color(c, check);
  pen.text_mid(MonoBold, type::small, box.right() - 32, y, ink, count_words(check), Align::Right);
  switch (check.state) {
    case BookCheck::State::equal: pen.tick(x, y, 10, c.ok.mark, 2); break;
    case BookCheck::State::explained: pen.text_mid(Bold, type::body, x, y, ink, "i", Align::Center); break;
    case BookCheck::State::failed: pen.cross(x, y, 9, c.bad.mark, 2); break;
    case BookCheck::State::not_run: pen.ring(x, y, 4, c.deco, 1.5f); break;
    case BookCheck::State::waiting: break;
  }
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = std::string("Compare number by number: ") + check.row->what,
                   .value = chosen ? "true" : "false",
                   .box = box});
  if (ui.hovered(id)) ui.tip = {box, "Compare number by number"};
}

void draw_row(Ui& ui, const Shown& shown, int row, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const BookCheck& check = shown.results.book->all()[std::size_t(row)];
  const BookPlace* place = place_of(*check.row);
  const bool stacked = is_stacked(box.w), chosen = magnified_row(shown.state) == row;
  const std::string id = "book." + std::to_string(row);
  const Box ground{box.x + 8, box.y + 1, box.w - 16, box.h - 2};
  if (chosen)
    pen.fill(ground, c.weights.soft, radius::button);
  else if (ui.hovered(id))
    pen.fill(ground, c.chip_hover, radius::button);
  const std::string lesson = place ? lesson_of_place(*place).says->title : "";
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = std::string(check.row->what) + ", " + source_of(*check.row) + ": " +
                            count_words(check) + (place ? ". Open " + lesson : ""),
                   .box = ground});
  if (ui.hovered(id) && place) ui.tip = {{box.x + kPad, box.y, 200, box.h}, "Open in " + lesson};
  const float right = box.right() - 12 - kArrow, first = box.y + (stacked ? 18 : kRow / 2);
  draw_count(ui, shown, row, check,
             {right - kCount, first - (stacked ? 16 : 13), kCount, stacked ? 32.f : 26.f});
  if (place) pen.arrow(right + 6, right + 20, first, ui.hovered(id) ? c.weights.mark : c.deco);
  const float x = box.x + kPad, what = stacked ? right - kCount - x - 8 : std::min(250.f, box.w * .3f);
  pen.text_mid(Medium, type::body, x, first, c.ink, pen.fitted(Medium, type::body, check.row->what, what));
  float numbers = stacked ? x : x + what + 12;
  if (box.w >= kSeedFrom) {
    pen.text_mid(Mono, type::small, numbers, first, c.faint,
                 check.row->seed < 0 ? "no seed" : "seed " + std::to_string(check.row->seed));
    numbers += 84;
  }
  const float second = stacked ? first + 23 : first,
              room = (stacked ? box.right() - kPad : right - kCount - 8) - numbers;
  pen.text_mid(Mono, type::small, numbers, second, c.mute, preview(pen, check, room));
  if (shown.state.view.filter)
    pen.text_block(Sans, type::small, {x, second + 14, box.w - 2 * kPad, 0}, c.mute, reason_of(check),
                   kReasonLine);
}

void draw_list(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  card(ui, box);
  const auto lines = lines_of(ui, shown, box.w);
  for (const Line& line : lines) {
    const Box place{box.x, box.y + line.y, box.w, line.h};
    if (line.is_section)
      ui.pen.text_mid(Bold, type::body, box.x + 12, place.y + line.h * .6f, c.weights.text,
                      section_title(*shown.results.book->all()[std::size_t(line.row)].row));
    else
      draw_row(ui, shown, line.row, place);
  }
  if (lines.empty())
    ui.pen.text_mid(Sans, type::body, box.x + kPad, box.y + 38, c.mute,
                    shown.results.book->done() ? "Every row is equal to the last digit." : "Computing …");
}

void draw_buttons(Ui& ui, const Shown& shown, float right, float y) {
  const bool mac = shown.results.book->stream() == DropoutStream::mac;
  const std::string filter = "Not to the last digit", dice = mac ? "dice: macOS" : "dice: Linux, Windows";
  float x = right - button_width(ui, dice, true);
  button(ui, {x, y, right - x, 32}, "input.stream", dice,
         {.small = true,
          .value = mac ? "mac" : "mkl",
          .mirror_label = "dice, the stream of dropout: " + std::string(mac ? "macOS" : "Linux, Windows")});
  const float w = button_width(ui, filter, true);
  button(ui, {x - gap::tight - w, y, w, 32}, "filter", filter,
         {.small = true,
          .value = shown.state.view.filter ? "true" : "false",
          .mirror_label = "Only rows that are not equal to the last digit"});
}

void draw_summary(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const BookChecks& checks = *shown.results.book;
  const auto& all = checks.all();
  const bool failed =
      std::any_of(all.begin(), all.end(), [](const auto& k) { return k.state == BookCheck::State::failed; });
  card(ui, box);
  const bool stacked = is_stacked(box.w);
  const float x = box.x + kPad;
  const std::string count =
      filled("{0} of {1}", {std::to_string(checks.equal()), std::to_string(checks.to_tick())});
  const std::string summary = summary_of(checks), waiting = waiting_of(checks);
  pen.text(Bold, type::title, x, box.y + 40, failed ? c.bad.text : c.ok.text, count);
  pen.text(Sans, type::small, x, box.y + 66, c.mute, summary);
  const float part = float(checks.equal()) / float(std::max(1, checks.to_tick()));
  const ImU32 color = failed ? c.bad.mark : c.ok.mark;
  const float right = box.right() - kPad;
  const Box track =
      stacked ? Box{x + 130, box.y + 28, right - x - 130, 10} : Box{x + 250, box.y + 28, right - x - 250, 10};
  bar(ui, track, part, color);
  ui.registry.add({.id = "book",
                   .role = "status",
                   .label = "Book numbers",
                   .value = count + " equal. " + summary + ". " + waiting + ".",
                   .box = track,
                   .passive = true});
  if (stacked) {
    pen.text(Sans, type::small, x, box.y + 86, c.mute, pen.fitted(Sans, type::small, waiting, right - x));
    draw_buttons(ui, shown, right, box.bottom() - 46);
  } else {
    const float buttons = button_width(ui, "Not to the last digit", true) + gap::tight +
                          button_width(ui, "dice: Linux, Windows", true) + 12;
    pen.text(
        Sans, type::small, track.x, box.y + 66, c.mute,
        pen.width(Sans, type::small, waiting) <= right - buttons - track.x
            ? waiting
            : pen.fitted(Sans, type::small, waiting.substr(0, waiting.find(':')), right - buttons - track.x));
    draw_buttons(ui, shown, right, box.y + 48);
  }
}

}  // namespace

float book_height(const Ui& ui, const Shown& shown, float width) {
  return summary_height(width) + gap::close + book_figure_height(shown, width) +
         list_height(ui, shown, width);
}

void draw_book(Ui& ui, const Shown& shown, Box box) {
  draw_summary(ui, shown, {box.x, box.y, box.w, summary_height(box.w)});
  float y = box.y + summary_height(box.w) + gap::close;
  const float figure = book_figure_height(shown, box.w);
  if (figure > 0) draw_book_figure(ui, shown, {box.x, y, box.w, figure - gap::close});
  y += figure;
  draw_list(ui, shown, {box.x, y, box.w, std::max(list_height(ui, shown, box.w), box.bottom() - y)});
}

}  // namespace lab
