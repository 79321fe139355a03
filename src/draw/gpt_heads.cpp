// Every head of every block at a glance, and one of them enlarged.
#include <algorithm>
#include <cmath>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

namespace {

// For who cannot see the maps.
GridContent heads_content(const GptReader& reading, HeadPlace chosen) {
  constexpr int kReadable = 12;  // as of a matrix: beyond it a row is told by its largest
  GridContent content{.row = chosen.block, .col = chosen.head};
  const auto& blocks = reading.blocks();
  const bool whole = blocks.size() <= kReadable && blocks[0].heads.size() <= kReadable;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    content.row_labels.push_back("block " + std::to_string(b + 1));
    std::vector<float> row;
    for (const HeadGlance& head : blocks[b].heads) row.push_back(head.last_row.maxCoeff());
    if (whole) content.cells.insert(content.cells.end(), row.begin(), row.end());
    const auto most = std::max_element(row.begin(), row.end());
    if (!whole) content.peak_cols.push_back(int(most - row.begin()));
    if (!whole) content.peaks.push_back(*most);
    if (!whole && int(b) == chosen.block) content.selected_row = row;
  }
  for (std::size_t h = 0; h < blocks[0].heads.size(); ++h)
    content.col_labels.push_back("head " + std::to_string(h + 1));
  return content;
}

// What stands right of the diagonal of an n × n picture is masked.
MaskView future_of(int n) {
  static std::vector<unsigned char> mask;
  if (mask.size() != std::size_t(n * n)) {
    mask.clear();
    for (int i = 0; i < n * n; ++i) mask.push_back(i % n > i / n);
  }
  return {mask.data(), n, 1};
}

// What the colours mean: half an even share, an even one, twice as much.
void draw_scale(Ui& ui, float right, float mid) {
  constexpr int kSteps = 24;
  constexpr float kWide = 72, kHigh = 10;
  const HeatLook heat{.max = 1, .is_signed = true, .dark = ui.theme.dark};
  const std::string twice = "2 × even share", half = "½";
  const float w = ui.pen.text_mid(Sans, type::small, right, mid, ui.theme->mute, twice, Align::Right);
  const Box bar{right - w - 8 - kWide, mid - kHigh / 2, kWide, kHigh};
  for (int i = 0; i < kSteps; ++i)
    ui.pen.fill({bar.x + bar.w * float(i) / kSteps, bar.y, bar.w / kSteps + .5f, bar.h},
                heat_color(2 * (float(i) + .5f) / kSteps - 1, heat), 0);
  ui.pen.text_mid(Sans, type::small, bar.x - 8, mid, ui.theme->mute, half, Align::Right);
}

// Coloured beside an even share; its weights stand in the cells, of a long text it is a picture.
void draw_enlarged(Ui& ui, const Shown& shown, HeadPlace chosen, Box box) {
  const StageGlance& glance = shown.results.glance;
  const std::string name = head_name(chosen) + "attn_weights";
  const auto weights = find(shown.runs(), name);
  if (!weights) return;  // it is opened with the next frame
  const auto& tokens = shown.results.gpt->tokens();
  const bool as_it_is = glance.cells.rows() == weights->cells.rows();
  const int side_cells = int(glance.cells.rows());
  const char* words = "Open its stages";
  constexpr float kTitle = 38, kButton = 30;
  const float room_h = box.h - kTitle - kButton - 18;
  float label = 0;
  if (as_it_is && box.w / float(side_cells) > 14)
    for (const std::string& token : tokens) label = std::max(label, ui.pen.width(Sans, type::small, token));
  label = label > 0 ? std::min(label + 12, 72.f) : 0;
  const float side = cell_size_for(side_cells, side_cells, box.w - label, room_h, 56, ui.pen.scale);
  MatrixLook look{
      .name = name,
      .title =
          filled("Block {0}, head {1}", {std::to_string(chosen.block + 1), std::to_string(chosen.head + 1)}),
      .note = as_it_is ? "attn_weights"
                       : filled("means of {0} × {0}", {decimals(double(tokens.size()) / side_cells, 1)}),
      .title_color = ui.theme->weights.text,
      .is_signed = true,
      .max = 1,
      .mask = {glance.masked.data(), side_cells, 1},
      .masked_text = "0"};
  if (label > 0) look.row_labels = &tokens;
  if (as_it_is) {
    look.colors = heat_view(view(glance.cells));
    look.mirror_rows = look.mirror_cols = &tokens;
    const CellName cell = selected_cell(shown.state);
    if (cell.name == name) look.row = cell.row, look.col = cell.col;
  }
  look.digits = std::min(shown.state.view.digits, 2);
  look.mirror_digits = shown.state.view.digits;
  look.passive = !as_it_is;
  const float x = box.x + label, y = box.y + kTitle;
  draw_matrix(ui, heat_view(as_it_is ? weights->cells : view(glance.cells)), x, y, side, look);
  button(ui, {x, y + side * float(side_cells) + 14, button_width(ui, words), kButton}, "part.inside", words);
}

