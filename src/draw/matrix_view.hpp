// One matrix on the screen: cells, numbers, title, labels, marks; and its target, a grid.
#pragma once

#include <string>
#include <vector>

#include "draw/heatmap.hpp"
#include "draw/ui.hpp"

namespace lab {

struct MatrixLook {
  std::string name{};        // the target is "matrix." + name + part; also names the texture
  std::string part{};        // a rectangle of a matrix, drawn alone: "[2:4,0:3]"
  Cell first{0, 0};          // … and the cell that stands first; all marks count from the whole's
  std::string title{};       // above; empty = none
  std::string note{};        // below the title, in mono: "6 × 2", "rows sum to 1"; empty = none
  std::string label{};       // for screen readers; empty = the title
  ImU32 title_color = 0;     // 0 = ink
  float lift = 0;            // title and note stand higher, as those of a neighbour with names of columns
  float title_room = 0;      // title and note are cut to it; 0 = as much as they want
  bool note_beside = false;  // on the title's line, after it

  bool is_signed = true;  // diverging map around 0, else sequential from 0
  float max = 0;          // the value at the end of the map; 0 = the largest of the matrix
  FloatView colors{};     // what the cells are coloured by; empty = the numbers themselves
  float cell_width = 0;   // wider than high, so that numbers fit; 0 = square
  bool numbers = true;    // as far as they fit
  int digits = 2;
  bool small_as_powers =
      false;  // what would print as 0.00 and is more than `least`: "5e-4"; what is less: "0"
  float least = 0;
  bool later_is_red = false;  // violet, and red right of the diagonal, where nothing should be
  float largest_type = 13;    // of the numbers: matrices that are compared print alike
  bool bare_point = false;    // ".007": small numbers give their leading zero for a digit more
  int mirror_digits = 4;

  MaskView mask{};
  float fade = 1;                     // 0 … 1: how far masked cells are hatched
  const char* masked_text = nullptr;  // instead of the number in a masked cell; nullptr = the number

  const std::vector<std::string>* row_labels = nullptr;  // left of the rows
  const std::vector<std::string>* col_labels = nullptr;  // above the columns

  const std::vector<std::string>* mirror_rows = nullptr;  // what rows and columns are called for a screen
  const std::vector<std::string>* mirror_cols = nullptr;  // reader, where the picture does not say it again
  bool unknown = false;                                   // its numbers are not to be told

  int row = -1, col = -1;        // selected; a row alone is framed as a row
  int framed_row = -1;           // the same word's row as the one selected in a sister matrix
  int label_row = -1;            // its label is bold as well: the row is selected in a sister matrix
  std::vector<Cell> outlined{};  // sources of what is looked at
  std::vector<Cell> changed{};   // edited: a corner mark
  std::vector<Cell> followed{};  // other than without the edits: a dot
  ImU32 outline_color = 0;       // 0 = the cell colour
  float opacity = 1;
  bool passive = false;  // a picture only: no target (a matrix in the hand)
  bool draggable = false;
  std::string drag_as{};  // the target that is carried when this is dragged
};

struct MatrixPlace {
  Box cells;       // exactly around the cells
  Box all;         // with title and labels
  float cell = 0;  // height of a cell
  float cell_width = 0;
  Cell hover;        // the cell under the pointer
  float line_y = 0;  // baseline of the last line above the cells
  Box cell_box(Cell at) const {
    return {cells.x + float(at.col) * cell_width, cells.y + float(at.row) * cell, cell_width, cell};
  }
};

// x, y: the top left corner of the cells; cell: their size; CSS pixels. Both are moved to whole device
// pixels, so all cells are equally large.
MatrixPlace draw_matrix(Ui& ui, const FloatView& values, float x, float y, float cell,
                        const MatrixLook& look);

// How large a cell can be so that the matrix fits: at most `preferred`, a whole number of device pixels.
float cell_size_for(int rows, int cols, float max_width, float max_height, float preferred, float scale);

// The height that title and note take above the cells.
float title_height(const MatrixLook& look);

// The largest finite |value|, or 1 where there is none.
float largest(const FloatView& values);

// How wide a column must be so that these words can stand side by side, one over each column.
float room_for_words(const Pen& pen, const std::vector<std::string>& words);

// Bars to the right of a matrix, one a row, with a number where there is room for it.
struct RowBar {
  float part = 0;  // 1: full. If one is more, all are drawn smaller, with a mark at 1
  std::string words;
  bool good = true;    // green, else amber
  bool bad = false;    // red
  bool plain = false;  // neither: a number without a verdict
  float amber = 0;     // 0 … 1, the last part of what is full
};
void draw_row_bars(Ui& ui, const MatrixPlace& place, const std::vector<RowBar>& bars, float bar_width,
                   bool with_numbers, const char* heading);
// Of the rows' sums: green and full at 1.
std::vector<RowBar> row_sum_bars(const std::vector<float>& sums);

}  // namespace lab
