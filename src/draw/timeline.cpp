// The steps of the lesson, Play, Back and Next.
#include <algorithm>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/pace.hpp"

namespace lab {
namespace {

std::string step_label(const Step& step) {
  if (*step.says->label) return step.says->label;
  std::string label = step.id;
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z') label[0] = char(label[0] - 'a' + 'A');
  return label;
}

// Names stand below the track; where they would touch, every other one above it; where even that is too
// close, only the present step has its name.
enum class Names { below, both_sides, present };
Names names_for(const Pen& pen, std::span<const Step> steps, float pitch) {
  const auto fits = [&](std::size_t apart) {
    for (std::size_t i = apart; i < steps.size(); ++i) {
      const float half = pen.width(Bold, type::small, step_label(steps[i])) / 2;
      const float before = pen.width(Bold, type::small, step_label(steps[i - apart])) / 2;
      if (half + before + 8 > pitch * float(apart)) return false;
    }
    return true;
  };
  return fits(1) ? Names::below : fits(2) ? Names::both_sides : Names::present;
}

// Where a thumb does it: no target is smaller than that.
constexpr float kThumb = 44;

void draw_play(Ui& ui, float x, float y, bool playing, float side) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  constexpr float r = 17;
  pen.disc(x, y, ui.hovered("play") ? r + 1 : r, c.weights.mark);
  if (playing) {
    pen.fill({x - 6, y - 7, 4, 14}, c.on_mark, 1);
    pen.fill({x + 2, y - 7, 4, 14}, c.on_mark, 1);
  } else {
    pen.triangle({x - 5, y - 8}, {x + 8, y}, {x - 5, y + 8}, c.on_mark);
  }
  ui.registry.add({.id = "play",
                   .role = "button",
                   .label = playing ? "Pause" : "Play",
                   .value = playing ? "true" : "false",
                   .box = {x - side / 2, y - side / 2, side, side},
                   .radius = side / 2});
}

struct Turn {
  bool forward = false, by_word = false, disabled = false;
};

void draw_turn(Ui& ui, float x, float y, float side, Turn turn) {
  const char* label = turn.forward   ? turn.by_word ? "Next word" : "Next step"
                      : turn.by_word ? "Back a word"
                                     : "Back";
  turn_button(ui, {x - side / 2, y - side / 2, side, side}, turn.forward ? "next" : "back", label,
              turn.forward, turn.disabled);
}

}  // namespace

void draw_timeline(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const auto steps = lesson_of(shown.state).steps;
  const int here = step_index(shown.state), last = int(steps.size()) - 1;
  const bool narrow = box.w < 520;
  card(ui, box);
  const float mid = box.mid_y();
  const bool thumb = is_narrow(ui) || is_lying(ui);
  const float turn = thumb ? kThumb : 28, play_x = box.x + (thumb ? 30.f : 34.f);
  const float back_x = play_x + (thumb ? kThumb : 38.f);
  const bool by_word = shown.state.view.word && steps[std::size_t(here)].words;
  const int word = shown.state.view.word.value_or(0), words = int(shown.runs().words.size());
  draw_play(ui, play_x, mid, shown.hand.playing, thumb ? kThumb : 34);
  draw_turn(ui, back_x, mid, turn, {false, by_word && word > 0, here == 0});
  draw_turn(ui, back_x + turn, mid, turn, {true, by_word && word + 1 < words, here == last});
  const float x0 = back_x + turn + (thumb ? 40.f : 44.f), x1 = box.right() - (narrow ? 20.f : 44.f);
  const float pitch = (x1 - x0) / float(std::max(1, last));
  const Names names = narrow ? Names::present : names_for(pen, steps, pitch);
  const float y = narrow || names == Names::both_sides ? mid : mid - 7;
  const auto x_of = [&](float i) { return x0 + (x1 - x0) * i / float(std::max(1, last)); };
  pen.fill({x0, y - 2, x1 - x0, 4}, c.rail, 2);
  float reached = float(here);
  if (shown.hand.playing && here < last)
    reached += float(played_part(shown.state, shown.results, ui.now - shown.hand.step_began));
  pen.fill({x0, y - 2, x_of(reached) - x0, 4}, c.weights.mark, 2);
  for (int i = 0; i <= last; ++i) {
    const Step& step = steps[std::size_t(i)];
    const std::string id = std::string("step.") + step.id;
    const bool on = i == here;
    const float x = x_of(float(i)), r = on ? 8.f : narrow ? 5.f : 6.f;
    pen.disc(x, y, r + 1, c.panel);
    pen.disc(x, y, ui.hovered(id) ? r : r - 1, i <= here ? c.weights.mark : c.deco);
    const std::string label = step_label(step);
    const Face face = on ? Bold : Sans;
    const bool above = names == Names::both_sides && i % 2 == 1;
    if (!narrow && (names != Names::present || on))
      pen.text(face, type::small, x, above ? y - 14 : std::max(y + 22, mid + 18),
               on ? c.weights.text : c.mute, label, Align::Center);
    const float half = std::min(22.f, pitch / 2);
    ui.registry.add({.id = id,
                     .role = "button",
                     .label = label + ": " + step.says->title,
                     .value = on ? "current" : "",
                     .box = {x - half, y - 22, 2 * half, narrow ? 44.f : 52.f}});
    if (ui.hovered(id)) ui.tip = {{x - half, y - 10, 2 * half, 20}, step.says->title};
  }
}

}  // namespace lab
