// What an untrained GPT says next: its scores, their shares, and the text that it writes.
#include <algorithm>
#include <cmath>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/numbers.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

namespace {

// The text, and behind it what was added; of a long one the end.
void draw_written(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  std::string before, after;
  for (const int id : work.ids()) before += work.text_of(id);
  for (const int id : work.written()) after += work.text_of(id);
  const float added = ui.pen.width(MonoBold, type::body, after);
  std::string start = before;
  const auto fits = [&] { return ui.pen.width(Mono, type::body, start) + added <= box.w; };
  std::size_t cut = 0;
  while (!fits() && cut < before.size()) {
    cut = before.find(' ', cut + 1);
    if (cut == before.npos) cut = before.size();
    start = "…" + before.substr(cut);
  }
  if (fits()) {
    const float taken = ui.pen.text(Mono, type::body, box.x, box.y + 16, c.mute, start);
    ui.pen.text(MonoBold, type::body, box.x + taken, box.y + 16, c.weights.text, after);
  } else {
    ui.pen.text_block(Mono, type::body, box, c.weights.text, after, 20);
  }
  ui.registry.add({.id = "written",
                   .role = "status",
                   .label = "Written so far",
                   .value = before + after,
                   .box = {box.x, box.y, box.w, 40},
                   .passive = true});
}

// Keys and values are kept for each token that was read: a column each, the newest at the right.
void draw_cache(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  const int kept = int(work.reading()->ids().size()), given = work.reading()->given();
  const GptConfig& config = work.config();
  const std::string size =
      filled("{0} tokens × {1} blocks × 2 × {2} numbers, {3} MiB",
             {std::to_string(kept), std::to_string(config.n_layers), std::to_string(config.emb_dim),
              decimals(mebibytes(ledger_of(config, kept, 1).kv_cache_bytes), 2)});
  ui.pen.text(Bold, type::body, box.x, box.y + 14, c.ink, "KV cache");
  const float taken = ui.pen.width(Bold, type::body, "KV cache") + 12;
  ui.pen.text_fit(Mono, type::small, box.x + taken, box.y + 14, c.mute, size, box.w - taken);
  const float pitch = std::min(30.f, (box.w - 56) / float(kept)),
              side = std::max(1.f, pitch - (pitch > 5 ? 3.f : 0.f)),
              h = std::clamp((box.h - 34) / 2, 8.f, 18.f);
  const std::pair<const char*, const Hue*> rows[] = {{"keys", &c.key}, {"values", &c.value}};
  float y = box.y + 26;
  for (const auto& [name, hue] : rows) {
    ui.pen.text_mid(Mono, type::small, box.x, y + h / 2, hue->text, name);
    for (int t = 0; t < kept; ++t)
      ui.pen.fill({box.x + 56 + pitch * float(t), y, side, h},
                  t < given ? mix(c.panel, hue->mark, .45f) : hue->mark, std::min(3.f, side / 3));
    y += h + 4;
  }
  ui.registry.add({.id = "cache",
                   .role = "status",
                   .label = "KV cache: " + size,
                   .value = size,
                   .box = {box.x, box.y, box.w, y - box.y},
                   .passive = true});
}

// Shares as small as those of a tied head keep their first digits.
std::string percent_text(double share) {
  return (share > 0 && share < 5e-7 ? power_text(100 * share) : decimals(100 * share)) + " %";
}

}  // namespace

