// What both modules of the bench make of the same sentence, and whether it is the same.
#include <algorithm>
#include <cmath>

#include "draw/bench.hpp"
#include "draw/numbers.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kHead = 52;
constexpr float kCellForMoreDigits = 50;  // below it all three matrices print two, so that they compare

struct Names {
  std::string source, target;
};
Names object_names(const Bench& b) {
  if (b.source.kind == b.target.kind) return {"source", "target"};
  return {name_of(b.source.kind), name_of(b.target.kind)};
}

MatrixLook output_look(const Ui& ui, const Shown& shown, const std::string& name, const std::string& title,
                       const std::string& note, float range, int digits) {
  MatrixLook look{.name = name, .title = title, .note = note, .max = range};
  look.digits = digits;
  look.numbers = digits >= 0;
  look.mirror_digits = std::max(4, shown.state.view.digits);
  mark_cells(ui, shown, name, look);
  const CellName selected = selected_cell(shown.state);
  const auto found = find(shown.runs(), selected.name);
  if (found && found->row) look.label_row = selected.row;  // rows are words
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

// Side by side, or one below another where that makes larger cells: outputs of few words and many numbers.
struct Arrangement {
  bool stacked = false;
  float cell = 1, cell_width = 1;  // the height of a cell, and its width
  float head = kHead;
  float dx = 0, dy = 0;  // from one matrix to the next
};

Arrangement arranged(int words, int width, Box area, float labels, float scale) {
  const float gap_x = area.w < 400 ? 18.f : 28.f, stacked_head = 30;
  const float most = std::clamp(area.w * .035f, 36.f, 56.f);
  const float beside =
      cell_size_for(words, 3 * width, area.w - labels - 2 * gap_x - 8, area.h - kHead - 12, most, scale);
  const float below =
      cell_size_for(3 * words, width, area.w - labels - 8, area.h - 3 * stacked_head - 12, most, scale);
  if (below > beside) return {true, below, below, stacked_head, 0, float(words) * below + stacked_head};
  // Too low for square cells with numbers: then wider ones.
  const float room = (area.w - labels - 2 * gap_x - 8) / float(3 * width);
  const float wide =
      beside >= 17 ? std::max(beside, std::min(std::floor(room), std::max(most, 44.f))) : beside;
  const float w = std::max(float(width) * wide, 80.f);  // a title and a shape fit
  return {false,
          beside,
          wide,
          kHead,
          w + std::clamp((area.w - labels - 3 * w) / 3, gap_x, std::max(110.f, area.w * .16f)),
          0};
}

void draw_matrices(Ui& ui, const Shown& shown, Box area) {
  const Runs& runs = shown.runs();
  const Matrix &theirs = output_of(runs.runs[0]), &ours = output_of(runs.runs[1]);
  const Matrix& apart = difference_named(runs, "difference");
  const int words = int(theirs.rows()), width = int(theirs.cols());
  const Pen& pen = ui.pen;
  if (words == 0) {
    pen.text_block(Sans, type::body, {area.x + 8, area.mid_y() - 20, area.w - 24, 0}, ui.theme->mute,
                   "What both modules make of your words will stand here.", 20);
    return;
  }
  float labels = 0;
  for (const std::string& w : runs.words) labels = std::max(labels, pen.width(Sans, type::small, w));
  labels = std::min(labels, area.w * .22f) + 12;
  const Arrangement at = arranged(words, width, area, labels, pen.scale);
  const float cell = at.cell_width;
  const Names names = object_names(*runs.bench);
  const float range = largest(heat_view(view(theirs)));  // the source sets it, so its colours stay
  // All three print alike: as many digits as fit in each, or none.
  const int wanted =
      cell < kCellForMoreDigits ? std::min(2, shown.state.view.digits) : shown.state.view.digits;
  CellText text{.size = 13, .digits = wanted};
  for (const Matrix* m : {&theirs, &ours, &apart}) {
    if (m == &apart && runs.comparison.max_difference == 0) continue;  // zeros fit anywhere
    const CellText own = cell_text_for(heat_view(view(*m)), cell, wanted, at.cell);
    text.digits = std::min(text.digits, own.digits);
    text.size = std::min(text.size, own.size);
  }
  const int digits = text.size > 0 && (text.digits > 1 || wanted < 2) ? text.digits : -1;  // -1: colour only
  const std::string shape = shape_text(words, width);
  const float x = area.x + labels, y = area.y + at.head;
  const auto drawn = [&](int i, const Matrix& m, MatrixLook look) {
    look.note_beside = at.stacked;
    look.cell_width = at.cell_width;
    if (text.size > 0) look.largest_type = text.size;
    if (i == 0 || at.stacked) look.row_labels = &runs.words;
    return draw_matrix(ui, heat_view(view(m)), x + at.dx * float(i), y + at.dy * float(i), at.cell, look);
  };
  const MatrixPlace first =
      drawn(0, theirs,
            output_look(ui, shown, output_matrix(runs.runs[0]), names.source + "(x)", shape, range, digits));
  const MatrixPlace second =
      drawn(1, ours,
            output_look(ui, shown, output_matrix(runs.runs[1]), names.target + "(x)", shape, range, digits));
  // Small differences get a range of their own, or one slip would hide in white.
  const float difference = largest(heat_view(view(apart)));
  MatrixLook look =
      output_look(ui, shown, "difference", "difference", names.source + "(x) − " + names.target + "(x)",
                  runs.comparison.all_close ? std::max(difference, 1e-3f) : difference, digits);
  // The note says what was subtracted, in as many words as there is room for.
  const float room = area.right() - x - 2 * at.dx;
  if (pen.width(Bold, type::heading, look.title) > room) look.title = "diff.";
  if (!at.stacked)
    for (const std::string& note : {look.note, names.source + " − " + names.target, shape})
      if (pen.width(Mono, type::small, look.note = note) <= std::max(room, 60.f)) break;
  if (digits >= 0 && difference < 0.05f && difference > 0) {
    look.digits = std::max(4, shown.state.view.digits);
    look.bare_point = true;
  }
  drawn(2, apart, look);
  draw_victory(ui, shown, first.cells.grown(4));
  draw_victory(ui, shown, second.cells.grown(4));
}

}  // namespace

void draw_outputs(Ui& ui, const Shown& shown, Box panel) {
  card(ui, panel);
  if (panel.w < 560) {
    const float verdict_h = verdict_height(ui, shown, panel.w - 24);
    draw_matrices(ui, shown, {panel.x + 8, panel.y + 4, panel.w - 16, panel.h - verdict_h - 16});
    draw_verdict(ui, shown, {panel.x + 12, panel.bottom() - verdict_h - 12, panel.w - 24, verdict_h});
    return;
  }
  const float verdict_w = verdict_width(panel.w);
  draw_matrices(ui, shown,
                {panel.x + 20, panel.y + (is_low(ui) ? 4.f : 12.f), panel.w - verdict_w - 52,
                 panel.h - (is_low(ui) ? 8.f : 20.f)});
  const float inset = is_low(ui) ? 12 : 16;
  draw_verdict(ui, shown,
               {panel.right() - verdict_w - inset, panel.y + inset, verdict_w, panel.h - 2 * inset});
}

}  // namespace lab
