// Where the parameters of a GPT sit, in four sizes and in one's own.
#include <algorithm>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

void draw_ledger(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  const bool few = box.w < 620 || step_of(shown.state).asks;  // the chosen one alone
  heading(ui, box, "Where the parameters sit", few ? "counted" : "the figures of four sizes, counted");
  struct Line {
    const char* name;
    std::string (*value)(const GptConfig&, const GptLedger&);
    bool bold = false;
  };
  static constexpr auto part = [](const GptLedger& l, std::string_view name) {
    return gpt_texts::grouped(l.parameters_of(name));
  };
  static const Line kLines[] = {
      {"width, layers, heads",
       [](const GptConfig& k, const GptLedger&) {
         return std::to_string(k.emb_dim) + " / " + std::to_string(k.n_layers) + " / " +
                std::to_string(k.n_heads);
       }},
      {"token embedding", [](const GptConfig&, const GptLedger& l) { return part(l, "tok_emb"); }},
      {"position embedding", [](const GptConfig&, const GptLedger& l) { return part(l, "pos_emb"); }},
      {"query, key, value", [](const GptConfig&, const GptLedger& l) { return part(l, "qkv"); }},
      {"attention’s out_proj", [](const GptConfig&, const GptLedger& l) { return part(l, "out_proj"); }},
      {"feed-forward", [](const GptConfig&, const GptLedger& l) { return part(l, "ff"); }},
      {"norms of the blocks", [](const GptConfig&, const GptLedger& l) { return part(l, "norms"); }},
      {"final norm", [](const GptConfig&, const GptLedger& l) { return part(l, "final_norm"); }},
      {"output head", [](const GptConfig&, const GptLedger& l) { return part(l, "out_head"); }},
      {"total", [](const GptConfig&, const GptLedger& l) { return gpt_texts::grouped(l.parameters); }, true},
      {"with a tied head",
       [](const GptConfig& k, const GptLedger&) {
         GptConfig t = k;
         t.tied = true;
         return gpt_texts::grouped(ledger_of(t, 1, 1).parameters);
       },
       true},
      {"MiB (the book: MB)",
       [](const GptConfig&, const GptLedger& l) { return decimals(mebibytes(l.bytes), 2); }},
      {"KV cache, 1024 tokens",
       [](const GptConfig& k, const GptLedger&) {
         return decimals(mebibytes(ledger_of(k, 1024, 1).kv_cache_bytes), 0) + " MiB";
       }},
  };
  constexpr int kCount = int(std::size(kLines));
  std::vector<std::pair<std::string, GptConfig>> sizes;
  for (const GptSize& s : gpt_sizes())
    if (!few || shown.inputs().gpt_size == s.id) sizes.push_back({s.id, s.config});
  if (shown.inputs().gpt_size == "custom") sizes.push_back({"custom", shown.results.gpt->config()});
  for (auto& [id, config] : sizes) config.qkv_bias = shown.inputs().bias;
  const float x = box.x + kPad, label = few ? box.w * .42f : 160,
              w = (box.w - 2 * kPad - label) / float(sizes.size());
  const float pitch = std::clamp((box.h - kHead - 60) / kCount, 19.f, 36.f), top = box.y + kHead + 40;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto& [id, config] = sizes[s];
    const bool on = id == shown.inputs().gpt_size;
    const float right = x + label + w * float(s + 1);
    const Box column{right - w + 6, box.y + kHead, w - 2, 44 + pitch * kCount};
    const std::string target = "ledger." + id;
    if (on || ui.hovered(target)) ui.pen.fill(column, on ? c.weights.soft : c.chip, radius::button);
    ui.pen.text(on ? Bold : Medium, type::body, right - 8, box.y + kHead + 24, on ? c.weights.text : c.ink,
                id, Align::Right);
    const GptLedger ledger = ledger_of(config, 1, 1);
    std::string told;
    for (int i = 0; i < kCount; ++i) {
      const std::string value = kLines[i].value(config, ledger);
      ui.pen.text_mid(kLines[i].bold ? MonoBold : Mono,
                      ui.pen.width(Mono, type::small, value) > w - 14 ? type::tiny : type::small, right - 8,
                      top + pitch * (float(i) + .5f), kLines[i].bold ? c.ink : c.mute, value, Align::Right);
      told += (i ? ", " : "") + std::string(kLines[i].name) + " " + value;
    }
    ui.registry.add({.id = target,
                     .role = "button",
                     .label = "Size " + id + ": " + told,
                     .value = on ? "current" : "",
                     .box = column});
  }
  for (int i = 0; i < kCount; ++i) {
    if (kLines[i].bold && (i == 0 || !kLines[i - 1].bold))
      ui.pen.hline(x, box.right() - kPad, top + pitch * float(i), c.line);
    ui.pen.text_mid(kLines[i].bold ? Bold : Sans, type::small, x, top + pitch * (float(i) + .5f), c.ink,
                    kLines[i].name);
  }
}

std::string_view pictured_step(const Shown& shown) {
  const Step& step = step_of(shown.state);
  return step.asks ? step.asks->pictured : step.id;
}

float gpt_view_height(const Ui& ui, const Shown& shown, float width) {
  const std::string_view step = pictured_step(shown);
  const float all = float(shown.results.gpt ? shown.results.gpt->ids().size() : 1);
  if ((step == "maps" || step == "repeat") && is_narrow(ui)) return kHead + 2 * (width - 2 * kPad) + 110;
  if (step == "embed") return kHead + 3 * (58 + std::min(all, 24.f) * 6) + 24;
  if (step == "inside" && !shown.runs().runs.empty()) return arrangement_height(ui, shown, width);
  if (step == "sizes") return kHead + 60 + 13 * 22;
  if (step == "block") return kHead + 100 + std::min(all, 10.f) * 72;
  return 360;
}

}  // namespace lab
