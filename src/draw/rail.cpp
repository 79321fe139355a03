// The left rail: the lessons in the book's order, the roadmap, the theme.
#include <algorithm>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

void draw_entry(Ui& ui, const Shown& shown, Box box, int number, const RailEntry& entry) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool here = entry.id == shown.state.inputs.lesson, coming = *entry.id == 0;
  const std::string id = std::string("nav.") + (coming ? std::to_string(number) : entry.id);
  if (here) pen.fill(box, c.weights.soft, radius::button);
  if (!here && !coming && ui.hovered(id)) pen.fill(box, c.chip_hover, radius::button);
  const ImU32 ink = here ? c.weights.text : coming ? c.faint : c.ink;
  pen.text_mid(MonoBold, type::body, box.x + 14, box.mid_y(), here ? c.weights.text : c.faint,
               std::to_string(number));
  pen.text_mid(here ? Bold : Medium, type::lead, box.x + 40, box.mid_y(), ink, entry.title);
  const auto questions = coming ? std::span<const Step>() : lesson_named(entry.id).questions;
  const auto answered = std::count_if(questions.begin(), questions.end(), [&](const Step& question) {
    return std::count(shown.done.begin(), shown.done.end(), question.asks->id) > 0;
  });
  const std::string some = std::to_string(answered) + " of " + std::to_string(questions.size());
  const bool all = answered > 0 && answered == std::ptrdiff_t(questions.size());
  if (all)
    pen.tick(box.right() - 18, box.mid_y(), 10, c.ok.mark, 2);
  else if (answered > 0)
    pen.text_mid(Mono, type::tiny, box.right() - 12, box.mid_y(), c.mute,
                 std::to_string(answered) + "/" + std::to_string(questions.size()), Align::Right);
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = coming         ? std::string(entry.title) + ", still coming. " + entry.shows
                            : all          ? std::string(entry.title) + ", all questions answered"
                            : answered > 0 ? std::string(entry.title) + ", " + some + " questions answered"
                                           : entry.title,
                   .value = here ? "current" : "",
                   .box = box,
                   .disabled = coming,
                   .wants_focus = here && ui.open_menu == "menu" && ui.gesture.focus_visible});
  if (coming && ui.hovered(id)) ui.tip = {box, std::string("Still coming. ") + entry.shows};
}

void draw_stages(Ui& ui, const Shown& shown, float y, float width) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool inside = shown.state.inputs.lesson == "roadmap";
  const Box all{12, y - 20, width - 24, 128};
  if (inside || ui.hovered("nav.roadmap"))
    pen.fill(all, inside ? c.weights.soft : c.chip_hover, radius::button);
  ui.registry.add({.id = "nav.roadmap",
                   .role = "button",
                   .label = "Roadmap: build the LLM, pretrain it, fine-tune it",
                   .value = inside ? "current" : "",
                   .box = all});
  pen.text(Bold, type::tiny, 24, y, c.faint, "ROADMAP");
  constexpr const char* stages[] = {"Build the LLM", "Pretrain it", "Fine-tune it"};
  for (int i = 0; i < 3; ++i) {
    const float mid = y + 24 + 34 * float(i);
    const bool here = i == 0, chosen = inside && i == step_index(shown.state);
    pen.disc(34, mid, 10, here ? c.weights.mark : c.chip);
    pen.text_mid(Bold, type::tiny, 34, mid, here ? c.on_mark : c.mute, std::to_string(i + 1), Align::Center);
    pen.text_mid(chosen ? Bold : Sans, type::body, 54, mid,
                 chosen ? c.weights.text
                 : here ? c.ink
                        : c.mute,
                 stages[i]);
    if (i < 2) pen.vline(34, mid + 12, mid + 22, c.line);
  }
}

const char* theme_words(ThemeChoice choice) {
  return choice == ThemeChoice::automatic ? "Theme: auto"
         : choice == ThemeChoice::light   ? "Theme: light"
                                          : "Theme: dark";
}

// On a phone the header has no room for these.
constexpr float kTall = 800;
void draw_outlets(Ui& ui, const Shown& shown, float y) {
  constexpr std::pair<const char*, const char*> kFiles[] = {
      {"export.png", "Picture"}, {"export.py", "Program"}, {"export.json", "JSON"}, {"export.csv", "CSV"}};
  ui.pen.text(Bold, type::tiny, 24, y, ui.theme->mute, "EXPORT");
  float x = 20;
  for (const auto& [id, words] : kFiles) {
    const float w = button_width(ui, words, true) - 8;
    if (x + w > 228) {
      x = 20;
      y += 34;
    }
    button(ui, {x, y + 10, w, 28}, id, words, {.small = true});
    x += w + 6;
  }
  button(ui, {20, y + 50, button_width(ui, "Reset", true), 28}, "reset", "Reset",
         {.small = true,
          .disabled = shown.state == defaults_of(lesson_of(shown.state).id),
          .mirror_label = "Reset the lesson"});
}

}  // namespace

void draw_rail(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  pen.fill(box, c.panel);
  pen.vline(box.right(), box.y, box.bottom(), c.line);
  pen.text(Bold, type::brand, 24, 40, c.ink, "Attention Lab");
  pen.text(Sans, type::small, 24, 60, c.mute, "from one head to a GPT");
  int number = 0;
  float y = 92;
  for (const RailEntry& entry : rail()) {
    draw_entry(ui, shown, {12, y, box.w - 24, 36}, ++number, entry);
    y += 44;
  }
  if (box.h > 580) draw_stages(ui, shown, y + (box.h > 640 ? 46.f : 24.f), box.w);
  if (ui.open_menu == "menu" && is_narrow(ui) && box.h > kTall) draw_outlets(ui, shown, box.bottom() - 232);
  number_field(ui, 24, box.bottom() - 116, "input.digits", "digits", std::to_string(shown.state.view.digits),
               36);
  button(ui, {12, box.bottom() - 80, button_width(ui, theme_words(shown.state.view.theme), true), 28},
         "theme", theme_words(shown.state.view.theme), {.kind = ButtonKind::Quiet, .small = true});
  button(ui,
         {16 + button_width(ui, "Theme: light", true), box.bottom() - 80, button_width(ui, "Keys", true), 28},
         "keys", "Keys", {.kind = ButtonKind::Quiet, .small = true, .opens_menu = true});
  char figures[64];
  std::snprintf(figures, sizeof figures, "%.2f ms forward", shown.compute_ms);
  pen.text(Mono, type::tiny, 24, box.bottom() - 24, c.faint, figures);
}

}  // namespace lab
