// The transfer bench: the source's matrices, the target's slots, the wires between them, and below them what
// both modules make of the same sentence.
#include "draw/bench.hpp"

#include <algorithm>
#include <cmath>

#include "draw/pairs.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "draw/wires.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kLeastRow = 74, kLowRow = 62, kHeadRow = 54, kOutputHead = 56;
constexpr float kCellWithNumbers = 34;  // below it one decimal or none would fit: colour says more

// How a module keeps its weights, in as many words as there is room for. Of several heads the sizes: d_out is
// each head's here, and the class that holds them all is called with more.
std::string storage_words(const Ui& ui, const Bench& b, const AttentionParams& m, float room) {
  const bool plain = m.kind == AttentionKind::v1;
  std::string shape = plain ? "[d_in, d_out]" : "[d_out, d_in]";
  const std::string d_out = std::to_string(m.d_out);
  if (m.num_heads > 1 && m.kind == AttentionKind::mha)
    shape =
        filled("d_out = {0} × {1} = {2}", {std::to_string(m.num_heads), std::to_string(head_dim(m)), d_out});
  else if (m.num_heads > 1)
    shape = filled("{0} heads, d_out = {1} each", {std::to_string(m.num_heads), d_out});
  const std::string mixes =
      m.kind == AttentionKind::mha && passes_on(b) ? " · out_proj = identity" : std::string();
  const std::string stored = plain ? "nn.Parameter · x @ W · " : "nn.Linear · x @ W.T · ";
  for (const std::string& words : {stored + shape + mixes, shape + mixes})
    if (ui.pen.width(Mono, type::small, words) <= room && (m.num_heads > 1 || words.starts_with(stored)))
      return words;
  return m.num_heads > 1 ? shape : (plain ? "x @ W · " : "x @ W.T · ") + shape;
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
      pen.text_fit(Mono, type::small, x, plan.panel.y + 50, c.mute, storage_words(ui, b, m, room), room);
    ui.registry.add({.id = std::string("module.") + id,
                     .role = "text",
                     .label = std::string(class_name(m.kind)) + ": " + storage_words(ui, b, m, 1e4f),
                     .box = {x, plan.panel.y + 14, std::min(w, room), 22},
                     .passive = true});
    const float bx = plan.narrow ? x : x + w + 8;
    button(ui,
           {bx, plan.panel.y + (plan.narrow ? 36.f : 13.f), button_width(ui, "change", true),
            plan.narrow ? 22.f : 24.f},
           id, "change", {.small = true, .opens_menu = true, .mirror_label = label});
  };
  const float source_x = plan.source_x - (plan.beside ? plan.title_beside : 0);
  const float slot_x = plan.words_x(plan.narrow ? pen.width(Bold, type::body, class_name(b.target.kind))
                                                : pen.width(Bold, type::large, class_name(b.target.kind)) +
                                                      8 + button_width(ui, "change", true));
  const float room = slot_x - source_x - (plan.narrow ? gap::tight : gap::normal);
  head(source_x, room, b.source, "input.from", "change the source module");
  head(slot_x, plan.panel.right() - slot_x - 12, b.target, "input.to", "change the target module");
}

// "[2, 3]"; where the step is about the dice: "[2, 3] · draws 1 to 6".
std::string shape_note(const Shown& shown, const RowEnd& end) {
  const Parameter& p = *end.parameter;
  const bool about_draws = step_of(shown.state).id == std::string_view("draws");
  if (!about_draws || p.origins.size() != 1 || p.origins[0].kind != Origin::Kind::drawn) return end.shape;
  const auto first = p.origins[0].first_draw + end.cells.r0 * p.stored.cols() + end.cells.c0;
  return end.shape + " · draws " + std::to_string(first) + " to " +
         std::to_string(first + end.cells.rows() * end.cells.cols() - 1);
}

// A head's weight has a long name, and a phone no room for it.
std::string fitting_title(const PairsPlan& plan, const PairRow& row, const RowEnd& end) {
  constexpr std::string_view kWeight = ".weight";
  std::string title = end.title;
  const std::size_t weight = title.find(kWeight);
  if (plan.narrow && row.head >= 0 && weight != title.npos) title.erase(weight, kWeight.size());
  return title;
}

