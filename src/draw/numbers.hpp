// How a number is written.
#pragma once

#include <string>

#include "draw/heatmap.hpp"

namespace lab {

// Fixed digits, as PyTorch prints; "∞", "−∞", "NaN"; never "-0.00".
std::string number_text(float value, int digits);
// One significant digit and the shortest exponent, for small cells: "5e-4", "-3e-8", "0".
std::string power_text(double value);
// Three significant digits and an exponent: "1.87e-01".
std::string exponent_text(double value);

// How the numbers of one matrix are set in its cells: all alike, so that columns of digits line up.
struct CellText {
  float size = 0;  // CSS pixels; 0 = no numbers, only colour
  int digits = 0;
  bool tight = false;  // to be written with bare_number_text
};
// What is larger than that beside usual numbers takes none of their digits, and is written shorter.
constexpr float kOutlier = 100;
// The most digits (up to `digits`) and the largest type with which every number of the matrix fits into cells
// of this width; fewer digits before smaller type below 10 px; none where not even one digit fits.
// cell_height 0: square. bare_point: the zero before the point is not printed.
CellText cell_text_for(const FloatView& values, float cell_width, int digits, float cell_height = 0,
                       bool bare_point = false);
std::string without_leading_zero(std::string number);  // "-0.007" → "-.007"; "0" stays
// ".19", and "1.0" in the same room: what has a whole part gives a digit for it.
std::string bare_number_text(float value, int digits);

}  // namespace lab
