// A lesson's matrices in columns, with the atlas' arrows between them. All matrices of an arrangement have
// their places from the first step on, so that nothing jumps; those that no step has made yet are empty
// frames.
#include <algorithm>
#include <cmath>

#include "core/gpt_reader.hpp"
#include "core/leak.hpp"
#include "core/ops.hpp"
#include "core/stage_glance.hpp"
#include "draw/arrangement.hpp"
#include "draw/numbers.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/inspect.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr float kPad = 28, kTiny = 1e-4f, kReadable = 22, kBarWidth = 34;
constexpr float kTitleHeight = 14;  // from the top of a title to its baseline
constexpr float kSliver = 3;        // of a bar: what is not nothing is seen
constexpr float kBelow = 20;        // the last row of cells, to the card's edge
constexpr int kFewWords = 16;

void draw_empty(Ui& ui, const Standing& s) {
  MatrixLook look{.title = title_of(s), .note = s.close ? "" : note_of(s)};
  const float line = s.cells.y - s.lift(s.cell) - title_height(look) + kTitleHeight;
  ui.pen.text_fit(Bold, type::heading, s.cells.x, line, ui.theme->faint, look.title,
                  s.title_room > 0 ? s.title_room : 1e6f);
  ui.pen.dashed(s.cells, ui.theme->rail, 1);
}

float largest_of_all(const Shown& shown) {
  float most = 0;
  for (const auto& column : arrangement_of(shown.state).columns)
    for (const Place& p : column)
      if (const auto found = find(shown.runs(), p.name))
        most = std::max(most, largest(heat_view(found->cells)));
  return most;
}

// Hidden from the row by the mask: hatched, whatever way the route took.
std::vector<unsigned char> hidden_cells(const Shown& shown, const Found& found) {
  if (found.row == &map_difference_row()) {  // of two maps that hide the same
    const auto map = find(shown.runs(), sources(shown.runs(), found).front());
    return map ? hidden_cells(shown, *map) : std::vector<unsigned char>{};
  }
  const Run* run = found.run;
  const int rows = int(found.cells.rows()), cols = int(found.cells.cols());
  if (!run || run->trace.keep.size() == 0 || !found.row || rows != run->trace.keep.rows() ||
      cols != run->trace.keep.cols())
    return {};
  const Tensor tensor = found.row->tensor;
  const bool before_the_mask = tensor == &Trace::attn_scores || tensor == &Trace::scaled_scores ||
                               tensor == &Trace::softmax_unmasked || tensor == &Trace::keep ||
                               tensor == &Trace::dropout_mask;
  if (before_the_mask) return {};
  const Matrix& keep = run->trace.route_keep.size() != 0 ? run->trace.route_keep : run->trace.keep;
  const int turn = shown.state.view.word.value_or(rows);
  std::vector<unsigned char> hidden(std::size_t(rows * cols));
  for (int r = 0; r < std::min(rows, turn + 1); ++r)
    for (int c = 0; c < cols; ++c) {
      const float value = found.cells(r, c);
      const bool nothing = value == 0 || (std::isinf(value) && value < 0);
      hidden[std::size_t(r * cols + c)] = keep(r, c) == 0 && nothing;
    }
  return hidden;
}

// How much of each row lies above the diagonal: before anything is hidden, that is the news.
bool tells_future(const Shown& shown, const Standing& s) {
  return s.found.row && s.found.row->tensor == &Trace::softmax_unmasked &&
         shows(step_of(shown.state), "softmax_unmasked") && !shows(step_of(shown.state), "masked_zeroed");
}

void add_future(std::vector<RowBar>& bars, const MatrixView& weights) {
  for (int r = 0; r < int(bars.size()); ++r) {
    RowBar& b = bars[std::size_t(r)];
    b.amber = later_sum(weights, r);
    b.words = number_text(b.amber, 2);
    b.good = b.amber == 0;
  }
}

