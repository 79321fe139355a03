#include "draw/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "draw/screen.hpp"
#include "lessons/pieces.hpp"

namespace lab {
namespace {

constexpr float kPill = 118;        // CSS pixels: a small switch with air on both sides
constexpr float kCorner = 34;       // at the right of a slot on a phone: what empties it
constexpr float kLeastTitle = 128;  // beside the cells
constexpr float kAroundTitle = 20;

RowEnd end_of(const AttentionParams& module, const Piece& piece) {
  RowEnd end{.parameter = find_parameter(module, piece.name), .piece = piece};
  if (!end) return end;
  end.id = text_of(piece);
  end.title = sliced(piece, module);
  end.cells = piece.cells.value_or(whole(end.parameter->stored));
  end.shape = end.parameter->one_dimensional
                  ? "[" + std::to_string(end.cells.cols()) + "]"
                  : "[" + std::to_string(end.cells.rows()) + ", " + std::to_string(end.cells.cols()) + "]";
  return end;
}

}  // namespace

std::vector<PairRow> pair_rows(const Shown& shown) {
  const AttentionParams &source = shown.runs().runs[0].module, &target = shown.runs().runs[1].module;
  std::vector<PairRow> rows;
  for (const Pair& pair : pairs(source, target)) {
    PairRow row{.slot = pair.slot,
                .head = source.num_heads > 1 && pair.slot ? pair.head : -1,
                .source = end_of(source, pair.from),
                .target = end_of(target, pair.to),
                .bias = pair.bias,
                .takes = pair.is_slot()};
    row.begins = !rows.empty() && rows.back().head != row.head;
    rows.push_back(std::move(row));
  }
  return rows;
}

float weight_rows(const std::vector<PairRow>& rows, const PairRow& row) {
  return std::max(1.f, std::ceil(row.tallest() / rows.front().tallest()));
}

const Move* move_into(const Shown& shown, const Piece& slot) {
  const Bench& b = *shown.runs().bench;
  for (const Move& m : b.moves)
    if (writes_into(m, slot, b.target)) return &m;
  return nullptr;
}

bool is_filled(const Shown& shown, const Piece& slot) {
  const Move* m = move_into(shown, slot);
  const Bench& b = *shown.runs().bench;
  return m && !m->from.empty() && !refusal(*m, b.source, b.target);
}

float attention_of(const Shown& shown, const PairRow& row) {
  const Step& step = step_of(shown.state);
  const std::string id = step.id;
  return step.lit && (id == "W_query" || id == "W_key" || id == "W_value" || id == "draws") &&
                 step.lit != row.slot
             ? .72f
             : 1;
}

bool titles_beside(const Ui& ui, const std::vector<PairRow>& rows, float panel_width) {
  return panel_width >= 560 && (is_low(ui) || rows.front().head >= 0);
}

PairsPlan plan_pairs(const Ui& ui, const Shown& shown, Box panel, std::vector<PairRow>& rows) {
  PairsPlan plan{.panel = panel, .narrow = panel.w < 560, .beside = titles_beside(ui, rows, panel.w)};
  if (plan.beside) plan.title = 0;
  const float inner = plan.narrow ? 16.f : 36.f;
  float others = 0, weights = 0;  // the height of all but the weights, and of how many rows these are
  float most = float(std::max(shown.inputs().d_in, shown.inputs().d_out)), together = 0, target_cols = 0;
  plan.title_beside = kLeastTitle;
  for (const PairRow& r : rows) {
    r.bias ? others += kBiasRow : weights += weight_rows(rows, r);
    if (r.begins) others += kBetweenHeads;
    for (const RowEnd* end : {&r.source, &r.target})
      if (*end && r.head >= 0)
        plan.title_beside =
            std::max(plan.title_beside, ui.pen.width(Bold, type::body, end->title) + kAroundTitle);
    if (r.bias) continue;
    most = std::max({most, r.source.cols(), r.target.cols()});
    together = std::max(together, r.source.cols() + r.target.cols());
    target_cols = std::max(target_cols, r.target.cols());
  }
  const float row_h = std::floor((panel.h - kPairsHead - gap::tight - others) / weights);
  float y = panel.y + kPairsHead;
  for (PairRow& r : rows) {
    if (r.begins) y += kBetweenHeads;
    r.box = {panel.x, y, panel.w, r.bias ? kBiasRow : row_h * weight_rows(rows, r)};
    y += r.box.h;
  }
  // On a phone the switch between them has its room first.
  const float left_over = panel.w - inner - kPill - kCorner;
  const float column =
      plan.narrow ? std::min(panel.w * .27f, left_over / together * most) : std::min(panel.w * .26f, 240.f);
  plan.cell = cell_size_for(int(rows.front().tallest()), int(most), std::max(column, 40.f),
                            row_h - plan.title - kBelow - (plan.narrow ? 8 : 0),
                            std::clamp(row_h * .3f, 32.f, 52.f), ui.pen.scale);
  plan.source_x = panel.x + inner + (plan.beside ? plan.title_beside : 0);
  const float slot_w = target_cols * plan.cell;
  if (plan.narrow) {
    const float source_end = plan.source_x + (together - target_cols) * plan.cell;
    plan.slot_x = std::min(std::max(panel.right() - std::max(slot_w, 104.f) - 28, source_end + kPill),
                           panel.right() - slot_w - kCorner);
    return plan;
  }
  plan.slot_x = panel.right() - (plan.beside ? std::max(slot_w + plan.title_beside, 192.f) + 24
                                             : std::max(column, slot_w) + 44);
  return plan;
}

Box cells_box(const PairsPlan& plan, const PairRow& row, const RowEnd& end, float x) {
  const float cell = row.bias ? std::min(plan.cell, 24.f) : plan.cell, h = end.rows() * cell;
  const float top = plan.beside ? row.box.mid_y() - h / 2
                    : row.bias  ? row.box.y + 22
                                : row.box.y + kTitle + (row.tallest() * cell - h) / 2;
  return {x, top, end.cols() * cell, h};
}

}  // namespace lab
