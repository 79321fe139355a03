// The panels of the transfer bench.
#pragma once
#include "draw/view.hpp"

namespace lab {

// Both modules' outputs, their difference and the verdict.
void draw_outputs(Ui& ui, const Shown& shown, Box panel);

// The verdict's card: as wide as its panel lets it be, as high as its words need.
float verdict_width(float panel_width);
float verdict_height(const Ui& ui, const Shown& shown, float width);
void draw_verdict(Ui& ui, const Shown& shown, Box box);

}  // namespace lab
