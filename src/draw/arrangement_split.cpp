// view and transpose: which number of all heads goes where. The bands of a matrix come apart, and from there
// each head's numbers go to its own table; the one that is looked at has its addresses beside it.
#include <algorithm>
#include <cmath>

#include "core/head_route.hpp"
#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "draw/wires.hpp"
#include "lessons/inspect.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr double kWhole = 400,
                 kSlow = 2400;      // ms: with the step, and asked for once more, so as to follow it
constexpr double kOneFlight = .45;  // of the whole
constexpr float kRise = 10;
constexpr int kMostNumbers = 600;  // of more nobody sees where each goes

struct Split {
  const Standing *all = nullptr, *cut = nullptr;
  std::vector<const Standing*> heads;
  const Run* run = nullptr;
  HeadRoute route() const { return run->pass.head_route; }
  HeadShape shape() const { return head_shape(*run); }
  HeadCell goes_to(AllCell from) const {
    return written_by(route() == HeadRoute::no_transpose_back ? HeadRoute::right : route(), shape(), from);
  }
  AllCell comes_from(HeadCell to) const { return read_from(route(), shape(), to); }
};

const Place* cut_place(const Shown& shown) {
  for (const auto& column : arrangement_of(shown.state).columns)
    for (const Place& p : column)
      if (p.cut) return &p;
  return nullptr;
}

Split split_of(const Shown& shown, const Columns& columns) {
  Split split;
  const Place* cut = cut_place(shown);
  for (const auto& column : columns)
    for (const Standing& s : column) {
      if (s.place == cut)
        split.cut = &s;
      else if (cut && s.name == cut->name)
        split.all = &s;
      else if (s.found.row && s.found.row->rule == Rule::read_by_head)
        split.heads.push_back(&s);
    }
  if (split.all) split.run = split.all->found.run;
  return split;
}

const Standing* table_of(const Split& split, int head) {
  for (const Standing* s : split.heads)
    if (s->found.run->head == head) return s;
  return nullptr;
}

// The number that is looked at, wherever; row -1: it is none of these.
AllCell looked_at_number(const Ui& ui, const Shown& shown, const Split& split) {
  const CellName cell = looked_at(ui, shown);
  AllCell at{-1, -1};
  if (cell.name == split.all->name) at = {cell.row, cell.col};
  for (const Standing* s : split.heads)
    if (cell.name == s->name) at = split.comes_from({s->found.run->head, cell.row, cell.col});
  const bool there = at.row >= 0 && at.row < split.all->rows() && at.col >= 0 && at.col < split.all->cols();
  return there ? at : AllCell{-1, -1};
}

struct Stop {
  const Standing* at;
  Box box;
  std::string address;
};

// Where it stands one after the other, as far as the step has come.
std::vector<Stop> stops_of(const Shown& shown, const Split& split, AllCell from) {
  const HeadCell to = split.goes_to(from);
  const auto word = [&](int row) { return shown.runs().words[std::size_t(row)]; };
  const auto address = [](const std::string& a, const std::string& b, const std::string& c) {
    return "[" + a + ", " + b + (c.empty() ? "" : ", " + c) + "]";
  };
  const std::string head = std::to_string(to.head), place = std::to_string(to.col);
  std::vector<Stop> stops = {{split.all, split.all->cell_box(from.row, from.col),
                              split.all->name + address(word(from.row), std::to_string(from.col), "")}};
  if (split.cut) {
    const bool interleaved = split.route() == HeadRoute::interleaved;
    stops.push_back(
        {split.cut, split.cut->cell_box(from.row, from.col),
         interleaved ? address(word(from.row), place, head) : address(word(from.row), head, place)});
  }
  const Standing* table = table_of(split, to.head);
  if (table && table->step <= step_index(shown.state))
    stops.push_back({table, table->cell_box(to.row, to.col), address(head, word(to.row), place)});
  return stops;
}

