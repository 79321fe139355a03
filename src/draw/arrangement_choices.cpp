#include <algorithm>

#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/causal_mask_texts.hpp"

namespace lab {
namespace {

constexpr float kRoutesWidth = 230, kRouteRow = 34;

bool has_word_button(const Shown& shown) {
  return step_of(shown.state).words && shown.runs().words.size() > 1;
}
// Some step of this arrangement goes word by word: all leave it room, so that nothing moves.
bool goes_by_word_somewhere(const Shown& shown) {
  const Step& here = step_of(shown.state);
  const auto& steps = lesson_of(shown.state).steps;
  return shown.runs().words.size() > 1 && std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
           return step.words && step.arrangement == here.arrangement;
         });
}
int heads_to_switch(const Shown& shown) {
  const Lesson& lesson = lesson_of(shown.state);
  const bool switches = lesson.stage == Stage::arrangement && has_control(lesson, "off");
  if (!switches || shown.runs().words.empty()) return 0;
  const int heads = shown.runs().runs.front().module.num_heads;
  return heads > 1 ? heads : 0;
}
// The boxes of a block, in the steps that are about one of them and where both are.
struct Switch {
  const char *id, *words;
};
std::vector<Switch> boxes_to_switch(const Shown& shown) {
  if (lesson_of(shown.state).stage != Stage::block || !shown.runs().runs.front().block) return {};
  const Step& step = step_of(shown.state);
  std::vector<Switch> all;
  if (step.asks) return all;
  if (shows(step, "ff_out")) all.push_back({"ff", "Feed-forward"});
  if (shows(step, "att")) all.push_back({"att", "Attention"});
  return all;
}
bool can_break_again(const Shown& shown) {
  return lesson_of(shown.state).stage == Stage::arrangement &&
         step_of(shown.state).id == std::string_view("break") && heads_to_switch(shown) > 0;
}
bool has_changes_button(const Shown& shown) { return !shown.inputs().edits.empty(); }

void draw_routes(Ui& ui, const Shown& shown, Box box) {
  float y = box.y;
  for (const causal_mask_texts::RouteText& route : causal_mask_texts::routes()) {
    const std::string id = std::string("route.") + name_of(route.route);
    const bool on = shown.inputs().mask == route.route, right = is_right(route.route);
    const Box row{box.x, y, box.w, kRouteRow - 2};
    const Palette& c = *ui.theme;
    if (on || ui.hovered(id)) ui.pen.fill(row, on ? c.weights.soft : c.chip_hover, radius::button);
    const float mid = row.mid_y();
    if (on)
      ui.pen.disc(row.x + 17, mid, 5, c.weights.mark);
    else
      ui.pen.ring(row.x + 17, mid, 5, c.deco, 1.5f);
    ui.pen.text_mid(on ? Bold : Sans, type::body, row.x + 32, mid, on ? c.weights.text : c.ink,
                    ui.pen.fitted(on ? Bold : Sans, type::body, route.name, row.w - 56));
    if (right)
      ui.pen.tick(row.right() - 16, mid, 10, c.ok.mark, 2);
    else
      ui.pen.cross(row.right() - 16, mid, 9, c.bad.mark, 1.5f);
    if (ui.open_menu.empty())  // a menu lies over it, and may have the same routes
      ui.registry.add({.id = id,
                       .role = "button",
                       .label = std::string(route.name) + (right ? ", a right route" : ", a wrong route"),
                       .value = on ? "true" : "false",
                       .box = row});
    y += kRouteRow;
  }
}

// One for each head, pressed while it is on. They end at right; returns where they begin.
float draw_head_switches(Ui& ui, const Shown& shown, float right, float y) {
  constexpr int kRoomForWords = 4;
  const int heads = heads_to_switch(shown);
  const bool words = heads <= kRoomForWords && !is_narrow(ui);
  const auto label = [&](int h) { return (words ? "Head " : "") + std::to_string(h + 1); };
  const auto width = [&](int h) { return button_width(ui, label(h), true) - (words ? 0.f : 8.f); };
  const float apart = words ? 8 : 4;
  float begin = right;
  for (int h = 0; h < heads; ++h) begin -= width(h) + apart;
  const auto& off = shown.inputs().off;
  float x = begin + apart;
  for (int h = 0; h < heads; ++h) {
    const bool on = std::find(off.begin(), off.end(), std::to_string(h)) == off.end();
    button(ui, {x, y, width(h), 26}, "off." + std::to_string(h), label(h),
           {.small = true,
            .value = on ? "true" : "false",
            .mirror_label = "Head " + std::to_string(h + 1) + " takes part"});
    x += width(h) + apart;
  }
  return begin;
}

}  // namespace

float choices_height(const Shown& shown) {
  const bool any = has_word_button(shown) || has_changes_button(shown) || heads_to_switch(shown) > 0 ||
                   !boxes_to_switch(shown).empty();
  const float buttons = any ? 34.f : 0.f;
  return buttons + (step_of(shown.state).routes ? 40.f : 0.f);
}

float choices_room(const Shown& shown, float height) {
  const bool switches = heads_to_switch(shown) > 0 || !boxes_to_switch(shown).empty();
  return switches || (height < 560 && goes_by_word_somewhere(shown)) ? 26 : 0;
}

float choices_width(const Shown& shown) { return step_of(shown.state).routes ? kRoutesWidth + gap::wide : 0; }

void draw_choices(Ui& ui, const Shown& shown, Box box, bool stacked) {
  float right = box.right() - 12;
  const auto place = [&](const char* id, const char* words, bool on) {
    const float w = button_width(ui, words, true) + 4;
    button(ui, {right - w, box.y + 8, w, 26}, id, words, {.small = true, .value = on ? "true" : "false"});
    right -= w + 8;
  };
  if (can_break_again(shown)) place("break", "Another band", false);
  if (!step_of(shown.state).asks) right = draw_head_switches(ui, shown, right, box.y + 8);
  const auto& off = shown.inputs().off;
  for (const Switch& s : boxes_to_switch(shown)) {
    const bool on = std::find(off.begin(), off.end(), s.id) == off.end();
    place((std::string("off.") + s.id).c_str(), s.words, on);
  }
  if (has_word_button(shown)) place("by-word", "Word by word", shown.state.view.word.has_value());
  if (has_changes_button(shown)) place("changes", "Show changes", shown.state.view.changes);
  if (!step_of(shown.state).routes) return;
  const float height = kRouteRow * float(causal_mask_texts::routes().size());
  if (!stacked) return draw_routes(ui, shown, {box.x + 16, box.mid_y() - height / 2, kRoutesWidth, height});
  for (const causal_mask_texts::RouteText& route : causal_mask_texts::routes())
    if (route.route == shown.inputs().mask)
      button(ui, {box.x + 12, box.y + choices_height(shown) - 32, box.w - 24, 34}, "routes",
             std::string(route.name) + " ▾",
             {.opens_menu = true, .mirror_label = std::string(route.name) + ", mask route"});
}

}  // namespace lab
