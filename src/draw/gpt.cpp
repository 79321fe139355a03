// The GPT as a tower of its parts, and beside it what the step is about.
#include "draw/gpt.hpp"

#include <algorithm>
#include <cmath>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
namespace {

constexpr float kTower = 270, kSlimTower = 210, kStrip = 86, kPad = 20;

// Opens the step that is about it.
void draw_part(Ui& ui, Box box, const char* step, const std::string& words, bool lit) {
  const Palette& c = *ui.theme;
  const std::string id = std::string("part.") + step;
  ui.registry.add({.id = id, .role = "button", .label = words, .value = lit ? "current" : "", .box = box});
  ui.pen.panel(box,
               lit              ? c.weights.soft
               : ui.hovered(id) ? c.chip_hover
                                : c.sunken,
               lit ? c.weights.mark : c.line, radius::button, lit ? 1.5f : 1);
  ui.pen.text_mid(lit ? Bold : Sans, type::small, box.mid_x(), box.mid_y(), lit ? c.weights.text : c.ink,
                  ui.pen.fitted(lit ? Bold : Sans, type::small, words, box.w - 12), Align::Center);
}

// The one that the step is about; -1: all of them, or none.
int looked_at_block(const Shown& shown) {
  const std::string_view step = step_of(shown.state).id;
  if (step == "maps" || step == "repeat" || step == "inside")
    return looked_at_head(shown.results, shown.state).block;
  return step == "block" ? std::min(shown.state.view.block, shown.results.gpt->config().n_layers - 1) : -1;
}

// 0 … 1: how far its scores spread, among all heads.
float tint_of(const Spreads& all, const HeadGlance& head) {
  const double span = all.most - all.least;
  return span > 0 ? float((head.score.spread() - all.least) / span) : .5f;
}

void draw_floor(Ui& ui, const Shown& shown, const Spreads& spreads, int block, Box box) {
  const Palette& c = *ui.theme;
  const GptWork& work = *shown.results.gpt;
  const int heads = work.config().n_heads;
  const GptReader* reading = work.reading();
  const bool here = looked_at_block(shown) == block;
  const std::string id = "floor." + std::to_string(block);
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = "Block " + std::to_string(block + 1),
                   .value = here ? "current" : "",
                   .box = box});
  const bool read = reading && block < reading->blocks_read(), drawn = block < work.blocks_drawn();
  ui.pen.panel(box,
               here             ? c.weights.soft
               : ui.hovered(id) ? c.chip_hover
               : drawn          ? c.panel
                                : c.sunken,
               here ? c.weights.mark : c.line, std::min<float>(radius::button, box.h / 3), here ? 1.5f : 1);
  const bool named = box.h >= 15;
  const float label = named ? 62 : 10;
  if (named)
    ui.pen.text_mid(here ? Bold : Sans, box.h >= 20 ? type::small : type::tiny, box.x + 10, box.mid_y(),
                    drawn ? c.ink : c.faint, "block " + std::to_string(block + 1));
  const float room = box.w - label - 8, pitch = room / float(heads),
              side = std::min({pitch - 2, box.h - 8, 16.f});
  if (side < 1.5f) return;
  for (int h = 0; h < heads; ++h) {
    const Box square{box.x + label + pitch * float(h), box.mid_y() - side / 2, side, side};
    if (!read)
      ui.pen.fill(square, drawn ? c.chip_hover : c.line, 2);
    else
      ui.pen.fill(
          square,
          mix(c.chip, c.weights.mark,
              .15f + .85f * tint_of(spreads, reading->blocks()[std::size_t(block)].heads[std::size_t(h)])),
          2);
  }
}

void draw_tower(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  const GptWork& work = *shown.results.gpt;
  const GptConfig& c = work.config();
  const std::string_view step = step_of(shown.state).id;
  const float x = box.x + kPad, w = box.w - 2 * kPad, part = is_low(ui) ? 26 : 32, gap = is_low(ui) ? 4 : 7;
  ui.pen.text(Bold, type::heading, x, box.y + 28, ui.theme->ink, "Architecture");
  float y = box.y + 42;
  const auto place = [&](const char* opens, const std::string& words, bool lit) {
    draw_part(ui, {x, y, w, part}, opens, words, lit);
    y += part + gap;
  };
  place("ids", "Tokens → ids", step == "ids");
  place("embed", is_low(ui) ? "Token + position" : "Token + position embedding",
        step == "embed" || step == "tie");
  const float room = box.bottom() - y - 2 * (part + gap) - 34,
              pitch = std::min(room / float(c.n_layers), 40.f);
  const Spreads spreads = work.reading() ? spreads_of(*work.reading()) : Spreads{};
  for (int i = 0; i < c.n_layers; ++i)
    draw_floor(ui, shown, spreads, i,
               {x, y + pitch * float(i), w, std::max(2.f, pitch - std::min(4.f, pitch * .2f))});
  y += pitch * float(c.n_layers) + gap - 3;
  place("logits", "Final LayerNorm", step == "logits");
  place("next", shown.inputs().tied ? "Output head = token embedding" : "Output head → logits",
        step == "next" || step == "greedy" || step == "tie" || step == "logits");
  GptConfig counted = c;
  counted.tied = shown.inputs().tied;
  const GptLedger ledger = ledger_of(counted, 1, 1);
  ui.pen.text_fit(
      Mono, type::small, x, box.bottom() - 14, ui.theme->mute,
      gpt_texts::grouped(ledger.parameters) + " · " + decimals(mebibytes(ledger.bytes), 2) + " MiB", w);
  ui.registry.add(
      {.id = "tower",
       .role = "status",
       .label = filled("Tower: {0} blocks of {1} heads, {2} numbers wide",
                       {std::to_string(c.n_layers), std::to_string(c.n_heads), std::to_string(c.emb_dim)}),
       .value = gpt_texts::grouped(ledger.parameters) + " parameters",
       .box = {x, box.y + 42, w, box.h - 60},
       .passive = true});
}

