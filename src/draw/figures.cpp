// What an arrangement shows besides matrices: the bend of GELU with the numbers of a row on it, and the
// gradients that shortcuts save.
#include <algorithm>
#include <cmath>

#include "core/layers.hpp"
#include "core/number_text.hpp"
#include "draw/arrangement.hpp"
#include "draw/curves.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"
#include "lessons/transformer_block_lesson.hpp"

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
  const float label = 72, number = 92, x = box.x + 24, w = box.w - 48;
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
    const auto one = [&](double g, float y, ImU32 color, ImU32 ink, Face face, bool printed) {
      const float length = std::max(2.f, room * part(g) * t);
      ui.pen.fill({x0, y - bar / 2, length, bar}, color, 3);
      const float end = ui.pen.text_mid(face, type::small, x0 + length + 8, y, ink, gradient_text(g));
      if (printed) ui.pen.tick(x0 + length + 8 + end + 12, y, 8, c.ok.mark, 2);
    };
    const bool printed_a = is_as_printed(shown.results, false, std::size_t(i)),
               printed_b = is_as_printed(shown.results, true, std::size_t(i));
    const double a = without[std::size_t(i)], b = with[std::size_t(i)];
    one(a, mid - bar / 2 - 2, c.deco, c.mute, Mono, printed_a);
    one(b, mid + bar / 2 + 2, c.weights.mark, c.weights.text, MonoBold, printed_b);
    ui.registry.add({.id = "gradient." + std::to_string(i),
                     .role = "status",
                     .label = filled("Layer {0}: mean gradient {1} without shortcuts, {2} with them{3}",
                                     {std::to_string(i), gradient_text(a), gradient_text(b),
                                      printed_a && printed_b ? ", as the book prints them" : ""}),
                     .box = {x, mid - pitch / 2, w, pitch},
                     .passive = true});
  }
  const float y = box.y + kGradientsHead + pitch * float(layers) + 14;
  ui.pen.fill({x, y - 5, 10, 10}, c.deco, 2);
  float end = x + 16 + ui.pen.text_mid(Sans, type::small, x + 16, y, c.mute, "without");
  ui.pen.fill({end + 16, y - 5, 10, 10}, c.weights.mark, 2);
  end += 32 + ui.pen.text_mid(Sans, type::small, end + 32, y, c.mute, "with shortcuts");
  if (!is_as_printed(shown.results, true, 0)) return;
  ui.pen.tick(end + 20, y, 8, c.ok.mark, 2);
  ui.pen.text_mid(Sans, type::small, end + 30, y, c.mute, "as the book prints it");
}

// ---- a stack of blocks
// -------------------------------------------------------------------------------------

constexpr float kStackHead = 60, kLegend = 30, kLeastPlot = 120, kBetweenPlots = 24, kBelowPlot = 64;
bool stands_apart(const Ui& ui) { return !is_narrow(ui) && !is_lying(ui); }  // the two side by side

struct Way {
  const char* name;
  StackWay way;
  ImU32 mark, text;
};
std::vector<Way> ways_of(const Shown& shown, const Palette& c) {
  const bool post = shown.inputs().post_norm;
  return {{"without shortcuts", {false, post}, c.deco, c.mute},
          {post ? "norms before" : "norms after", {true, !post}, c.context.mark, c.context.text},
          {"with shortcuts", {true, post}, c.weights.mark, c.weights.text}};
}

void draw_legend(Ui& ui, float x, float y, const std::vector<Way>& ways) {
  for (auto way = ways.rbegin(); way != ways.rend(); ++way) {
    ui.pen.fill({x, y - 5, 10, 10}, way->mark, 2);
    x += 16 + ui.pen.width(Sans, type::small, way->name);
    ui.pen.text_mid(Sans, type::small, x, y, way->text, way->name, Align::Right);
    x += 18;
  }
}