// Where the last token looks, share by share, beside an even one.
void draw_last_row(Ui& ui, const Shown& shown, HeadPlace chosen, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  const Matrix& row = reading.blocks()[std::size_t(chosen.block)].heads[std::size_t(chosen.head)].last_row;
  const Palette& c = *ui.theme;
  const auto& tokens = shown.results.gpt->tokens();
  const int count = int(row.cols());
  const float even = 1 / float(count), most = std::max(row.maxCoeff(), 2 * even);
  heading(ui, box, filled("Where “{0}” looks", {tokens.back()}),
          "shares of the last row; the line is an even one");
  const bool named = (box.w - 2 * kPad) / float(count) >= 12;
  const Box axes{box.x + kPad, box.y + kHead, box.w - 2 * kPad, box.h - kHead - (named ? 26 : 12)};
  const float pitch = axes.w / float(count), gap = pitch > 5 ? 2.f : 0.f, t = ui.motion(300);
  for (int i = 0; i < count; ++i) {
    const float h = std::max(1.f, axes.h * row(0, i) / most * t);
    ui.pen.fill({axes.x + pitch * float(i) + gap / 2, axes.bottom() - h, std::max(1.f, pitch - gap), h},
                row(0, i) > even ? c.weights.mark : mix(c.panel, c.weights.mark, .45f), 1);
    if (named)
      ui.pen.text_mid(Sans, type::tiny, axes.x + pitch * (float(i) + .5f), axes.bottom() + 12, c.mute,
                      ui.pen.fitted(Sans, type::tiny, tokens[std::size_t(i)], pitch), Align::Center);
  }
  ui.pen.hline(axes.x, axes.right(), axes.bottom() - axes.h * even / most, c.cell, 1.5f);
  ui.registry.add(
      {.id = "last-row",
       .role = "status",
       .label = filled("Shares of the last row, {0} tokens", {std::to_string(count)}),
       .value = filled("{0} at most, {1} even", {decimals(double(row.maxCoeff())), decimals(double(even))}),
       .box = axes,
       .passive = true});
}