void draw_parameter_title(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row,
                          const RowEnd& end, float x, float y, float room) {
  const Pen& pen = ui.pen;
  const Hue& hue = hue_of(ui, row.slot);
  const float w = pen.text_fit(Bold, type::lead, x, y, hue.text, fitting_title(plan, row, end), room);
  const std::string note = shape_note(shown, end);
  if (w + 14 + pen.width(Mono, type::small, note) < room)
    pen.text(Mono, type::small, x + w + 10, y, ui.theme->mute, note);
  else if (!row.bias) {
    const std::size_t draws = note.find("draws");
    const bool fits = draws == std::string::npos || pen.width(Mono, type::tiny, note) < room;
    pen.text_fit(Mono, type::tiny, x, row.box.bottom() - 7, ui.theme->mute, fits ? note : note.substr(draws),
                 room);
  }
}

// In a low window, and beside many others, the name stands beside the cells, and the shape below it.
void draw_title_beside(Ui& ui, const PairRow& row, const RowEnd& end, float x, float mid_y,
                       const char* note = nullptr) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const Hue& hue = hue_of(ui, row.slot);
  if (row.bias) {
    pen.text_mid(Medium, type::small, x, mid_y, hue.text, end.title);
    return;
  }
  const bool three_lines = note && row.head < 0;
  pen.text_mid(Bold, type::body, x, mid_y - (three_lines ? 17.f : 9.f), hue.text, end.title);
  const float w = pen.text_mid(Mono, type::small, x, three_lines ? mid_y + 1 : mid_y + 9, c.mute, end.shape);
  if (three_lines)
    pen.text_mid(Sans, type::small, x, mid_y + 18, c.faint, note);
  else if (note || row.head >= 0)
    pen.text_mid(Sans, type::small, x + w + 10, mid_y + 9, c.faint,
                 note ? note : filled("head {0}", {std::to_string(row.head + 1)}));
}

MatrixLook parameter_look(const Ui& ui, const Shown& shown, const RowEnd& end, const char* prefix,
                          float range, float cell) {
  MatrixLook look{
      .name = prefix + end.piece.name, .label = prefix + end.title + " " + end.shape, .max = range};
  if (end.piece.cells) {
    look.part = end.id.substr(end.piece.name.size());
    look.first = {end.cells.r0, end.cells.c0};
  }
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
    if (r.source) range = std::max(range, largest(r.source.numbers()));
  return range;
}

std::string head_words(const PairRow& row) {
  return row.head < 0 ? "" : filled(", head {0},", {std::to_string(row.head + 1)});
}

// What the rows of a part are called: as they are counted in the whole.
std::vector<std::string> row_names(const RowEnd& end) {
  std::vector<std::string> names;
  if (end.piece.cells)
    for (int r = end.cells.r0; r < end.cells.r1; ++r) names.push_back(std::to_string(r));
  return names;
}

void draw_source(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row, float range) {
  const RowEnd& end = row.source;
  const std::string id = "source." + end.id;
  const Palette& c = *ui.theme;
  const Box cells = cells_box(plan, row, end, plan.source_x);
  const Box box = plan.beside ? Box{cells.x - plan.title_beside - 8, row.box.y + 2,
                                    plan.title_beside + cells.w + 16, row.box.h - 4}
                              : Box{cells.x - 8, row.box.y, std::max(cells.w, 130.f) + 16,
                                    cells.bottom() + 8 - row.box.y};
  const bool in_hand = shown.hand.held == end.id;
  const float opacity = attention_of(shown, row) * (ui.dragging(id) ? .5f : 1.f);
  if (in_hand) ui.pen.panel(box, c.weights.soft, hue_of(ui, row.slot).mark, radius::button);
  ui.registry.add({.id = id,
                   .role = "button",
                   .label = end.title + head_words(row) + " of " +
                            class_name(shown.runs().bench->source.kind) + ", " + end.shape + ". Pick up",
                   .value = in_hand ? "true" : "false",
                   .box = box,
                   .draggable = true});
  if (plan.beside)
    draw_title_beside(ui, row, end, plan.source_x - plan.title_beside, cells.mid_y());
  else
    draw_parameter_title(ui, shown, plan, row, end, plan.source_x, row.box.y + 14,
                         plan.narrow ? box.w : plan.slot_x - plan.source_x - gap::wide);
  MatrixLook look = parameter_look(ui, shown, end, kSource, range, plan.cell);
  look.opacity = opacity;
  look.drag_as = id;
  const auto names = row_names(end);
  look.mirror_rows = names.empty() ? nullptr : &names;
  draw_matrix(ui, end.numbers(), cells.x, cells.y, cells.h / end.rows(), look);
  if (ui.hovered(id) || ui.hovered("matrix." + look.name + look.part))
    for (int i = 0; i < 6; ++i)
      ui.pen.disc(cells.x - 13 + 4 * float(i % 2), cells.mid_y() - 5 + 5 * float(i / 2), 1.3f, c.deco);
}

