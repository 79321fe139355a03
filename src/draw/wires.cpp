#include "draw/wires.hpp"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

struct Curve {
  ImVec2 p[4];

  ImVec2 at(float t) const {
    const float u = 1 - t;
    const float w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    ImVec2 sum{0, 0};
    for (int i = 0; i < 4; ++i) {
      sum.x += w[i] * p[i].x;
      sum.y += w[i] * p[i].y;
    }
    return sum;
  }

  // The part up to t (de Casteljau).
  Curve first(float t) const {
    const auto between = [t](ImVec2 a, ImVec2 b) {
      return ImVec2{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    };
    const ImVec2 a = between(p[0], p[1]);
    const ImVec2 b = between(p[1], p[2]);
    const ImVec2 c = between(p[2], p[3]);
    const ImVec2 ab = between(a, b);
    const ImVec2 bc = between(b, c);
    return {{p[0], a, ab, between(ab, bc)}};
  }
};

Curve curve_below(Box from, Box to, const WireLook& look) {
  const ImVec2 a{from.mid_x(), from.bottom() + look.gap}, b{to.mid_x(), to.bottom() + look.gap};
  const float low = std::max(a.y, b.y) + look.below * 4 / 3;  // a cubic reaches three quarters of the way
  return {{a, {a.x, low}, {b.x, low}, b}};
}

Curve curve_between(Box from, Box to, const WireLook& look) {
  if (look.below > 0) return curve_below(from, to, look);
  const float gap = look.gap;
  const bool right = to.x >= from.right();
  const bool left = to.right() <= from.x;
  if (right || left) {
    const float sign = right ? 1.f : -1.f;
    ImVec2 a{right ? from.right() + gap : from.x - gap, from.mid_y()};
    ImVec2 b{right ? to.x - gap : to.right() + gap, to.mid_y()};
    // Nearly level reads as a mistake: where the boxes are about as high, the wire is level.
    if (std::fabs(a.y - b.y) < std::min(from.h, to.h) / 4) b.y = a.y;
    const float reach = std::max(16.f, std::fabs(b.x - a.x) * .5f) * sign;
    return {{a, {a.x + reach, a.y}, {b.x - reach, b.y}, b}};
  }
  const bool below = to.mid_y() >= from.mid_y();
  const float sign = below ? 1.f : -1.f;
  const ImVec2 a{from.mid_x(), below ? from.bottom() + gap : from.y - gap};
  const ImVec2 b{to.mid_x(), below ? to.y - gap : to.bottom() + gap};
  const float reach = std::max(16.f, std::fabs(b.y - a.y) * .5f) * sign;
  return {{a, {a.x, a.y + reach}, {b.x, b.y - reach}, b}};
}

}  // namespace

WirePlace wire_place(Box from, Box to, const WireLook& look) {
  const Curve curve = curve_between(from, to, look);
  const ImVec2 mid = curve.at(.5f);
  return {curve.p[0].x, curve.p[0].y, curve.p[3].x, curve.p[3].y, mid.x, mid.y};
}

WirePlace draw_wire(Ui& ui, Box from, Box to, const WireLook& look) {
  const Curve whole = curve_between(from, to, look);
  const Curve shown = look.grown < 1 ? whole.first(std::max(0.f, look.grown)) : whole;
  const float before = ui.pen.alpha;
  ui.pen.alpha *= look.opacity;

  // Heads sit on the line where the pen really puts it: on whole device pixels when it is level.
  const float t = ui.pen.stroke(look.width);
  const auto on_line = [&](float y) { return (std::round(y * ui.pen.scale - t / 2) + t / 2) / ui.pen.scale; };
  const ImVec2 tip = shown.p[3];
  ImVec2 into{tip.x - shown.p[2].x, tip.y - shown.p[2].y};
  const float length = std::max(1e-6f, std::hypot(into.x, into.y));
  into = {into.x / length, into.y / length};
  const float head = look.width * 3.2f;
  ImVec2 stop = tip;
  if (look.end == WireEnd::Arrow) stop = {tip.x - into.x * head * .8f, tip.y - into.y * head * .8f};
  ui.pen.cubic(shown.p[0], shown.p[1], shown.p[2], stop, look.color, look.width);
  if (look.end == WireEnd::Arrow && look.grown > 0) {
    ui.pen.arrow_head(tip.x, on_line(tip.y), into.x, into.y, look.color, head);
  }
  if (look.dot) ui.pen.disc(shown.p[0].x, on_line(shown.p[0].y), look.width * 1.5f, look.color);
  ui.pen.alpha = before;
  return wire_place(from, to, look);
}

void wire_label(Ui& ui, const WirePlace& wire, const std::string& words, ImU32 ground, ImU32 color) {
  const float w = ui.pen.width(Sans, type::small, words);
  ui.pen.fill({wire.mid_x - w / 2 - 8, wire.mid_y - 10, w + 16, 20}, ground);
  ui.pen.text_mid(Sans, type::small, wire.mid_x, wire.mid_y, color, words, Align::Center);
}

}  // namespace lab