void draw_stack(Ui& ui, const Shown& shown, Box box) {
  const auto& stack = shown.results.stack;
  if (!stack) return;
  const Palette& c = *ui.theme;
  const std::vector<Way> ways = ways_of(shown, c);
  const float x = box.x + 24, w = box.w - 48;
  ui.pen.text(Bold, type::heading, x, box.y + 26, c.ink,
              filled("{0} blocks, one on top of the other", {std::to_string(kStacked)}));
  ui.pen.text_fit(Sans, type::small, x, box.y + 46, c.mute,
                  filled("the stream before the first block and behind each, {0} of {1}",
                         {std::to_string(stack->height()), std::to_string(kStacked)}),
                  w);
  std::vector<Curve> lengths, likeness;
  double longest = 0;
  for (const Way& way : ways) {
    const BlockStack::Levels& levels = stack->levels(way.way);
    lengths.push_back({way.name, levels.lengths, way.mark, way.text});
    likeness.push_back({way.name, levels.likeness, way.mark, way.text});
    for (const double length : levels.lengths)
      if (std::isfinite(length)) longest = std::max(longest, length);
  }
  const bool apart = stands_apart(ui);
  const float top = box.y + kStackHead + 44, all = box.bottom() - kLegend - 28 - top;
  const float pitch = (w + kBetweenPlots) / 2,
              plot_w = (apart ? pitch - kBetweenPlots : w) - kCurveStart - kCurveEnds,
              plot_h = apart ? all : (all - kBelowPlot) / 2;
  const Box left{x + kCurveStart, top, plot_w, plot_h};
  const Box right{left.x + (apart ? pitch : 0), apart ? top : top + plot_h + kBelowPlot, plot_w, plot_h};
  draw_curves(ui, left,
              {.id = "stack.lengths",
               .title = "mean length of the rows",
               .most = std::max(longest * 1.1, 1e-6),
               .steps = kStacked},
              lengths);
  draw_curves(ui, right,
              {.id = "stack.likeness", .title = "how alike the rows are", .most = 1.05, .steps = kStacked},
              likeness);
  draw_legend(ui, x, box.bottom() - kLegend + 6, ways);
}

// ---- a row levelled
// ----------------------------------------------------------------------------------------

constexpr float kLevelHeight = 260, kLowLevel = 196, kLevelHead = 70, kLevelFoot = 30;

struct Panel {
  const char* title;
  std::string figure;  // below it
  Matrix bars;         // 1 × width
  ImU32 mark;
};

// Bars from a line in the middle; as the step begins they come from where they were in the panel before.
void draw_panel(Ui& ui, const Panel& panel, const Matrix& before, float reach, Box box, int chosen) {
  const Palette& c = *ui.theme;
  const int n = int(panel.bars.cols());
  const float zero = box.mid_y(), pitch = box.w / float(n), w = std::clamp(pitch - 3, 1.f, 26.f);
  const float t = ui.motion(600);
  ui.pen.text_mid(Medium, type::small, box.x, box.y - 14, c.ink,
                  ui.pen.fitted(Medium, type::small, panel.title, box.w));
  ui.pen.hline(box.x, box.right(), zero, c.line);
  for (int k = 0; k < n; ++k) {
    const float value = before(0, k) + (panel.bars(0, k) - before(0, k)) * t;
    if (!std::isfinite(value)) continue;
    const float h = box.h / 2 * std::clamp(value / reach, -1.f, 1.f);
    const float x = box.x + pitch * (float(k) + .5f) - w / 2;
    ui.pen.fill({x, std::min(zero, zero - h), w, std::max(1.f, std::abs(h))},
                k == chosen ? c.cell : panel.mark, 2);
  }
  ui.pen.text_mid(Mono, type::small, box.x, box.bottom() + 16, c.mute,
                  ui.pen.fitted(Mono, type::small, panel.figure, box.w));
}

void draw_level(Ui& ui, const Shown& shown, Box box) {
  const auto read = cells_of(shown.results, shown.inputs().post_norm ? "att_added" : "resid_pre"),
             mean = cells_of(shown.results, "mean1"), var = cells_of(shown.results, "var1"),
             norm = cells_of(shown.results, "norm1");
  if (!read || !mean || !var || !norm) return;
  const Palette& c = *ui.theme;
  const CellName cell = shown_cell(shown);
  const int row = std::min(cell.row, int(read->rows()) - 1);
  const Matrix x = read->row(row), m = mean->row(row), last = norm->row(row);
  const auto figure = [&](const char* name, float value) {
    return filled("{0} {1}", {name, decimals(double(value), shown.state.view.digits)});
  };
  const Panel panels[] = {
      {"as it comes", figure("mean", m(0, 0)), x, c.deco},
      {"less its mean", figure("var", (*var)(row, 0)), centred(x, m), c.deco},
      {"÷ √variance", figure("var", row_variances(last, row_means(last))(0, 0)), last, c.weights.mark}};
  float reach = 1e-6f;
  for (const Panel& p : panels)
    for (Eigen::Index k = 0; k < p.bars.cols(); ++k)
      if (std::isfinite(p.bars(0, k))) reach = std::max(reach, std::min(4.f, std::abs(p.bars(0, k))));
  ui.pen.text(Bold, type::heading, box.x + 24, box.y + 26, c.ink,
              filled("The row of {0}", {word(shown.results, row)}));
  const float apart = is_narrow(ui) ? 14 : 36, w = (box.w - 48 - 2 * apart) / 3;
  const Box plots{box.x + 24, box.y + kLevelHead, w, box.h - kLevelHead - kLevelFoot};
  std::string told;
  for (int i = 0; i < 3; ++i) {
    const Panel& p = panels[i];
    draw_panel(ui, p, panels[std::max(0, i - 1)].bars, reach,
               {plots.x + float(i) * (w + apart), plots.y, plots.w, plots.h}, cell.col);
    told += filled(", {0}: {1}", {p.title, p.figure});
  }
  ui.registry.add({.id = "level",
                   .role = "status",
                   .label = filled("The row of {0}{1}", {word(shown.results, row), told}),
                   .box = {plots.x, plots.y, box.w - 48, plots.h},
                   .passive = true});
}

