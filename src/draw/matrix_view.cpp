#include "draw/matrix_view.hpp"

#include <algorithm>
#include <cmath>

#include "draw/numbers.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kTitleAbove = 12;  // from the last line above the cells to the cells
constexpr float kTitleLine = 18;
constexpr int kReadable = 12;  // up to so many rows and columns the mirror holds every cell

CellGrid device_grid(const Pen& pen, float x, float y, float width, float height) {
  const auto size = [&](float css) { return std::max(1, int(std::round(css * pen.scale))); };
  return {int(pen.snap(x)), int(pen.snap(y)), size(width), size(height)};
}

// Where the theme's softer inks would be hard to read, on middling grounds, black or white.
ImU32 ink_on(const Palette& c, ImU32 ground) {
  constexpr float kComfortable = 6;
  if (contrast(c.cell_ink_dark, ground) >= kComfortable) return c.cell_ink_dark;
  if (contrast(c.cell_ink_light, ground) >= kComfortable) return c.cell_ink_light;
  const ImU32 black = IM_COL32_BLACK;
  const ImU32 white = IM_COL32_WHITE;
  return contrast(black, ground) >= contrast(white, ground) ? black : white;
}

// The ground of a number, as far as it matters for the ink on it.
ImU32 ink_for(const Ui& ui, float value, bool masked, const HeatLook& heat) {
  const Palette& c = *ui.theme;
  if (masked && heat.fade > .5f) return c.masked_ink;
  if (std::isnan(value)) return c.ink;
  if (std::isinf(value)) return c.cell_ink_light;
  return ink_on(c, heat_color(value, heat));
}

void draw_numbers(Ui& ui, const FloatView& values, const MatrixPlace& place, const MatrixLook& look,
                  const HeatLook& heat) {
  CellText text = cell_text_for(values, place.cell_width, look.digits, place.cell, look.bare_point);
  if (text.size <= 0) return;
  text.size = std::min(text.size, look.largest_type);
  for (int r = 0; r < values.rows; ++r) {
    for (int c = 0; c < values.cols; ++c) {
      const float value = values(r, c);
      const bool masked = look.mask(r, c);
      const bool replaced = masked && look.masked_text && heat.fade > .5f;
      const Box box = place.cell_box({r, c});
      std::string words = replaced ? look.masked_text : number_text(value, text.digits);
      if (look.bare_point && !replaced)
        words = text.tight ? bare_number_text(value, text.digits) : without_leading_zero(words);
      const bool shown = !masked || heat.fade <= .5f;
      const ImU32 ink = ink_for(ui, value, masked, heat);
      if (std::isinf(value) && !replaced) {
        // Larger, and at the broad end of its triangle.
        const float shift = shown ? std::copysign(place.cell * .1f, value) : 0;
        ui.pen.text_mid(Bold, text.size + 4, box.mid_x(), box.mid_y() + shift, ink, words, Align::Center);
        continue;
      }
      if (std::isnan(value) && shown) {
        const float half = ui.pen.width(Mono, text.size, words) / 2 + 2;
        ui.pen.fill({box.mid_x() - half, box.mid_y() - text.size / 2 - 2, 2 * half, text.size + 4},
                    ui.theme.dark ? rgb(0x3A2A10) : rgb(0xFDE6BE));
      }
      ui.pen.text_mid(Mono, text.size, box.mid_x(), box.mid_y(), ink, words, Align::Center);
    }
  }
}

void draw_labels(Ui& ui, const FloatView& values, MatrixPlace& place, const MatrixLook& look) {
  const Palette& c = *ui.theme;
  const float cell = place.cell;
  const float size = cell >= 20 ? type::small : type::tiny;
  if (look.row_labels && cell >= 11) {
    float widest = 0;
    for (int r = 0; r < std::min(values.rows, int(look.row_labels->size())); ++r) {
      const bool on = r == look.row || r == look.label_row || r == look.framed_row;
      const std::string word = ui.pen.fitted(on ? Bold : Sans, size, (*look.row_labels)[std::size_t(r)], 96);
      const float mid = place.cells.y + (float(r) + .5f) * cell;
      const float w = ui.pen.text_mid(on ? Bold : Sans, size, place.cells.x - 9, mid, on ? c.ink : c.mute,
                                      word, Align::Right);
      widest = std::max(widest, w);
    }
    place.all.x -= widest + 9;
    place.all.w += widest + 9;
  }
  if (look.col_labels) {
    float widest = 0;
    for (const std::string& word : *look.col_labels)
      widest = std::max(widest, ui.pen.width(Sans, type::tiny, word));
    if (widest > place.cell_width - 2) return;  // words that do not fit are in the mirror and the inspector
    for (int i = 0; i < std::min(values.cols, int(look.col_labels->size())); ++i) {
      ui.pen.text_mid(i == look.col ? Bold : Sans, type::tiny,
                      place.cells.x + (float(i) + .5f) * place.cell_width, place.cells.y - 10,
                      i == look.col ? c.ink : c.mute, (*look.col_labels)[std::size_t(i)], Align::Center);
    }
    place.all.y -= 18;
    place.all.h += 18;
  }
}

