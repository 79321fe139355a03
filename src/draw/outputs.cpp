// What both modules of the bench make of the same sentence, and whether it is the same.
#include <algorithm>
#include <cmath>

#include "draw/bench.hpp"
#include "draw/widgets.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kVerdict = 336, kHead = 56;

struct Names {
  std::string source, target;
};
Names object_names(const Bench& b) {
  if (b.source.kind == b.target.kind) return {"source", "target"};
  return {name_of(b.source.kind), name_of(b.target.kind)};
}

MatrixLook output_look(const Ui& ui, const Shown& shown, const char* name, const std::string& title,
                       const std::string& note, float range) {
  MatrixLook look{.name = name, .title = title, .note = note, .max = range};
  look.digits = shown.state.view.digits;
  look.mirror_digits = std::max(4, shown.state.view.digits);
  mark_cells(ui, shown, name, look);
  return look;
}

// A green ring that runs once around both outputs when they come to match.
void draw_victory(Ui& ui, const Shown& shown, Box around) {
  if (shown.verdict.kind != Verdict::Kind::match) return;
  const double t = ui.reduced_motion ? 1 : (ui.now - shown.hand.matched_at) / 400;
  if (t < 1) ui.animating = true;
  const float grown = float(std::clamp(t, 0.0, 1.0)), x = around.x, y = around.y, w = around.w, h = around.h;
  const float length = 2 * (w + h) * grown;
  const ImU32 color = ui.theme->ok.mark;
  const auto edge = [&](float begin, float size, auto line) {
    const float part = std::clamp(length - begin, 0.f, size);
    if (part > 0) line(part);
  };
  edge(0, w, [&](float p) { ui.pen.hline(x, x + p, y, color, 2); });
  edge(w, h, [&](float p) { ui.pen.vline(x + w, y, y + p, color, 2); });
  edge(w + h, w, [&](float p) { ui.pen.hline(x + w - p, x + w, y + h, color, 2); });
  edge(2 * w + h, h, [&](float p) { ui.pen.vline(x, y + h - p, y + h, color, 2); });
}

void draw_matrices(Ui& ui, const Shown& shown, Box area) {
  const Runs& runs = shown.runs();
  const Matrix &theirs = runs.runs[0].trace.context_vec, &ours = runs.runs[1].trace.context_vec;
  const int words = int(theirs.rows()), width = int(theirs.cols());
  const Pen& pen = ui.pen;
  if (words == 0) {
    pen.text(Bold, type::heading, area.x + 8, area.y + 40, ui.theme->ink, "No words yet");
    pen.text_block(Sans, type::body, {area.x + 8, area.y + 52, area.w - 24, 0}, ui.theme->mute,
                   "Type a sentence above. Six words make a good start; both modules will read it.", 20);
    return;
  }
  float labels = 0;
  for (const std::string& w : runs.words) labels = std::max(labels, pen.width(Sans, type::small, w));
  labels = std::min(labels, area.w * .22f) + 12;
  const float between = area.w < 400 ? 20.f : area.w > 640 ? 52.f : 32.f;
  const float cell =
      cell_size_for(words, 3 * width, area.w - labels - 2 * between - 8, area.h - kHead - 16, 40, pen.scale);
  const Names names = object_names(*runs.bench);
  const float range = std::max(largest(heat_view(view(theirs))), largest(heat_view(view(ours))));
  const std::string shape = shape_text(words, width);
  const float column = std::max(float(width) * cell, 66.f) + between;
  const float y = area.y + kHead;
  float x = area.x + labels;

  MatrixLook look = output_look(ui, shown, "source.context_vec", names.source + "(x)", shape, range);
  look.row_labels = &runs.words;
  const MatrixPlace first = draw_matrix(ui, heat_view(view(theirs)), x, y, cell, look);
  look = output_look(ui, shown, "target.context_vec", names.target + "(x)", shape, range);
  const MatrixPlace second = draw_matrix(ui, heat_view(view(ours)), x + column, y, cell, look);
  // Small differences get a range of their own, or one slip would hide in white.
  const float difference = largest(heat_view(view(runs.difference)));
  look = output_look(ui, shown, "difference", "difference", names.source + "(x) − " + names.target + "(x)",
                     runs.comparison.all_close ? std::max(difference, 1e-3f) : difference);
  if (3 * column > area.w - labels + between - 20) look.note = "";
  look.digits = difference < 0.05f && difference > 0 ? std::max(4, look.digits) : look.digits;
  draw_matrix(ui, heat_view(view(runs.difference)), x + 2 * column, y, cell, look);
  draw_victory(ui, shown, first.cells.grown(4));
  draw_victory(ui, shown, second.cells.grown(4));
}

void draw_verdict(Ui& ui, const Shown& shown, Box box) {
  const Verdict& v = shown.verdict;
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const bool match = v.kind == Verdict::Kind::match, differ = v.kind == Verdict::Kind::differ;
  const Hue& hue = match ? c.ok : differ ? c.bad : c.neutral;
  notice(ui, box, hue);
  const float x = box.x + 20, w = box.w - 40;
  float y = box.y + 36;
  if (match || differ) verdict_badge(ui, x + 10, y - 7, 20, match);
  pen.text(Bold, type::verdict, x + (match || differ ? 30.f : 0.f), y, hue.text, v.headline);
  y += 26;
  if (!v.figures.empty()) {
    pen.text(MonoBold, type::large, x, y, hue.text, v.figures);
    y += 12;
  }
  const float buttons_y = box.bottom() - 20 - 32 - 8 - 32;
  std::string words;
  for (const std::string& line : v.lines) {
    words += line + " ";
    const float h = 20 * float(pen.lines(Sans, type::body, line, w).size());
    if (y + h < buttons_y - 2) pen.text_block(Sans, type::body, {x, y, w, 0}, c.ink, line, 20);
    y += h + 2;
  }
  ui.registry.add({.id = "verdict",
                   .role = "status",
                   .label = v.headline + ". " + v.figures + ". " + words,
                   .value = name_of(v.kind),
                   .box = {box.x, box.y, box.w, buttons_y - box.y - 4},
                   .radius = radius::panel});
  const float half = (w - 8) / 2;
  button(ui, {x, buttons_y, half, 32}, "auto", "Auto",
         {.mirror_label = "Auto: fill every slot the right way"});
  button(ui, {x + half + 8, buttons_y, half, 32}, "swap", "Swap direction");
  button(ui, {x, buttons_y + 40, half, 32}, "break", "Break it");
  button(ui, {x + half + 8, buttons_y + 40, half, 32}, "trap", "Square trap");
}

}  // namespace

void draw_outputs(Ui& ui, const Shown& shown, Box panel) {
  card(ui, panel);
  if (panel.w < 560) {
    const float verdict_h = 252;
    draw_matrices(ui, shown, {panel.x + 8, panel.y + 4, panel.w - 16, panel.h - verdict_h - 16});
    draw_verdict(ui, shown, {panel.x + 12, panel.bottom() - verdict_h - 12, panel.w - 24, verdict_h});
    return;
  }
  const float verdict_w = std::min(kVerdict, panel.w * .46f);
  draw_matrices(ui, shown, {panel.x + 20, panel.y + 12, panel.w - verdict_w - 56, panel.h - 20});
  draw_verdict(ui, shown, {panel.right() - verdict_w - 20, panel.y + 16, verdict_w, panel.h - 32});
}

}  // namespace lab
