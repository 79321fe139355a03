// The sentence and the numbers that everything is made from.
#include <algorithm>

#include "core/number_text.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kRow = 44, kChipRow = 34, kMore = 44;

// One number or choice that the matrices are made from.
struct Control {
  std::string key, words, value, label{};
  float width = 0;
  bool is_number = true;
};

// Some word's vector is drawn from word_seed.
bool draws_words(const Runs& runs) {
  for (const Origin& o : runs.inputs.origins)
    if (o.kind == Origin::Kind::drawn) return true;
  return false;
}

std::vector<Control> controls(const Ui& ui, const Shown& shown) {
  const Inputs& in = shown.inputs();
  const bool narrow = ui.width < 420;
  std::vector<Control> all;
  const auto number = [&](const char* key, std::uint64_t value, float field) {
    if (!is_offered(shown.state, key)) return;
    const float width = ui.pen.width(Mono, type::small, key) + 8 + field;
    all.push_back({.key = key, .words = key, .value = std::to_string(value), .width = width});
  };
  const float size = narrow ? 32 : 34, seed = narrow ? 44 : 56;
  number("d_in", std::uint64_t(in.d_in), size);
  number("d_out", std::uint64_t(in.d_out), size);
  number("emb_dim", std::uint64_t(in.emb_dim), size);
  number("heads", std::uint64_t(in.heads), size);
  number("batch", std::uint64_t(in.batch), size);
  if (is_offered(shown.state, "size")) {
    const std::string words = "size: " + in.gpt_size + " ▾";
    all.push_back({.key = "size",
                   .words = words,
                   .value = in.gpt_size,
                   .label = "size of the model",
                   .width = button_width(ui, words, true),
                   .is_number = false});
  }
  if (in.gpt_size == "custom") {
    number("custom_dim", std::uint64_t(in.gpt_dim), narrow ? 40 : 44);
    number("custom_layers", std::uint64_t(in.gpt_layers), size);
    number("custom_heads", std::uint64_t(in.gpt_heads), size);
  }
  number("seed", in.seed, seed);
  number("target_seed", in.target_seed.value_or(in.seed), seed);
  const auto choice = [&](const char* key, std::string words, std::string value, const char* label) {
    if (!is_offered(shown.state, key)) return;
    const float width = button_width(ui, words, true);
    all.push_back({.key = key,
                   .words = std::move(words),
                   .value = std::move(value),
                   .label = label,
                   .width = width,
                   .is_number = false});
  };
  choice("bias", in.bias ? "bias on" : "bias off", in.bias ? "true" : "false", "bias, qkv_bias");
  choice("mask", std::string("mask: ") + name_of(in.mask) + " ▾", name_of(in.mask), "mask");
  choice("example", in.example ? "example heads" : "drawn heads", in.example ? "true" : "false",
         "example heads, built by hand");
  if (in.batch > 1) {
    const std::string which =
        filled("sentence {0} of {1}", {std::to_string(in.sample + 1), std::to_string(in.batch)});
    choice("sample", which, std::to_string(in.sample), "sentence of the batch that is shown");
  }
  if (const int words = int(shown.runs().words.size()); words > 0)
    number("context_length", std::uint64_t(in.context_length.value_or(words)), size);
  if (in.swap || step_of(shown.state).id == std::string_view(kSwapStep))
    choice("swap",
           in.swap ? filled("swapped: {0} and {1}",
                            {std::to_string(in.swap->a + 1), std::to_string(in.swap->b + 1)})
                   : "none swapped",
           in.swap ? "true" : "false", "two heads swapped");
  if (in.swap)
    choice("swap_out_proj", in.swap_out_proj ? "out_proj goes along" : "out_proj stays",
           in.swap_out_proj ? "true" : "false", "out_proj's columns go along");
  choice("split", std::string("split: ") + name_of(in.split) + " ▾", name_of(in.split), "split");
  choice("shortcuts", in.shortcuts ? "shortcuts on" : "shortcuts off", in.shortcuts ? "true" : "false",
         "shortcuts");
  choice("tied", in.tied ? "head tied" : "head of its own", in.tied ? "true" : "false",
         "tied, the head is the token embedding");
  choice("scaled", in.scaled ? "÷ √head_dim" : "not scaled", in.scaled ? "true" : "false",
         "scaled, scores divided by the root of head_dim");
  const auto fraction = [&](const char* key, double value, float field) {
    if (!is_offered(shown.state, key)) return;
    const float width = ui.pen.width(Mono, type::small, key) + 8 + field;
    all.push_back({.key = key, .words = key, .value = number_text(value), .width = width});
  };
  fraction("temperature", in.temperature, 48);
  if (is_offered(shown.state, "top_k"))
    all.push_back({.key = "top_k",
                   .words = "top_k",
                   .value = std::to_string(in.top_k),
                   .width = ui.pen.width(Mono, type::small, "top_k") + 8 + 44});
  choice("chance", in.by_chance ? "by chance" : "the likeliest", in.by_chance ? "true" : "false",
         "by chance, instead of the likeliest token");
  choice("dummy", in.dummy ? "DummyGPTModel" : "GPTModel", in.dummy ? "true" : "false",
         "DummyGPTModel, whose blocks and norms hand on what they get");
  choice("norm", in.post_norm ? "norm after" : "norm before", in.post_norm ? "after" : "before",
         "where the norms stand, before the boxes or after the pluses");
  choice("bend", in.relu ? "ReLU" : "GELU", in.relu ? "relu" : "gelu", "the bend in feed-forward");
  choice("variance", in.unbiased ? "÷ (n − 1)" : "÷ n", in.unbiased ? "unbiased" : "biased", "variance");
  fraction("eps", in.eps, narrow ? 48.f : 56.f);
  choice("training", in.training ? "training on" : "training off", in.training ? "true" : "false",
         "training, with dropout");
  if (in.training) {
    const float field = narrow ? 44.f : 52.f;
    fraction("dropout", in.dropout, field);
    fraction("drop_rate_attn", in.drop_rate_attn.value_or(in.dropout), field);
    fraction("drop_rate_shortcut", in.drop_rate_shortcut.value_or(in.dropout), field);
    number("dropout_seed", in.dropout_seed, seed);
    const bool mac = in.stream == DropoutStream::mac;
    choice("stream", mac ? "dice: macOS" : "dice: Linux, Windows", name_of(in.stream),
           "dice, the stream of random numbers");
  }
  if (draws_words(shown.runs())) number("word_seed", in.word_seed, seed);
  return all;
}