void draw_slot(Ui& ui, const Shown& shown, const PairsPlan& plan, const PairRow& row, float range) {
  const RowEnd& end = row.target;
  const std::string id = "slot." + end.id;
  const Palette& c = *ui.theme;
  const Hue& hue = hue_of(ui, row.slot);
  const Box cells = cells_box(plan, row, end, plan.slot_x);
  const bool hidden = hides_fault(shown.inputs(), shown.state.view.guess);
  const bool filled = hidden || is_filled(shown, end.piece);
  const bool over = ui.gesture.drag && ui.gesture.drag->over == id;
  const bool waiting =
      (ui.gesture.drag && ui.gesture.drag->id.starts_with("source.")) || !shown.hand.held.empty();
  const float opacity = attention_of(shown, row);
  const float room = plan.panel.right() - plan.slot_x - 12;
  const bool is_long = plan.narrow && (!row.bias || row.head >= 0);
  const float title_x =
      plan.words_x(is_long ? ui.pen.width(Bold, type::lead, fitting_title(plan, row, end)) : 0);
  const Box box = plan.beside
                      ? Box{cells.x - 10, row.box.y + 2, room + 10, row.box.h - 4}
                      : Box{cells.x - 10, row.box.y, std::min(std::max(cells.w, 130.f) + 20, room + 10),
                            cells.bottom() + 8 - row.box.y};
  if (over || (waiting && row.takes)) ui.pen.fill(box, faded(hue.soft, over ? 1.f : .55f), radius::button);
  if (row.takes)
    ui.registry.add({.id = id,
                     .role = "button",
                     .label = hidden ? "Slot " + end.title + ". Name it as the wrong one"
                                     : "Slot " + end.title + head_words(row) + ", " + end.shape +
                                           (filled ? ", filled" : ", empty"),
                     .value = filled ? "filled" : "empty",
                     .box = box,
                     .drop_zone = true});
  const char* note = filled || !row.takes ? nullptr : waiting ? "drop here" : "own numbers";
  if (plan.beside)
    draw_title_beside(ui, row, end, cells.right() + 16, cells.mid_y(), note);
  else
    draw_parameter_title(ui, shown, plan, row, end, title_x, row.box.y + 14,
                         plan.panel.right() - title_x - 12);
  MatrixLook look = parameter_look(ui, shown, end, kTarget, range, plan.cell);
  look.opacity = opacity * (filled || !row.takes ? 1.f : over ? .15f : .38f);
  look.numbers = look.numbers && (filled || !row.takes);
  look.passive = hidden;
  if (row.takes) look.drag_as = id;
  const auto names = row_names(end);
  look.mirror_rows = names.empty() ? nullptr : &names;
  draw_matrix(ui, end.numbers(), cells.x, cells.y, cells.h / end.rows(), look);
  if (!filled && row.takes) {
    ui.pen.dashed(cells.grown(4), hue.mark, over ? 2.f : 1.f);
    if (!row.bias && !plan.beside && cells.w + 110 < room)
      ui.pen.text_mid(Sans, type::small, cells.right() + 14, cells.mid_y(), c.faint, note);
  }
  const bool blamed = std::find(shown.verdict.to_blame.begin(), shown.verdict.to_blame.end(), end.id) !=
                      shown.verdict.to_blame.end();
  if (blamed && !hidden) {
    ui.pen.outline(cells.grown(4), c.bad.mark, radius::small, 2);
    const float x = cells.right() + 4, y = cells.bottom() + 4;  // on the frame's lower corner
    ui.pen.disc(x, y, 11, c.panel);
    verdict_badge(ui, x, y, 18, false);
  }
}

void draw_carried(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                  float range) {
  if (!ui.gesture.drag) return;
  for (const PairRow& row : rows) {
    if (!row.source || !ui.dragging("source." + row.source.id)) continue;
    const Hue& hue = hue_of(ui, row.slot);
    const Box cells = cells_box(plan, row, row.source, plan.source_x);
    const Box hand = ui.carried();
    const Box card{hand.x + (cells.x - ui.gesture.drag->from.x) - 7,
                   hand.y + (cells.y - ui.gesture.drag->from.y) - 7, cells.w + 14, cells.h + 14};
    draw_wire(ui, cells, card, {.color = hue.mark, .gap = 4, .end = WireEnd::Plain});
    ui.pen.shadow(card, radius::small, 14, ui.theme->shadow);
    ui.pen.panel(card, ui.theme->panel, hue.mark, radius::small);
    MatrixLook look{.name = "carried", .max = range, .digits = shown.state.view.digits, .passive = true};
    draw_matrix(ui, row.source.numbers(), card.x + 7, card.y + 7, cells.h / row.source.rows(), look);
  }
}