// ---- what eps does to a variance
// --------------------------------------------------------------------------

constexpr float kEpsHeight = 120;

// var ÷ (var + eps) = var afterwards, eps grown to be seen.
void draw_eps(Ui& ui, const Shown& shown, Box box) {
  const auto var = cells_of(shown.results, "book.var"), after = cells_of(shown.results, "book.var_after");
  if (!var || !after) return;
  const Palette& c = *ui.theme;
  const int row = std::min(shown_cell(shown).row, int(var->rows()) - 1);
  constexpr int kDigits = 5;  // of a variance, so that eps is not rounded away
  const std::string v = decimals(double((*var)(row, 0)), kDigits), eps = number_text(shown.inputs().eps),
                    result = decimals(double((*after)(row, 0)), kDigits);
  const float size = is_narrow(ui) ? 15.f : 22.f, grown = size * (1 + .35f * ui.motion(600));
  struct Sign {
    std::string text;
    ImU32 ink;
    float size;
  };
  const Sign signs[] = {{v + " ÷ (" + v + " + ", c.ink, size},
                        {eps, c.weights.text, grown},
                        {") = ", c.ink, size},
                        {result, c.weights.text, size}};
  float w = 0;
  for (const Sign& s : signs) w += ui.pen.width(MonoBold, s.size, s.text);
  float x = box.mid_x() - w / 2;
  const float y = box.y + 62;
  for (const Sign& s : signs) x += ui.pen.text_mid(MonoBold, s.size, x, y, s.ink, s.text);
  const std::string words = filled("row {0}: the variance before, eps, and the variance of what is levelled",
                                   {std::to_string(row)});
  ui.pen.text_mid(Sans, type::small, box.mid_x(), y + 34, c.mute,
                  ui.pen.fitted(Sans, type::small, words, box.w - 40), Align::Center);
  ui.registry.add({.id = "eps",
                   .role = "status",
                   .label = v + " ÷ (" + v + " + " + eps + ") = " + result + ", " + words,
                   .box = {box.x + 20, box.y + 40, box.w - 40, 70},
                   .passive = true});
}

}  // namespace

float figure_height(const Ui& ui, const Shown& shown) {
  switch (arrangement_of(shown.state).figure) {
    case Figure::none: return 0;
    case Figure::bend: return is_low(ui) ? kLowBend : kBendHeight;
    case Figure::gradients: return kGradientsHead + 5 * kLayerHeight + 34;
    case Figure::eps: return kEpsHeight;
    case Figure::level: return is_low(ui) ? kLowLevel : kLevelHeight;
    case Figure::stack: return kStackHead + 60 + kLegend + kLeastPlot * (stands_apart(ui) ? 1 : 2) + 60;
  }
  return 0;
}

float figure_room(const Ui& ui, const Shown& shown, float height) {
  constexpr float kShare = .42f;
  const Figure figure = arrangement_of(shown.state).figure;
  const bool grows = figure == Figure::bend || (figure == Figure::level && !is_narrow(ui));
  return std::max(figure_height(ui, shown), grows ? height * kShare : 0);
}

void draw_figure(Ui& ui, const Shown& shown, Box box) {
  if (arrangement_of(shown.state).figure == Figure::bend) draw_bend(ui, shown, box);
  if (arrangement_of(shown.state).figure == Figure::gradients) draw_gradients(ui, shown, box);
  if (arrangement_of(shown.state).figure == Figure::eps) draw_eps(ui, shown, box);
  if (arrangement_of(shown.state).figure == Figure::level) draw_level(ui, shown, box);
  if (arrangement_of(shown.state).figure == Figure::stack) draw_stack(ui, shown, box);
}

}  // namespace lab
