#include "draw/screen.hpp"

#include <algorithm>

#include "draw/widgets.hpp"
#include "lessons/lock.hpp"

namespace lab {
namespace {

constexpr float kRail = 236, kSlimRail = 196, kInspector = 332, kLowInspector = 320, kSlimInspector = 250;

bool has_input(const Shown& shown) {
  return *lesson_of(shown.state).controls && !hides(shown.state.view, "input");
}

// A question has no other place.
bool shows_inspector(const Shown& shown) {
  return !hides(shown.state.view, "inspector") || step_of(shown.state).asks;
}

Layout wide_layout(const Ui& ui, const Shown& shown) {
  Layout l;
  const View& view = shown.state.view;
  const bool rail = has_rail(ui) && !hides(view, "rail"), low = is_low(ui);
  const float margin = low ? 12 : 24, between = low ? 10 : gap::normal;
  const float w = ui.width, h = ui.height, rail_w = low ? kSlimRail : kRail;
  const float left = rail ? rail_w + (low ? 12 : 28) : margin;
  if (rail) l.rail = {0, 0, rail_w, h};
  l.header = {left, 0, w - left - margin, low ? 52.f : 80.f};
  const float top = l.header.bottom() + (low ? 4 : 12);
  const bool inspector = shows_inspector(shown);
  const float inspector_w = w < 900 ? kSlimInspector : low ? kLowInspector : kInspector;
  if (inspector) l.inspector = {w - margin - inspector_w, top, inspector_w, h - top - margin};
  const float right = inspector ? l.inspector.x - margin : w - margin, stage_w = right - left;
  float stage = top;
  if (has_input(shown)) {
    l.input = {left, top, stage_w, input_bar_height(ui, shown, stage_w)};
    stage = l.input.bottom() + between;
  }
  float bottom = h - margin;
  if (!hides(view, "timeline")) {
    const float timeline = low ? 58 : 66;
    l.timeline = {left, bottom - timeline, stage_w, timeline};
    bottom = l.timeline.y - between;
  }
  l.stage = {left, stage, stage_w, bottom - stage};
  l.content_height = h;
  return l;
}

float stage_height(const Ui& ui, const Shown& shown, float width) {
  switch (lesson_of(shown.state).stage) {
    case Stage::bench: return bench_height(ui, shown, width);
    case Stage::roadmap: return roadmap_height(ui, shown, width);
    case Stage::arrangement: return arrangement_height(ui, shown, width);
    case Stage::book: return book_height(ui, shown, width);
    case Stage::block: return block_height(ui, shown, width);
    case Stage::gpt: return gpt_height(ui, shown, width);
  }
  return 0;
}

float least_stage_height(const Ui& ui, const Shown& shown, float width) {
  switch (lesson_of(shown.state).stage) {
    case Stage::bench: return bench_height(ui, shown, width);
    case Stage::roadmap: return roadmap_height(ui, shown, width);
    case Stage::arrangement: return least_arrangement_height(ui, shown, width);
    case Stage::book: return book_height(ui, shown, width);
    case Stage::block: return least_block_height(ui, shown, width);
    case Stage::gpt: return least_gpt_height(ui, shown, width);
  }
  return 0;
}

void draw_stage(Ui& ui, const Shown& shown, Box box) {
  switch (lesson_of(shown.state).stage) {
    case Stage::bench: return draw_bench(ui, shown, box);
    case Stage::roadmap: return draw_roadmap(ui, shown, box);
    case Stage::arrangement: return draw_arrangement(ui, shown, box);
    case Stage::book: return draw_book(ui, shown, box);
    case Stage::block: return draw_block(ui, shown, box);
    case Stage::gpt: return draw_gpt(ui, shown, box);
  }
}

// Two fingers have made the stage's picture larger than the stage.
void draw_zoomed_stage(Ui& ui, const Shown& shown, Box stage) {
  const Hand::Zoom& z = shown.hand.zoom;
  if (z.scale <= 1) return draw_stage(ui, shown, stage);
  ui.push_clip(stage);
  ui.stage_zoom = z.scale;
  draw_stage(ui, shown, {stage.x + z.x, stage.y + z.y, stage.w * z.scale, stage.h * z.scale});
  ui.stage_zoom = 1;
  ui.pop_clip();
  ui.pen.outline(stage, ui.theme->line, radius::panel);
  const char* words = "Whole picture";
  const float w = button_width(ui, words, true) + 8;
  button(ui, {stage.right() - w - 10, stage.y + 10, w, 30}, "zoom-out", words, {.small = true});
}

// One column. On a tall enough screen timeline and inspector stay at its foot, where the thumb is, and the
// inspector is a sheet that can be drawn up.
Layout narrow_layout(const Ui& ui, const Shown& shown) {
  Layout l;
  l.wide = false;
  const View& view = shown.state.view;
  const bool timeline = !hides(view, "timeline"), inspector = shows_inspector(shown);
  const bool docked = ui.height >= 560;
  const float x = gap::close, w = ui.width - 2 * gap::close;
  float y = 0;
  const auto take = [&](float height) {
    const Box box{x, y, w, height};
    y += height + gap::close;
    return box;
  };
  l.header = take(52);
  if (has_input(shown)) l.input = take(input_bar_height(ui, shown, w));
  l.stage = take(stage_height(ui, shown, w));
  if (timeline && !docked) l.timeline = take(66);
  if (inspector && !docked) l.inspector = take(inspector_height(ui, shown, w));
  l.footer = take(36);
  l.content_height = y;
  if (!docked || (!timeline && !inspector)) return l;
  // Below the sheet, whose height is its text's: what is pressed again and again stays under the thumb.
  float foot = ui.height;
  if (timeline) {
    foot -= 60;
    l.timeline = {x, foot + 2, w, 52};
  }
  if (inspector) {
    const float all = inspector_height(ui, shown, ui.width) + kSheetHandle;
    const float step = step_height(ui, shown, ui.width) + kSheetHandle - 6;  // without the line below
    const float h = shown.hand.sheet ? std::min(all, foot - 72)
                                     : std::min(step, ui.height * (step_of(shown.state).asks ? .55f : .3f));
    foot -= h;
    l.inspector = {0, foot, ui.width, h};
  }
  l.dock = {0, foot, ui.width, ui.height - foot};
  l.content_height += l.dock.h;
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
  Layout l = !is_narrow(ui) ? wide_layout(ui, shown) : narrow_layout(ui, shown);
  // A wide but low window keeps the least height that the stage needs, and scrolls.
  const float least = l.wide ? least_stage_height(ui, shown, l.stage.w) : 0;
  if (l.wide && l.stage.h < least) {
    const float more = least - l.stage.h;
    l.stage.h += more;
    // Beside a list the code takes what room there is.
    const float needed = inspector_height(ui, shown, l.inspector.w) - code_height(shown);
    l.inspector_stays = needed <= l.inspector.h && lesson_of(shown.state).stage == Stage::book;
    if (!l.inspector_stays) l.inspector.h += more;
    l.content_height += more;
    const bool stays =
        l.timeline.w > 0 && lesson_of(shown.state).stage != Stage::bench;  // a drag needs the room
    if (!stays) l.timeline.y += more;
    if (stays) {  // the steps stay in sight, and the stage scrolls below them
      const float between = ui.height - l.timeline.bottom();
      l.dock = {l.timeline.x, l.timeline.y - between, l.timeline.w, ui.height - l.timeline.y + between};
    }
  }
  return l;
}

float scroll_range(const Ui& ui, const Shown& shown) {
  return std::max(0.0f, layout_for(ui, shown).content_height - ui.height);
}

float sheet_range(const Ui& ui, const Shown& shown) {
  const Layout l = layout_for(ui, shown);
  return std::max(0.f, inspector_height(ui, shown, l.inspector.w) - l.inspector.h + kSheetHandle - 8);
}

namespace {

// Goes up with the page, but not out of it.
void keep_in_sight(Box& box, float scroll) {
  constexpr float kLeast = 12;
  const float up = std::min(scroll, std::max(0.f, box.y - kLeast));
  box.y -= up;
  box.h += up;
}

}  // namespace

void draw_screen(Ui& ui, const Shown& shown, float scroll) {
  ui.open_menu = shown.hand.open;
  ui.is_locked = [&](std::string_view id) { return is_locked(shown.state.view, id); };
  Layout l = layout_for(ui, shown);
  const bool docked = l.dock.h > 0, sheet = docked && !l.wide;
  for (Box* box : {&l.header, &l.input, &l.stage, &l.footer}) box->y -= scroll;
  if (!docked) l.timeline.y -= scroll;
  if (l.inspector_stays)
    keep_in_sight(l.inspector, scroll);
  else if (!sheet)
    l.inspector.y -= scroll;
  if (l.rail.w > 0) draw_rail(ui, shown, l.rail);
  draw_header(ui, shown, l.header, l.wide);
  if (l.input.w > 0) draw_input_bar(ui, shown, l.input);
  draw_zoomed_stage(ui, shown, l.stage);
  if (l.footer.w > 0) draw_footer(ui, shown, l.footer);
  if (l.inspector.w > 0 && !sheet) draw_inspector(ui, shown, l.inspector, false);
  if (docked) {
    ui.pen.fill(l.dock, ui.theme->bg);
    if (sheet) ui.pen.hline(0, ui.width, l.dock.y, ui.theme->line);
    ui.registry.add({.id = "dock", .role = "group", .label = "Steps and inspector", .box = l.dock});
  }
  if (l.inspector.w > 0 && sheet) {
    draw_inspector(ui, shown, l.inspector, true);
    if (l.timeline.w > 0)
      ui.pen.fill({0, l.timeline.y - 2, ui.width, ui.height - l.timeline.y + 2}, ui.theme->bg);
  }
  if (l.timeline.w > 0) draw_timeline(ui, shown, l.timeline);
  draw_trouble(ui, shown, l.stage);
  draw_scroll_mark(ui, scroll, l.content_height);
  draw_overlays(ui, shown);
  draw_tip(ui);
  ui.is_locked = nullptr;
}

}  // namespace lab