void draw_logits(Ui& ui, const Shown& shown, Box box) {
  constexpr int kParts = 61;
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  const Matrix& logits = work.logits();
  const float reach = std::max(1e-3f, logits.cwiseAbs().maxCoeff());
  const std::vector<int> counts = counted_in_parts(logits, -reach, reach, kParts);
  const int most = *std::max_element(counts.begin(), counts.end());
  const NextTokens next = next_tokens(logits, 1);
  heading(ui, box, "Scores of all tokens",
          filled("how many of {0} have which score", {std::to_string(logits.size())}));
  const Box axes{box.x + kPad, box.y + kHead + 28, box.w - 2 * kPad, box.h - kHead - 28 - 62};
  const float pitch = axes.w / kParts, t = ui.motion(400);
  for (int i = 0; i < kParts; ++i) {
    const float h = axes.h * float(counts[std::size_t(i)]) / float(most) * t;
    ui.pen.fill({axes.x + pitch * float(i) + 1, axes.bottom() - h, std::max(1.f, pitch - 2), h},
                mix(c.panel, c.weights.mark, .6f), 2);
  }
  ui.pen.hline(axes.x, axes.right(), axes.bottom(), c.line);
  ui.pen.text_mid(Mono, type::small, axes.x, axes.bottom() + 14, c.mute, decimals(-double(reach), 2));
  ui.pen.text_mid(Mono, type::small, axes.mid_x(), axes.bottom() + 14, c.mute, "0", Align::Center);
  ui.pen.text_mid(Mono, type::small, axes.right(), axes.bottom() + 14, c.mute, decimals(double(reach), 2),
                  Align::Right);
  const int best = next.top[0].id;
  const float x = axes.x + axes.w * (logits(0, best) + reach) / (2 * reach);
  ui.pen.vline(x, axes.bottom() - 34, axes.bottom(), c.cell, 2);
  ui.pen.text_mid(
      MonoBold, type::body, std::min(x, axes.right()), axes.bottom() - 46, c.weights.text,
      shown_token(work.text_of(best)) + " " + decimals(double(logits(0, best)), shown.state.view.digits),
      x > axes.mid_x() ? Align::Right : Align::Left);
  std::string told;
  for (int i = 0; i < kParts; ++i) told += (i ? " " : "") + std::to_string(counts[std::size_t(i)]);
  ui.registry.add({.id = "scores",
                   .role = "status",
                   .label = filled("Scores of all tokens from {0} to {1}, how many in each of {2} parts: {3}",
                                   {decimals(-double(reach), 2), decimals(double(reach), 2),
                                    std::to_string(kParts), told}),
                   .value = told,
                   .box = axes,
                   .passive = true});
  ui.pen.text_fit(
      Sans, type::small, box.x + kPad, box.bottom() - 18, c.mute,
      filled("logits, 1 × {0}: final_norm(x)[-1] @ out_head.weight.T", {std::to_string(logits.size())}),
      box.w - 2 * kPad);
}

namespace {

// From the heading to the last bar; returns where that ends.
float draw_bars(Ui& ui, const Shown& shown, Box box, int top, float pitch) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  const NextTokens next = next_tokens(work.logits(), top, shown.inputs().temperature, shown.inputs().top_k);
  heading(ui, box, "Next token",
          filled("the likeliest {0}; the line is an even share", {top == 6 ? "six" : "ten"}));
  const double even = 1.0 / work.config().vocab_size, most = next.top[0].share;
  float label = 0;
  for (const NextToken& t : next.top)
    label = std::max(label, ui.pen.width(Mono, type::body, shown_token(work.text_of(t.id))));
  label = std::min(label, box.w * .3f);
  const float x = box.x + kPad + label + 12, room = box.right() - kPad - 86 - x, t = ui.motion(300);
  std::string told;
  for (int i = 0; i < int(next.top.size()); ++i) {
    const NextToken& n = next.top[std::size_t(i)];
    const float mid = box.y + kHead + 8 + pitch * (float(i) + .5f), h = std::min(20.f, pitch - 8);
    const std::string token = shown_token(work.text_of(n.id)), percent = percent_text(n.share);
    ui.pen.text_mid(Mono, type::body, x - 12, mid, c.ink, ui.pen.fitted(Mono, type::body, token, label),
                    Align::Right);
    const float w = std::max(2.f, room * float(n.share / most) * t);
    ui.pen.fill({x, mid - h / 2, w, h}, i == 0 ? c.weights.mark : mix(c.panel, c.weights.mark, .45f), 3);
    ui.pen.text_mid(Mono, type::small, x + w + 8, mid, i == 0 ? c.weights.text : c.mute, percent);
    told += (i ? ", " : "") + token + " " + percent;
  }
  const float line = x + room * float(std::min(1.0, even / most)),
              bottom = box.y + kHead + 12 + pitch * float(top);
  ui.pen.vline(line, box.y + kHead + 4, bottom, c.cell, 1.5f);
  ui.registry.add({.id = "likeliest",
                   .role = "status",
                   .label = "Next token: " + told,
                   .value = told,
                   .box = {box.x + kPad, box.y + kHead, box.w - 2 * kPad, pitch * float(top)},
                   .passive = true});
  return bottom;
}

}  // namespace

void draw_likeliest(Ui& ui, const Shown& shown, Box box, int top) {
  draw_bars(ui, shown, box, top, std::clamp((box.h - kHead - 52) / float(top), 18.f, 48.f));
  draw_written(ui, shown, {box.x + kPad, box.bottom() - 38, box.w - 2 * kPad, 30});
}

void draw_next(Ui& ui, const Shown& shown, Box box) {
  const bool writes = step_of(shown.state).id == std::string_view("greedy");
  const int top = writes ? 6 : 10;
  const float below = writes ? 170.f : 76.f,
              pitch = std::clamp((box.h - kHead - below - 12) / float(top), 18.f, writes ? 56.f : 48.f);
  const float bottom = draw_bars(ui, shown, box, top, pitch);
  draw_written(ui, shown, {box.x + kPad, bottom + 12, box.w - 2 * kPad, 44});
  if (writes)
    draw_cache(ui, shown, {box.x + kPad, bottom + 74, box.w - 2 * kPad, box.bottom() - bottom - 74 - 14});
}

}  // namespace lab
