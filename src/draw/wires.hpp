// A wire carries one thing to another: a smooth curve from box edge to box edge with a dot where it begins
// and an arrow where it ends. CSS pixels.
#pragma once

#include "draw/ui.hpp"

namespace lab {

enum class WireEnd { Arrow, Plain, None };

struct WireLook {
  ImU32 color = 0;
  float width = 3;
  float opacity = 1;  // dimmed: below 1
  float gap = 10;     // left free at both boxes
  bool dot = true;    // where it begins
  WireEnd end = WireEnd::Arrow;
  float grown = 1;  // 0 … 1: how much of it is there yet
  float below = 0;  // > 0: out of the bottom, so far below both boxes, and into the bottom
};

struct WirePlace {
  float from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  float mid_x = 0, mid_y = 0;  // half way: where a label or a switch belongs
};

// Leaves at the side that faces the other box: right or left when they lie side by side, else bottom or top.
WirePlace draw_wire(Ui& ui, Box from, Box to, const WireLook& look);
// Where draw_wire would lay it, without drawing.
WirePlace wire_place(Box from, Box to, const WireLook& look);

// A word on the middle of a wire, on the colour of what lies behind it, so that the wire seems to pass below.
void wire_label(Ui& ui, const WirePlace& wire, const std::string& words, ImU32 ground, ImU32 color);

}  // namespace lab
