#include <algorithm>

#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
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
bool is_step(const Shown& shown, std::string_view id) { return step_of(shown.state).id == id; }
// The run of the head that is opened; null: none is.
const Run* opened_run(const Shown& shown) {
  if (!is_step(shown, kStagesStep) && !shows_one_head(shown.state, shown.runs())) return nullptr;
  const auto found = find(shown.runs(), opened_head(shown.state, shown.runs()) + "attn_weights");
  return found && found->run && found->run->head >= 0 ? found->run : nullptr;
}
int heads_to_switch(const Shown& shown) {
  const Lesson& lesson = lesson_of(shown.state);
  const bool switches = lesson.stage == Stage::arrangement && has_control(lesson, "off");
  if (!switches || shown.runs().words.empty() || opened_run(shown)) return 0;
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
int heads_to_swap(const Shown& shown) { return is_step(shown, kSwapStep) ? heads_to_switch(shown) : 0; }
bool has_relative_button(const Shown& shown) {
  return is_step(shown, kMapsStep) && has_control(lesson_of(shown.state), "relative");
}
bool has_replay(const Ui& ui, const Shown& shown) {
  return has_split(shown) && heads_to_switch(shown) > 0 && !ui.reduced_motion && !step_of(shown.state).asks;
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

// One for each head, pressed while it is on. They end at right and begin at least there; returns where they
// begin.
float draw_head_switches(Ui& ui, const Shown& shown, float right, float y, float least) {
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
  if (heads == 0) return right;
  const std::string which = "Heads";
  if (const float w = ui.pen.width(Sans, type::small, which); !words && begin - w > least) {
    ui.pen.text_mid(Sans, type::small, begin, y + 13, ui.theme->mute, which, Align::Right);
    begin -= w + 8;
  }
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

// Two of them change places: pressed are those that did, and one that is picked.
void draw_swaps(Ui& ui, const Shown& shown, float x, float y) {
  const int heads = heads_to_swap(shown);
  const auto& swap = shown.inputs().swap;
  const auto& picked = shown.hand.picked_head;
  x += ui.pen.text_mid(Sans, type::small, x, y + 13, ui.theme->mute, "Swap") + 8;
  for (int h = 0; h < heads; ++h) {
    const std::string label = std::to_string(h + 1);
    const bool on = picked ? *picked == h : swap && (swap->a == h || swap->b == h);
    const float w = button_width(ui, label, true) - 8;
    button(
        ui, {x, y, w, 26}, "swap." + std::to_string(h), label,
        {.small = true, .value = on ? "true" : "false", .mirror_label = "Head " + label + " changes places"});
    x += w + 4;
  }
}

// Which head is opened, those beside it, and the way back.
float draw_opened(Ui& ui, const Shown& shown, const Run& head, float right, float y) {
  const int heads = shown.runs().runs.front().module.num_heads;
  const auto place = [&](const char* id, const std::string& words, bool disabled, const std::string& label) {
    const float w = button_width(ui, words, true) + (words.size() > 3 ? 4.f : -4.f);
    right -= w;
    button(ui, {right, y, w, 26}, id, words, {.small = true, .disabled = disabled, .mirror_label = label});
    right -= 8;
  };
  if (is_step(shown, kStagesStep)) place("close-head", "All heads", false, "Back to all heads");
  place("head-after", "›", head.head + 1 >= heads, "Next head");
  const std::string module = head.module_prefix == "wrapper." ? "stacked" : "fused";
  const std::string words =
      is_narrow(ui)
          ? filled("{0} of {1}", {std::to_string(head.head + 1), std::to_string(heads)})
          : filled("Head {0} of {1}, {2}", {std::to_string(head.head + 1), std::to_string(heads), module});
  right -= ui.pen.text_mid(Bold, type::small, right, y + 13, ui.theme->weights.text, words, Align::Right) + 8;
  place("head-before", "‹", head.head == 0, "Head before");
  return right;
}

}  // namespace

float choices_height(const Shown& shown) {
  const bool any = has_word_button(shown) || has_changes_button(shown) || heads_to_switch(shown) > 0 ||
                   !boxes_to_switch(shown).empty() || opened_run(shown) || has_relative_button(shown);
  const bool second_row =
      heads_to_swap(shown) > 0 || (has_relative_button(shown) && heads_to_switch(shown) > 0);
  const float buttons = (any ? 34.f : 0.f) + (second_row ? 34.f : 0.f);
  return buttons + (step_of(shown.state).routes ? 40.f : 0.f);
}

float choices_room(const Shown& shown, float height) {
  constexpr float kApart = 8;  // from titles below
  if (heads_to_switch(shown) > 2) return 26 + kApart;
  const bool switches = heads_to_switch(shown) > 0 || !boxes_to_switch(shown).empty();
  return switches || opened_run(shown) || (height < 560 && goes_by_word_somewhere(shown)) ? 26 : 0;
}

float choices_width(const Shown& shown) { return step_of(shown.state).routes ? kRoutesWidth + gap::wide : 0; }

float draw_choices(Ui& ui, const Shown& shown, Box box, bool stacked) {
  float right = box.right() - 12;
  const float second = box.y + 8 + 34;
  const auto place = [&](const char* id, const char* words, bool on) {
    const float w = button_width(ui, words, true) + 4;
    button(ui, {right - w, box.y + 8, w, 26}, id, words, {.small = true, .value = on ? "true" : "false"});
    right -= w + 8;
  };
  if (const Run* head = opened_run(shown)) right = draw_opened(ui, shown, *head, right, box.y + 8);
  if (has_replay(ui, shown)) place("replay", "Replay", false);
  if (can_break_again(shown)) place("break", "Another band", false);
  if (heads_to_swap(shown) > 0) draw_swaps(ui, shown, box.x + 16, stacked ? second : box.y + 8);
  if (has_relative_button(shown)) {
    const char* words = "Relative to even";
    const float w = button_width(ui, words, true) + 4;
    button(ui, {box.x + 12, stacked && heads_to_switch(shown) > 0 ? second : box.y + 8, w, 26}, "relative",
           words, {.small = true, .value = shown.state.view.relative ? "true" : "false"});
  }
  if (!step_of(shown.state).asks) right = draw_head_switches(ui, shown, right, box.y + 8, box.x + 16);
  const auto& off = shown.inputs().off;
  for (const Switch& s : boxes_to_switch(shown)) {
    const bool on = std::find(off.begin(), off.end(), s.id) == off.end();
    place((std::string("off.") + s.id).c_str(), s.words, on);
  }
  if (has_word_button(shown)) place("by-word", "Word by word", shown.state.view.word.has_value());
  if (has_changes_button(shown)) place("changes", "Show changes", shown.state.view.changes);
  if (!step_of(shown.state).routes) return right;
  const float height = kRouteRow * float(causal_mask_texts::routes().size());
  if (!stacked) {
    draw_routes(ui, shown, {box.x + 16, box.mid_y() - height / 2, kRoutesWidth, height});
    return right;
  }
  for (const causal_mask_texts::RouteText& route : causal_mask_texts::routes())
    if (route.route == shown.inputs().mask)
      button(ui, {box.x + 12, box.y + choices_height(shown) - 32, box.w - 24, 34}, "routes",
             std::string(route.name) + " ▾",
             {.opens_menu = true, .mirror_label = std::string(route.name) + ", mask route"});
  return right;
}

}  // namespace lab
