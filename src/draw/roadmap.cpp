// The three stages as stations of one line: what each adds, and where this lab stands.
#include <algorithm>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/texts/roadmap_texts.hpp"

namespace lab {
namespace {

using namespace roadmap_texts;

constexpr float kPartRow = 54, kHeadHeight = 92, kFolded = 76, kStackedBelow = 600;

constexpr float kStationHeight = kHeadHeight + kPartRow * 6 + 14;

void draw_part(Ui& ui, const Part& part, Box row, bool last) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool is_lesson = *part.lesson != 0;
  const std::string id = std::string("open.") + part.lesson;
  if (is_lesson && ui.hovered(id)) pen.fill(row, c.chip_hover, radius::button);
  const float x = row.x + 16;
  constexpr float kWideEnough = 220;
  const bool tells = row.w >= kWideEnough;  // what the part adds
  const float y = row.mid_y() - (tells ? 9 : 0);
  if (!last) pen.vline(x, y + 6, y + row.h - 6, c.line, 2);
  if (is_lesson)
    pen.disc(x, y, 5, c.weights.mark);
  else
    pen.ring(x, y, 5, c.deco, 1.5f);
  const float room = row.w - 34 - (is_lesson ? 28 : 4);
  const Face face = is_lesson ? Medium : Sans;
  const float size = tells ? type::lead : type::body;
  pen.text_mid(face, size, x + 18, y, is_lesson ? c.ink : c.mute, pen.fitted(face, size, part.words, room));
  if (tells)
    pen.text_mid(Sans, type::small, x + 18, y + 19, c.mute, pen.fitted(Sans, type::small, part.adds, room));
  if (!is_lesson) return;
  pen.arrow(row.right() - 24, row.right() - 8, row.mid_y(), c.weights.mark);
  ui.registry.add(
      {.id = id, .role = "button", .label = std::string("Open the lesson ") + part.words, .box = row});
}

void draw_station(Ui& ui, const Shown& shown, const Station& station, int number, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool chosen = step_of(shown.state).id == std::string_view(station.step), here = number == 1;
  pen.panel(box, chosen ? mix(c.panel, c.weights.soft, .35f) : c.panel, chosen ? c.weights.mark : c.line,
            radius::panel, chosen ? 2.f : 1.f);
  ui.registry.add({.id = std::string("station.") + station.step,
                   .role = "button",
                   .label = std::string("Stage ") + std::to_string(number) + ": " + station.title,
                   .value = chosen ? "current" : "",
                   .box = {box.x, box.y, box.w, std::min(box.h, kHeadHeight - 16)},
                   .radius = radius::panel});
  pen.disc(box.x + 34, box.y + 38, 16, here ? c.weights.mark : c.chip);
  pen.text_mid(Bold, type::large, box.x + 34, box.y + 38, here ? c.on_mark : c.mute, std::to_string(number),
               Align::Center);
  pen.text_mid(Bold, type::large, box.x + 62, box.y + 30, c.ink, station.title);
  pen.text_mid(Sans, type::small, box.x + 62, box.y + 50, here ? c.weights.text : c.mute,
               here ? "you are here" : station.state);
  if (box.h <= kHeadHeight) return;  // folded
  pen.hline(box.x + 18, box.right() - 18, box.y + kHeadHeight - 14, c.line);
  float y = box.y + kHeadHeight - 4;
  for (std::size_t i = 0; i < station.parts.size() && station.parts[i].words; ++i) {
    const bool last = i + 1 == station.parts.size() || !station.parts[i + 1].words;
    draw_part(ui, station.parts[i], {box.x + 12, y, box.w - 24, kPartRow}, last);
    y += kPartRow;
  }
}

}  // namespace

// Side by side, or stacked with only the chosen one unfolded.
float roadmap_height(const Ui&, const Shown&, float width) {
  return width < kStackedBelow ? kStationHeight + 2 * (kFolded + gap::normal) + 48 : kStationHeight + 24;
}

void draw_roadmap(Ui& ui, const Shown& shown, Box box) {
  const bool stacked = box.w < kStackedBelow;
  if (!shown.done.empty()) {
    const std::string words = "Forget which questions I answered";
    const float w = button_width(ui, words, true);
    button(ui, {box.right() - w, box.bottom() - 34, w, 28}, "forget", words,
           {.kind = ButtonKind::Quiet, .small = true});
  }
  const float h = kStationHeight;
  if (stacked) {
    float y = box.y;
    for (int i = 0; i < 3; ++i) {
      const float own = i == std::min(2, step_index(shown.state)) ? h : kFolded;
      draw_station(ui, shown, stations()[std::size_t(i)], i + 1, {box.x, y, box.w, own});
      y += own + gap::normal;
    }
    return;
  }
  const float between = box.w < 800 ? 28 : 44, w = std::min(340.f, (box.w - 2 * between) / 3);
  const float x0 = box.x + (box.w - 3 * w - 2 * between) / 2, y = box.mid_y() - h / 2;
  for (int i = 0; i < 3; ++i) {
    const float x = x0 + (w + between) * float(i);
    draw_station(ui, shown, stations()[std::size_t(i)], i + 1, {x, y, w, h});
    if (i < 2) ui.pen.arrow(x + w + 8, x + w + between - 8, y + 38, ui.theme->deco, 2);
  }
}

}  // namespace lab