// A refused drop: both shapes, the reason, and the way out.
void draw_refusal(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows) {
  if (!shown.hand.refused) return;
  const Bench& b = *shown.runs().bench;
  const auto no = refusal(*shown.hand.refused, b.source, b.target);
  if (!no) return;
  for (const PairRow& row : rows) {
    if (!row.target || row.target.id != text_of(to_piece(*shown.hand.refused))) continue;
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
      button(ui, {x + 20, by, bw, 32}, "other-way", way, {.kind = ButtonKind::Primary, .wants_focus = true});
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
  draw_wires(ui, shown, plan, rows);
  for (const PairRow& row : rows) {
    if (row.begins)
      ui.pen.hline(panel.x + 20, panel.right() - 20, row.box.y - kBetweenHeads / 2, ui.theme->line);
    if (row.source) draw_source(ui, shown, plan, row, range);
    if (row.target) draw_slot(ui, shown, plan, row, range);
    if (row.takes) draw_switch(ui, shown, plan, rows, row);
    if (row.bias && !row.takes) {
      const Box cells = row.source ? cells_box(plan, row, row.source, plan.source_x)
                                   : cells_box(plan, row, row.target, plan.slot_x);
      const auto& there = row.source ? shown.runs().bench->target : shown.runs().bench->source;
      std::string words = row.source ? "no slot for it" : "no numbers for it";
      if (!plan.narrow) words += std::string(" in ") + class_name(there.kind);
      ui.pen.text_mid(Sans, type::small, row.source ? cells.right() + 14 : cells.x - 14, cells.mid_y(),
                      ui.theme->warn.text, words, row.source ? Align::Left : Align::Right);
    }
  }
  if (shown.inputs().d_in == shown.inputs().d_out && !plan.narrow) {
    const char* words = "d_in = d_out: both directions fit";
    const float w = ui.pen.width(Medium, type::small, words) + 20;
    const float x = plan.slot_x - gap::wide - w;
    if (x > plan.source_x + (plan.beside ? 150 : 280)) badge(ui, x, panel.y + 25, words, ui.theme->warn);
  }
  draw_refusal(ui, shown, plan, rows);
  draw_carried(ui, shown, plan, rows, range);
}

float between_panels(const Ui& ui) { return is_low(ui) ? 10.f : gap::normal; }

float outputs_height(const Ui& ui, const Shown& shown, float width) {
  const float words = float(std::max<std::size_t>(1, shown.runs().words.size()));
  const float cells = std::clamp(words * (is_low(ui) ? 26.f : 36.f), 120.f, is_low(ui) ? 160.f : 232.f);
  const float matrices = kOutputHead + cells + (is_low(ui) ? 8.f : 20.f);
  if (width < 560) return matrices + verdict_height(ui, shown, width - 24) + 16;
  const float insets = is_low(ui) ? 24 : 32;
  return std::max(matrices, verdict_height(ui, shown, verdict_width(width)) + insets);
}

}  // namespace

float bench_height(const Ui& ui, const Shown& shown, float width) {
  if (!shown.runs().bench) return 200;
  const std::vector<PairRow> rows = pair_rows(shown);
  const bool beside = titles_beside(ui, rows, width);
  const float least = width < 560              ? 128.f
                      : rows.front().head >= 0 ? kHeadRow
                      : is_low(ui)             ? kLowRow
                                               : kLeastRow;
  float pairs = kPairsHead + gap::tight;
  for (const PairRow& r : rows) {
    if (r.begins) pairs += kBetweenHeads;
    const float cells = r.head >= 0 ? r.tallest() : std::max(r.tallest(), float(shown.inputs().d_in));
    const float pixels = cells / ui.pen.scale;  // one a cell
    pairs += r.bias ? kBiasRow
                    : std::max(least * weight_rows(rows, r),
                               (beside && r.head >= 0 ? 0 : kTitle) + kBelow + pixels + 12);
  }
  return pairs + between_panels(ui) + outputs_height(ui, shown, width);
}

void draw_bench(Ui& ui, const Shown& shown, Box box) {
  if (!shown.runs().bench) return;
  const float least = bench_height(ui, shown, box.w), spare = std::max(0.0f, box.h - least);
  const float outputs = outputs_height(ui, shown, box.w) + std::clamp((spare - 120) * .3f, 0.f, 120.f);
  const Box pairs{box.x, box.y, box.w, box.h - outputs - between_panels(ui)};
  draw_outputs(ui, shown, {box.x, box.bottom() - outputs, box.w, outputs});
  draw_pairs(ui, shown, pairs);
}

}  // namespace lab
