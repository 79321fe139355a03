// The whole screen, drawn from nothing each frame.
#pragma once
#include "draw/view.hpp"

namespace lab {

// Where the parts of the screen lie, CSS pixels. Wide: rail, stage and inspector side by side. Narrow (below
// 900): one column that scrolls.
struct Layout {
  bool wide = true;
  Box rail, header, input, stage, timeline, inspector, footer;  // without a width: not there
  Box dock;                      // below it nothing scrolls: timeline and inspector of a phone
  bool inspector_stays = false;  // while the page beside it scrolls
  float content_height = 0;      // what can be scrolled through
};
// A phone held upright: one column. Lying it has room for two.
inline bool is_lying(const Ui& ui) { return ui.width >= 640 && ui.height < 560; }
inline bool is_narrow(const Ui& ui) { return ui.width < 900 && !is_lying(ui); }
// A low window (a laptop, a projector): less air, so that the whole bench fits.
inline bool is_low(const Ui& ui) { return ui.height < 860 && !is_narrow(ui); }
// From this width on the lessons stand at the left; below it they are a menu.
inline bool has_rail(const Ui& ui) { return ui.width >= 1160; }
Layout layout_for(const Ui& ui, const Shown& shown);

// How far the narrow column can be scrolled, CSS pixels.
float scroll_range(const Ui& ui, const Shown& shown);

// The same of a phone's sheet that is drawn up.
float sheet_range(const Ui& ui, const Shown& shown);

void draw_screen(Ui& ui, const Shown& shown, float scroll);

// The parts, each in a file of its own.
void draw_rail(Ui& ui, const Shown& shown, Box box);
void draw_header(Ui& ui, const Shown& shown, Box box, bool wide);
void draw_footer(Ui& ui, const Shown& shown,
                 Box box);  // narrow: what the rail and the header have no room for
void draw_input_bar(Ui& ui, const Shown& shown, Box box);
float input_bar_height(const Ui& ui, const Shown& shown, float width);
void draw_timeline(Ui& ui, const Shown& shown, Box box);
constexpr float kSheetHandle = 18;
void draw_inspector(Ui& ui, const Shown& shown, Box box, bool as_sheet);  // a sheet has a handle
float code_height(const Shown& shown);                                    // of all its lines
void draw_code(Ui& ui, const Shown& shown, Box box);
float step_height(const Ui& ui, const Shown& shown, float width);  // of what the step says
float inspector_height(const Ui& ui, const Shown& shown, float width);
// The stage: the transfer bench, or a lesson's matrices in their arrangement. Heights are the least that is
// needed.
void draw_bench(Ui& ui, const Shown& shown, Box box);
float bench_height(const Ui& ui, const Shown& shown, float width);
void draw_arrangement(Ui& ui, const Shown& shown, Box box);
float least_arrangement_height(const Ui& ui, const Shown& shown, float width);  // of a low window: it scrolls
float arrangement_height(const Ui& ui, const Shown& shown, float width);        // of the narrow column

// The same beside the residual stream.
void draw_block(Ui& ui, const Shown& shown, Box box);
float block_height(const Ui& ui, const Shown& shown, float width);
float least_block_height(const Ui& ui, const Shown& shown, float width);

void draw_gpt(Ui& ui, const Shown& shown, Box box);
float gpt_height(const Ui& ui, const Shown& shown, float width);
float least_gpt_height(const Ui& ui, const Shown& shown, float width);
// A list that is longer than the window.
void draw_book(Ui& ui, const Shown& shown, Box box);
float book_height(const Ui& ui, const Shown& shown, float width);

void draw_overlays(Ui& ui, const Shown& shown);  // menus and the field of a cell, above all else
void draw_roadmap(Ui& ui, const Shown& shown, Box box);
float roadmap_height(const Ui& ui, const Shown& shown, float width);

}  // namespace lab
