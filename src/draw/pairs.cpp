#include "draw/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "draw/screen.hpp"

namespace lab {
namespace {

constexpr float kPill = 118;   // CSS pixels: a small switch with air on both sides
constexpr float kCorner = 34;  // at the right of a slot on a phone: what empties it

}  // namespace

std::vector<PairRow> pair_rows(const Shown& shown) {
  const AttentionParams &source = shown.runs().runs[0].module, &target = shown.runs().runs[1].module;
  std::vector<PairRow> rows;
  for (const Slot s : kSlots) {
    const Projection &a = projection(source, s), &b = projection(target, s);
    rows.push_back({.slot = s, .source = &a.weight, .target = &b.weight});
    if (!a.bias.empty() || !b.bias.empty())
      rows.push_back({.slot = s,
                      .source = a.bias.empty() ? nullptr : &a.bias,
                      .target = b.bias.empty() ? nullptr : &b.bias,
                      .bias = true});
  }
  const auto taking = slots(shown.runs().bench->source, shown.runs().bench->target);
  for (PairRow& r : rows)
    r.takes = r.target && std::find(taking.begin(), taking.end(), r.target->name) != taking.end();
  return rows;
}

const Move* move_into(const Shown& shown, const std::string& slot) {
  for (const Move& m : shown.runs().bench->moves)
    if (m.to == slot) return &m;
  return nullptr;
}

bool is_filled(const Shown& shown, const std::string& slot) {
  const Move* m = move_into(shown, slot);
  const Bench& b = *shown.runs().bench;
  return m && !m->from.empty() && !refusal(*m, b.source, b.target);
}

float attention_of(const Shown& shown, const PairRow& row) {
  const Step& step = step_of(shown.state);
  const std::string id = step.id;
  return step.lit && (id == "W_query" || id == "W_key" || id == "W_value" || id == "draws") &&
                 *step.lit != row.slot
             ? .72f
             : 1;
}

PairsPlan plan_pairs(const Ui& ui, const Shown& shown, Box panel, std::vector<PairRow>& rows) {
  PairsPlan plan{.panel = panel, .narrow = panel.w < 560};
  plan.beside = is_low(ui) && !plan.narrow;
  if (plan.beside) plan.title = 0;
  const float inner = plan.narrow ? 16.f : 36.f;
  float biases = 0;
  int weights = 0;
  for (const PairRow& r : rows) r.bias ? biases += kBiasRow : ++weights;
  const float row_h = std::floor((panel.h - kPairsHead - gap::tight - biases) / float(weights));
  float y = panel.y + kPairsHead;
  for (PairRow& r : rows) {
    r.box = {panel.x, y, panel.w, r.bias ? kBiasRow : row_h};
    y += r.box.h;
  }
  const int most = std::max(shown.inputs().d_in, shown.inputs().d_out);
  const auto cols = [](const Parameter* p) { return float(p->stored.cols()); };
  const float together = cols(rows.front().source) + cols(rows.front().target);
  // On a phone the switch between them has its room first.
  const float left_over = panel.w - inner - kPill - kCorner;
  const float column = plan.narrow ? std::min(panel.w * .27f, left_over / together * float(most))
                                   : std::min(panel.w * .26f, 240.f);
  const int tallest =
      std::max(int(rows.front().source->stored.rows()), int(rows.front().target->stored.rows()));
  plan.cell = cell_size_for(tallest, most, std::max(column, 40.f),
                            row_h - plan.title - kBelow - (plan.narrow ? 8 : 0),
                            std::clamp(row_h * .3f, 32.f, 52.f), ui.pen.scale);
  plan.source_x = panel.x + inner + (plan.beside ? kTitleBeside : 0);
  const float slot_w = cols(rows.front().target) * plan.cell;
  if (plan.narrow) {
    const float source_end = plan.source_x + cols(rows.front().source) * plan.cell;
    plan.slot_x = std::min(std::max(panel.right() - std::max(slot_w, 104.f) - 28, source_end + kPill),
                           panel.right() - slot_w - kCorner);
    return plan;
  }
  plan.slot_x = panel.right() -
                (plan.beside ? std::max(slot_w + kTitleBeside, 192.f) + 24 : std::max(column, slot_w) + 44);
  return plan;
}

Box cells_box(const PairsPlan& plan, const PairRow& row, const Parameter& p, float x) {
  const int tallest =
      int(std::max(row.source ? row.source->stored.rows() : 0, row.target ? row.target->stored.rows() : 0));
  const float cell = row.bias ? std::min(plan.cell, 24.f) : plan.cell, h = float(p.stored.rows()) * cell;
  const float top = plan.beside ? row.box.mid_y() - h / 2
                    : row.bias  ? row.box.y + 22
                                : row.box.y + kTitle + (float(tallest) * cell - h) / 2;
  return {x, top, float(p.stored.cols()) * cell, h};
}

}  // namespace lab