// Row sums on their way from what they were one stage before; the leak as a part of the largest influence.
std::vector<RowBar> bars_of(Ui& ui, const Shown& shown, const Standing& s, bool arriving) {
  if (s.place->bars == Bars::leak) {
    std::vector<RowBar> bars;
    const float most = largest(heat_view(s.found.cells));
    for (int r = 0; r < shown.runs().leak.rows(); ++r) {
      const float leak = shown.runs().leak(r, 0);
      const bool none = leak <= kLeakRounding;
      const float part = none ? 0 : std::max(leak / most, kSliver / kBarWidth);
      const std::string words = none ? "0" : leak < 5e-5f ? power_text(double(leak)) : decimals(double(leak));
      bars.push_back({.part = part, .words = words, .good = none, .bad = !none});
    }
    return bars;
  }
  if (s.place->bars == Bars::length) {
    std::vector<RowBar> bars;
    const Matrix lengths = row_lengths(s.found.cells);
    const float most = largest(heat_view(view(lengths)));
    for (int r = 0; r < s.rows(); ++r)
      bars.push_back({.part = most > 0 ? lengths(r, 0) / most : 0,
                      .words = number_text(lengths(r, 0), 2),
                      .plain = true});
    return bars;
  }
  const Run* run = s.found.run;
  const float t = arriving ? ui.motion(400) : 1;
  const Matrix sums = row_sums(s.found.cells);
  Matrix before = sums;
  if (s.found.row && s.found.row->tensor == &Trace::masked_zeroed)
    before = row_sums(run->trace.softmax_unmasked);
  if (s.found.row && s.found.row->tensor == &Trace::masked_renormalized) before = run->trace.row_sums;
  std::vector<float> told;
  for (int r = 0; r < s.rows(); ++r)
    told.push_back(t < 1 ? before(r, 0) + (sums(r, 0) - before(r, 0)) * t : sums(r, 0));
  std::vector<RowBar> bars = row_sum_bars(told);
  if (tells_future(shown, s)) add_future(bars, s.found.cells);
  return bars;
}

// For who cannot see the bars.
void tell_bars(Ui& ui, const Shown& shown, const Standing& s, const MatrixPlace& place) {
  std::string words;
  for (const RowBar& b : bars_of(ui, shown, s, false)) words += (words.empty() ? "" : " ") + b.words;
  const bool leak = s.place->bars == Bars::leak;
  ui.registry.add({.id = leak ? "leak" : "sums." + s.name,
                   .role = "status",
                   .label = leak ? "Leak of each row: " + words
                            : s.place->bars == Bars::length
                                ? "Length of each row of " + title_of(s) + ": " + words
                            : tells_future(shown, s) ? "Future of each row of " + title_of(s) + ": " + words
                                                     : "Row sums of " + title_of(s) + ": " + words,
                   .value = words,
                   .box = {place.cells.right(), place.cells.y, bars_width(s), place.cells.h},
                   .passive = true});
}

// Word by word: rows whose turn has not come lie behind a veil.
void draw_veil(Ui& ui, const Shown& shown, const Standing& s, const MatrixPlace& place, bool arriving) {
  const int turn = shown.state.view.word.value_or(s.rows());
  if (turn + 1 >= s.rows()) return;
  const float y = place.cells.y + float(turn + 1) * place.cell, h = place.cells.bottom() - y;
  const ImU32 veil = arriving ? ui.theme->panel : faded(ui.theme->panel, .3f);
  ui.pen.fill({place.cells.x, y, place.cells.w, h}, veil);
  if (bars_width(s) > 0) ui.pen.fill({place.cells.right() + 6, y, bars_width(s) - 6, h}, veil);
}

// The selected word's row, in every matrix whose rows answer for the same word.
void frame_row(const Shown& shown, const Standing& s, MatrixLook& look) {
  const CellName cell = shown_cell(shown);
  const auto selected = find(shown.runs(), cell.name);
  const auto is_by_word = [&](const Found& f) {
    const bool inputs = f.parameter == &shown.runs().inputs;
    return inputs || (f.row && f.row->role != Role::key && f.row->role != Role::value);
  };
  if (look.row >= 0 || !selected || !is_by_word(*selected) || !is_by_word(s.found)) return;
  if (selected->run == s.found.run || !selected->run || !s.found.run) look.framed_row = cell.row;
}

// Which head it is that stands there, counted as they stood before two changed places, in the step about
// that.
int head_before(const Shown& shown, const Run& run, int head) {
  const auto& swap = shown.inputs().swap;
  const bool tells = swap && step_of(shown.state).id == std::string_view(kSwapStep);
  return tells && !run.prefix.starts_with(kBefore) ? swap->other(head) : head;
}

