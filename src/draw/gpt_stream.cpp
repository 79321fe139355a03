// The residual stream of a GPT: what a block adds to it, how it goes on from block to block, and why heads
// see nearly evenly.
#include <algorithm>
#include <cmath>

#include "draw/curves.hpp"
#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

namespace {

void draw_line(Ui& ui, Box box, const std::vector<double>& values, double most, const Hue& hue,
               const std::string& name) {
  draw_curves(
      ui, box,
      {.id = "curve." + std::to_string(int(box.y)), .title = name, .most = most, .digits = most > 2 ? 2 : 4},
      {{name, values, hue.mark, hue.text}});
}

}  // namespace

void draw_lengths(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  std::vector<double> lengths, likeness;
  for (const GptBlockReading& b : reading.blocks()) {
    lengths.push_back(b.figures.pre);
    likeness.push_back(b.figures.likeness);
  }
  lengths.push_back(reading.length());
  likeness.push_back(reading.likeness());
  heading(ui, box, "The stream from block to block", filled("{0} rows", {std::to_string(reading.given())}));
  const float h = (box.h - kHead - 130) / 2, w = box.w - 2 * kPad;
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  draw_line(ui, {box.x + kPad, box.y + kHead + 44, w, h}, lengths, longest * 1.1, ui.theme->weights,
            "mean length of the rows");
  const double most = std::max(.25, *std::max_element(likeness.begin(), likeness.end()) * 1.1);
  draw_line(ui, {box.x + kPad, box.y + kHead + 44 + h + 64, w, h}, likeness, most, ui.theme->context,
            "how alike the rows are");
}

namespace {

constexpr int kRowsShown = 10;

// One token: its length as it comes in, what is added to it, and its length as it leaves; true to scale.
void draw_row_lengths(Ui& ui, const GptBlockReading& b, int row, const std::string& token, Box box,
                      float label, float longest) {
  const Palette& c = *ui.theme;
  enum { pre, att, mid, ff, post };
  const float room = box.w - label - 64, h = std::clamp(box.h / 5.5f - 2, 3.f, 20.f), t = ui.motion(500);
  ui.pen.text_mid(Sans, type::body, box.x, box.mid_y(), c.ink,
                  ui.pen.fitted(Sans, type::body, token, label - 8));
  struct Line {
    int column;
    const Hue* hue;
    bool starts_at_0;
  };
  const Line lines[] = {
      {pre, nullptr, true}, {att, &c.context, false}, {ff, &c.weights, false}, {post, nullptr, true}};
  float y = box.mid_y() - 2 * (h + 2);
  for (const Line& line : lines) {
    const float length = b.lengths(row, line.column),
                w = room * length / longest * (line.starts_at_0 ? 1 : t);
    ui.pen.fill({box.x + label, y, std::max(1.f, w), h}, line.hue ? line.hue->mark : c.deco, 3);
    ui.pen.text_mid(Mono, type::tiny, box.x + label + w + 8, y + h / 2, line.hue ? line.hue->text : c.mute,
                    decimals(double(length), 2));
    y += h + 2;
  }
}

}  // namespace

void draw_one_block(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  const Palette& c = *ui.theme;
  const int block = std::min(shown.state.view.block, int(reading.blocks().size()) - 1);
  const GptBlockReading& b = reading.blocks()[std::size_t(block)];
  const auto& tokens = shown.results.gpt->tokens();
  const int rows = std::min(kRowsShown, reading.given());
  heading(ui, box, "Block " + std::to_string(block + 1),
          filled("lengths of {0} rows, true to scale", {std::to_string(rows)}));
  float label = 0;
  for (int r = 0; r < rows; ++r)
    label = std::max(label, ui.pen.width(Sans, type::body, tokens[std::size_t(r)]));
  label = std::clamp(label + 16, 60.f, 120.f);
  // What the four bars are.
  struct Name {
    const char* words;
    ImU32 mark, ink;
  };
  const Name names[] = {{"comes in", c.deco, c.mute},
                        {"attention adds", c.context.mark, c.context.text},
                        {"feed-forward adds", c.weights.mark, c.weights.text},
                        {"leaves", c.deco, c.mute}};
  float x = box.x + kPad, y = box.y + kHead + 8;
  for (const Name& n : names) {
    const float w = ui.pen.width(Sans, type::small, n.words) + 32;
    if (x > box.x + kPad && x + w > box.right() - kPad) x = box.x + kPad, y += 20;
    ui.pen.fill({x, y + 2, 12, 10}, n.mark, 3);
    ui.pen.text_mid(Sans, type::small, x + 18, y + 7, n.ink, n.words);
    x += w;
  }
  y += 30;
  const float foot = 56, pitch = std::min(132.f, (box.bottom() - foot - y) / float(rows));
  std::string told;
  const float longest = std::max(1e-6f, b.lengths.topRows(rows).maxCoeff());
  for (int r = 0; r < rows; ++r) {
    draw_row_lengths(ui, b, r, tokens[std::size_t(r)],
                     {box.x + kPad, y + pitch * float(r), box.w - 2 * kPad, pitch}, label, longest);
    told += (r ? "; " : "") + tokens[std::size_t(r)];
    const char* columns[] = {" in ", ", attention ", nullptr, ", feed-forward ", ", out "};
    for (int k = 0; k < int(b.lengths.cols()); ++k)
      if (columns[k]) told += columns[k] + decimals(double(b.lengths(r, k)), 2);
  }
  ui.registry.add({.id = "block-lengths",
                   .role = "status",
                   .label = "Lengths: " + told,
                   .value = told,
                   .box = {box.x + kPad, y, box.w - 2 * kPad, pitch * float(rows)},
                   .passive = true});
  x = box.x + kPad;
  const std::pair<const char*, const char*> doors[] = {
      {"open.transformer-block", "Open the transformer block"}, {"open.multi-head", "Open its attention"}};
  for (const auto& [id, words] : doors) {
    const float w = button_width(ui, words);
    if (x + w > box.right() - kPad) break;
    button(ui, {x, box.bottom() - 48, w, 32}, id, words);
    x += w + 10;
  }
}

