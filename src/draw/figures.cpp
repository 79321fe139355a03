// What an arrangement shows besides matrices: the bend of GELU with the numbers of a row on it, and the
// gradients that shortcuts save.
#include <algorithm>
#include <cmath>

#include "core/layers.hpp"
#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

constexpr float kBendHeight = 250, kLowBend = 190, kLayerHeight = 52, kGradientsHead = 64;

// ---- the bend
// ----------------------------------------------------------------------------------------------

struct Axes {
  Box box;
  float x0, x1, y0, y1;
  ImVec2 at(float x, float y) const {
    return {box.x + box.w * (x - x0) / (x1 - x0), box.bottom() - box.h * (y - y0) / (y1 - y0)};
  }
};

template <class Curve>
void draw_curve(Ui& ui, const Axes& axes, ImU32 color, float width, Curve curve) {
  constexpr int kPieces = 120;
  std::vector<ImVec2> points;
  for (int i = 0; i <= kPieces; ++i) {
    const float x = axes.x0 + (axes.x1 - axes.x0) * float(i) / kPieces;
    points.push_back(axes.at(x, curve(x)));
  }
  ui.pen.polyline(points, color, width);
}

float relu_of(float x) { return std::max(x, 0.f); }

void draw_bend(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  const auto hidden = cells_of(shown.results, "ff_hidden");
  if (!hidden) return;
  const CellName cell = shown_cell(shown);
  const int row = std::min(cell.row, int(hidden->rows()) - 1);
  float reach = 1.5f;  // as wide as the row's numbers, and no wider than the bend can be seen
  for (int k = 0; k < int(hidden->cols()); ++k)
    if (std::isfinite((*hidden)(row, k)))
      reach = std::max(reach, std::min(6.f, std::abs((*hidden)(row, k)) * 1.15f));
  const Axes axes{{box.x + 24, box.y + 34, box.w - 48, box.h - 62}, -reach, reach, -.35f * reach, reach};
  const bool relu = shown.inputs().relu;
  const ImVec2 origin = axes.at(0, 0);
  ui.pen.text(Bold, type::heading, box.x + 24, box.y + 22, c.ink,
              relu ? "ReLU beside GELU" : "GELU beside ReLU");
  ui.pen.hline(axes.box.x, axes.box.right(), origin.y, c.line);
  ui.pen.vline(origin.x, axes.box.y, axes.box.bottom(), c.line);
  ui.pen.push_clip(axes.box.grown(4));
  const auto gelu_of = [](float x) { return gelu(x); };
  draw_curve(ui, axes, c.deco, 2, [&](float x) { return relu ? gelu_of(x) : relu_of(x); });
  draw_curve(ui, axes, c.weights.mark, 2.5f, [&](float x) { return relu ? relu_of(x) : gelu_of(x); });
  const float t = ui.motion(400);  // the points fall from the one line to the other
  int negative = 0;
  for (int k = 0; k < int(hidden->cols()); ++k) {
    const float x = (*hidden)(row, k), gelu_y = gelu(x), relu_y = relu_of(x);
    const float to = relu ? relu_y : gelu_y, from = relu ? gelu_y : relu_y;
    negative += x < 0;
    if (!std::isfinite(x) || std::abs(x) > reach) continue;
    const ImVec2 p = axes.at(x, from + (to - from) * t);
    ui.pen.disc(p.x, p.y, 4, c.weights.mark);
    const bool chosen = k == cell.col && (cell.name == "ff_hidden" || cell.name.starts_with("ff_gelu") ||
                                          cell.name == "ff_relu");
    if (chosen) ui.pen.ring(p.x, p.y, 7, c.cell, 2.5f);
  }
  ui.pen.pop_clip();
  const ImVec2 label = axes.at(reach * .72f, reach * .72f);
  ui.pen.text_mid(Bold, type::small, label.x - 14, label.y - 8, c.weights.text, relu ? "ReLU" : "GELU",
                  Align::Right);
  const ImVec2 other = axes.at(-reach * .8f, 0);
  ui.pen.text_mid(Sans, type::small, other.x, other.y - 12, c.mute,
                  relu ? "GELU dips below" : "ReLU is flat here");
  const std::string words =
      filled("{0} numbers of {1}: {2} below 0",
             {std::to_string(hidden->cols()), word(shown.results, row), std::to_string(negative)});
  ui.pen.text_mid(Sans, type::small, box.x + 24, box.bottom() - 12, c.mute, words);
  ui.registry.add({.id = "bend",
                   .role = "status",
                   .label = std::string(relu ? "ReLU" : "GELU") + " as a curve, with the " + words,
                   .box = axes.box,
                   .passive = true});
}

