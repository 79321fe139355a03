// The transfer bench: the source's matrices, the target's slots, the wires between them, and below them what
// both modules make of the same sentence.
#include "draw/bench.hpp"

#include <algorithm>
#include <cmath>

#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "draw/wires.hpp"

namespace lab {
namespace {

constexpr float kHead = 66, kTitle = 24, kBiasRow = 48, kLeastRow = 74, kLowRow = 62, kOutputHead = 56,
                kBelow = 14;
constexpr float kCellWithNumbers = 34;  // below it one decimal or none would fit: colour says more

// One pair of the bench: a weight or a bias on the left, its partner's place on the right.
struct PairRow {
  Slot slot;
  const Parameter* source = nullptr;  // null: the source has none
  const Parameter* target = nullptr;  // as it is now, moves made
  bool bias = false;
  Box box;  // the row across the panel
};

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

std::string storage_words(const Ui& ui, const AttentionParams& m, float room) {
  const bool plain = m.kind == AttentionKind::v1;
  const std::string shape = plain ? "[d_in, d_out]" : "[d_out, d_in]";
  const std::string all = (plain ? "nn.Parameter · x @ W · " : "nn.Linear · x @ W.T · ") + shape;
  return ui.pen.width(Mono, type::small, all) <= room ? all : (plain ? "x @ W · " : "x @ W.T · ") + shape;
}

// Where things lie in the panel of pairs.
struct PairsPlan {
  Box panel;
  float source_x = 0, slot_x = 0, cell = 0;
  bool narrow = false;
};

PairsPlan plan_pairs(const Ui& ui, const Shown& shown, Box panel, std::vector<PairRow>& rows) {
  PairsPlan plan{.panel = panel, .narrow = panel.w < 560};
  const float inner = plan.narrow ? 16.f : 36.f;
  float biases = 0;
  int weights = 0;
  for (const PairRow& r : rows) r.bias ? biases += kBiasRow : ++weights;
  const float row_h = std::floor((panel.h - kHead - gap::tight - biases) / float(weights));
  float y = panel.y + kHead;
  for (PairRow& r : rows) {
    r.box = {panel.x, y, panel.w, r.bias ? kBiasRow : row_h};
    y += r.box.h;
  }
  const int d_in = shown.inputs().d_in, d_out = shown.inputs().d_out, most = std::max(d_in, d_out);
  const float column = plan.narrow ? panel.w * .3f : std::min(panel.w * .26f, 240.f);
  plan.cell = cell_size_for(most, most, std::max(column, 40.f), row_h - kTitle - kBelow, 32, ui.pen.scale);
  // Non-square weights are less tall than their longer side on the side that stores them flat.
  plan.cell = std::max(plan.cell, cell_size_for(std::min(d_in, d_out), most, column, row_h - kTitle - kBelow,
                                                plan.cell, ui.pen.scale));
  const auto height_fits = [&](int n) { return float(n) * plan.cell <= row_h - kTitle - kBelow; };
  const int tallest =
      std::max(int(rows.front().source->stored.rows()), int(rows.front().target->stored.rows()));
  if (!height_fits(tallest))
    plan.cell = cell_size_for(tallest, most, column, row_h - kTitle - kBelow, plan.cell, ui.pen.scale);
  plan.source_x = panel.x + inner;
  const float slot_w = float(rows.front().target->stored.cols()) * plan.cell;
  plan.slot_x = panel.right() - (plan.narrow ? std::max(slot_w, 104.f) + 28 : std::max(column, slot_w) + 44);
  return plan;
}

void draw_module_heads(Ui& ui, const Shown& shown, const PairsPlan& plan) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const Bench& b = *shown.runs().bench;
  const auto head = [&](float x, float room, const AttentionParams& m, const char* id, const char* label) {
    const float size = plan.narrow ? type::body : type::large;
    const float w = pen.width(Bold, size, class_name(m.kind));
    pen.text_fit(Bold, size, x, plan.panel.y + 30, c.ink, class_name(m.kind), room);
    if (!plan.narrow)
      pen.text_fit(Mono, type::small, x, plan.panel.y + 50, c.mute, storage_words(ui, m, room), room);
    const float bx = plan.narrow ? x - 12 : x + w + 8;
    button(
        ui,
        {bx, plan.panel.y + (plan.narrow ? 36.f : 13.f), button_width(ui, "change", true),
         plan.narrow ? 22.f : 24.f},
        id, "change",
        {.kind = plan.narrow ? ButtonKind::Quiet : ButtonKind::Normal, .small = true, .mirror_label = label});
  };
  const float room = plan.slot_x - plan.source_x - gap::normal;
  head(plan.source_x, room, b.source, "input.from", "Change the source module");
  head(plan.slot_x, plan.panel.right() - plan.slot_x - 12, b.target, "input.to", "Change the target module");
}

void draw_parameter_title(Ui& ui, const PairRow& row, const Parameter& p, float x, float y, float room,
                          float opacity) {
  const Pen& pen = ui.pen;
  const Hue& hue = hue_of(ui, row.slot);
  const float w = pen.text_fit(Bold, type::lead, x, y, faded(hue.text, opacity), p.name, room);
  if (w + 60 < room)
    pen.text(Mono, type::small, x + w + 10, y, faded(ui.theme->mute, opacity), shape_text(p));
}

// 1 for the pair that the step is about; less for the others while the lesson looks at one.
float attention_of(const Shown& shown, const PairRow& row) {
  const Step& step = step_of(shown.state);
  const std::string id = step.id;
  return step.lit && (id == "W_query" || id == "W_key" || id == "W_value" || id == "draws") &&
                 *step.lit != row.slot
             ? .55f
             : 1;
}

MatrixLook parameter_look(const Ui& ui, const Shown& shown, const Parameter& p, const char* prefix,
                          float range, float cell) {
  MatrixLook look{.name = prefix + p.name, .label = prefix + p.name + " " + shape_text(p), .max = range};
  look.digits = shown.state.view.digits;
  look.mirror_digits = std::max(4, shown.state.view.digits);
  look.numbers = cell >= kCellWithNumbers;
  mark_cells(ui, shown, look.name, look);
  return look;
}

// One range for all weights, set by the source, so that equal numbers have equal colours on both sides and
// the source keeps its own while slots are filled.
float weight_range(const std::vector<PairRow>& rows) {
  float range = 1e-6f;
  for (const PairRow& r : rows)
    if (r.source) range = std::max(range, largest(heat_view(view(r.source->stored))));
  return range;
}

Box cells_box(const PairsPlan& plan, const PairRow& row, const Parameter& p, float x) {
  // Both matrices of a pair are centred on one line, so that their wire runs level.
  const int tallest =
      int(std::max(row.source ? row.source->stored.rows() : 0, row.target ? row.target->stored.rows() : 0));
  const float top =
      row.box.y + (row.bias ? 22 : kTitle + float(tallest - int(p.stored.rows())) * plan.cell / 2);
  return {x, top, float(p.stored.cols()) * plan.cell,
          float(p.stored.rows()) * (row.bias ? std::min(plan.cell, 24.f) : plan.cell)};
}

void draw_source(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row, float range) {
  const Parameter& p = *row.source;
  const std::string id = "source." + p.name;
  const Palette& c = *ui.theme;
  const Box cells = cells_box(plan, row, p, plan.source_x);
  const Box box{cells.x - 8, row.box.y, std::max(cells.w, 130.f) + 16, cells.bottom() + 8 - row.box.y};
  const bool in_hand = shown.hand.held == p.name;
  const float opacity = attention_of(shown, row) * (ui.dragging(id) ? .5f : 1.f);
  if (in_hand) ui.pen.panel(box, c.weights.soft, hue_of(ui, row.slot).mark, radius::button);
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = p.name + " of " + class_name(shown.runs().bench->source.kind) + ", " +
                            shape_text(p) + ". Pick up",
                   .value = in_hand ? "true" : "false",
                   .box = box,
                   .draggable = true});
  draw_parameter_title(ui, row, p, plan.source_x, row.box.y + 14, plan.narrow ? box.w : 230.f, opacity);
  MatrixLook look = parameter_look(ui, shown, p, kSource, range, plan.cell);
  look.opacity = opacity;
  look.drag_as = id;
  draw_matrix(ui, heat_view(view(p.stored)), cells.x, cells.y, cells.h / float(p.stored.rows()), look);
  if (ui.hovered(id) || ui.hovered("matrix." + look.name))
    for (int i = 0; i < 6; ++i)
      ui.pen.disc(cells.x - 13 + 4 * float(i % 2), cells.mid_y() - 5 + 5 * float(i / 2), 1.3f, c.deco);
}

