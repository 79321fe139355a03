// The two panels of the transfer bench.
#pragma once
#include "draw/view.hpp"

namespace lab {

// Both modules' outputs, their difference and the verdict.
void draw_outputs(Ui& ui, const Shown& shown, Box panel);

}  // namespace lab