// For a narrow column: the floors side by side.
void draw_strip(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  const GptWork& work = *shown.results.gpt;
  const GptConfig& c = work.config();
  const Palette& p = *ui.theme;
  const GptLedger ledger = ledger_of(c, 1, 1);
  ui.pen.text_fit(Bold, type::body, box.x + 14, box.y + 24, p.ink,
                  filled("{0} blocks of {1} heads", {std::to_string(c.n_layers), std::to_string(c.n_heads)}),
                  box.w / 2);
  const std::string counted = gpt_texts::grouped(ledger.parameters);
  const bool spelled = ui.pen.width(Mono, type::small, counted + " parameters") < box.w / 2 - 24;
  ui.pen.text(Mono, type::small, box.right() - 14, box.y + 24, p.mute,
              counted + (spelled ? " parameters" : ""), Align::Right);
  const Spreads spreads = work.reading() ? spreads_of(*work.reading()) : Spreads{};
  const int here = looked_at_block(shown);
  const float pitch = (box.w - 28) / float(c.n_layers), h = 34;
  for (int i = 0; i < c.n_layers; ++i) {
    const Box floor{box.x + 14 + pitch * float(i), box.bottom() - h - 12, std::max(1.f, pitch - 3), h};
    const bool read = work.reading() && i < work.reading()->blocks_read();
    if (!read) ui.pen.fill(floor, i < work.blocks_drawn() ? mix(p.chip, p.weights.mark, .35f) : p.line, 3);
    const float band = floor.h / float(c.n_heads);
    for (int head = 0; read && head < c.n_heads; ++head)
      ui.pen.fill(
          {floor.x, floor.y + band * float(head), floor.w, std::max(1.f, band - (band > 4 ? 1.f : 0.f))},
          mix(p.chip, p.weights.mark,
              .15f +
                  .85f * tint_of(spreads, work.reading()->blocks()[std::size_t(i)].heads[std::size_t(head)])),
          band > 4 ? 1.5f : 0);
    if (i == here) ui.pen.outline({floor.x - 2, floor.y - 2, floor.w + 4, floor.h + 4}, p.weights.mark, 4, 2);
  }
}

// How far, how long still, and Cancel.
void draw_progress(Ui& ui, const GptWork& work, Box box) {
  const Palette& c = *ui.theme;
  const auto left = work.seconds_left();
  const std::string words = decimals(100 * work.progress(), 0) + " %" +
                            (left ? filled(", {0} s left", {decimals(std::ceil(*left), 0)}) : std::string());
  bar(ui, {box.x, box.y, box.w, 10}, float(work.progress()), c.weights.mark);
  const float w = button_width(ui, "Cancel");
  button(ui, {box.x, box.y + 24, w, 32}, "stop-model", "Cancel");
  ui.pen.text_mid(Mono, type::small, box.x + w + 14, box.y + 40, c.mute, words);
}

// The numbers are not there: why, and what can be done about it.
void draw_waiting(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  const float w = std::min(420.f, box.w - 48), x = box.mid_x() - w / 2;
  float y = box.mid_y() - 60;
  const auto block = [&](const std::string& words, ImU32 ink) {
    y += ui.pen.text_block(Sans, type::lead, {x, y, w, 0}, ink, words, 22) + 14;
  };
  switch (work.stage()) {
    case GptWork::Stage::refused: return block(work.problem(), c.ink);
    case GptWork::Stage::waiting: {
      block(gpt_texts::not_drawn(work), c.ink);
      const std::string words = "Draw the numbers from seed " + std::to_string(shown.inputs().seed);
      button(ui, {x, y, std::min(w, button_width(ui, words) + 16), 36}, "draw-model", words,
             {.kind = ButtonKind::Primary});
      return;
    }
    case GptWork::Stage::drawing: {
      block(gpt_texts::not_drawn(work), c.ink);
      return draw_progress(ui, work, {x, y, w, 60});
    }
    case GptWork::Stage::reading:
      block(filled("Through the blocks: {0} of {1}.",
                   {std::to_string(work.reading() ? work.reading()->blocks_read() : 0),
                    std::to_string(work.config().n_layers)}),
            c.ink);
      return draw_progress(ui, work, {x, y, w, 60});
    case GptWork::Stage::halted:
      block("Stopped between two blocks. What was read is kept.", c.ink);
      button(ui, {x, y, button_width(ui, "Go on") + 16, 36}, "draw-model", "Go on",
             {.kind = ButtonKind::Primary});
      return;
    default: return block("Type a text above.", c.mute);
  }
}