void draw_slot(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row, float range,
               bool takes_moves) {
  const Parameter& p = *row.target;
  const std::string id = "slot." + p.name;
  const Palette& c = *ui.theme;
  const Hue& hue = hue_of(ui, row.slot);
  const Box cells = cells_box(plan, row, p, plan.slot_x);
  const bool hidden = hides_fault(shown.inputs(), shown.state.view.guess);
  const bool filled = hidden || is_filled(shown, p.name);
  const bool over = ui.gesture.drag && ui.gesture.drag->over == id;
  const bool waiting =
      (ui.gesture.drag && ui.gesture.drag->id.starts_with("source.")) || !shown.hand.held.empty();
  const float opacity = attention_of(shown, row);
  const float room = plan.panel.right() - plan.slot_x - 12;
  const Box box{cells.x - 10, row.box.y, std::min(std::max(cells.w, 130.f) + 20, room + 10),
                cells.bottom() + 8 - row.box.y};
  if (over || (waiting && takes_moves)) ui.pen.fill(box, faded(hue.soft, over ? 1.f : .55f), radius::button);
  if (takes_moves)
    ui.registry.add(
        {.id = id,
         .role = "button",
         .label = hidden ? "Slot " + p.name + ". Name it as the wrong one"
                         : "Slot " + p.name + ", " + shape_text(p) + (filled ? ", filled" : ", empty"),
         .value = filled ? "filled" : "empty",
         .box = box,
         .drop_zone = true});
  draw_parameter_title(ui, row, p, plan.slot_x, row.box.y + 14, room, opacity);
  MatrixLook look = parameter_look(ui, shown, p, kTarget, range, plan.cell);
  look.opacity = opacity * (filled || !takes_moves ? 1.f : over ? .15f : .38f);
  look.numbers = look.numbers && (filled || !takes_moves);
  look.passive = hidden;
  if (takes_moves) look.drag_as = id;
  draw_matrix(ui, heat_view(view(p.stored)), cells.x, cells.y, cells.h / float(p.stored.rows()), look);
  if (!filled && takes_moves) {
    ui.pen.dashed(cells.grown(4), hue.mark, over ? 2.f : 1.f);
    if (!row.bias && cells.w + 110 < room)
      ui.pen.text_mid(Sans, type::small, cells.right() + 14, cells.mid_y(), c.faint,
                      waiting ? "drop here" : "own numbers");
  }
  const bool blamed = std::find(shown.verdict.to_blame.begin(), shown.verdict.to_blame.end(), p.name) !=
                      shown.verdict.to_blame.end();
  if (blamed && !hidden) {
    ui.pen.outline(cells.grown(4), c.bad.mark, radius::small, 2);
    verdict_badge(ui, cells.right() + (is_low(ui) || plan.narrow ? 46.f : 22.f), cells.mid_y(), 18, false);
  }
}