// Block by block and head by head, as many as the model has; the chosen one is framed.
Box draw_grid(Ui& ui, const GptReader& reading, HeadPlace chosen, Box box) {
  const int layers = int(reading.blocks().size()), heads = int(reading.blocks()[0].heads.size());
  const int side_cells = int(reading.blocks()[0].heads[0].map.rows());
  constexpr float kNumbers = 20, kLeastNamed = 16;
  const auto pitch_in = [&](float margin) {
    return std::floor(std::min((box.w - margin) / float(heads), (box.h - margin) / float(layers)));
  };
  const bool named = pitch_in(kNumbers) >= kLeastNamed;
  const float margin = named ? kNumbers : 0, pitch = std::min(pitch_in(margin), 110.f);
  const Box grid{box.x + margin, box.y + margin, pitch * float(heads), pitch * float(layers)};
  const float side = std::max(2.f, pitch - std::max(2.f, pitch * .12f)), cell = side / float(side_cells);
  const auto number = [&](float x, float y, int i, bool on) {
    ui.pen.text_mid(on ? MonoBold : Mono, type::tiny, x, y, on ? ui.theme->weights.text : ui.theme->mute,
                    std::to_string(i + 1), Align::Center);
  };
  for (int h = 0; named && h < heads; ++h)
    number(grid.x + pitch * float(h) + side / 2, grid.y - 10, h, h == chosen.head);
  for (int b = 0; b < layers; ++b) {
    if (named) number(grid.x - 11, grid.y + pitch * float(b) + side / 2, b, b == chosen.block);
    for (int h = 0; h < heads; ++h) {
      const Matrix& map = reading.blocks()[std::size_t(b)].heads[std::size_t(h)].map;
      const Box place{grid.x + pitch * float(h), grid.y + pitch * float(b), pitch, pitch};
      MatrixLook look{.name = "map." + std::to_string(b) + "." + std::to_string(h),
                      .is_signed = true,
                      .max = 1,
                      .numbers = false,
                      .mask = future_of(side_cells),
                      .passive = true};
      look.cell_width = cell;
      draw_matrix(ui, heat_view(view(map)), place.x, place.y, cell, look);
      if (b == chosen.block && h == chosen.head)
        ui.pen.outline({place.x - 2, place.y - 2, side + 4, side + 4}, ui.theme->weights.mark, 3, 2);
    }
  }
  Target& t =
      ui.registry.add({.id = "matrix.heads",
                       .role = "grid",
                       .label = filled("Heads: {0} blocks by {1} heads, the largest share in each one’s last "
                                       "row; chosen: block {2}, head {3}",
                                       {std::to_string(layers), std::to_string(heads),
                                        std::to_string(chosen.block + 1), std::to_string(chosen.head + 1)}),
                       .box = grid,
                       .rows = layers,
                       .cols = heads});
  t.grid = heads_content(reading, chosen);
  return grid;
}

}  // namespace

void draw_maps(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  const HeadPlace chosen = looked_at_head(shown.results, shown.state);
  const bool stacked = is_narrow(ui), repeats = pictured_step(shown) == "repeat";
  heading(ui, box, "Every head in every block", "");
  if (!stacked) draw_scale(ui, box.right() - kPad, box.y + 23);
  Box inside{box.x + kPad, box.y + kHead + 4, box.w - 2 * kPad, box.h - kHead - kPad};
  if (stacked) {
    const Box grid = draw_grid(ui, reading, chosen, {inside.x, inside.y, inside.w, inside.w});
    return draw_enlarged(ui, shown, chosen,
                         {inside.x, grid.bottom() + 22, inside.w, box.bottom() - kPad - grid.bottom() - 22});
  }
  // Below what the heads do: what comes of it, where there is room for both.
  constexpr float kLower = 250, kLeastUpper = 340;
  const bool with_lower = inside.h > kLower + kLeastUpper;
  const Box lower{box.x, box.bottom() - kLower, box.w, kLower};
  if (with_lower) inside.h -= kLower - 8;
  const float large = std::clamp(inside.w * (repeats ? .5f : .34f), 190.f, repeats ? 400.f : 260.f);
  const Box grid = draw_grid(ui, reading, chosen, {inside.x, inside.y, inside.w - large - 28, inside.h});
  const float left = grid.right() + 32;
  draw_enlarged(ui, shown, chosen, {left, inside.y, inside.right() - left, inside.h});
  if (!with_lower) return;
  ui.pen.hline(box.x + kPad, box.right() - kPad, lower.y, ui.theme->line);
  repeats ? draw_last_row(ui, shown, chosen, lower) : draw_likeliest(ui, shown, lower, 6);
}

}  // namespace lab