float width_of(const std::vector<Control>& all, float between) {
  float width = 0;
  for (const Control& c : all) width += c.width + (&c == &all.front() ? 0 : between);
  return width;
}

// Closer together where that saves a row for the last of them alone.
float between(const Ui& ui, const std::vector<Control>& all, float width) {
  if (ui.width < 420 || is_low(ui)) return gap::tight;
  constexpr float kClosest = 4;
  const bool saves = width_of(all, gap::close) > width && width_of(all, kClosest) <= width;
  return saves ? std::max(kClosest, (width - width_of(all, 0)) / float(all.size() - 1) - .1f) : gap::close;
}

// They flow in rows. Lays out and, where asked, draws; the height of all rows.
float flow_controls(Ui* drawn, const Ui& ui, const std::vector<Control>& all, float x0, float y0,
                    float width) {
  const float apart = between(ui, all, width);
  float x = x0, y = y0;
  for (const Control& c : all) {
    if (x > x0 && x + c.width > x0 + width + 1) {
      x = x0;
      y += kChipRow;
    }
    const std::string id = "input." + c.key;
    if (drawn && c.is_number)
      number_field(*drawn, x, y, id, c.words, c.value, c.width - ui.pen.width(Mono, type::small, c.words) - 8,
                   {.mono = true, .numeric = true});
    else if (drawn) {
      const bool is_switch = c.value == "true" || c.value == "false";  // told as pressed or not
      button(*drawn, {x, y + 1, c.width, 26}, id, c.words,
             {.small = true,
              .opens_menu = c.key == "mask" || c.key == "split" || c.key == "size",
              .value = c.value.c_str(),
              .mirror_label = is_switch ? c.label : c.label + ": " + c.value});
    }
    x += c.width + apart;
  }
  return y + kChipRow - y0;
}

constexpr float kSentenceField = 200,
                kLeastField = 76;  // the field takes what is left of a row, if that is enough

// The word whose row is selected, where rows are words.
int chosen_word(const Shown& shown) {
  if (shown.results.gpt) return looked_at_token(shown.results, shown.state);
  const CellName cell = selected_cell(shown.state);
  const auto found = find(shown.runs(), cell.name);
  return found && found->row ? cell.row : -1;
}

// Of a text of hundreds of tokens the first and the last stand there, and how many between them.
struct Folded {
  std::size_t from, to;  // not shown; equal: all are
};
Folded folded(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 40, kAtEnds = 8;
  if (words.size() <= kMost) return {words.size(), words.size()};
  return {kAtEnds, words.size() - kAtEnds};
}

