// Whether the outputs match, by how much not, which matrix is to blame; and what can be done about it.
#include <algorithm>

#include "draw/bench.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kPad = 20;

// A low window has less air.
float line_height(const Ui& ui) { return is_low(ui) ? 18 : 20; }
float pad_below(const Ui& ui) { return is_low(ui) ? 14 : kPad; }
float above_buttons(const Ui& ui) { return is_low(ui) ? 10 : 14; }

float head_height(const Ui& ui, const Verdict& v) {
  const float below = is_low(ui) ? 8 : 12;
  return (is_low(ui) ? 30.f : 36.f) + 26 + (v.figures.empty() ? 0.f : below);
}
float buttons_height(const Ui& ui) { return is_low(ui) ? 32.f : 72.f; }

float lines_height(const Ui& ui, const Verdict& v, float width) {
  float h = 0;
  for (const std::string& line : v.lines)
    h += line_height(ui) * float(ui.pen.lines(Sans, type::body, line, width).size()) + 2;
  return h;
}

// The search takes long enough for its end to be the user's choice.
bool can_stop(const Shown& shown) {
  constexpr int kManyTries = 200;  // more than a bench of the book's size ever needs
  return shown.verdict.searching && shown.results.search && shown.results.search->tried() > kManyTries;
}
constexpr float kStop = 38;

// Which slots hold a matrix of the source by now.
void draw_checklist(Ui& ui, const Shown& shown, float x, float mid_y) {
  const Bench& bench = *shown.runs().bench;
  const auto empty = empty_slots(bench);
  for (const Slot s : kSlots) {
    const bool filled = std::none_of(empty.begin(), empty.end(), [&](const std::string& name) {
      const auto pair = pair_into(bench.source, bench.target, name);
      return pair->slot == s && !pair->bias;
    });
    const Hue& hue = hue_of(ui, s);
    if (filled) {
      ui.pen.disc(x + 7, mid_y, 7, hue.mark);
      ui.pen.tick(x + 7, mid_y, 7, ui.theme->on_mark, 1.5f);
    } else {
      ui.pen.ring(x + 7, mid_y, 6.5f, ui.theme->deco, 1.5f);
    }
    const char* label = s == Slot::query ? "W_query" : s == Slot::key ? "W_key" : "W_value";
    x += 34 + ui.pen.text_mid(filled ? Medium : Sans, type::small, x + 20, mid_y,
                              filled ? hue.text : ui.theme->mute, label);
  }
}

void draw_choices(Ui& ui, const Shown& shown, Box box, bool good) {
  struct Choice {
    const char *id, *words, *tight_words, *label;
  };
  constexpr Choice choices[] = {{"auto", "Auto", "Auto", "Auto: fill every slot the right way"},
                                {"swap", "Swap direction", "Swap", "Swap direction"},
                                {"break", "Break it", "Break it", "Break it: one fault, and you find it"},
                                {"trap", "Square trap", "Square", "Square trap"}};
  const std::string_view next = "break";  // who has made them match is ready to find a fault
  const bool tight = is_low(ui);
  const int columns = tight ? 4 : 2;
  const float each = (box.w - 8 * float(columns - 1)) / float(columns);
  for (int i = 0; i < 4; ++i)
    button(ui, {box.x + (each + 8) * float(i % columns), box.y + 40 * float(i / columns), each, 32},
           choices[i].id, tight ? choices[i].tight_words : choices[i].words,
           {.kind = good && choices[i].id == next ? ButtonKind::Primary : ButtonKind::Normal,
            .small = tight,
            .disabled = shown.runs().words.empty() && choices[i].id == std::string_view("break"),
            .mirror_label = choices[i].label});
}

}  // namespace

float verdict_width(float panel_width) {
  constexpr float kNormal = 336;
  return std::clamp(panel_width * .22f, std::min(kNormal, panel_width * .43f), 440.f);
}

float verdict_height(const Ui& ui, const Shown& shown, float width) {
  const float needed = head_height(ui, shown.verdict) + lines_height(ui, shown.verdict, width - 2 * kPad) +
                       (can_stop(shown) ? kStop : 0.f) + above_buttons(ui) + buttons_height(ui) +
                       pad_below(ui);
  return std::max(needed, is_low(ui) ? 192.f : 220.f);
}

void draw_verdict(Ui& ui, const Shown& shown, Box box) {
  const Verdict& v = shown.verdict;
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool match = v.kind == Verdict::Kind::match, differ = v.kind == Verdict::Kind::differ;
  const bool good = match || v.guessed_right;
  const Hue& hue = good ? c.ok : differ ? c.bad : c.neutral;
  notice(ui, box, hue);
  const float x = box.x + kPad, w = box.w - 2 * kPad;
  const float base = box.y + (is_low(ui) ? 30.f : 36.f);
  if (match || differ) verdict_badge(ui, x + 10, base - 7, 20, good);
  pen.text(Bold, type::verdict, x + (match || differ ? 30.f : 0.f), base, hue.text, v.headline);
  if (!v.figures.empty()) pen.text(MonoBold, type::large, x, base + 26, hue.text, v.figures);

  const float buttons_y = box.bottom() - pad_below(ui) - buttons_height(ui);
  float y = box.y + head_height(ui, v);
  std::string words;
  for (const std::string& line : v.lines) {
    words += line + " ";
    pen.text_block(Sans, type::body, {x, y, w, 0}, c.ink, line, line_height(ui));
    y += line_height(ui) * float(pen.lines(Sans, type::body, line, w).size()) + 2;
  }
  if (can_stop(shown))
    button(ui, {x, y + 6, button_width(ui, "Stop searching", true), 28}, "stop-search", "Stop searching",
           {.small = true});
  const bool room = y + 12 + 16 + 12 <= buttons_y;
  if (room && v.kind == Verdict::Kind::incomplete)
    draw_checklist(ui, shown, x, std::min(y + 24, buttons_y - 22));
  ui.registry.add({.id = "verdict",
                   .role = "status",
                   .label = v.headline + ". " + v.figures + ". " + words,
                   .value = name_of(v.kind),
                   .box = {box.x, box.y, box.w, buttons_y - box.y - 4},
                   .radius = radius::panel});
  draw_choices(ui, shown, {x, buttons_y, w, 0}, good);
}

}  // namespace lab
