// The keyboard, told.
#pragma once

namespace lab {

struct KeyText {
  const char *keys, *does;
};
inline constexpr KeyText kKeys[] = {
    {"Tab", "to the next control or matrix; with Shift back"},
    {"Enter", "presses; picks a matrix up and puts it down; edits a cell"},
    {"↑ ↓ ← →", "walk through a matrix; elsewhere ← and → change the step"},
    {"Home End", "to the first and the last cell of a row"},
    {"PgUp PgDn", "to the first and the last row"},
    {"Delete", "gives a cell its own number back; empties a slot"},
    {"Space", "plays the lesson, or pauses it"},
    {"Esc", "puts back what is in hand, closes a menu, leaves a field"},
    {"Ctrl Z", "undoes; with Shift, or Ctrl Y, does it again"},
    {"+ −", "enlarge the picture; two fingers do too"},
};

}  // namespace lab
