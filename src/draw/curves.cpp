#include "draw/curves.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kMotion = 400, kDot = 4, kLabelApart = 15;

struct Ends {
  float y;
  const Curve* curve;
};

// At the right of their last dots, apart from one another.
void draw_ends(Ui& ui, std::vector<Ends> ends, float x, int digits) {
  std::stable_sort(ends.begin(), ends.end(), [](const Ends& a, const Ends& b) { return a.y < b.y; });
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i].y = std::max(ends[i].y, ends[i - 1].y + kLabelApart);
  for (const Ends& e : ends)
    ui.pen.text_mid(MonoBold, type::small, x + 10, e.y, e.curve->text,
                    decimals(e.curve->values.back(), digits));
}

std::string told(const std::vector<double>& values, int digits) {
  std::string all;
  for (const double v : values) all += (all.empty() ? "" : " ") + decimals(v, digits);
  return all;
}

}  // namespace

void draw_curves(Ui& ui, Box box, const CurvesLook& look, const std::vector<Curve>& curves) {
  const Palette& c = *ui.theme;
  const bool one = curves.size() == 1;
  ui.pen.text(Bold, type::body, box.x, box.y - 16, one ? curves.front().text : c.ink, look.title);
  ui.pen.hline(box.x, box.right(), box.bottom(), c.line);
  const float t = ui.motion(kMotion);
  std::vector<Ends> ends;
  std::string all;
  for (const Curve& curve : curves) {
    const std::size_t steps = look.steps ? std::size_t(look.steps) : curve.values.size() - 1;
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < curve.values.size(); ++i)
      points.push_back({box.x + box.w * float(i) / float(std::max<std::size_t>(1, steps)),
                        box.bottom() - box.h * float(std::clamp(curve.values[i] / look.most, 0.0, 1.0))});
    const bool whole = t >= 1;
    points.resize(std::max<std::size_t>(1, std::size_t(std::ceil(t * float(points.size())))));
    ui.pen.polyline(points, curve.mark, 2.5f);
    for (const ImVec2& p : points) ui.pen.disc(p.x, p.y, kDot, curve.mark);
    const ImVec2 first = points.front();
    if (one)
      ui.pen.text_mid(MonoBold, type::small, first.x, first.y - 14, c.ink,
                      decimals(curve.values.front(), look.digits));
    else if (&curve == &curves.back())  // all begin there
      ui.pen.text_mid(MonoBold, type::small, first.x - 9, first.y, c.ink,
                      decimals(curve.values.front(), look.digits), Align::Right);
    if (whole && one)
      ui.pen.text_mid(MonoBold, type::small, points.back().x, points.back().y - 14, c.ink,
                      decimals(curve.values.back(), look.digits), Align::Right);
    if (whole && !one) ends.push_back({points.back().y, &curve});
    const std::string values = told(curve.values, look.digits);
    all += (all.empty() ? "" : "; ") + (one ? values : curve.name + " " + values);
  }
  draw_ends(ui, std::move(ends), box.right(), look.digits);
  if (!one) {
    ui.pen.text_mid(Sans, type::tiny, box.x, box.bottom() + 12, c.mute, "before");
    ui.pen.text_mid(Sans, type::tiny, box.right(), box.bottom() + 12, c.mute,
                    "block " + std::to_string(look.steps), Align::Right);
  }
  ui.registry.add({.id = look.id,
                   .role = "status",
                   .label = look.title + ", block by block: " + all,
                   .value = all,
                   .box = box,
                   .passive = true});
}

}  // namespace lab