// ---- the gradients
// -----------------------------------------------------------------------------------------

std::string gradient_text(double value) { return value < .01 ? decimals(value, 6) : decimals(value, 4); }

void draw_gradients(Ui& ui, const Shown& shown, Box box) {
  const auto& passes = shown.runs().shortcut_passes;
  if (passes.size() < 2) return;
  const Palette& c = *ui.theme;
  const auto &without = passes[0].weight_grad_abs_mean, &with = passes[1].weight_grad_abs_mean;
  const int layers = int(with.size());
  const float label = 72, number = 76, x = box.x + 24, w = box.w - 48;
  ui.pen.text(Bold, type::heading, x, box.y + 26, c.ink, "What the shortcut saves");
  ui.pen.text_fit(Sans, type::small, x, box.y + 46, c.mute,
                  "mean |gradient| of each layer’s weights, five layers, log scale", w);
  double least = 1e300, most = 0;
  for (const auto* all : {&without, &with})
    for (double g : *all) {
      if (g > 0) least = std::min(least, g);
      most = std::max(most, g);
    }
  const double low = std::log10(least) - .6, high = std::log10(most);
  const auto part = [&](double g) {
    return g > 0 ? float((std::log10(g) - low) / std::max(1e-9, high - low)) : 0;
  };
  const float pitch = std::clamp((box.h - kGradientsHead - 34) / float(layers), 40.f, 96.f);
  const float bar = std::min(18.f, pitch * .3f);
  const float t = ui.motion(400);
  for (int i = 0; i < layers; ++i) {
    const float mid = box.y + kGradientsHead + pitch * (float(i) + .5f), x0 = x + label,
                room = w - label - number;
    ui.pen.text_mid(Sans, type::body, x, mid, c.ink, "layer " + std::to_string(i));
    const auto one = [&](double g, float y, ImU32 color, ImU32 ink, Face face) {
      const float length = std::max(2.f, room * part(g) * t);
      ui.pen.fill({x0, y - bar / 2, length, bar}, color, 3);
      ui.pen.text_mid(face, type::small, x0 + length + 8, y, ink, gradient_text(g));
    };
    const double a = without[std::size_t(i)], b = with[std::size_t(i)];
    one(a, mid - bar / 2 - 2, c.deco, c.mute, Mono);
    one(b, mid + bar / 2 + 2, c.weights.mark, c.weights.text, MonoBold);
    ui.registry.add({.id = "gradient." + std::to_string(i),
                     .role = "status",
                     .label = filled("Layer {0}: mean gradient {1} without shortcuts, {2} with them",
                                     {std::to_string(i), gradient_text(a), gradient_text(b)}),
                     .box = {x, mid - pitch / 2, w, pitch},
                     .passive = true});
  }
  const float y = box.y + kGradientsHead + pitch * float(layers) + 14;
  ui.pen.fill({x, y - 5, 10, 10}, c.deco, 2);
  float end = x + 16 + ui.pen.text_mid(Sans, type::small, x + 16, y, c.mute, "without");
  ui.pen.fill({end + 16, y - 5, 10, 10}, c.weights.mark, 2);
  ui.pen.text_mid(Sans, type::small, end + 32, y, c.mute, "with shortcuts");
}

}  // namespace

float figure_height(const Ui& ui, const Shown& shown) {
  switch (arrangement_of(shown.state).figure) {
    case Figure::none: return 0;
    case Figure::bend: return is_low(ui) ? kLowBend : kBendHeight;
    case Figure::gradients: return kGradientsHead + 5 * kLayerHeight + 34;
  }
  return 0;
}

void draw_figure(Ui& ui, const Shown& shown, Box box) {
  if (arrangement_of(shown.state).figure == Figure::bend) draw_bend(ui, shown, box);
  if (arrangement_of(shown.state).figure == Figure::gradients) draw_gradients(ui, shown, box);
}

}  // namespace lab