// A matrix of all heads is cut into their bands: columns, or of a weight as it is stored rows.
void draw_seams(Ui& ui, const Shown& shown, const Standing& s, const MatrixPlace& place, int framed) {
  constexpr float kSeam = 3;
  const Run* run = s.found.run;
  if (!run || !has_heads(run->module.kind) || run->pass.head_route == HeadRoute::interleaved) return;
  const int heads = run->module.num_heads;
  const float width = float(head_dim(run->module));
  const Parameter* p = s.found.parameter;
  const bool rows = p && !p->one_dimensional && !p->name.starts_with("out_proj");
  const CellName selected = shown_cell(shown);
  constexpr float kBetween = 6;  // all captions alike: as the longest
  const bool room =
      ui.pen.width(Bold, type::tiny, "head " + std::to_string(heads)) + kBetween <= width * place.cell_width;
  for (int h = 0; h < heads; ++h) {
    const float x = place.cells.x + float(h) * width * place.cell_width,
                y = place.cells.y + float(h) * width * place.cell;
    if (has_bands(s)) {
      draw_band_name(ui, {x, place.cells.y, width * place.cell_width, place.cells.h},
                     (room ? "head " : "") + std::to_string(head_before(shown, *run, h) + 1),
                     selected.name == s.name && selected.col / int(width) == h);
      if (h > 0) ui.pen.fill({x - kSeam / 2, place.cells.y, kSeam, place.cells.h}, ui.theme->panel);
    }
    if (rows && h > 0) ui.pen.fill({place.cells.x, y - kSeam / 2, place.cells.w, kSeam}, ui.theme->panel);
  }
  if (framed >= 0 && framed < s.rows()) {  // a seam does not break it
    const Box row{place.cells.x, place.cells.y + float(framed) * place.cell, place.cells.w, place.cell};
    ui.pen.frame(row.grown(1), ui.theme->selection, place.cell >= 16 ? 2 : 1);
  }
}