// Each bar is made from the one before: levelled numbers, queries and keys, scores, scaled scores.
void draw_why_even(Ui& ui, const Shown& shown, Box box) {
  const Spreads s = spreads_of(*shown.results.gpt->reading());
  const GptConfig& config = shown.results.gpt->config();
  const Palette& c = *ui.theme;
  const std::string width = std::to_string(config.emb_dim / config.n_heads);
  heading(ui, box, "How far numbers spread", "standard deviations, on the way to the shares");
  struct Bar {
    std::string name, how;
    double spread;
    const Hue* hue;
    bool faint;
  };
  const Bar bars[] = {
      {"behind the norm", "levelled to 1", s.norm, nullptr, false},
      {"queries and keys", "× fresh weights", s.projected, &c.query, false},
      {"scores", "sums of " + width + " products", s.scores, &c.weights, false},
      {"scaled scores", "÷ √" + width, s.scaled, &c.weights, !shown.inputs().scaled},
  };
  double most = 0;
  for (const Bar& b : bars) most = std::max(most, b.spread);
  const float label = std::min(170.f, box.w * .34f), room = box.w - 2 * kPad - label - 70,
              pitch = std::min(124.f, (box.h - kHead - 80) / float(std::size(bars)));
  float y = box.y + kHead + 20;
  std::string told;
  for (std::size_t i = 0; i < std::size(bars); ++i) {
    const Bar& b = bars[i];
    const float mid = y + pitch / 2,
                w = std::max(2.f, room * float(b.spread / most) * ui.motion(300 + 150 * float(i)));
    ui.pen.text_mid(Bold, type::body, box.x + kPad, mid - 9, b.faint ? c.faint : c.ink, b.name);
    ui.pen.text_mid(Sans, type::small, box.x + kPad, mid + 9, c.mute, b.faint ? "left out here" : b.how);
    ui.pen.fill({box.x + kPad + label, mid - 13, w, 26}, b.faint ? c.line : b.hue ? b.hue->mark : c.deco, 5);
    ui.pen.text_mid(MonoBold, type::body, box.x + kPad + label + w + 10, mid,
                    b.faint ? c.faint
                    : b.hue ? b.hue->text
                            : c.ink,
                    decimals(b.spread, shown.state.view.digits));
    told += (i ? ", " : "") + b.name + " " + decimals(b.spread, shown.state.view.digits);
    y += pitch;
  }
  const auto place = [](HeadPlace p) {
    return "block " + std::to_string(p.block + 1) + ", head " + std::to_string(p.head + 1);
  };
  const std::string range =
      filled("What softmax gets spreads from {0} ({1}) to {2} ({3}).",
             {decimals(s.least), place(s.flattest), decimals(s.most), place(s.sharpest)});
  ui.pen.text_block(Sans, type::small, {box.x + kPad, y + 8, box.w - 2 * kPad, 0}, c.mute, range, 18);
  ui.registry.add({.id = "spreads",
                   .role = "status",
                   .label = "Spreads: " + told + ". " + range,
                   .value = told,
                   .box = {box.x + kPad, box.y + kHead + 20, box.w - 2 * kPad, y - box.y - kHead - 20},
                   .passive = true});
}

}  // namespace lab