void draw_title(Ui& ui, MatrixPlace& place, const MatrixLook& look) {
  const Palette& c = *ui.theme;
  float base = place.all.y - kTitleAbove;
  if (look.note_beside) {
    const float w = ui.pen.text(Bold, type::lead, place.cells.x, base,
                                look.title_color ? look.title_color : c.ink, look.title);
    ui.pen.text(Mono, type::small, place.cells.x + w + 10, base, c.mute, look.note);
  } else {
    const float room = look.title_room > 0 ? look.title_room : 1e6f;
    if (!look.note.empty()) {
      ui.pen.text_fit(Mono, type::small, place.cells.x, base, c.mute, look.note, room);
      base -= kTitleLine;
    }
    if (!look.title.empty())
      ui.pen.text_fit(Bold, type::heading, place.cells.x, base, look.title_color ? look.title_color : c.ink,
                      look.title, room);
  }
  const float height = title_height(look);
  place.all.y -= height;
  place.all.h += height;
}

void draw_marks(Ui& ui, const FloatView& values, const MatrixPlace& place, const MatrixLook& look) {
  const Palette& c = *ui.theme;
  const Pen& pen = ui.pen;
  const float device = 1 / pen.scale;
  pen.frame(place.cells.grown(device), c.edge);
  if (place.cell >= 14)
    for (const Cell& at : look.followed) {
      const Box b = place.cell_box(at);
      pen.disc(b.right() - 4, b.y + 4, 1.6f, c.cell);
    }
  for (const Cell& at : look.changed) {
    const Box b = place.cell_box(at);
    const float leg = std::clamp(place.cell * .26f, 3.f, 9.f);
    pen.triangle({b.right() - leg, b.y}, {b.right(), b.y}, {b.right(), b.y + leg}, c.cell);
  }
  for (const Cell& at : look.outlined) {
    pen.frame(place.cell_box(at), look.outline_color ? look.outline_color : c.cell, place.cell >= 16 ? 2 : 1);
  }
  if (const int framed = std::max(look.row, look.framed_row); framed >= 0 && framed < values.rows) {
    const Box row{place.cells.x, place.cells.y + float(framed) * place.cell, place.cells.w, place.cell};
    pen.frame(row.grown(1), c.selection, place.cell >= 16 ? 2 : 1);
  }
  if (look.row >= 0 && look.col >= 0) {
    pen.frame(place.cell_box({look.row, look.col}), c.cell, place.cell >= 24 ? 3 : 2);
  }
  if (place.hover.valid()) pen.frame(place.cell_box(place.hover), c.cell, place.cell >= 16 ? 2 : 1);
}

void describe_cells(const FloatView& values, const MaskView& mask, GridContent& grid) {
  for (int r = 0; r < values.rows; ++r) {
    for (int c = 0; c < values.cols; ++c) {
      grid.cells.push_back(values(r, c));
      if (mask.data) grid.masked.push_back(mask(r, c));
    }
  }
}

void describe_rows(const FloatView& values, GridContent& grid) {
  for (int r = 0; r < values.rows; ++r) {
    int peak = 0;
    for (int c = 1; c < values.cols; ++c) {
      if (std::fabs(values(r, c)) > std::fabs(values(r, peak))) peak = c;
    }
    grid.peak_cols.push_back(peak);
    grid.peaks.push_back(values(r, peak));
  }
  if (grid.row < 0 || grid.row >= values.rows) return;
  for (int c = 0; c < values.cols; ++c) grid.selected_row.push_back(values(grid.row, c));
}

void add_target(Ui& ui, const FloatView& values, const MatrixPlace& place, const MatrixLook& look) {
  Target t;
  t.id = "matrix." + look.name;
  t.role = "grid";
  t.label = look.label.empty() ? (look.title.empty() ? look.name : look.title) : look.label;
  t.box = place.cells;
  t.rows = values.rows;
  t.cols = values.cols;
  t.draggable = look.draggable;
  t.drag_as = look.drag_as;
  t.radius = 4;
  t.grid.digits = look.mirror_digits;
  t.grid.row = look.row;
  t.grid.col = look.col;
  if (look.row_labels || look.mirror_rows)
    t.grid.row_labels = *(look.row_labels ? look.row_labels : look.mirror_rows);
  if (look.col_labels || look.mirror_cols)
    t.grid.col_labels = *(look.col_labels ? look.col_labels : look.mirror_cols);
  t.grid.unknown = look.unknown;
  if (values.rows <= kReadable && values.cols <= kReadable) {
    describe_cells(values, look.mask, t.grid);
  } else {
    describe_rows(values, t.grid);
  }
  ui.registry.add(std::move(t));
}

}  // namespace