// Where a wire could run: dots from the source to its slot's switch and on to the slot.
void draw_guide(Ui& ui, float x1, float x2, float y) {
  for (float x = x1; x <= x2; x += 8) ui.pen.disc(x, y, 1, ui.theme->rail);
}

// While a fault is hidden a wire shows that something is plugged in, not what.
void draw_hidden_wire(Ui& ui, Box from, Box to, const Hue& hue) {
  const Pen& pen = ui.pen;
  const float mid = (from.right() + to.x) / 2;
  for (float x = from.right() + 12; x < mid - 30; x += 10)
    pen.hline(x, x + 5, from.mid_y(), faded(hue.mark, .3f + .7f * (mid - x) / (mid - from.right())), 3);
  for (float x = to.x - 14; x > mid + 30; x -= 10)
    pen.hline(x - 5, x, to.mid_y(), faded(hue.mark, .3f + .7f * (x - mid) / (to.x - mid)), 3);
  const Box pill{mid - 18, (from.mid_y() + to.mid_y()) / 2 - 14, 36, 28};
  pen.panel(pill, ui.theme->panel, hue.mark, 14);
  pen.text_mid(Bold, type::lead, pill.mid_x(), pill.mid_y(), hue.text, "?", Align::Center);
}

void draw_connection(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                     const PairRow& row) {
  const Hue& hue = hue_of(ui, row.slot);
  const Box to = cells_box(plan, row, *row.target, plan.slot_x);
  const Move* move = move_into(shown, row.target->name);
  if (hides_fault(shown.inputs(), shown.state.view.guess))
    return draw_hidden_wire(ui, cells_box(plan, row, *row.source, plan.source_x), to, hue);

  const bool filled = is_filled(shown, row.target->name);
  const float left =
      plan.source_x + (plan.narrow ? std::max(90.f, float(row.source->stored.cols()) * plan.cell)
                                   : std::max(150.f, float(row.source->stored.cols()) * plan.cell));
  const bool compact = plan.slot_x - left < 300;
  const float pill_x = plan.narrow ? (left + plan.slot_x) / 2 - 4
                                   : left + (plan.slot_x - left) * (compact ? .5f : .56f),
              pill_y = to.mid_y();
  const float half = row.bias ? 30.f : compact ? 46.f : 70.f;  // the wires run in below the pill
  const Hue* from_hue = &hue;
  if (filled) {
    for (const PairRow& other : rows) {
      if (!other.source || other.source->name != move->from) continue;
      from_hue = &hue_of(ui, other.slot);
      const Box from = cells_box(plan, other, *other.source, plan.source_x);
      const Box pill{pill_x - half, pill_y - 16, 2 * half, 32};
      const float opacity = attention_of(shown, row);
      draw_wire(ui, from.grown(8), pill,
                {.color = from_hue->mark, .opacity = opacity, .gap = 0, .end = WireEnd::Plain});
      draw_wire(ui, pill, to.grown(8), {.color = from_hue->mark, .opacity = opacity, .gap = 0, .dot = false});
    }
  }
  if (!filled && !row.bias) {
    const Box from = cells_box(plan, row, *row.source, plan.source_x);
    draw_guide(ui, from.right() + 12, pill_x - half - 10, pill_y);
    draw_guide(ui, pill_x + half + 10, to.x - 14, pill_y);
  }
  if (row.bias) {
    if (filled) wire_label(ui, {.mid_x = pill_x, .mid_y = pill_y}, "copy", ui.theme->panel, hue.text);
  } else {
    switch_pill(ui, pill_x, pill_y, "op." + row.target->name, row.target->name, "copy", "transpose",
                move && move->op == MoveOp::transpose, {.hue = *from_hue, .compact = compact});
  }
  if (filled) {
    const std::string id = "wire." + row.target->name;
    const bool at_corner = to.x - pill_x - half < 90;
    const float x = at_corner ? to.right() + 16 : pill_x + half + (to.x - pill_x - half) / 2,
                y = at_corner ? to.y + 8 : pill_y;
    const Box off{x - 11, y - 11, 22, 22};
    ui.pen.disc(x, y, 10, ui.theme->panel);
    ui.pen.ring(x, y, 10, ui.hovered(id) ? ui.theme->bad.mark : from_hue->mark, 1.5f);
    ui.pen.cross(x, y, 7, ui.hovered(id) ? ui.theme->bad.text : from_hue->text, 1.5f);
    ui.registry.add({.id = id,
                     .role = "button",
                     .label = "Empty the slot " + row.target->name,
                     .box = off,
                     .radius = 11});
  }
}

