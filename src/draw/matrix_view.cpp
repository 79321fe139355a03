#include "draw/matrix_view.hpp"

#include <algorithm>
#include <cmath>

#include "draw/numbers.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kTitleAbove = 12;  // from the last line above the cells to the cells
constexpr float kWordsAbove = 6;   // the same of the names of columns
constexpr float kTitleLine = 18;
constexpr float kLeastSign = 9;   // cells with room for a stroke
constexpr float kLeastPower = 8;  // type of "-3e-8", where cells are small
constexpr int kReadable = 12;     // up to so many rows and columns the mirror holds every cell

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
ImU32 ink_for(const Ui& ui, float value, bool masked, const HeatLook& heat, bool later) {
  const Palette& c = *ui.theme;
  if (masked && heat.fade > .5f) return c.masked_ink;
  if (std::isnan(value)) return c.ink;
  if (std::isinf(value)) return c.cell_ink_light;
  return ink_on(c, heat_color(value, heat, later));
}

bool prints_as_zero(float value, int digits) {
  return std::isfinite(value) && number_text(value, digits).find_first_not_of("0.") == std::string::npos;
}

// Nothing goes through a glyph: neither hatching nor the cross of NaN.
void clear_ground(const Ui& ui, Box box, float size, float half, ImU32 ground) {
  ui.pen.fill({box.mid_x() - half, box.mid_y() - size / 2 - 2, 2 * half, size + 4}, ground, radius::small);
}

// With the digits of the others if they fit, else without, else as a power.
std::string outlier_text(const Ui& ui, float value, const CellText& text, float room) {
  for (int digits = text.digits; digits >= 0; --digits)
    if (std::string words = number_text(value, digits); ui.pen.width(Mono, text.size, words) <= room)
      return words;
  return power_text(double(value));
}

// Where numbers have no room, a stroke tells what is below zero, for colour alone should not.
void draw_signs(Ui& ui, const FloatView& values, const MatrixPlace& place, const MatrixLook& look,
                const HeatLook& heat) {
  if (!heat.is_signed || place.cell < kLeastSign) return;
  const float half = std::round(place.cell * .16f);
  for (int r = 0; r < values.rows; ++r)
    for (int c = 0; c < values.cols; ++c) {
      if (!(values(r, c) < 0) || std::isinf(values(r, c)) || look.mask(r, c)) continue;
      const Box box = place.cell_box({r, c});
      const ImU32 ink = faded(ink_for(ui, values(r, c), false, heat, false), .8f);
      ui.pen.hline(box.mid_x() - half, box.mid_x() + half, box.mid_y(), ink);
    }
}

void draw_numbers(Ui& ui, const FloatView& values, const MatrixPlace& place, const MatrixLook& look,
                  const HeatLook& heat) {
  CellText text = cell_text_for(values, place.cell_width, look.digits, place.cell, look.bare_point);
  if (text.size <= 0) return draw_signs(ui, values, place, look, heat);
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
      float size = text.size;
      if (value == 0 && !replaced) words = "0";  // what only rounds to it keeps its digits
      if (!replaced && std::isfinite(value) && std::fabs(value) >= kOutlier)
        words = outlier_text(ui, value, text, place.cell_width - 2);
      if (look.small_as_powers && !replaced && prints_as_zero(value, text.digits)) {
        const std::string power = std::fabs(value) <= look.least ? "0" : power_text(double(value));
        while (size > kLeastPower && ui.pen.width(Mono, size, power) + 6 > place.cell_width) --size;
        words = ui.pen.width(Mono, size, power) <= place.cell_width ? power : value < 0 ? "−" : "+";
      }
      const bool shown = !masked || heat.fade <= .5f;
      if (!shown)
        clear_ground(ui, box, text.size, ui.pen.width(Mono, text.size, words) / 2 + 3,
                     faded(ui.theme->masked, 2 * heat.fade - 1));
      const ImU32 ink = ink_for(ui, look.colors.data ? look.colors(r, c) : value, masked, heat, c > r);
      if (std::isinf(value) && !replaced) {
        // Larger, and at the broad end of its triangle.
        const float shift = shown ? std::copysign(place.cell * .1f, value) : 0;
        ui.pen.text_mid(Bold, text.size + 4, box.mid_x(), box.mid_y() + shift, ink, words, Align::Center);
        continue;
      }
      if (std::isnan(value) && shown) {
        clear_ground(ui, box, text.size, ui.pen.width(Mono, text.size, words) / 2 + 2,
                     ui.theme.dark ? rgb(0x3A2A10) : rgb(0xFDE6BE));
      }
      ui.pen.text_mid(Mono, size, box.mid_x(), box.mid_y(), ink, words, Align::Center);
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
    for (int i = 0; i < std::min(values.cols, int(look.col_labels->size())); ++i) {
      ui.pen.text(i == look.col ? Bold : Sans, type::tiny,
                  place.cells.x + (float(i) + .5f) * place.cell_width, place.line_y,
                  i == look.col ? c.ink : c.mute, (*look.col_labels)[std::size_t(i)], Align::Center);
    }
    place.all.y -= 18;
    place.all.h += 18;
  } else {
    place.all.y -= look.lift;
    place.all.h += look.lift;
  }
}

