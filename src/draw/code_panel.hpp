// The PyTorch lines of the inspector as rows of a panel. Lengths are CSS pixels.
#pragma once

#include <string>
#include <vector>

#include "draw/view.hpp"

namespace lab {

struct CodeRow {
  std::string text;
  bool is_lit = false;     // of the statement that the step is about
  bool is_remark = false;  // of a line that is a comment
  bool goes_on = false;    // of the line above
};

constexpr float kCodeInset = 10;  // beside the rows, within the panel

// Of all lines, none wider than that.
std::vector<CodeRow> code_rows(const Pen& pen, const Shown& shown, float width);

// Those of a panel's box that are seen: around the lit ones, else the last; and how far apart they stand.
struct CodeView {
  std::vector<CodeRow> rows;
  float pitch, pad;
  float height() const { return float(rows.size()) * pitch + 2 * pad; }
};
CodeView code_view(const Pen& pen, const Shown& shown, Box box);

// Of all rows in a panel of this width; and the least that is worth a panel: a few rows, closer together.
float code_height(const Pen& pen, const Shown& shown, float width);
float least_code_height(const Pen& pen, const Shown& shown, float width);

}  // namespace lab
