// Figures block by block: lines of dots from the left, before the first block, to the right, behind the last.
#pragma once
#include <string>
#include <vector>

#include "draw/ui.hpp"

namespace lab {

struct Curve {
  std::string name;
  std::vector<double> values;
  ImU32 mark, text;
};
struct CurvesLook {
  std::string id;     // of the target
  std::string title;  // on the line above the box
  double most;        // at the top; 0 is at the bottom
  int digits = 2;
  int steps = 0;  // from the left to the right; 0: as many as there are values
};
// Beside the box, where there are several curves, which all begin at the same number.
constexpr float kCurveStart = 40, kCurveEnds = 60;
// Where there is one curve, the title has its colour. Told to who cannot see them, curve by curve.
void draw_curves(Ui& ui, Box box, const CurvesLook& look, const std::vector<Curve>& curves);

}  // namespace lab
