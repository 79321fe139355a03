// The whole screen, drawn from nothing each frame.
#pragma once
#include "draw/view.hpp"

namespace lab {

// Where the parts of the screen lie, CSS pixels. Wide: rail, stage and inspector side by side. Narrow (below
// 900): one column that scrolls.
struct Layout {
  bool wide = true;
  Box rail, header, input, stage, timeline, inspector;
  float content_height = 0;  // narrow: what can be scrolled through
};
Layout layout_for(const Ui& ui, const Shown& shown);

// How far the narrow column can be scrolled, CSS pixels.
float scroll_range(const Ui& ui, const Shown& shown);

void draw_screen(Ui& ui, const Shown& shown, float scroll);

// The parts, each in a file of its own.
void draw_rail(Ui& ui, const Shown& shown, Box box);
void draw_header(Ui& ui, const Shown& shown, Box box, bool wide);
void draw_input_bar(Ui& ui, const Shown& shown, Box box);
float input_bar_height(const Ui& ui, const Shown& shown, float width);
void draw_timeline(Ui& ui, const Shown& shown, Box box);
void draw_inspector(Ui& ui, const Shown& shown, Box box);
float inspector_height(const Ui& ui, const Shown& shown, float width);
void draw_bench(Ui& ui, const Shown& shown, Box box);
float bench_height(const Ui& ui, const Shown& shown, float width);

}  // namespace lab