void draw_path(Ui& ui, const Stop& a, const Stop& b) {
  const ImU32 color = faded(ui.theme->cell, .75f);
  if (b.box.x >= a.box.right()) {
    const ImVec2 from{a.box.right(), a.box.mid_y()}, to{b.box.x, b.box.mid_y()};
    const float reach = (to.x - from.x) * .5f;
    ui.pen.cubic(from, {from.x + reach, from.y}, {to.x - reach, to.y}, {to.x - 5, to.y}, color, 2);
    ui.pen.arrow_head(to.x, to.y, 1, 0, color, 7);
  } else {  // one below the other
    const ImVec2 from{a.box.mid_x(), a.box.bottom()}, to{b.box.mid_x(), b.box.y};
    const float reach = (to.y - from.y) * .5f;
    ui.pen.cubic(from, {from.x, from.y + reach}, {to.x, to.y - reach}, {to.x, to.y - 5}, color, 2);
    ui.pen.arrow_head(to.x, to.y, 0, 1, color, 7);
  }
}

// One arrow to all heads' tables together.
void draw_way_to_tables(Ui& ui, const Shown& shown, const Split& split) {
  if (split.heads.empty() || split.heads.front()->step > step_index(shown.state)) return;
  const Standing& from = split.cut ? *split.cut : *split.all;
  Box tables = split.heads.front()->cells;
  for (const Standing* s : split.heads) {
    const float right = std::max(tables.right(), s->cells.right()),
                bottom = std::max(tables.bottom(), s->cells.bottom());
    tables.x = std::min(tables.x, s->cells.x), tables.y = std::min(tables.y, s->cells.y);
    tables.w = right - tables.x, tables.h = bottom - tables.y;
  }
  if (tables.x < from.cells.right()) return;                     // one below the other
  const bool across = split.route() == HeadRoute::no_transpose;  // rows cut across are not turned
  const WirePlace wire = draw_wire(
      ui, from.cells, tables,
      {.color = hue_of(ui, role_of(shown.runs(), split.all->name)).mark, .width = 2, .gap = 8, .dot = false});
  const char* words = across ? "view" : "transpose";
  if (wire.to_x - wire.from_x > ui.pen.width(Sans, type::small, words) + 40)
    wire_label(ui, wire, words, ui.theme->panel, ui.theme->mute);
}

void tell_addresses(Ui& ui, const std::vector<Stop>& stops, Box box) {
  std::string all;
  for (const Stop& s : stops) all += (all.empty() ? "" : "  →  ") + s.address;
  const float x = box.x + 16, w = ui.pen.width(MonoBold, type::small, all);
  if (x + w + 12 <= box.right()) ui.pen.text_mid(MonoBold, type::small, x, box.y + 21, ui.theme->ink, all);
  ui.registry.add({.id = "addresses",
                   .role = "status",
                   .label = "Addresses of the number that is looked at",
                   .value = all,
                   .box = {x, box.y + 8, std::min(w, box.w - 32), 26},
                   .passive = true});
}

// From cell to cell, head by head and row by row.
void fly(Ui& ui, const Shown& shown, const Split& split) {
  const int here = step_index(shown.state);
  const bool to_tables = !split.heads.empty() && split.heads.front()->step <= here;
  const HeadShape shape = split.shape();
  const int flights = shape.num_heads * shape.words;
  if ((!to_tables && !split.cut) || flights * shape.head_dim > kMostNumbers) return;
  const bool again = ui.gesture.motion_began == shown.hand.replayed;
  const double whole = again ? kSlow : kWhole, one = kOneFlight * whole;
  if (ui.motion(whole) >= 1) return;
  const Standing& from = to_tables && split.cut ? *split.cut : *split.all;
  const Hue& hue = hue_of(ui, role_of(shown.runs(), split.all->name));
  struct Flight {
    Box from, to;
    float t, value;
  };
  std::vector<Flight> under_way;
  for (int h = 0; h < shape.num_heads; ++h) {
    const Standing* table = to_tables ? table_of(split, h) : split.cut;
    for (int r = 0; table && r < shape.words; ++r) {
      const double delay = (whole - one) * double(h * shape.words + r) / double(std::max(1, flights - 1));
      const float t = ui.motion_after(delay, one);
      for (int c = 0; t < 1 && c < shape.head_dim; ++c) {
        const AllCell at = split.comes_from({h, r, c});
        const Box to = to_tables ? table->cell_box(r, c) : table->cell_box(at.row, at.col);
        under_way.push_back({from.cell_box(at.row, at.col), to, t, split.all->found.cells(at.row, at.col)});
      }
    }
  }
  for (const Flight& f : under_way) ui.pen.fill(f.to, ui.theme->panel);  // not there yet
  for (const Flight& f : under_way)
    if (f.t > 0) draw_flying(ui, hue, on_the_way(f.from, f.to, f.t, kRise), f.value);
}

}  // namespace