void draw_carried(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                  float range) {
  if (!ui.gesture.drag) return;
  for (const PairRow& row : rows) {
    if (!row.source || !ui.dragging("source." + row.source->name)) continue;
    const Hue& hue = hue_of(ui, row.slot);
    const Box cells = cells_box(plan, row, *row.source, plan.source_x);
    const Box hand = ui.carried();
    const Box card{hand.x + (cells.x - ui.gesture.drag->from.x) - 7,
                   hand.y + (cells.y - ui.gesture.drag->from.y) - 7, cells.w + 14, cells.h + 14};
    draw_wire(ui, cells, card, {.color = hue.mark, .gap = 4, .end = WireEnd::Plain});
    ui.pen.shadow(card, radius::small, 14, ui.theme->shadow);
    ui.pen.panel(card, ui.theme->panel, hue.mark, radius::small);
    MatrixLook look{.name = "carried", .max = range, .digits = shown.state.view.digits, .passive = true};
    draw_matrix(ui, heat_view(view(row.source->stored)), card.x + 7, card.y + 7,
                cells.h / float(row.source->stored.rows()), look);
  }
}

// A refused drop: both shapes, the reason, and the way out.
void draw_refusal(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows) {
  if (!shown.hand.refused) return;
  const Bench& b = *shown.runs().bench;
  const auto no = refusal(*shown.hand.refused, b.source, b.target);
  if (!no) return;
  for (const PairRow& row : rows) {
    if (!row.target || row.target->name != shown.hand.refused->to) continue;
    const Pen& pen = ui.pen;
    const Palette& c = *ui.theme;
    const float w = std::min(380.f, plan.panel.w - 24);
    const float text_w = w - 40;
    const std::string words = no->what + " " + no->why;
    const float text_h = 20 * float(pen.lines(Sans, type::body, words, text_w).size());
    const float h = 44 + text_h + (no->other_way_fits ? 48.f : 12.f);
    const float x = std::clamp(plan.slot_x - w - 24, plan.panel.x + 12, plan.panel.right() - w - 12);
    const float y = std::clamp(row.box.mid_y() - h / 2, plan.panel.y + 8,
                               std::max(plan.panel.y + 8, plan.panel.bottom() - h - 8));
    const Box box{x, y, w, h};
    pen.shadow(box, radius::panel, 18, c.shadow);
    pen.panel(box, c.raised, c.bad.mark, radius::panel);
    ui.registry.add({.id = "refusal", .role = "status", .label = "Refused", .value = words, .box = box});
    verdict_badge(ui, x + 26, y + 24, 18, false);
    pen.text_mid(Bold, type::lead, x + 44, y + 24, c.bad.text, "It does not fit");
    pen.text_block(Sans, type::body, {x + 20, y + 42, text_w, 0}, c.ink, words, 20);
    const float by = y + h - 44;
    if (no->other_way_fits) {
      const char* way = shown.hand.refused->op == MoveOp::copy ? "Transpose it" : "Copy it";
      const float bw = button_width(ui, way);
      button(ui, {x + 20, by, bw, 32}, "other-way", way, {.kind = ButtonKind::Primary});
      button(ui, {x + 20 + bw + 8, by, button_width(ui, "Leave it"), 32}, "dismiss", "Leave it",
             {.kind = ButtonKind::Quiet});
    }
  }
}