void draw_one(Ui& ui, const Shown& shown, const Standing& s, bool labels) {
  const Role role = role_of(shown.runs(), s.name);
  // What is cut, or leaves for the heads, was there before.
  const bool stays = has_split(shown) && s.found.row && s.found.row->rule != Rule::read_by_head;
  const bool arriving = s.step == step_index(shown.state) && !stays;
  if (s.place->cut) return draw_cut(ui, shown, s, labels);
  MatrixLook look{.name = s.name, .title = title_of(s), .note = s.close ? "" : note_of(s)};
  look.label = title_of(s) + ", " + note_of(s);
  if (s.found.row) look.label += std::string(": ") + s.found.row->formula;
  if (role != Role::neutral) look.title_color = hue_of(ui, role).text;
  look.is_signed = !s.found.row || !is_share(*s.found.row);
  look.max = look.is_signed ? 0 : 1;
  if (arrangement_of(shown.state).one_scale) look.max = largest_of_all(shown);
  Matrix relative;
  if (shown.state.view.relative && s.place->opens) {
    relative = shares_beside_even(s.found.cells, s.rows()).cells;
    look.colors = heat_view(view(relative));
    look.is_signed = true;
    look.max = 1;
    if (s.note.empty()) look.note = "no colour: an even share";
  }
  if (s.found.row && s.found.row->tensor == &Trace::dropout_mask) {
    look.is_signed = false;
    look.max = 0;
  }
  if (const float most = largest(heat_view(s.found.cells)); look.is_signed && most < kTiny) {
    look.max = 2 * most;  // its pattern is seen, but rounding does not look like a fault
    look.small_as_powers = true;
    look.note = "at most " + difference_text(double(most));
  }
  if (s.found.row == &influence_row()) {
    look.is_signed = false;
    look.max = 0;
    look.later_is_red = look.small_as_powers = true;
    look.least = kLeakRounding;
  }
  look.cell_width = s.cell_w;
  constexpr float kFourDigits = 50, kApart = 10;  // wide cells do not touch
  look.digits = s.cell_w < kFourDigits + (s.wide ? kApart : 0) && !(s.wide && s.cols() == 1)
                    ? std::min(2, shown.state.view.digits)
                    : shown.state.view.digits;
  constexpr float kSmall = .1f;  // of a difference two digits tell nothing
  if (s.wide && s.found.row && s.found.row->rule == Rule::minus && largest(heat_view(s.found.cells)) < kSmall)
    look.digits = shown.state.view.digits;
  look.mirror_digits = std::max(4, shown.state.view.digits);
  if (labels) look.row_labels = &shown.runs().words;
  const auto words = Eigen::Index(shown.runs().words.size());
  if (rows_are_words(shown.runs(), s.found) && s.found.cells.rows() == words)
    look.mirror_rows = &shown.runs().words;
  if (columns_are_words(shown.runs(), s.found)) look.mirror_cols = &shown.runs().words;
  if (s.names_columns(s.cell)) look.col_labels = &shown.runs().words;
  look.lift = s.lift(s.cell);
  look.note_beside = s.close;
  std::vector<unsigned char> hidden = hidden_cells(shown, s.found);
  if (!hidden.empty()) {
    look.mask = {hidden.data(), s.cols(), 1};
    look.masked_text = s.found.row->tensor == &Trace::masked_scores ? "−∞" : "0";
    if (arriving) look.fade = ui.motion(400);
  } else if (arriving) {
    look.opacity = ui.motion(300);
  }
  look.bare_point = s.cell < kRoomForZero;
  look.title_room = s.title_room;
  if (s.place->bars != Bars::none && look.lift == 0)  // their heading stands on the same line
    look.note = ui.pen.fitted(Mono, type::small, look.note, s.cells.w + 6);
  mark_cells(ui, shown, look.name, look);
  // What the answer is made from would tell it.
  if (is_asking(shown) && !shown.state.view.cell) look.outlined.clear();
  frame_row(shown, s, look);
  Matrix shown_cells = s.found.cells;
  if (const auto before = find(shown.runs(), kUnedited + look.name); shown.state.view.changes && before) {
    shown_cells = change_between(before->cells, s.found.cells);
    look.note = "change from the unedited run";
    look.is_signed = true;
    look.max = 0;
    look.mask = {};
  }
  if (is_asked_for(shown, s)) {
    shown_cells.setZero();
    hidden.assign(std::size_t(s.rows() * s.cols()), 1);
    look.mask = {hidden.data(), s.cols(), 1};
    look.masked_text = "?";
    look.note = s.close ? "hidden" : "hidden until you answer";
    look.outlined.clear();
    look.framed_row = -1;
    look.unknown = true;
    if (!shown.state.view.cell) look.row = look.col = -1;  // else walked to by keyboard
  }
  const MatrixPlace place = draw_matrix(ui, heat_view(view(shown_cells)), s.cells.x, s.cells.y, s.cell, look);
  if (has_bars(shown, s))
    draw_row_bars(ui, place, bars_of(ui, shown, s, arriving), s.sums_only ? 0 : kBarWidth, s.cell >= 12,
                  s.place->bars == Bars::leak     ? "leak"
                  : s.place->bars == Bars::length ? "length"
                  : tells_future(shown, s)        ? "future"
                                                  : "row sum");
  draw_seams(ui, shown, s, place, std::max(look.row, look.framed_row));
  draw_wrong_bands(ui, shown, s);
  if (s.place->opens) draw_opener(ui, shown, s);
  if (has_bars(shown, s)) tell_bars(ui, shown, s, place);
  if (step_of(shown.state).words) draw_veil(ui, shown, s, place, arriving);
}

// As they come in the lesson, which is how they are read and tabbed through.
std::vector<const Standing*> in_order(const Columns& columns) {
  std::vector<const Standing*> all;
  for (const auto& column : columns)
    for (const Standing& s : column) all.push_back(&s);
  std::stable_sort(all.begin(), all.end(),
                   [](const Standing* a, const Standing* b) { return a->step < b->step; });
  return all;
}

// One below the other: on a phone, and where even what the step is about would be too small side by side.
bool is_stacked(const Ui& ui, const Shown& shown, float width) {
  if (is_narrow(ui)) return true;
  constexpr float kTooSmall = 16, kAnyHeight = 1e4f;
  const float room = width - 2 * kPad - choices_width(shown) - labels_width(ui, shown);
  return is_lying(ui) && int(shown.runs().words.size()) <= kFewWords &&
         least_cell(ui, standing(ui, shown, Standing::lit), {0, 0, room, kAnyHeight}) < kTooSmall;
}

}  // namespace

bool is_asked_for(const Shown& shown, const Standing& s) {
  return is_asking(shown) && s.name == step_of(shown.state).asks->hidden;
}

bool has_bars(const Shown& shown, const Standing& s) {
  return s.place->bars != Bars::none && !is_asked_for(shown, s) && !shown.state.view.changes;
}