// DummyGPTModel has no heads to look at.
void draw_outline(Ui& ui, Box box) {
  ui.pen.text_mid(Sans, type::lead, box.mid_x(), box.mid_y() - 28, ui.theme->mute,
                  "An outline: nothing happens in its blocks.", Align::Center);
  const std::string words = "Build the blocks";
  const float w = button_width(ui, words) + 16;
  button(ui, {box.mid_x() - w / 2, box.mid_y(), w, 36}, "input.dummy", words, {.kind = ButtonKind::Primary});
}

void draw_view(Ui& ui, const Shown& shown, Box box) {
  const std::string_view step = pictured_step(shown);
  const bool opened = step == "inside" && !shown.runs().runs.empty();
  if (opened && shown.results.glances.empty()) return draw_arrangement(ui, shown, box);
  card(ui, box);
  const bool needs_reading = step != "ids" && step != "sizes";
  if (needs_reading && !shown.results.gpt->has_read()) return draw_waiting(ui, shown, box);
  if (is_asking(shown)) {
    ui.pen.text_mid(Sans, type::lead, box.mid_x(), box.mid_y(), ui.theme->mute, "Hidden until you answer.",
                    Align::Center);
    return;
  }
  if (step == "ids") return draw_token_ids(ui, shown, box);
  if (step == "sizes") return draw_ledger(ui, shown, box);
  if (step == "embed") return draw_embeddings(ui, shown, box);
  const bool has_blocks = !shown.results.gpt->reading()->blocks().empty();
  if (step == "logits") return draw_logits(ui, shown, box);
  if (!has_blocks && step != "next" && step != "greedy" && step != "tie") return draw_outline(ui, box);
  if (step == "block") return draw_one_block(ui, shown, box);
  if (step == "tower" || step == "shortcuts") return draw_lengths(ui, shown, box);
  if (opened) return draw_long_stages(ui, shown, box);
  if (step == "maps" || step == "repeat") return draw_maps(ui, shown, box);
  if (step == "why-even") return draw_why_even(ui, shown, box);
  if (step == "inside") return;  // the head is opened with the next frame
  draw_next(ui, shown, box);
}

}  // namespace

std::string_view pictured_step(const Shown& shown) {
  const Step& step = step_of(shown.state);
  return step.asks ? step.asks->pictured : step.id;
}

float gpt_view_height(const Ui& ui, const Shown& shown, float width) {
  using gpt_look::kHead;
  const std::string_view step = pictured_step(shown);
  const float all = float(shown.results.gpt ? shown.results.gpt->ids().size() : 1);
  if ((step == "maps" || step == "repeat") && is_narrow(ui))
    return kHead + 2 * (width - 2 * gpt_look::kPad) + 110;
  if (step == "embed") return kHead + 3 * (58 + std::min(all, 24.f) * 6) + 24;
  if (step == "inside" && !shown.results.glances.empty()) return long_stages_height(ui, width);
  if (step == "inside" && !shown.runs().runs.empty()) return arrangement_height(ui, shown, width);
  if (step == "sizes") return ledger_height(shown);
  if (step == "block") return kHead + 100 + std::min(all, 10.f) * 72;
  return 360;
}

float gpt_height(const Ui& ui, const Shown& shown, float width) {
  return kStrip + gap::close + gpt_view_height(ui, shown, width);
}

float least_gpt_height(const Ui& ui, const Shown& shown, float width) {
  return std::min(gpt_view_height(ui, shown, width - kSlimTower), 400.f);
}

void draw_gpt(Ui& ui, const Shown& shown, Box box) {
  if (is_narrow(ui)) {
    draw_strip(ui, shown, {box.x, box.y, box.w, kStrip});
    return draw_view(ui, shown, {box.x, box.y + kStrip + gap::close, box.w, box.h - kStrip - gap::close});
  }
  if (is_lying(ui)) return draw_view(ui, shown, box);
  const float tower = is_low(ui) ? kSlimTower : kTower;
  draw_tower(ui, shown, {box.x, box.y, tower, box.h});
  draw_view(ui, shown, {box.x + tower + gap::close, box.y, box.w - tower - gap::close, box.h});
}

}  // namespace lab
