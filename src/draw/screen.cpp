#include "draw/screen.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr float kRail = 236, kInspector = 332, kTimeline = 66, kNarrow = 900, kRailFrom = 1160;
constexpr float kMargin = 24;

Layout wide_layout(const Ui& ui, const Shown& shown) {
  Layout l;
  const bool rail = ui.width >= kRailFrom;
  const float w = ui.width, h = ui.height, left = rail ? kRail + 28 : kMargin;
  if (rail) l.rail = {0, 0, kRail, h};
  l.header = {left, 0, w - left - kMargin, 80};
  l.inspector = {w - kMargin - kInspector, 92, kInspector, h - 92 - kMargin};
  const float stage_w = l.inspector.x - kMargin - left;
  l.input = {left, 92, stage_w, input_bar_height(ui, shown, stage_w)};
  l.timeline = {left, h - kMargin - kTimeline, stage_w, kTimeline};
  const float top = l.input.bottom() + gap::normal;
  l.stage = {left, top, stage_w, l.timeline.y - gap::normal - top};
  l.content_height = h;
  return l;
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
  l.input = take(input_bar_height(ui, shown, w));
  l.stage = take(bench_height(ui, shown, w));
  l.timeline = take(kTimeline);
  l.inspector = take(inspector_height(ui, shown, w));
  l.content_height = y;
  return l;
}

}  // namespace

Layout layout_for(const Ui& ui, const Shown& shown) {
  Layout l = ui.width >= kNarrow ? wide_layout(ui, shown) : narrow_layout(ui, shown);
  // A wide but low window keeps the least height that the bench needs, and scrolls.
  const float least = l.wide ? bench_height(ui, shown, l.stage.w) : 0;
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
  for (Box* box : {&l.header, &l.input, &l.stage, &l.timeline, &l.inspector}) box->y -= scroll;
  if (l.rail.w > 0) draw_rail(ui, shown, l.rail);
  draw_header(ui, shown, l.header, l.wide);
  draw_input_bar(ui, shown, l.input);
  draw_bench(ui, shown, l.stage);
  draw_timeline(ui, shown, l.timeline);
  draw_inspector(ui, shown, l.inspector);
}

}  // namespace lab
