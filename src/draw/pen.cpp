#include "draw/pen.hpp"

#include <algorithm>
#include <cmath>

namespace lab {

float Pen::snap(float css) const { return std::round(css * scale); }
float Pen::stroke(float css_width) const { return std::max(1.f, std::round(css_width * scale)); }
float Pen::em(float css_size) const { return std::max(1.f, std::round(css_size * scale)); }

ImU32 Pen::tint(ImU32 color) const {
  if (alpha >= 1) return color;
  const float opacity = float(color >> IM_COL32_A_SHIFT & 0xFF) * std::max(0.f, alpha);
  return (color & ~IM_COL32_A_MASK) | ImU32(opacity + .5f) << IM_COL32_A_SHIFT;
}

bool Pen::out_of_sight(float y1, float y2, float margin) const {
  if (list->_ClipRectStack.empty()) return false;
  const ImVec4& seen = list->_ClipRectStack.back();
  return (std::max(y1, y2) + margin) * scale < seen.y || (std::min(y1, y2) - margin) * scale > seen.w;
}

void Pen::fill(Box box, ImU32 color, float radius) const {
  if (out_of_sight(box.y, box.bottom())) return;
  list->AddRectFilled(at(box.x, box.y), at(box.right(), box.bottom()), tint(color), radius * scale);
}

// Two filled shapes, because ImGui's own outline puts even widths on half pixels. A translucent fill would
// show the border colour through, so there the border is an outline.
void Pen::panel(Box box, ImU32 color, ImU32 border, float radius, float width) const {
  if (out_of_sight(box.y, box.bottom())) return;
  const ImVec2 p = at(box.x, box.y);
  const ImVec2 q = at(box.right(), box.bottom());
  if (!(border & IM_COL32_A_MASK)) return fill(box, color, radius);
  const bool opaque = (color & IM_COL32_A_MASK) == IM_COL32_A_MASK && alpha >= 1;
  if (!opaque) {
    fill(box, color, radius);
    return outline(box, border, radius, width);
  }
  const float t = stroke(width);
  list->AddRectFilled(p, q, tint(border), radius * scale);
  list->AddRectFilled({p.x + t, p.y + t}, {q.x - t, q.y - t}, tint(color), std::max(0.f, radius * scale - t));
}

void Pen::frame(Box box, ImU32 color, float width) const {
  if (out_of_sight(box.y, box.bottom())) return;
  const ImVec2 p = at(box.x, box.y);
  const ImVec2 q = at(box.right(), box.bottom());
  const float t = stroke(width);
  const ImU32 c = tint(color);
  list->AddRectFilled(p, {q.x, p.y + t}, c);
  list->AddRectFilled({p.x, q.y - t}, q, c);
  list->AddRectFilled({p.x, p.y + t}, {p.x + t, q.y - t}, c);
  list->AddRectFilled({q.x - t, p.y + t}, {q.x, q.y - t}, c);
}

void Pen::outline(Box box, ImU32 color, float radius, float width) const {
  if (out_of_sight(box.y, box.bottom())) return;
  const ImVec2 p = at(box.x, box.y);
  const ImVec2 q = at(box.right(), box.bottom());
  const float t = stroke(width);
  const float inset = t / 2 - .5f;  // ImGui itself moves an outline in by half a pixel
  list->AddRect({p.x + inset, p.y + inset}, {q.x - inset, q.y - inset}, tint(color),
                std::max(0.f, radius * scale - inset), 0, t);
}

// Whole dashes on each side, half a dash at each corner, so that all four corners are closed.
void Pen::dashed(Box box, ImU32 color, float width, float dash, float gap) const {
  if (out_of_sight(box.y, box.bottom())) return;
  const ImVec2 p = at(box.x, box.y);
  const ImVec2 q = at(box.right(), box.bottom());
  const float t = stroke(width);
  const ImU32 c = tint(color);
  const auto side = [&](float from, float to, bool level, float across) {
    const float length = to - from;
    const float period = (dash + gap) * scale;
    const int n = std::max(1, int(std::round(length / period)));
    const float step = length / float(n);
    const float on = step * dash / (dash + gap);
    for (int i = 0; i <= n; ++i) {
      const float a = std::round(std::max(from, from + step * float(i) - on / 2));
      const float b = std::round(std::min(to, from + step * float(i) + on / 2));
      if (level) {
        list->AddRectFilled({a, across}, {b, across + t}, c);
      } else {
        list->AddRectFilled({across, a}, {across + t, b}, c);
      }
    }
  };
  side(p.x, q.x, true, p.y);
  side(p.x, q.x, true, q.y - t);
  side(p.y, q.y, false, p.x);
  side(p.y, q.y, false, q.x - t);
}

void Pen::shadow(Box box, float radius, float reach, ImU32 color) const {
  const int layers = 8;
  const float opacity = float(color >> IM_COL32_A_SHIFT & 0xFF) / float(layers);
  for (int i = layers; i >= 1; --i) {
    const float spread = reach * float(i) / float(layers);
    Box layer = box.grown(spread * .6f);
    layer.y += reach * .25f;
    fill(layer, (color & ~IM_COL32_A_MASK) | ImU32(opacity + .5f) << IM_COL32_A_SHIFT, radius + spread * .6f);
  }
}

void Pen::hline(float x1, float x2, float y, ImU32 color, float width) const {
  if (out_of_sight(y, y, width + 2)) return;
  const float t = stroke(width);
  const float top = std::round(y * scale - t / 2);
  list->AddRectFilled({snap(x1), top}, {snap(x2), top + t}, tint(color));
}

void Pen::vline(float x, float y1, float y2, ImU32 color, float width) const {
  if (out_of_sight(y1, y2)) return;
  const float t = stroke(width);
  const float left = std::round(x * scale - t / 2);
  list->AddRectFilled({left, snap(y1)}, {left + t, snap(y2)}, tint(color));
}

void Pen::disc(float x, float y, float radius, ImU32 color) const {
  if (out_of_sight(y, y, radius + 2)) return;
  list->AddCircleFilled({x * scale, y * scale}, radius * scale, tint(color));
}

void Pen::ring(float x, float y, float radius, ImU32 color, float width) const {
  if (out_of_sight(y, y, radius + 2)) return;
  list->AddCircle({x * scale, y * scale}, (radius - width / 2) * scale, tint(color), 0, width * scale);
}

void Pen::triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) const {
  list->AddTriangleFilled({a.x * scale, a.y * scale}, {b.x * scale, b.y * scale}, {c.x * scale, c.y * scale},
                          tint(color));
}

