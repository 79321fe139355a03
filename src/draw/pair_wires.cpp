// The wires of the bench, from a source's matrix through its switch into a slot.
#include <algorithm>

#include "draw/pairs.hpp"
#include "draw/widgets.hpp"
#include "draw/wires.hpp"

namespace lab {
namespace {

// Where a wire could run: dots from the source to its slot's switch and on to the slot.
void draw_guide(Ui& ui, float x1, float x2, float y) {
  for (float x = x1; x <= x2; x += 8) ui.pen.disc(x, y, 1, ui.theme->deco);
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

// Where the wire into a slot runs and its switch sits; whose colour it has.
struct Connection {
  const Move* move = nullptr;     // into this slot; null: untouched
  const PairRow* from = nullptr;  // the row that it comes from; null: nothing is plugged in
  Box to;
  Box pill;  // the switch, or the wire's middle where there is none
  bool compact = false;
};

// The row that a move takes from; of a rectangle that is no row's own the one beside it, or any that has its
// matrix.
const PairRow* row_moved(const std::vector<PairRow>& rows, const PairRow& into, const Move& move) {
  const PairRow* from = nullptr;
  for (const PairRow& other : rows) {
    if (!other.source || other.source.piece.name != move.from) continue;
    if (other.source.piece == from_piece(move)) return &other;
    if (!from || other.head == into.head) from = &other;
  }
  return from;
}

Connection connection_of(const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                         const PairRow& row) {
  Connection c;
  c.move = move_into(shown, row.target.piece);
  if (is_filled(shown, row.target.piece)) c.from = row_moved(rows, row, *c.move);
  c.to = cells_box(plan, row, row.target, plan.slot_x);
  const float least = plan.narrow || plan.beside ? 30 : 150;
  const float left = plan.source_x + std::max(least, row.source.cols() * plan.cell);
  c.compact = plan.slot_x - left < 300;
  const float x =
      plan.narrow ? (left + plan.slot_x) / 2 : left + (plan.slot_x - left) * (c.compact ? .5f : .56f);
  const float half = row.bias    ? (plan.narrow ? 22.f : 30.f)
                     : c.compact ? 46.f
                                 : 70.f;  // the wires run in below the pill
  c.pill = {x - half, c.to.mid_y() - 16, 2 * half, 32};
  return c;
}

void draw_wires_into(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row,
                     const Connection& c) {
  const Box beside = cells_box(plan, row, row.source, plan.source_x);
  if (hides_fault(shown.inputs(), shown.state.view.guess))
    return draw_hidden_wire(ui, beside, c.to, hue_of(ui, row.slot));
  if (c.from) {
    const Box from = cells_box(plan, *c.from, c.from->source, plan.source_x);
    const ImU32 color = hue_of(ui, c.from->slot).mark;
    const float opacity = attention_of(shown, row);
    // Where there is little room, as on a phone, the air beside the matrices goes first, then the arrow.
    const float before = c.pill.x - from.right(), after = c.to.x - c.pill.right();
    const auto air = [](float gap) { return std::clamp(gap / 2 - 2, 0.f, 8.f); };
    if (before > 2)
      draw_wire(ui, from.grown(air(before)), c.pill,
                {.color = color, .opacity = opacity, .gap = 0, .dot = before > 14, .end = WireEnd::Plain});
    if (after > 2)
      draw_wire(ui, c.pill, c.to.grown(air(after)),
                {.color = color,
                 .opacity = opacity,
                 .gap = 0,
                 .dot = false,
                 .end = after > 14 ? WireEnd::Arrow : WireEnd::Plain});
  } else if (row.bias) {
    draw_guide(ui, beside.right() + 12, c.to.x - 14, c.pill.mid_y());
  } else {
    draw_guide(ui, beside.right() + 12, c.pill.x - 10, c.pill.mid_y());
    draw_guide(ui, c.pill.right() + 10, c.to.x - 14, c.pill.mid_y());
  }
}

// Crossing wires pass below the names.
void clear_title_grounds(Ui& ui, const PairsPlan& plan, const PairRow& row) {
  const auto width = [&](const RowEnd& end) { return ui.pen.width(Bold, type::lead, end.title); };
  const auto clear = [&](const RowEnd& end, float x) {
    if (end) ui.pen.fill({x - 3, row.box.y + 1, width(end) + 6, 18}, ui.theme->panel, 4);
  };
  clear(row.source, plan.source_x);
  if (row.target) clear(row.target, plan.words_x(width(row.target)));
}

}  // namespace

void draw_wires(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows) {
  for (const PairRow& row : rows)
    if (row.takes) draw_wires_into(ui, shown, plan, row, connection_of(shown, plan, rows, row));
  for (const PairRow& row : rows)
    if (!plan.beside) clear_title_grounds(ui, plan, row);
}

void draw_switch(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                 const PairRow& row) {
  if (hides_fault(shown.inputs(), shown.state.view.guess)) return;
  const Connection c = connection_of(shown, plan, rows, row);
  const Hue& hue = hue_of(ui, c.from ? c.from->slot : row.slot);
  if (!row.bias) {
    switch_pill(ui, c.pill.mid_x(), c.pill.mid_y(), "op." + row.target.id, row.target.title, "copy",
                "transpose", c.move && c.move->op == MoveOp::transpose,
                {.hue = hue, .compact = c.compact, .idle = !c.from});
  } else if (c.from) {
    wire_label(ui, {.mid_x = c.pill.mid_x(), .mid_y = c.pill.mid_y()}, "copy", ui.theme->panel, hue.text);
  }
  if (!c.from) return;
  const std::string id = "wire." + row.target.id;
  const bool at_corner = c.to.x - c.pill.right() < 60;
  const float x = at_corner ? c.to.right() + 18 : (c.pill.right() + c.to.x) / 2,
              y = at_corner ? c.to.y + 8 : c.pill.mid_y();
  ui.pen.disc(x, y, 10, ui.theme->panel);
  ui.pen.ring(x, y, 10, ui.hovered(id) ? ui.theme->bad.mark : hue.mark, 1.5f);
  ui.pen.cross(x, y, 7, ui.hovered(id) ? ui.theme->bad.text : hue.text, 1.5f);
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = "Empty the slot " + row.target.title,
                   .box = {x - 11, y - 11, 22, 22},
                   .radius = 11});
}

}  // namespace lab
