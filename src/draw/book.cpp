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
constexpr float kSection = 42, kRow = 34, kStackedRow = 58, kReasonLine = 17, kEnd = 14, kTools = 48;
constexpr float kPad = 20, kIndent = kPad + 8, kCount = 112, kArrow = 30;

bool is_stacked(float width) { return width < kStackedBelow; }

// What stands in the list: the rows, and the title of a section before its first.
struct Line {
  int row;
  bool is_section;
  float y, h;
};

float reason_height(const Ui& ui, const BookCheck& check, float width) {
  const auto lines = ui.pen.lines(Sans, type::small, reason_of(check), width - kIndent - kPad);
  return kReasonLine * float(lines.size()) + 8;
}

std::vector<Line> lines_of(const Ui& ui, const Shown& shown, float width) {
  std::vector<Line> lines;
  const char* section = "";
  float y = is_stacked(width) ? kTools : 6;
  const auto& checks = shown.results.book->checks().all();
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
  return lines.empty() ? kTools + 76 : lines.back().y + lines.back().h + kEnd;
}

// As many whole numbers as there is room for.
std::string preview(const Pen& pen, const BookCheck& check, float room) {
  if (*check.row->words) return pen.fitted(Mono, type::small, check.row->words, room);
  std::string text;
  for (const BookNumber& n : check.numbers) {
    const std::string more = (text.empty() ? "" : "  ") + printed_text(n);
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
    default:
      if (*check.row->words) return check.state == BookCheck::State::equal ? "the same" : "another";
      return filled("{0} of {1}", {std::to_string(check.equal), std::to_string(check.numbers.size())});
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
  const BookCheck& check = shown.results.book->checks().all()[std::size_t(row)];
  const bool stacked = is_stacked(box.w), chosen = magnified_row(shown.state) == row;
  const std::string id = "book." + std::to_string(row);
  const Box ground{box.x + 12, box.y + 1, box.w - 24, box.h - 2};
  if (chosen)
    pen.fill(ground, c.weights.soft, radius::button);
  else if (ui.hovered(id))
    pen.fill(ground, c.chip_hover, radius::button);
  const std::string lesson = lesson_of_place(place_of(*check.row)).says->title;
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = std::string(check.row->what) + ", " + source_of(*check.row) + ": " +
                            count_words(check) + ". Open " + lesson,
                   .box = ground});
  if (ui.hovered(id)) ui.tip = {{box.x + kIndent, box.y, 200, box.h}, "Open in " + lesson};
  const float right = box.right() - 16 - kArrow, first = box.y + (stacked ? 18 : kRow / 2);
  const float count = stacked ? pen.width(MonoBold, type::small, count_words(check)) + 44 : kCount;
  draw_count(ui, shown, row, check,
             {right - count, first - (stacked ? 16 : 13), count, stacked ? 32.f : 26.f});
  pen.arrow(right + 6, right + 20, first, ui.hovered(id) ? c.weights.mark : c.deco);
  const float x = box.x + kIndent, what = stacked ? right - count - x - 4 : std::min(250.f, box.w * .3f);
  pen.text_mid(Medium, type::body, x, first, c.ink, pen.fitted(Medium, type::body, check.row->what, what));
  float numbers = stacked ? x : x + what + 12;
  if (box.w >= kSeedFrom) {
    pen.text_mid(Mono, type::small, numbers, first, c.faint, seed_of(*check.row));
    numbers += 84;
  }
  const float second = stacked ? first + 23 : first,
              room = (stacked ? box.right() - kPad : right - kCount - 8) - numbers;
  pen.text_mid(Mono, type::small, numbers, second, c.mute, preview(pen, check, room));
  if (shown.state.view.filter)
    pen.text_block(Sans, type::small, {x, second + 14, box.w - kIndent - kPad, 0}, c.mute, reason_of(check),
                   kReasonLine);
}

// The filter and the dice, at the right of the first line.
void draw_tools(Ui& ui, const Shown& shown, Box box) {
  const DropoutStream stream = shown.results.book->checks().stream();
  const std::string filter = "Not to the last digit", dice = std::string("dice: ") + stream_name(stream);
  const float right = box.right() - kPad, y = box.y + (is_stacked(box.w) ? 12 : 15);
  float x = right - button_width(ui, dice, true);
  button(ui, {x, y, right - x, 32}, "input.stream", dice,
         {.small = true,
          .value = stream == DropoutStream::mac ? "mac" : "mkl",
          .mirror_label = std::string("dice, the stream of dropout: ") + stream_name(stream)});
  const float w = button_width(ui, filter, true);
  button(ui, {x - gap::tight - w, y, w, 32}, "filter", filter,
         {.small = true,
          .value = shown.state.view.filter ? "true" : "false",
          .mirror_label = "Only rows that are not equal to the last digit"});
}

