#include "draw/screen.hpp"

#include <algorithm>

#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kRail = 236, kInspector = 332, kNarrow = 900;

Layout wide_layout(const Ui& ui, const Shown& shown) {
  Layout l;
  const bool rail = has_rail(ui), low = is_low(ui);
  const float margin = low ? 12 : 24, between = low ? 10 : gap::normal;
  const float w = ui.width, h = ui.height, left = rail ? kRail + (low ? 16 : 28) : margin;
  if (rail) l.rail = {0, 0, kRail, h};
  l.header = {left, 0, w - left - margin, low ? 52.f : 80.f};
  const float top = l.header.bottom() + (low ? 4 : 12);
  l.inspector = {w - margin - kInspector, top, kInspector, h - top - margin};
  const float stage_w = l.inspector.x - margin - left;
  const bool input = *lesson_of(shown.state).controls;
  l.input = {left, top, stage_w, input ? input_bar_height(ui, shown, stage_w) : -between};
  const float timeline = low ? 58 : 66;
  l.timeline = {left, h - margin - timeline, stage_w, timeline};
  const float stage = l.input.bottom() + between;
  l.stage = {left, stage, stage_w, l.timeline.y - between - stage};
  l.content_height = h;
  return l;
}

float stage_height(const Ui& ui, const Shown& shown, float width) {
  switch (lesson_of(shown.state).stage) {
    case Stage::bench: return bench_height(ui, shown, width);
    case Stage::roadmap: return roadmap_height(ui, shown, width);
    case Stage::arrangement: return arrangement_height(ui, shown, width);
  }
  return 0;
}

void draw_stage(Ui& ui, const Shown& shown, Box box) {
  switch (lesson_of(shown.state).stage) {
    case Stage::bench: return draw_bench(ui, shown, box);
    case Stage::roadmap: return draw_roadmap(ui, shown, box);
    case Stage::arrangement: return draw_arrangement(ui, shown, box);
  }
}

Layout narrow_layout(const Ui& ui, const Shown& shown) {
  Layout l;
  l.wide = false;
  const float x = gap::close, w = ui.width - 2 * gap::close;
  float y = 0;
  const auto take = [&](float height) {
    const Box box{x, y, w, height};
    y += height + gap::close;
    return box;
  };
  l.header = take(60);
  if (*lesson_of(shown.state).controls) l.input = take(input_bar_height(ui, shown, w));
  l.stage = take(stage_height(ui, shown, w));
  l.timeline = take(66);
  l.inspector = take(inspector_height(ui, shown, w));
  l.footer = take(36);
  l.content_height = y;
  return l;
}

// A thin mark at the edge that says there is more, and where one is.
void draw_scroll_mark(Ui& ui, float scroll, float content_height) {
  if (content_height <= ui.height + 1) return;
  const float track = ui.height - 8, part = ui.height / content_height;
  ui.pen.fill({ui.width - 6, 4 + track * scroll / content_height, 4, track * part},
              faded(ui.theme->deco, .6f), 2);
}

// What could not be done, over the stage until something else is done.
void draw_trouble(Ui& ui, const Shown& shown, Box stage) {
  const std::string& words = shown.hand.trouble;
  if (words.empty()) return;
  const Pen& pen = ui.pen;
  const float w = std::min(stage.w - 24, pen.width(Sans, type::body, words) + 48);
  const float h = 20 + 20 * float(pen.lines(Sans, type::body, words, w - 40).size());
  const Box box{stage.mid_x() - w / 2, stage.y + 10, w, h};
  pen.shadow(box, radius::panel, 14, ui.theme->shadow);
  pen.panel(box, ui.theme->raised, ui.theme->warn.mark, radius::panel);
  pen.text_block(Sans, type::body, {box.x + 20, box.y + 10, w - 40, 0}, ui.theme->ink, words, 20);
  ui.registry.add(
      {.id = "trouble", .role = "status", .label = "Notice", .value = words, .box = box, .passive = true});
}

}  // namespace

Layout layout_for(const Ui& ui, const Shown& shown) {
  Layout l = ui.width >= kNarrow ? wide_layout(ui, shown) : narrow_layout(ui, shown);
  // A wide but low window keeps the least height that the bench needs, and scrolls.
  const float least = l.wide && shown.runs().bench ? bench_height(ui, shown, l.stage.w) : 0;
  if (l.wide && l.stage.h < least) {
    const float more = least - l.stage.h;
    l.stage.h += more;
    l.timeline.y += more;
    l.inspector.h += more;
    l.content_height += more;
  }
  return l;
}

float scroll_range(const Ui& ui, const Shown& shown) {
  return std::max(0.0f, layout_for(ui, shown).content_height - ui.height);
}

void draw_screen(Ui& ui, const Shown& shown, float scroll) {
  Layout l = layout_for(ui, shown);
  for (Box* box : {&l.header, &l.input, &l.stage, &l.timeline, &l.inspector, &l.footer}) box->y -= scroll;
  if (l.rail.w > 0) draw_rail(ui, shown, l.rail);
  draw_header(ui, shown, l.header, l.wide);
  if (l.input.h > 0) draw_input_bar(ui, shown, l.input);
  draw_stage(ui, shown, l.stage);
  draw_timeline(ui, shown, l.timeline);
  draw_inspector(ui, shown, l.inspector);
  if (l.footer.w > 0) draw_footer(ui, shown, l.footer);
  draw_trouble(ui, shown, l.stage);
  draw_scroll_mark(ui, scroll, l.content_height);
  draw_overlays(ui, shown);
  draw_tip(ui);
}

}  // namespace lab
