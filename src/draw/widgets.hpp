// Buttons, switches, chips, fields, bubbles and badges. Each draws itself, registers its target and returns
// at once; that it was used comes out as Ui::acted under its id. All lengths are CSS pixels.
#pragma once

#include <string>

#include "draw/ui.hpp"

namespace lab {

enum class ButtonKind {
  Normal,   // panel with a border
  Primary,  // filled, at most one in sight
  Quiet,    // no border until the pointer is over it
};

struct ButtonLook {
  ButtonKind kind = ButtonKind::Normal;
  bool small = false;  // 12 px type
  bool disabled = false;
  bool opens_menu = false;
  const char* value = "";      // for the mirror: "true" / "false" = pressed or not, "current" = where one is
  std::string mirror_label{};  // when the words on it do not say enough
  bool wants_focus = false;
};
void button(Ui& ui, Box box, const std::string& id, const std::string& words, const ButtonLook& look = {});
// A chevron: on to the next of something, or back.
void turn_button(Ui& ui, Box box, const std::string& id, const std::string& label, bool forward,
                 bool disabled);
// The width that a button with these words asks for, height 32 (small: 26).
float button_width(const Ui& ui, const std::string& words, bool small = false);

// One of two words, side by side in a pill; the chosen one is filled with the hue. Using it means: the other
// one. `label` names it for a screen reader ("W_query"). Returns its box.
struct SwitchLook {
  Hue hue{};
  bool compact = false;  // only the chosen word, with a mark that says it can be turned
  bool disabled = false;
  bool idle = false;  // nothing hangs on it yet: an outline, no colour
};
Box switch_pill(Ui& ui, float mid_x, float mid_y, const std::string& id, const std::string& label,
                const std::string& first, const std::string& second, bool second_chosen,
                const SwitchLook& look);

// A token of the sentence; 26 px high. Returns its width.
float chip(Ui& ui, float x, float y, const std::string& id, const std::string& word, bool selected);
float chip_width(const Ui& ui, const std::string& word);

// A field to type in. On the page the <input> over it does the typing and looks like this one.
struct FieldLook {
  std::string placeholder{};
  bool mono = false, numeric = false, disabled = false;
  bool bare = false;   // no panel of its own until it is edited
  bool wrong = false;  // what it holds is not accepted; say why beside it
  Box edit_box{};      // where it lies while it is edited; empty = its box
  bool wants_focus = false;
};
void text_field(Ui& ui, Box box, const std::string& id, const std::string& label, const std::string& value,
                const FieldLook& look = {});
// "d_in [ 3 ]": a label in mono and a small field after it, 28 px high. Returns the whole width.
float number_field(Ui& ui, float x, float y, const std::string& id, const std::string& label,
                   const std::string& value, float field_width = 40, const FieldLook& look = {});

// A bubble with a few short lines, beside what ui.tip speaks of; kept on the screen. Not a target.
void draw_tip(Ui& ui);

// A round badge with a tick or a cross, and a small label in a tinted pill. Not targets.
void verdict_badge(Ui& ui, float x, float y, float size, bool good);  // centre
Box badge(Ui& ui, float x, float mid_y, const std::string& words, const Hue& hue);

// A card: panel with a border.
void card(Ui& ui, Box box);
// A panel in a hue's soft ground: verdicts.
void notice(Ui& ui, Box box, const Hue& hue);
// A bar 0 … 1 with a track.
void bar(Ui& ui, Box box, float part, ImU32 color);

}  // namespace lab