void draw_title(Ui& ui, MatrixPlace& place, const MatrixLook& look) {
  const Palette& c = *ui.theme;
  float base = place.all.y - kTitleAbove;
  if (look.note_beside) {
    const float w = ui.pen.text(Bold, type::lead, place.cells.x, base,
                                look.title_color ? look.title_color : c.ink, look.title);
    const float room = look.title_room > 0 ? look.title_room - w - 10 : 1e6f;
    if (room > 24) ui.pen.text_fit(Mono, type::small, place.cells.x + w + 10, base, c.mute, look.note, room);
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

// Cells side by side, or one below the other, share an outline.
std::vector<Box> runs_of(const MatrixPlace& place, std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  const bool down =
      !cells.empty() && cells.front().row != cells.back().row &&
      std::all_of(cells.begin(), cells.end(), [&](const Cell& c) { return c.col == cells.front().col; });
  std::vector<Box> runs;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell &at = cells[i], &last = cells[i > 0 ? i - 1 : 0];
    const bool goes_on = down ? at.row == last.row + 1 : at.row == last.row && at.col == last.col + 1;
    const Box box = place.cell_box(at);
    if (i == 0 || !goes_on)
      runs.push_back(box);
    else if (down)
      runs.back().h += box.h;
    else
      runs.back().w += box.w;
  }
  return runs;
}

// The frame of a row lies half outside of it.
struct Framed {
  int index = -1;
  Box row, outside, inside;
};
Framed framed_row(const Pen& pen, const MatrixPlace& place, int index, float width) {
  const Box row{place.cells.x, place.cells.y + float(index) * place.cell, place.cells.w, place.cell};
  const Box out = row.grown(1);
  const float t = pen.stroke(width), x = (pen.snap(out.x) + t) / pen.scale,
              y = (pen.snap(out.y) + t) / pen.scale;
  return {index,
          row,
          out,
          {x, y, (pen.snap(out.right()) - t) / pen.scale - x, (pen.snap(out.bottom()) - t) / pen.scale - y}};
}

// A mark keeps clear of the row's frame: within the row it lies inside of the frame, next to it outside.
Box beside(const Framed& frame, Box mark) {
  if (frame.index < 0) return mark;
  constexpr float kSame = .01f;  // CSS pixels: less than any device has
  const Box &row = frame.row, &in = frame.inside, &out = frame.outside;
  float top = mark.y, bottom = mark.bottom(), left = mark.x, right = mark.right();
  if (std::fabs(top - row.y) < kSame && std::fabs(bottom - row.bottom()) < kSame) {
    top = std::max(top, in.y), bottom = std::min(bottom, in.bottom());
    left = std::max(left, in.x), right = std::min(right, in.right());
  } else if (bottom <= row.y + kSame) {
    bottom = std::min(bottom, out.y);
  } else if (top >= row.bottom() - kSame) {
    top = std::max(top, out.bottom());
  }
  return {left, top, right - left, bottom - top};
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
  const float width = place.cell >= 16 ? 2 : 1;
  const int framed = std::max(look.row, look.framed_row);
  const Framed row = framed_row(pen, place, framed < values.rows ? framed : -1, width);
  if (row.index >= 0) pen.frame(row.outside, c.selection, width);
  for (const Box& run : runs_of(place, look.outlined))
    pen.dashed(beside(row, run), look.outline_color ? look.outline_color : c.cell, width, 5, 3);
  if (look.row >= 0 && look.col >= 0)
    pen.frame(beside(row, place.cell_box({look.row, look.col})), c.cell, place.cell >= 28 ? 3 : 2);
  if (place.hover.valid()) pen.frame(beside(row, place.cell_box(place.hover)), c.cell, width);
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
  t.id = "matrix." + look.name + look.part;
  t.role = "grid";
  t.label = look.label.empty() ? (look.title.empty() ? look.name : look.title) : look.label;
  t.box = place.cells;
  t.rows = values.rows;
  t.cols = values.cols;
  t.first = look.first;
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

// The marks that lie in the part which is drawn, counted from its first cell.
MatrixLook of_part(const FloatView& values, const MatrixLook& whole) {
  if (whole.part.empty()) return whole;
  MatrixLook look = whole;
  const auto inside = [&](const Cell& c) {
    return c.row >= 0 && c.row < values.rows && c.col >= 0 && c.col < values.cols;
  };
  for (std::vector<Cell>* cells : {&look.outlined, &look.changed, &look.followed}) {
    for (Cell& c : *cells) c = {c.row - look.first.row, c.col - look.first.col};
    std::erase_if(*cells, [&](const Cell& c) { return !inside(c); });
  }
  const Cell chosen{look.row - look.first.row, look.col - look.first.col};
  look.row = inside(chosen) ? chosen.row : -1;
  look.col = inside(chosen) ? chosen.col : -1;
  return look;
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
                        const MatrixLook& wanted) {
  const MatrixLook look = of_part(values, wanted);
  const CellGrid grid = device_grid(ui.pen, x, y, look.cell_width > 0 ? look.cell_width : cell, cell);
  const float s = ui.pen.scale;
  MatrixPlace place;
  place.cell = float(grid.cell_h) / s;
  place.cell_width = float(grid.cell_w) / s;
  place.cells = {float(grid.x) / s, float(grid.y) / s, place.cell_width * float(values.cols),
                 place.cell * float(values.rows)};
  place.all = place.cells;
  place.line_y = place.cells.y - (look.col_labels || look.lift > 0 ? kWordsAbove : kTitleAbove);
  const std::string id = "matrix." + look.name + look.part;
  const Cell hover{ui.gesture.hover_cell.row - look.first.row, ui.gesture.hover_cell.col - look.first.col};
  if (!look.passive && ui.hovered(id) && hover.row < values.rows && hover.col < values.cols)
    place.hover = hover;

  const float before = ui.pen.alpha;
  ui.pen.alpha *= look.opacity;
  if (ui.pen.alpha > 0 && values.rows > 0 && values.cols > 0) {
    HeatLook heat;
    const FloatView& colors = look.colors.data ? look.colors : values;
    heat.max = look.max > 0 ? look.max : largest(colors);
    heat.is_signed = look.is_signed;
    heat.dark = ui.theme.dark;
    heat.later_is_red = look.later_is_red;
    heat.least = look.least;
    heat.fade = look.fade;
    heat.opacity = ui.pen.alpha;
    ui.heatmaps->draw(ui.pen.list, look.passive ? id + " passive" : id, colors, look.mask, grid, heat);
    if (look.numbers)
      draw_numbers(ui, values, place, look, heat);
    else
      draw_signs(ui, values, place, look, heat);
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
    bars.push_back({sum,
                    std::isnan(sum)          ? "NaN"
                    : std::fabs(sum) >= 1e4f ? power_text(double(sum))
                                             : number_text(sum, 2),
                    std::fabs(sum - 1) < 1e-4f});
  return bars;
}

float room_for_words(const Pen& pen, const std::vector<std::string>& words) {
  constexpr float kBetween = 4, kOverhang = 6;  // a longer word reaches over its column's edges
  float room = 0, before = 0;
  for (const std::string& word : words) {
    const float w = pen.width(Sans, type::tiny, word);
    room = std::max({room, w - kOverhang, before > 0 ? (before + w) / 2 + kBetween : 0});
    before = w;
  }
  return room;
}

void draw_row_bars(Ui& ui, const MatrixPlace& place, const std::vector<RowBar>& bars, float bar_width,
                   bool with_numbers, const char* heading) {
  const Palette& c = *ui.theme;
  const float x = place.cells.right() + 10;
  if (with_numbers) ui.pen.text(Sans, type::tiny, x, place.line_y, c.faint, heading);
  float most = 1;
  for (const RowBar& b : bars)
    if (std::isfinite(b.part)) most = std::max(most, b.part);
  if (most < 1.005f) most = 1;  // rounding
  for (std::size_t r = 0; r < bars.size(); ++r) {
    const RowBar& b = bars[r];
    const float mid = place.cells.y + (float(r) + .5f) * place.cell;
    const float height = std::clamp(std::round(place.cell * .4f), 4.f, 18.f);
    const ImU32 color = b.plain                 ? c.deco
                        : b.bad                 ? c.bad.mark
                        : b.good || b.amber > 0 ? c.ok.mark
                                                : c.warn.mark;
    if (bar_width > 0)
      bar(ui, {x, mid - height / 2, bar_width, height}, std::isnan(b.part) ? 0 : b.part / most, color);
    if (bar_width > 0 && b.amber > 0) {
      const float from = x + bar_width * std::clamp((b.part - b.amber) / most, 0.f, 1.f);
      ui.pen.fill({from, mid - height / 2, bar_width * std::min(b.amber / most, 1.f), height}, c.warn.mark,
                  2);
    }
    if (bar_width > 0 && most > 1)
      ui.pen.vline(x + bar_width / most, mid - height / 2 - 3, mid + height / 2 + 3, c.ink, 1.5f);
    if (with_numbers)
      ui.pen.text_mid(MonoBold, type::tiny, x + (bar_width > 0 ? 6 + bar_width : 0), mid,
                      b.plain  ? c.ink
                      : b.bad  ? c.bad.text
                      : b.good ? c.ok.text
                               : c.warn.text,
                      b.words);
  }
}

}  // namespace lab