void draw_list(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  const BookChecks& checks = shown.results.book->checks();
  card(ui, box);
  draw_tools(ui, shown, box);
  const auto lines = lines_of(ui, shown, box.w);
  for (const Line& line : lines) {
    const Box place{box.x, box.y + line.y, box.w, line.h};
    if (line.is_section)
      ui.pen.text_mid(Bold, type::body, box.x + kPad, place.y + line.h * .6f, c.weights.text,
                      section_title(*checks.all()[std::size_t(line.row)].row));
    else
      draw_row(ui, shown, line.row, place);
  }
  if (lines.empty())
    ui.pen.text_mid(Sans, type::body, box.x + kPad, box.y + kTools + 38, c.mute,
                    checks.done() ? "Every row is equal to the last digit." : "Computing …");
}

// Equal ones, and of those that are under way as far as they are.
void draw_bar(Ui& ui, const BookWork& work, Box track) {
  const Palette& c = *ui.theme;
  const BookCount count = work.checks().counted();
  const float all = float(std::max(1, count.numbers)), equal = float(count.equal) / all;
  bar(ui, track, equal, work.checks().any_failed() ? c.bad.mark : c.ok.mark);
  if (!work.is_running()) return;
  const float way = float(count.not_run) / all * float(work.progress());
  ui.pen.fill({track.x + track.w * equal, track.y, track.w * way, track.h}, c.weights.mark, track.h / 2);
}

float run_width(const Ui& ui) { return button_width(ui, "Run again"); }

// What starts all rows, or stops them.
void draw_run(Ui& ui, const BookWork& work, float right, float mid_y) {
  const bool runs = work.is_running();
  const char* words = runs ? "Cancel" : work.stage() == BookWork::Stage::done ? "Run again" : "Run all";
  const float w = run_width(ui);
  button(ui, {right - w, mid_y - 18, w, 36}, "run-book", words,
         {.kind = runs ? ButtonKind::Normal : ButtonKind::Primary,
          .mirror_label = runs ? "Cancel the run" : filled("{0}, the rows of GPT-2 small too", {words})});
}

// The lines below the count and the bar.
std::vector<std::string> summary_lines(const BookWork& work) {
  std::vector<std::string> lines = {summary_of(work.checks().counted())};
  if (const std::string apart = apart_of(work.checks().counted_apart()); !apart.empty())
    lines.push_back(apart);
  return lines;
}

constexpr float kCountWidth = 250, kSummaryLine = 20, kSummaryHead = 54, kRunLine = 18;

float summary_height(const Ui& ui, const Shown& shown, float width) {
  const BookWork& work = *shown.results.book;
  const float lines = float(summary_lines(work).size());
  if (!is_stacked(width)) return kSummaryHead + kSummaryLine * lines + 18;
  const auto run =
      ui.pen.lines(Sans, type::small, run_of(work), width - 2 * kPad - run_width(ui) - gap::normal);
  return kSummaryHead + kSummaryLine * lines + std::max(36.f, kRunLine * float(run.size())) + 18;
}

void draw_summary(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const BookWork& work = *shown.results.book;
  const BookCount count = work.checks().counted();
  card(ui, box);
  const bool stacked = is_stacked(box.w);
  const float x = box.x + kPad, right = box.right() - kPad;
  const float counted =
      pen.text(Bold, type::title, x, box.y + 40, work.checks().any_failed() ? c.bad.text : c.ok.text,
               filled("{0} of {1}", {std::to_string(count.equal), std::to_string(count.numbers)}));
  float y = box.y + kSummaryHead + 12;
  for (const std::string& line : summary_lines(work)) {
    pen.text_fit(Sans, type::small, x, y, c.mute, line, right - x);
    y += kSummaryLine;
  }
  const std::string run = run_of(work);
  if (stacked) {
    draw_bar(ui, work, {x + counted + 16, box.y + 28, right - x - counted - 16, 10});
    const float w = right - x - run_width(ui) - gap::normal;
    pen.text_block(Sans, type::small, {x, y - 10, w, 0}, c.mute, run, kRunLine);
    draw_run(ui, work, right, box.bottom() - 32);
  } else {
    const float bar_x = x + kCountWidth, bar_end = right - run_width(ui) - 20;
    draw_run(ui, work, right, box.y + 38);
    draw_bar(ui, work, {bar_x, box.y + 28, bar_end - bar_x, 10});
    pen.text_fit(Sans, type::small, bar_x, box.y + kSummaryHead + 12, c.mute, run, bar_end - bar_x);
  }
  ui.registry.add({.id = "book",
                   .role = "status",
                   .label = "Book numbers",
                   .value = status_of(work),
                   .box = {box.x, box.y, box.w, kSummaryHead},
                   .passive = true});
}

}  // namespace

float book_height(const Ui& ui, const Shown& shown, float width) {
  return summary_height(ui, shown, width) + gap::close + book_figure_height(shown, width) +
         list_height(ui, shown, width);
}

void draw_book(Ui& ui, const Shown& shown, Box box) {
  const float summary = summary_height(ui, shown, box.w);
  draw_summary(ui, shown, {box.x, box.y, box.w, summary});
  float y = box.y + summary + gap::close;
  const float figure = book_figure_height(shown, box.w);
  if (figure > 0) draw_book_figure(ui, shown, {box.x, y, box.w, figure - gap::close});
  y += figure;
  draw_list(ui, shown, {box.x, y, box.w, std::max(list_height(ui, shown, box.w), box.bottom() - y)});
}

}  // namespace lab
