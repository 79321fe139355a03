// The sentence and the numbers that everything is made from.
#include <algorithm>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kRow = 44, kChipRow = 34;

struct KeyField {
  const char* key;
  std::string value;
  float width;
};

std::vector<KeyField> key_fields(const Ui& ui, const Inputs& in) {
  const bool narrow = ui.width < 420;
  return {{"d_in", std::to_string(in.d_in), narrow ? 32.f : 40.f},
          {"d_out", std::to_string(in.d_out), narrow ? 32.f : 40.f},
          {"seed", std::to_string(in.seed), narrow ? 44.f : 64.f}};
}

float between_fields(const Ui& ui) { return ui.width < 420 ? 8.f : gap::normal; }

// SelfAttention_v1 never has a bias.
bool has_bias_switch(const Inputs& in) { return in.lesson != "self-attention"; }

float fields_width(const Ui& ui, const Inputs& in) {
  float width = 0;
  for (const KeyField& f : key_fields(ui, in))
    width += ui.pen.width(Mono, type::small, f.key) + 8 + f.width + between_fields(ui);
  if (!has_bias_switch(in)) return width - between_fields(ui);
  return width + button_width(ui, in.bias ? "bias on" : "bias off", true);
}

constexpr float kSentenceField = 200,
                kLeastField = 84;  // the field takes what is left of a row, if that is enough

// The word whose row is selected, where rows are words.
int chosen_word(const Shown& shown) {
  const CellName cell = selected_cell(shown.state);
  const auto found = find(shown.runs(), cell.name);
  return found && found->row ? cell.row : -1;
}

// Chips flow in rows; the text field follows the last one. Lays out and, where asked, draws.
float flow(Ui* drawn, const Ui& ui, const Shown& shown, float x0, float y0, float width) {
  const auto& words = shown.runs().words;
  float x = x0, y = y0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float w = chip_width(ui, words[i]);
    if (x > x0 && x + w > x0 + width) {
      x = x0;
      y += kChipRow;
    }
    const bool chosen = int(i) == chosen_word(shown);
    if (drawn) chip(*drawn, x, y + 9, "token." + std::to_string(i), words[i], chosen);
    x += w + 7;
  }
  if (x > x0 && x0 + width - x < kLeastField) {
    x = x0;
    y += kChipRow;
  }
  const float field_w = std::min(kSentenceField, x0 + width - x);
  const char* words_for_field = words.empty()    ? "Type a sentence to begin"
                                : field_w >= 190 ? "+ type your own sentence"
                                                 : "+ your own";
  if (drawn)
    text_field(*drawn, {x, y + 8, field_w, 28}, "input.text", "Sentence", shown.inputs().text,
               {.placeholder = words_for_field,
                .bare = !words.empty(),
                .edit_box = {x0 - 4, y0 + 7, width + 4, 30}});
  return y + kRow - y0;
}

}  // namespace

float input_bar_height(const Ui& ui, const Shown& shown, float width) {
  const bool narrow = ui.width < 900;
  const float fields = fields_width(ui, shown.inputs());
  const bool two_rows = narrow || width < fields + 420;
  const float chips_w = width - (two_rows ? 32 : 32 + fields + gap::normal) - (narrow ? 0 : 50);
  return flow(nullptr, ui, shown, 0, 0, chips_w) + (two_rows ? kChipRow : 0);
}

void draw_input_bar(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool narrow = ui.width < 900;
  card(ui, box);
  const float fields = fields_width(ui, shown.inputs());
  const bool two_rows = narrow || box.w < fields + 420;
  const float label = narrow ? 0 : 50;
  if (!narrow) pen.text_mid(Sans, type::small, box.x + 16, box.y + kRow / 2, c.mute, "Input");
  const float chips_w = box.w - (two_rows ? 32 : 32 + fields + gap::normal) - label;
  flow(&ui, ui, shown, box.x + 16 + label, box.y, chips_w);
  float x = two_rows ? box.x + 16 : box.right() - 16 - fields;
  const float y = two_rows ? box.bottom() - kChipRow - 2 : box.y + 8;
  for (const KeyField& f : key_fields(ui, shown.inputs())) {
    number_field(ui, x, y, std::string("input.") + f.key, f.key, f.value, f.width,
                 {.mono = true, .numeric = true});
    x += pen.width(Mono, type::small, f.key) + 8 + f.width + between_fields(ui);
  }
  if (!has_bias_switch(shown.inputs())) return;
  const bool bias = shown.inputs().bias;
  button(ui, {x, y + 1, button_width(ui, bias ? "bias on" : "bias off", true), 26}, "input.bias",
         bias ? "bias on" : "bias off",
         {.small = true, .value = bias ? "true" : "false", .mirror_label = "qkv_bias"});
}

}  // namespace lab