bool has_split(const Shown& shown) { return cut_place(shown) != nullptr; }

void draw_paths(Ui& ui, const Shown& shown, const Columns& columns, Box box) {
  const Split split = split_of(shown, columns);
  if (!split.all) return;
  draw_way_to_tables(ui, shown, split);
  const AllCell at = looked_at_number(ui, shown, split);
  if (at.row < 0) return;
  const std::vector<Stop> stops = stops_of(shown, split, at);
  for (std::size_t i = 1; i < stops.size(); ++i) draw_path(ui, stops[i - 1], stops[i]);
  tell_addresses(ui, stops, box);
}

void draw_flights(Ui& ui, const Shown& shown, const Columns& columns) {
  if (const Split split = split_of(shown, columns); split.all) fly(ui, shown, split);
}

void draw_cut(Ui& ui, const Shown& shown, const Standing& s, bool labels) {
  const FloatView all = heat_view(s.found.cells);
  const bool interleaved = s.found.run->pass.head_route == HeadRoute::interleaved;
  const int width = s.cols() / s.pieces;
  const CellName selected = shown_cell(shown);
  for (int p = 0; p < s.pieces; ++p) {
    const int begin = p * width;
    const std::string name = interleaved ? "place " + std::to_string(p) : "head " + std::to_string(p + 1);
    MatrixLook look{.name = s.name,
                    .part = filled("[0:{0},{1}:{2}]", {std::to_string(s.rows()), std::to_string(begin),
                                                       std::to_string(begin + width)}),
                    .first = {0, begin}};
    look.label = title_of(s) + ", " + name;
    if (p == 0) {
      look.title = title_of(s);
      look.note = s.close ? "" : s.note;
      look.title_color = hue_of(ui, role_of(shown.runs(), s.name)).text;
      look.title_room = s.title_room;
    }
    look.max = largest(all);
    look.cell_width = s.cell_w;
    look.digits = s.cell_w < 50 ? std::min(2, shown.state.view.digits) : shown.state.view.digits;
    look.mirror_digits = std::max(4, shown.state.view.digits);
    look.bare_point = s.cell < kRoomForZero;
    if (labels && p == 0) look.row_labels = &shown.runs().words;
    look.mirror_rows = &shown.runs().words;
    if (s.step == step_index(shown.state)) look.opacity = ui.motion(300);
    mark_cells(ui, shown, s.name, look);
    if (selected.name == s.name) look.framed_row = selected.row;
    const FloatView piece{all.data + begin * all.col_stride, all.rows, width, all.row_stride, all.col_stride};
    const MatrixPlace place = draw_matrix(ui, piece, s.x_of(begin), s.cells.y, s.cell, look);
    draw_band_name(ui, place.cells, name, selected.name == s.name && selected.col / width == p);
  }
}

void draw_band_name(Ui& ui, Box band, const std::string& name, bool chosen) {
  const std::string number = name.substr(name.rfind(' ') + 1);
  const Face face = chosen ? Bold : Sans;
  constexpr float kBetween = 6;
  for (const std::string& words : {name, number})
    if (ui.pen.width(face, type::tiny, words) + (words == number ? -4 : kBetween) <= band.w) {
      ui.pen.text(face, type::tiny, band.mid_x(), band.bottom() + 13,
                  chosen ? ui.theme->weights.text : ui.theme->mute, words, Align::Center);
      return;
    }
}

}  // namespace lab