// Chips flow in rows; the text field follows the last one. Lays out and, where asked, draws.
float flow(Ui* drawn, const Ui& ui, const Shown& shown, float x0, float y0, float width) {
  const auto& words = shown.runs().words;
  float x = x0, y = y0;
  const Folded fold = folded(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool ellipsis = i == fold.from && fold.to > fold.from;
    if (ellipsis) i = fold.to - 1;
    const std::string between = "… " + std::to_string(fold.to - fold.from) + " …";
    const float w = ellipsis ? ui.pen.width(Sans, type::small, between) + 8 : chip_width(ui, words[i]);
    if (x > x0 && x + w > x0 + width) {
      x = x0;
      y += kChipRow;
    }
    const bool chosen = int(i) == chosen_word(shown);
    if (drawn && ellipsis) drawn->pen.text_mid(Sans, type::small, x + 4, y + 22, ui.theme->mute, between);
    if (drawn && !ellipsis) chip(*drawn, x, y + 9, "token." + std::to_string(i), words[i], chosen);
    x += w + (is_low(ui) ? 5 : 7);
  }
  if (x > x0 && x0 + width - x < kLeastField) {
    x = x0;
    y += kChipRow;
  }
  const float field_w = std::min(kSentenceField, x0 + width - x);
  const char* words_for_field = words.empty()    ? "Type a sentence to begin"
                                : field_w >= 190 ? "+ type your own sentence"
                                : field_w >= 84  ? "+ your own"
                                                 : "+ yours";
  if (drawn)
    text_field(*drawn, {x, y + 8, field_w, 28}, "input.text", "Type your own sentence", shown.inputs().text,
               {.placeholder = words_for_field,
                .bare = !words.empty(),
                .edit_box = {x0 - 4, y0 + 7, width + 4, 30}});
  return y + kRow - y0;
}

struct Plan {
  bool narrow = false, own_row = false;  // own_row: the controls stand below the sentence
  bool folded = false;                   // on a phone, until they are wanted
  float label = 0, chips_w = 0, controls_w = 0;
};
Plan plan_for(const Ui& ui, const Shown& shown, const std::vector<Control>& all, float width) {
  Plan p{.narrow = is_narrow(ui) || is_lying(ui),
         .controls_w = width_of(all, is_low(ui) ? gap::tight : gap::close)};
  p.label = p.narrow || is_low(ui) ? 0 : 50;
  p.folded = p.narrow && !shown.hand.settings;
  const float beside = width - 32 - p.label - p.controls_w - gap::close;
  const float alone = width - 32 - p.label - (p.narrow ? kMore : 0);
  p.own_row = p.narrow || beside < kLeastField ||
              flow(nullptr, ui, shown, 0, 0, beside) >=
                  flow(nullptr, ui, shown, 0, 0, alone) + flow_controls(nullptr, ui, all, 0, 0, width - 32);
  p.chips_w = p.own_row ? alone : beside;
  return p;
}

}  // namespace

float input_bar_height(const Ui& ui, const Shown& shown, float width) {
  const auto all = controls(ui, shown);
  const Plan p = plan_for(ui, shown, all, width);
  return flow(nullptr, ui, shown, 0, 0, p.chips_w) +
         (p.own_row && !p.folded ? flow_controls(nullptr, ui, all, 0, 0, width - 32) : 0);
}

void draw_input_bar(Ui& ui, const Shown& shown, Box box) {
  const auto all = controls(ui, shown);
  const Plan p = plan_for(ui, shown, all, box.w);
  card(ui, box);
  if (p.label > 0) ui.pen.text_mid(Sans, type::small, box.x + 16, box.y + kRow / 2, ui.theme->mute, "Input");
  const float words = flow(&ui, ui, shown, box.x + 16 + p.label, box.y, p.chips_w);
  if (p.narrow) {
    const Box more{box.right() - 12 - kMore + 8, box.y + 7, kMore - 8, 30};
    button(ui, more, "more", "⋯",
           {.value = shown.hand.settings ? "true" : "false", .mirror_label = "Sizes, seeds and the mask"});
  }
  if (p.folded) return;
  if (p.own_row)
    flow_controls(&ui, ui, all, box.x + 16, box.y + words - 2, box.w - 32);
  else
    flow_controls(&ui, ui, all, box.right() - 16 - p.controls_w, box.y + 8, p.controls_w);
}

}  // namespace lab
