#include "draw/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lab {
namespace {

constexpr float kButtonPad = 14;
constexpr float kSmallPad = 10;
constexpr float kChipPad = 10;
constexpr float kChipHeight = 26;

Target described(const std::string& id, const char* role, const std::string& label, Box box) {
  Target t;
  t.id = id;
  t.role = role;
  t.label = label;
  t.box = box;
  return t;
}

}  // namespace

void turn_button(Ui& ui, Box box, const std::string& id, const std::string& label, bool forward,
                 bool disabled) {
  const Palette& c = *ui.theme;
  if (!disabled && ui.hovered(id)) ui.pen.fill(box, c.chip_hover, radius::button);
  const float x = box.mid_x(), y = box.mid_y(), d = forward ? 4.f : -4.f;
  ui.pen.polyline({{x - d / 2, y - 6}, {x + d, y}, {x - d / 2, y + 6}}, disabled ? c.rail : c.mute, 2);
  ui.registry.add({.id = id, .role = "button", .label = label, .box = box, .disabled = disabled});
}

float button_width(const Ui& ui, const std::string& words, bool small) {
  const float pad = small ? kSmallPad : kButtonPad;
  return std::round(ui.pen.width(Medium, small ? type::small : type::body, words)) + 2 * pad;
}

void button(Ui& ui, Box box, const std::string& id, const std::string& words, const ButtonLook& wanted) {
  ButtonLook look = wanted;
  look.disabled |= ui.locked(id);
  const Palette& c = *ui.theme;
  const bool over = ui.hovered(id) && !look.disabled;
  const bool down = ui.held(id) && !look.disabled;
  const float size = look.small ? type::small : type::body;
  const float r = look.small ? radius::chip : radius::button;
  ImU32 ground = c.panel;
  ImU32 border = over ? c.edge : c.line;
  ImU32 ink = c.ink;
  switch (look.kind) {
    case ButtonKind::Normal:
      if (over) ground = mix(c.panel, c.chip, .6f);
      if (down) ground = c.chip_hover;
      break;
    case ButtonKind::Primary:
      ground = over ? mix(c.weights.mark, c.ink, ui.theme.dark ? .2f : .16f) : c.weights.mark;
      if (down) ground = mix(c.weights.mark, c.ink, .3f);
      border = 0;
      ink = c.on_mark;
      break;
    case ButtonKind::Quiet:
      ground = over ? c.chip : 0;
      if (down) ground = c.chip_hover;
      border = 0;
      ink = over ? c.ink : c.mute;
      break;
  }
  const std::string_view value = look.value;
  const bool on = value == "true" || value == "current";
  if (on && look.kind != ButtonKind::Primary) {
    ground = c.weights.soft;
    border = c.weights.mark;
    ink = c.weights.text;
  }
  const float before = ui.pen.alpha;
  if (look.disabled) ui.pen.alpha *= .45f;
  if ((ground | border) & IM_COL32_A_MASK) ui.pen.panel(box, ground, border, r);
  ui.pen.text_mid(look.kind == ButtonKind::Primary || on ? Bold : Medium, size, box.mid_x(), box.mid_y(), ink,
                  ui.pen.fitted(Medium, size, words, box.w - 8), Align::Center);
  ui.pen.alpha = before;

  Target t = described(id, "button", look.mirror_label.empty() ? words : look.mirror_label, box);
  t.value = look.value;
  t.disabled = look.disabled;
  t.radius = r;
  t.wants_focus = look.wants_focus && ui.gesture.focus_visible;
  if (look.opens_menu) t.menu = ui.open_menu == id ? Target::Menu::open : Target::Menu::closed;
  ui.registry.add(std::move(t));
}