void draw_pairs(Ui& ui, const Shown& shown, Box panel) {
  card(ui, panel);
  std::vector<PairRow> rows = pair_rows(shown);
  const PairsPlan plan = plan_pairs(ui, shown, panel, rows);
  draw_module_heads(ui, shown, plan);
  const float range = weight_range(rows);
  const auto taking = slots(shown.runs().bench->source, shown.runs().bench->target);
  const auto takes = [&](const PairRow& r) {
    return r.target && std::find(taking.begin(), taking.end(), r.target->name) != taking.end();
  };
  for (const PairRow& row : rows) {
    if (row.source) draw_source(ui, shown, plan, row, range);
    if (row.target) draw_slot(ui, shown, plan, row, range, takes(row));
    if (takes(row)) draw_connection(ui, shown, plan, rows, row);
    if (row.bias && !takes(row)) {
      const Box cells = row.source ? cells_box(plan, row, *row.source, plan.source_x)
                                   : cells_box(plan, row, *row.target, plan.slot_x);
      const std::string words =
          row.source ? std::string("no slot for it in ") + class_name(shown.runs().bench->target.kind)
                     : std::string("no numbers for it in ") + class_name(shown.runs().bench->source.kind);
      ui.pen.text_mid(Sans, type::small, row.source ? cells.right() + 14 : cells.x - 14, cells.mid_y(),
                      ui.theme->warn.text, words, row.source ? Align::Left : Align::Right);
    }
  }
  if (shown.inputs().d_in == shown.inputs().d_out && !plan.narrow) {
    const char* words = "d_in = d_out: both directions fit";
    const float w = ui.pen.width(Medium, type::small, words) + 20;
    const float x = plan.slot_x - gap::wide - w;
    if (x > plan.source_x + 280) badge(ui, x, panel.y + 25, words, ui.theme->warn);
  }
  draw_refusal(ui, shown, plan, rows);
  draw_carried(ui, shown, plan, rows, range);
}