void Pen::polyline(const std::vector<ImVec2>& points, ImU32 color, float width) const {
  for (const ImVec2& p : points) list->PathLineTo({p.x * scale, p.y * scale});
  list->PathStroke(tint(color), 0, std::max(1.f, width * scale));
}

void Pen::cubic(ImVec2 from, ImVec2 c1, ImVec2 c2, ImVec2 to, ImU32 color, float width) const {
  if (out_of_sight(std::min({from.y, c1.y, c2.y, to.y}), std::max({from.y, c1.y, c2.y, to.y}), width + 2))
    return;
  const bool level = snap(from.y) == snap(to.y) && snap(c1.y) == snap(from.y) && snap(c2.y) == snap(to.y);
  if (level) return hline(std::min(from.x, to.x), std::max(from.x, to.x), from.y, color, width);
  // The middle of the stroke lies where hline would put it, so that ends meet level lines exactly.
  const float t = stroke(width);
  const auto device = [&](ImVec2 p) { return ImVec2{p.x * scale, std::round(p.y * scale - t / 2) + t / 2}; };
  const ImVec2 a = device(c1);
  const ImVec2 b = device(c2);
  const ImVec2 end = device(to);
  list->PathLineTo(device(from));
  list->PathBezierCubicCurveTo(a, b, end, 48);
  list->PathStroke(tint(color), 0, t);
}

void Pen::arrow_head(float x, float y, float dx, float dy, ImU32 color, float size) const {
  const float length = std::max(1e-6f, std::sqrt(dx * dx + dy * dy));
  const float ux = dx / length;
  const float uy = dy / length;
  const float half = size * .62f;
  const ImVec2 base{x - ux * size, y - uy * size};
  triangle({x, y}, {base.x - uy * half, base.y + ux * half}, {base.x + uy * half, base.y - ux * half}, color);
}

void Pen::arrow(float x1, float x2, float y, ImU32 color, float width) const {
  const float forward = x2 > x1 ? 1.f : -1.f;
  const float middle = (std::round(y * scale - stroke(width) / 2) + stroke(width) / 2) / scale;
  const float stop = x2 - forward * 7;
  hline(std::min(x1, stop), std::max(x1, stop), y, color, width);
  arrow_head(x2, middle, forward, 0, color);
}

void Pen::tick(float x, float y, float size, ImU32 color, float width) const {
  const float u = size / 2;
  polyline({{x - u * .8f, y + u * .05f}, {x - u * .2f, y + u * .62f}, {x + u * .85f, y - u * .62f}}, color,
           width);
}

void Pen::cross(float x, float y, float size, ImU32 color, float width) const {
  const float u = size / 2 * .7f;
  polyline({{x - u, y - u}, {x + u, y + u}}, color, width);
  polyline({{x - u, y + u}, {x + u, y - u}}, color, width);
}

void Pen::push_clip(Box box) const {
  list->PushClipRect(at(box.x, box.y), at(box.right(), box.bottom()), true);
}
void Pen::pop_clip() const { list->PopClipRect(); }

}  // namespace lab
