// Every colour, type size and distance, once. Colours are named by what they mean; a light and a dark set
// mean the same. Where words are set in a colour it reaches contrast 4.5 on the grounds it stands on (a test
// holds it).
#pragma once

#include "draw/fonts.hpp"
#include "imgui.h"

namespace lab {

// A hue that stands for one thing everywhere: in titles, wires, code and formulas.
struct Hue {
  ImU32 mark;  // wires, outlines, fills
  ImU32 text;  // words in this hue
  ImU32 soft;  // a tinted ground behind such words
};

struct Palette {
  // Grounds, from the back to the front.
  ImU32 bg, panel, sunken, raised;  // sunken: code, empty slots; raised: menus, tooltips
  ImU32 line, edge, rail;           // panel borders; matrix borders; tracks
  ImU32 chip, chip_hover;           // tokens and quiet buttons
  // Words.
  ImU32 ink, mute, faint;  // mute and faint are readable too
  ImU32 deco;              // arrows, grips, unlit dots, borders of fields: contrast 3, not meant for words
  // Meanings.
  Hue query, key, value, weights, context, ok, bad, warn, neutral;
  // What is chosen, and what the pointer or the keyboard is at.
  ImU32 selection, on_selection;  // the selected row's frame
  ImU32 cell;                     // the selected or hovered cell's frame
  ImU32 token, token_edge;        // the selected token
  ImU32 on_mark;                  // words on a filled mark colour
  ImU32 focus;                    // the keyboard's ring
  ImU32 shadow;
  // Cells.
  ImU32 cell_ink_dark, cell_ink_light;  // numbers on light and dark cells
  ImU32 masked, masked_ink;             // the ground and the numbers of hatched cells
};

const Palette& palette(bool dark, bool more_contrast = false);

struct Theme {
  bool dark = false;
  const Palette* colors = nullptr;

  const Palette& operator*() const { return *colors; }
  const Palette* operator->() const { return colors; }
};
inline Theme theme_of(bool dark, bool more_contrast = false) { return {dark, &palette(dark, more_contrast)}; }

// Type, in whole CSS pixels (other sizes would be resampled).
namespace type {
constexpr float tiny = 11;     // numbers beside bars, overlines
constexpr float small = 12;    // notes, labels, shapes
constexpr float body = 13;     // prose, buttons
constexpr float lead = 14;     // navigation, matrix names
constexpr float heading = 15;  // titles of panels and matrices
constexpr float large = 16;
constexpr float brand = 19;
constexpr float verdict = 20;
constexpr float title = 22;
}  // namespace type

// Distances, in CSS pixels, on a grid of 4.
namespace gap {
constexpr float hair = 4, tight = 8, close = 12, normal = 16, wide = 24, loose = 32, section = 48;
}
namespace radius {
constexpr float small = 4, chip = 6, button = 8, panel = 12;
}

// "#RRGGBB" as 0xRRGGBB.
constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
  return alpha << 24 | (hex & 0xFF) << 16 | (hex >> 8 & 0xFF) << 8 | (hex >> 16 & 0xFF);
}
ImU32 mix(ImU32 from, ImU32 to, float t);  // opaque, channel by channel
ImU32 faded(ImU32 color, float opacity);   // the colour's own opacity times this
float luminance(ImU32 color);              // WCAG's relative luminance, 0 … 1
float contrast(ImU32 a, ImU32 b);          // WCAG's ratio, 1 … 21

}  // namespace lab
