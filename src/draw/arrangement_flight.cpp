// While a step begins, the numbers that the selected cell is made from fly into it.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "draw/arrangement.hpp"
#include "draw/numbers.hpp"
#include "lessons/inspect.hpp"

namespace lab {
namespace {

constexpr double kFlight = 400;  // ms, no motion is longer
constexpr float kArc = 14;       // how far a flight rises above the straight way, CSS pixels

float between(float a, float b, float t) { return a + (b - a) * t; }

}  // namespace

Box on_the_way(Box from, Box to, float t, float rise) {
  const float up = rise * std::sin(std::numbers::pi_v<float> * t);
  return {between(from.x, to.x, t), between(from.y, to.y, t) - up, between(from.w, to.w, t),
          between(from.h, to.h, t)};
}

void draw_flying(Ui& ui, const Hue& hue, Box box, float value) {
  constexpr float kLeastForNumbers = 24;
  ui.pen.shadow(box, 3, 8, ui.theme->shadow);
  ui.pen.panel(box, hue.soft, hue.mark, 3, 1.5f);
  if (box.w < kLeastForNumbers) return;
  const std::string number = number_text(value, 2);
  ui.pen.text_mid(Mono, type::tiny, box.mid_x(), box.mid_y(), hue.text,
                  box.w < kRoomForZero ? without_leading_zero(number) : number, Align::Center);
}

void draw_flight(Ui& ui, const Shown& shown, const Columns& columns) {
  const float t = ui.motion(kFlight);
  const CellName cell = shown_cell(shown);
  const Standing* target = find_standing(columns, cell.name);
  if (t >= 1 || !target || target->step != step_index(shown.state)) return;
  const auto how = explain(shown.runs(), cell);
  if (!how) return;
  const Box to = target->cell_box(cell.row, cell.col);
  const float before = ui.pen.alpha;
  ui.pen.alpha *= std::min(1.f, 4 * (1 - t));  // they vanish where they arrive
  for (const CellName& source : sources(*how)) {
    const Standing* from = find_standing(columns, name_on_stage(source.name));
    const auto value = value_of(shown.runs(), source);
    if (!from || !value || std::isnan(*value)) continue;
    const Box start = from->cell_box(source.row, source.col);
    draw_flying(ui, hue_of(ui, role_of(shown.runs(), source.name)), on_the_way(start, to, t, kArc), *value);
  }
  ui.pen.alpha = before;
}

}  // namespace lab