float between_panels(const Ui& ui) { return is_low(ui) ? 10.f : gap::normal; }

float outputs_height(const Ui& ui, const Shown& shown, float width) {
  const float words = float(std::max<std::size_t>(1, shown.runs().words.size()));
  const float cells = std::clamp(words * (is_low(ui) ? 26.f : 36.f), 120.f, is_low(ui) ? 160.f : 232.f);
  const float matrices = kOutputHead + cells + (is_low(ui) ? 8.f : 20.f);
  return width < 560 ? matrices + 268 : std::max(matrices, is_low(ui) ? 216.f : 250.f);
}

}  // namespace

float bench_height(const Ui& ui, const Shown& shown, float width) {
  if (!shown.runs().bench) return 200;
  float pairs = kHead + gap::tight;
  const float tallest =
      float(std::max(shown.inputs().d_in, shown.inputs().d_out)) / ui.pen.scale;  // one pixel a cell
  for (const PairRow& r : pair_rows(shown))
    pairs += r.bias ? kBiasRow
                    : std::max(width < 560  ? 120.f
                               : is_low(ui) ? kLowRow
                                            : kLeastRow,
                               kTitle + kBelow + tallest + 12);
  return pairs + between_panels(ui) + outputs_height(ui, shown, width);
}

void draw_bench(Ui& ui, const Shown& shown, Box box) {
  if (!shown.runs().bench) return;
  const float least = bench_height(ui, shown, box.w), spare = std::max(0.0f, box.h - least);
  const float outputs = outputs_height(ui, shown, box.w) + std::min(spare * .3f, 60.f);
  const Box pairs{box.x, box.y, box.w, box.h - outputs - between_panels(ui)};
  draw_outputs(ui, shown, {box.x, box.bottom() - outputs, box.w, outputs});
  draw_pairs(ui, shown, pairs);
}

}  // namespace lab