bool is_aside(const Shown& shown, const Standing& s) {
  return is_asking(shown) && !shows(step_of(shown.state), s.name);
}

float arrangement_height(const Ui& ui, const Shown& shown, float width) {
  Columns columns = standing(ui, shown, Standing::in_one_column);
  const float picture = figure_height(ui, shown);
  if (columns.empty()) return std::max(160.f, picture);
  return lay_out_one_column(ui, shown, columns, 0, 8 + choices_height(shown) + picture, width - 32);
}

float least_arrangement_height(const Ui& ui, const Shown& shown, float width) {
  if (is_stacked(ui, shown, width)) return arrangement_height(ui, shown, width);
  constexpr float kRowsInSight = 8;
  float height = 0;
  for (const auto& column : close_together(standing(ui, shown, Standing::lit))) {
    float h = gaps_of(column);
    for (const Standing& s : column)
      h += s.head(kReadable) + kReadable * s.place->scale * std::min(float(s.rows()), kRowsInSight);
    height = std::max(height, h);
  }
  return height + 24 + choices_room(shown, 0) + figure_height(ui, shown);
}

void draw_arrangement(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  if (shown.runs().words.empty()) {
    ui.pen.text_mid(Sans, type::lead, box.mid_x(), box.mid_y(), ui.theme->mute,
                    "Type a sentence above, and every number of it will stand here.", Align::Center);
    const std::string words = std::string("Or take the book's: ") + kBookSentence;
    const float w = std::min(button_width(ui, words), box.w - 32);
    button(ui, {box.mid_x() - w / 2, box.mid_y() + 24, w, 34}, "book-sentence", words);
    return;
  }
  const bool narrow = is_stacked(ui, shown, box.w / ui.stage_zoom);
  const bool only_figure = arrangement_of(shown.state).columns.empty();
  const float picture = only_figure ? box.h : figure_room(ui, shown, box.h);
  draw_figure(ui, shown, {box.x, box.y, box.w, picture});
  if (only_figure) return;
  if (!shown.runs().problems.empty() && standing(ui, shown, Standing::lit).empty()) {
    const float w = std::min(420.f, box.w - 48);
    ui.pen.text_block(Sans, type::lead, {box.mid_x() - w / 2, box.mid_y() - 20, w, 0}, ui.theme->mute,
                      shown.runs().problems.front(), 22);
    return;
  }
  Columns columns = standing(ui, shown, Standing::in_one_column);
  const float labels = labels_width(ui, shown);
  if (narrow) {
    lay_out_one_column(ui, shown, columns, box.x + 16, box.y + 8 + choices_height(shown) + picture,
                       box.w - 32);
  } else {
    const float menu = choices_width(shown);
    const float top = choices_room(shown, box.h);
    const Box area{box.x + kPad + menu + labels, box.y + 8 + top + picture, box.w - 2 * kPad - menu - labels,
                   box.h - 8 - kBelow - top - picture};
    columns = scene_for(ui, shown, area);
    lay_out(ui, columns, area, arrangement_of(shown.state).gap);
  }
  const float buttons = draw_choices(ui, shown, box, narrow);
  const int step = step_index(shown.state);
  // Each head's map has the words, where there is room beside what stands before it.
  const bool by_head = arrangement_of(shown.state).by_head && columns.size() > 1 &&
                       columns[0].front().place != columns[1].front().place &&
                       columns[1].front().cells.x - columns[0].front().cells.right() > labels;
  if (!narrow) draw_arrows(ui, shown, columns, step, {labels, box.bottom() - 9});
  if (has_split(shown)) draw_paths(ui, shown, columns, {box.x, box.y, buttons - box.x, box.h});
  for (const Standing* s : in_order(columns)) {
    const bool first_column = s >= columns[0].data() && s < columns[0].data() + columns[0].size();
    if (!narrow && (s->step > step || is_aside(shown, *s)))
      draw_empty(ui, *s);
    else
      draw_one(ui, shown, *s, rows_are_words(shown.runs(), s->found) && (narrow || first_column || by_head));
  }
  if (!narrow) draw_refused(ui, shown, columns, box.bottom() - 8);
  if (step_of(shown.state).asks) return;
  if (has_split(shown))
    draw_flights(ui, shown, columns);
  else
    draw_flight(ui, shown, columns);
}

}  // namespace lab