float title_height(const MatrixLook& look) {
  if (look.title.empty() && look.note.empty()) return 0;
  const bool two_lines = !look.note_beside && !look.title.empty() && !look.note.empty();
  return kTitleAbove + 14 + (two_lines ? kTitleLine : 0);
}

float largest(const FloatView& values) {
  float most = 0;
  for (int r = 0; r < values.rows; ++r) {
    for (int c = 0; c < values.cols; ++c) {
      if (std::isfinite(values(r, c))) most = std::max(most, std::fabs(values(r, c)));
    }
  }
  return most > 0 ? most : 1;
}

float cell_size_for(int rows, int cols, float max_width, float max_height, float preferred, float scale) {
  const float across = max_width / float(std::max(1, cols));
  const float down = max_height / float(std::max(1, rows));
  const float most = std::min({across, down, preferred});
  return std::max(1.f, std::floor(most * scale)) / scale;
}

MatrixPlace draw_matrix(Ui& ui, const FloatView& values, float x, float y, float cell,
                        const MatrixLook& look) {
  const CellGrid grid = device_grid(ui.pen, x, y, look.cell_width > 0 ? look.cell_width : cell, cell);
  const float s = ui.pen.scale;
  MatrixPlace place;
  place.cell = float(grid.cell_h) / s;
  place.cell_width = float(grid.cell_w) / s;
  place.cells = {float(grid.x) / s, float(grid.y) / s, place.cell_width * float(values.cols),
                 place.cell * float(values.rows)};
  place.all = place.cells;
  const std::string id = "matrix." + look.name;
  if (!look.passive && ui.hovered(id) && ui.gesture.hover_cell.row < values.rows &&
      ui.gesture.hover_cell.col < values.cols) {
    place.hover = ui.gesture.hover_cell;
  }

  const float before = ui.pen.alpha;
  ui.pen.alpha *= look.opacity;
  if (ui.pen.alpha > 0 && values.rows > 0 && values.cols > 0) {
    HeatLook heat;
    heat.max = look.max > 0 ? look.max : largest(values);
    heat.is_signed = look.is_signed;
    heat.dark = ui.theme.dark;
    heat.fade = look.fade;
    heat.opacity = ui.pen.alpha;
    ui.heatmaps->draw(ui.pen.list, look.passive ? id + " passive" : id, values, look.mask, grid, heat);
    if (look.numbers) draw_numbers(ui, values, place, look, heat);
    ui.pen.alpha = before;  // marks are never dimmed
    draw_marks(ui, values, place, look);
    ui.pen.alpha = before * look.opacity;
    draw_labels(ui, values, place, look);
    if (!look.title.empty() || !look.note.empty()) draw_title(ui, place, look);
  }
  ui.pen.alpha = before;
  if (!look.passive) add_target(ui, values, place, look);
  return place;
}

std::vector<RowBar> row_sum_bars(const std::vector<float>& sums) {
  std::vector<RowBar> bars;
  for (const float sum : sums)
    bars.push_back({sum, std::isnan(sum) ? "NaN" : number_text(sum, 2), std::fabs(sum - 1) < 1e-4f});
  return bars;
}

void draw_row_bars(Ui& ui, const MatrixPlace& place, const std::vector<RowBar>& bars, float bar_width,
                   bool with_numbers, const char* heading) {
  const Palette& c = *ui.theme;
  if (with_numbers)
    ui.pen.text(Sans, type::tiny, place.cells.right() + 10, place.cells.y - kTitleAbove, c.faint, heading);
  for (std::size_t r = 0; r < bars.size(); ++r) {
    const RowBar& b = bars[r];
    const float mid = place.cells.y + (float(r) + .5f) * place.cell;
    const float height = std::clamp(std::round(place.cell * .4f), 4.f, 18.f);
    bar(ui, {place.cells.right() + 10, mid - height / 2, bar_width, height}, std::isnan(b.part) ? 0 : b.part,
        b.good || b.amber > 0 ? c.ok.mark : c.warn.mark);
    if (b.amber > 0) {
      const float x = place.cells.right() + 10 + bar_width * std::clamp(b.part - b.amber, 0.f, 1.f);
      ui.pen.fill({x, mid - height / 2, bar_width * std::min(b.amber, 1.f), height}, c.warn.mark, 2);
    }
    if (with_numbers)
      ui.pen.text_mid(MonoBold, type::tiny, place.cells.right() + 16 + bar_width, mid,
                      b.good ? c.ok.text : c.warn.text, b.words);
  }
}

}  // namespace lab