Box switch_pill(Ui& ui, float mid_x, float mid_y, const std::string& id, const std::string& label,
                const std::string& first, const std::string& second, bool second_chosen,
                const SwitchLook& wanted) {
  SwitchLook look = wanted;
  look.disabled |= ui.locked(id);
  const Palette& c = *ui.theme;
  const Pen& pen = ui.pen;
  const std::string& chosen = second_chosen ? second : first;
  const bool over = ui.hovered(id) && !look.disabled;
  const ImU32 mark = look.idle ? c.deco : look.hue.mark;
  const ImU32 chosen_ink = look.idle ? c.ink : look.hue.text;
  Box box;
  const float before = ui.pen.alpha;
  if (look.disabled) ui.pen.alpha *= .5f;
  if (look.compact) {
    // The chosen word, and two small arrows that go round.
    const float w =
        std::round(std::max(pen.width(Bold, type::small, first), pen.width(Bold, type::small, second)));
    box = {std::round(mid_x - (w + 42) / 2), std::round(mid_y - 13), w + 42, 26};
    pen.panel(box, over ? look.hue.soft : c.panel, mark, 13, look.idle ? 1 : 1.5f);
    pen.text_mid(Bold, type::small, box.x + 12 + w / 2, box.mid_y(), chosen_ink, chosen, Align::Center);
    const float x = box.right() - 17;
    pen.hline(x - 5, x + 2, box.mid_y() - 3, mark, 1.5f);
    pen.arrow_head(x + 5, box.mid_y() - 3, 1, 0, mark, 4.5f);
    pen.hline(x - 2, x + 5, box.mid_y() + 3, mark, 1.5f);
    pen.arrow_head(x - 5, box.mid_y() + 3, -1, 0, mark, 4.5f);
  } else {
    const float w1 = std::round(pen.width(Bold, type::body, first)) + 26;
    const float w2 = std::round(pen.width(Bold, type::body, second)) + 26;
    box = {std::round(mid_x - (w1 + w2 + 6) / 2), std::round(mid_y - 16), w1 + w2 + 6, 32};
    pen.panel(box, over ? mix(c.panel, look.hue.soft, .6f) : c.panel, mark, 16, look.idle ? 1 : 1.5f);
    const Box left{box.x + 3, box.y + 3, w1, 26};
    const Box right{box.x + 3 + w1, box.y + 3, w2, 26};
    pen.fill(second_chosen ? right : left, look.idle ? c.chip : look.hue.text, 13);
    const ImU32 on = look.idle ? c.ink : c.on_mark;
    pen.text_mid(second_chosen ? Medium : Bold, type::body, left.mid_x(), left.mid_y(),
                 second_chosen ? c.mute : on, first, Align::Center);
    pen.text_mid(second_chosen ? Bold : Medium, type::body, right.mid_x(), right.mid_y(),
                 second_chosen ? on : c.mute, second, Align::Center);
  }
  ui.pen.alpha = before;
  Target t =
      described(id, "button", label + ": " + chosen + ", not " + (second_chosen ? first : second), box);
  t.value = chosen;
  t.disabled = look.disabled;
  t.radius = box.h / 2;
  ui.registry.add(std::move(t));
  return box;
}

float chip_width(const Ui& ui, const std::string& word) {
  return std::max(28.f, std::round(ui.pen.width(Sans, type::lead, word)) + 2 * kChipPad);
}

float chip(Ui& ui, float x, float y, const std::string& id, const std::string& word, bool selected) {
  const Palette& c = *ui.theme;
  const Box box{x, y, chip_width(ui, word), kChipHeight};
  const ImU32 ground = selected ? c.token : ui.hovered(id) ? c.chip_hover : c.chip;
  ui.pen.panel(box, ground, selected ? c.token_edge : 0, radius::chip);
  ui.pen.text_mid(selected ? Medium : Sans, type::lead, box.mid_x(), box.mid_y(), c.ink, word, Align::Center);
  Target t = described(id, "button", "Token " + word, box);
  t.value = selected ? "true" : "false";
  t.radius = radius::chip;
  ui.registry.add(std::move(t));
  return box.w;
}

void text_field(Ui& ui, Box box, const std::string& id, const std::string& label, const std::string& value,
                const FieldLook& wanted) {
  FieldLook look = wanted;
  look.disabled |= ui.locked(id);
  const Palette& c = *ui.theme;
  const std::optional<TextEdit>& typing = ui.gesture.typing;
  const bool native = typing && typing->id == id;
  const bool active = native || (ui.focused(id) && ui.gesture.focus_visible);
  const Box at = active && look.edit_box.w > 0 ? look.edit_box : box;
  const Face face = look.mono ? Mono : Sans;
  const float size = type::body;
  const float pad = at.w < 64 ? 8 : 10;
  const ImU32 border = look.wrong ? c.bad.mark : active ? c.focus : ui.hovered(id) ? c.mute : c.deco;

  const float before = ui.pen.alpha;
  if (look.disabled) ui.pen.alpha *= .45f;
  if (active || !look.bare)
    ui.pen.panel(at, look.bare || active ? c.panel : c.panel, border, radius::chip, active ? 2 : 1);
  // Laid over the shown words, an <input> that is being edited is opaque; natively the caret is drawn here.
  const float mid = at.mid_y();
  ui.pen.push_clip({at.x + 2, at.y, at.w - 4, at.h});
  if (native) {
    const std::string_view text = typing->text;
    const auto x_of = [&](std::size_t byte) {
      return at.x + pad + ui.pen.width(face, size, text.substr(0, byte));
    };
    const float over = x_of(typing->caret) - (at.right() - pad);
    const float shift = over > 0 ? -over : 0;
    if (typing->caret != typing->anchor) {
      const float from = x_of(typing->from()) + shift;
      ui.pen.fill({from, mid - 9, x_of(typing->to()) + shift - from, 18}, faded(c.focus, .25f), 2);
    }
    ui.pen.text_mid(face, size, at.x + pad + shift, mid, c.ink, text);
    ui.pen.vline(x_of(typing->caret) + shift, mid - 9, mid + 9, c.focus, 1.5f);
  } else if (value.empty() || (look.bare && !look.placeholder.empty())) {
    ui.pen.text_mid(face, size, at.x + (look.bare && !active ? 0 : pad), mid, c.faint,
                    ui.pen.fitted(face, size, look.placeholder, at.w - 2 * pad));
  } else {
    ui.pen.text_mid(face, size, at.x + pad, mid, c.ink, ui.pen.fitted(face, size, value, at.w - 2 * pad));
  }
  ui.pen.pop_clip();
  ui.pen.alpha = before;

  Target t = described(id, "textbox", label, box);
  t.value = value;
  t.disabled = look.disabled;
  t.placeholder = look.placeholder;
  t.numeric = look.numeric;
  t.edit_box = look.edit_box;
  t.wants_focus = look.wants_focus;
  t.radius = radius::chip;
  ui.registry.add(std::move(t));
}

float number_field(Ui& ui, float x, float y, const std::string& id, const std::string& label,
                   const std::string& value, float field_width, const FieldLook& look) {
  const float words = std::round(ui.pen.text_mid(Mono, type::small, x, y + 14, ui.theme->mute, label));
  FieldLook own = look;
  own.mono = true;
  own.numeric = true;
  text_field(ui, {x + words + 8, y, field_width, 28}, id, label, value, own);
  return words + 8 + field_width;
}

void draw_tip(Ui& ui) {
  if (!ui.tip) return;
  const auto& [about, words] = *ui.tip;
  const Palette& c = *ui.theme;
  const float most = std::min(320.f, ui.width - 32);
  const std::vector<std::string_view> lines = ui.pen.lines(Sans, type::small, words, most - 24);
  float w = 0;
  for (std::string_view line : lines) w = std::max(w, ui.pen.width(Sans, type::small, line));
  Box box{0, 0, std::round(w) + 24, 18 * float(lines.size()) + 14};
  const bool above = about.y > box.h + 16;
  box.x = std::round(std::clamp(about.mid_x() - box.w / 2, 8.f, std::max(8.f, ui.width - box.w - 8)));
  box.y = std::round(above ? about.y - box.h - 9 : about.bottom() + 9);
  const float tip = std::clamp(about.mid_x(), box.x + 14, box.right() - 14);
  const ImU32 ground = ui.theme.dark ? c.raised : c.ink;
  const ImU32 ink = ui.theme.dark ? c.ink : c.on_mark;
  ui.pen.shadow(box, radius::button, 12, c.shadow);
  ui.pen.panel(box, ground, ui.theme.dark ? c.edge : 0, radius::button);
  ui.pen.arrow_head(tip, above ? box.bottom() + 6 : box.y - 6, 0, above ? 1.f : -1.f, ground, 6.5f);
  ui.pen.text_block(Sans, type::small, {box.x + 12, box.y + 7, most - 24, 0}, ink, words, 18);
}

void verdict_badge(Ui& ui, float x, float y, float size, bool good) {
  const Palette& c = *ui.theme;
  ui.pen.disc(x, y, size / 2, good ? c.ok.mark : c.bad.mark);
  if (good) {
    ui.pen.tick(x, y, size * .52f, c.on_mark, size / 11);
  } else {
    ui.pen.cross(x, y, size * .52f, c.on_mark, size / 11);
  }
}

Box badge(Ui& ui, float x, float mid_y, const std::string& words, const Hue& hue) {
  const float w = std::round(ui.pen.width(Medium, type::tiny, words)) + 14;
  const Box box{x, std::round(mid_y - 10), w, 20};
  ui.pen.fill(box, hue.soft, 10);
  ui.pen.text_mid(Medium, type::tiny, box.mid_x(), box.mid_y(), hue.text, words, Align::Center);
  return box;
}

void card(Ui& ui, Box box) { ui.pen.panel(box, ui.theme->panel, ui.theme->line, radius::panel); }

void notice(Ui& ui, Box box, const Hue& hue) {
  ui.pen.panel(box, hue.soft, mix(hue.soft, hue.mark, .3f), radius::panel);
}

void bar(Ui& ui, Box box, float part, ImU32 color) {
  const float r = std::min(3.f, box.h / 2);
  ui.pen.fill(box, ui.theme.dark ? ui.theme->chip : ui.theme->masked, r);
  const float w = box.w * std::clamp(part, 0.f, 1.f);
  if (w >= 1) ui.pen.fill({box.x, box.y, w, box.h}, color, std::min(r, w / 2));
}

}  // namespace lab
