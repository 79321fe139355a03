#include <cmath>

#include "draw/arrangement.hpp"
#include "draw/wires.hpp"
#include "lessons/inspect.hpp"

namespace lab {
namespace {

constexpr float kShortest = 26;
constexpr float kApart = 7;  // the tips of two arrows that meet, from the middle between them

// Where one stands twice, the nearer one.
const Standing* find_before(const Columns& columns, std::string_view name, const Standing& s) {
  const Standing* nearest = nullptr;
  for (const auto& column : columns)
    for (const Standing& other : column)
      if (other.name == name && &other != &s && (!nearest || other.cells.x < s.cells.x)) nearest = &other;
  return nearest;
}

// What a matrix is made from, as far as it stands here.
std::vector<const Standing*> sources_of(const Shown& shown, const Columns& columns, const Standing& s) {
  std::vector<const Standing*> here;
  for (const std::string& name : sources(shown.runs(), s.found))
    if (const Standing* from = find_before(columns, name_on_stage(name), s); from && !is_aside(shown, *from))
      here.push_back(from);
  return here;
}

std::string rule_words(const Standing& s) {
  const Run* run = s.found.run;
  const std::string root =
      run ? "÷ √" + std::to_string(run->pass.scale_by ? run->pass.scale_by : run->module.d_out) : "";
  switch (s.found.row->rule) {
    case Rule::over_root_d: return root;
    case Rule::softmax: return "softmax";
    case Rule::softmax_over_root_d: return root + ", softmax";
    case Rule::over_row: return "÷ row sum";
    case Rule::times: return s.found.row->tensor == &Trace::masked_zeroed ? "zero above the diagonal" : "";
    case Rule::hide: return "−∞ above the diagonal";
    default: return "";
  }
}

// "heads.*.scaled_scores" of the same head.
std::string own_head(const Standing& s, std::string name) {
  const std::size_t star = name.find('*');
  return star == std::string::npos
             ? name
             : name.replace(star, 1, std::to_string(s.found.run ? s.found.run->head : 0));
}

// Something stands on the straight way from one to the other.
bool is_blocked(const Columns& columns, const Standing& from, const Standing& to) {
  for (const auto& column : columns)
    for (const Standing& s : column) {
      const bool between = s.cells.x > from.cells.right() && s.cells.right() < to.cells.x;
      const float y = (from.cells.mid_y() + to.cells.mid_y()) / 2;
      if (between && y > s.cells.y - s.head(s.cell) && y < s.cells.bottom() + 8) return true;
    }
  return false;
}

struct Arrow {
  const Standing &from, &to;
  std::string words{};
  float apart = 0;  // its tip, from the middle of the side
};

// Back to an earlier column, below: out at the right, through the gap between the rows, in from the left.
void draw_return(Ui& ui, const Arrow& arrow, float bars, float labels, ImU32 color) {
  const Box &from = arrow.from.cells, &to = arrow.to.cells;
  const float out = from.right() + bars, x0 = out + 20, x1 = to.x - labels - 14;
  const float y = std::round((from.bottom() + to.y - arrow.to.head(arrow.to.cell)) / 2) + 4;
  const float tip = to.x - labels - 2;
  ui.pen.polyline({{out + 2, from.mid_y()},
                   {x0, from.mid_y()},
                   {x0, y},
                   {x1, y},
                   {x1, to.mid_y()},
                   {tip - 6, to.mid_y()}},
                  color, 2);
  ui.pen.arrow_head(tip, to.mid_y(), 1, 0, color, 7);
  wire_label(ui, {.mid_x = (x0 + x1) / 2, .mid_y = y}, arrow.words, ui.theme->panel, ui.theme->mute);
}

void draw_arrow(Ui& ui, const Shown& shown, const Columns& columns, const Arrow& arrow, const Margins& room) {
  const Standing &from = arrow.from, &to = arrow.to;
  const bool lit = shows(step_of(shown.state), to.name);
  const float bars = has_bars(shown, from) ? bars_width(from) : 0;
  if (to.cells.right() < from.cells.x && to.cells.y > from.cells.bottom())
    return draw_return(ui, arrow, bars, room.left, faded(ui.theme->deco, lit ? 1.f : .4f));
  Role role = role_of(shown.runs(), from.name);
  if (role == Role::neutral && to.found.parameter) role = role_of(shown.runs(), to.name);
  const bool carries = role == Role::query || role == Role::key || role == Role::value;
  WireLook look{.color = carries ? hue_of(ui, role).mark : ui.theme->deco,
                .width = 2,
                .opacity = lit ? 1.f : .4f,
                .gap = 8,
                .dot = false};
  if (is_blocked(columns, from, to)) {
    if (has_bands(from)) look.gap += kBandName;
    const float lowest = std::max(from.cells.bottom(), to.cells.bottom()) + look.gap;
    look.below = std::clamp(room.floor - lowest, 8.f, 26.f);
  }
  // From above it ends over the title.
  Box target = to.cells;
  const bool beside = target.x >= from.cells.right() || target.right() <= from.cells.x;
  if (!beside && target.y > from.cells.y)
    target = {target.x, target.y - to.head(to.cell) + 4, target.w, target.h + to.head(to.cell) - 4};
  Box source = from.cells;
  if (!beside && target.y < source.y) {  // upwards it begins over its own
    const float head = from.head(from.cell) - 4;
    source = {source.x, source.y - head, source.w, source.h + head};
  }
  if (beside) target.y += arrow.apart;
  if (target.x >= source.right()) source.w += bars;
  const float way = std::max(target.y - source.bottom(), source.y - target.bottom());
  const bool stub = !beside && way < kShortest;  // its head would be all of it
  const WirePlace w = stub ? wire_place(source, target, look) : draw_wire(ui, source, target, look);
  if (arrow.words.empty()) return;
  const ImU32 ink = lit ? ui.theme->mute : ui.theme->faint;
  const float words_w = ui.pen.width(Sans, type::small, arrow.words);
  if (beside && w.to_x - w.from_x > words_w + 40)
    wire_label(ui, w, arrow.words, ui.theme->panel, ink);
  else if (beside && std::abs(w.to_y - w.from_y) > std::abs(w.to_x - w.from_x))
    ui.pen.text_mid(Sans, type::small, w.mid_x - 10, w.mid_y, ink, arrow.words, Align::Right);
  else if (beside && w.to_x - w.from_x > words_w - 8)
    ui.pen.text_mid(Sans, type::small, w.mid_x, w.mid_y - 14, ink, arrow.words, Align::Center);
  else if (!beside) {  // a short way down has no room for a word on it, and others pass at its right
    const bool left = words_w + 16 < to.cells.w / 2;
    ui.pen.text_mid(Sans, type::small, w.mid_x + (left ? -10 : 12), w.mid_y, ink, arrow.words,
                    left ? Align::Right : Align::Left);
  }
}

// a − b = s, as it is written: the three stand in one row.
bool is_an_equation(const Standing* a, const Standing* b, const Standing& s) {
  if (!a || !b || !s.found.row || s.found.row->rule != Rule::minus) return false;
  return a->cells.y == b->cells.y && b->cells.y == s.cells.y && a->cells.right() < b->cells.x &&
         b->cells.right() < s.cells.x;
}

void draw_operator(Ui& ui, const Standing& left, const Standing& right, const char* sign) {
  ui.pen.text_mid(Bold, type::title, (left.cells.right() + right.cells.x) / 2, left.cells.mid_y(),
                  ui.theme->mute, sign, Align::Center);
}

// One arrow for many that go the same way; false: they do not.
bool draw_bracket(Ui& ui, const Shown& shown, const std::vector<const Standing*>& from, const Standing& s) {
  constexpr std::size_t kMany = 3;
  constexpr float kAir = 10, kHook = 6, kRoom = 2 * kAir + kHook;
  if (from.size() < kMany) return false;
  float right = 0, titles = 0, top = from[0]->cells.y, bottom = 0;
  for (const Standing* f : from) {
    right = std::max(right, f->cells.right());
    titles = std::max(titles, f->cells.x + ui.pen.width(Bold, type::heading, title_of(*f)));
    top = std::min(top, f->cells.y);
    bottom = std::max(bottom, f->cells.bottom());
  }
  if (s.cells.x - right < kRoom) return false;
  const ImU32 color = faded(ui.theme->deco, shows(step_of(shown.state), s.name) ? 1.f : .4f);
  const float x = std::min(std::max(right + kAir, titles) + kHook, s.cells.x - kAir - kHook),
              tip = s.cells.x - kHook, y = s.cells.mid_y();
  ui.pen.polyline({{x - kHook, top}, {x, top}, {x, bottom}, {x - kHook, bottom}}, color, 2);
  ui.pen.polyline({{x, y}, {tip - kHook, y}}, color, 2);
  ui.pen.arrow_head(tip, y, 1, 0, color, 7);
  return true;
}

// Below all that stands between; false: a curve below the two passes the others.
bool draw_around(Ui& ui, const Columns& columns, const Standing& from, const Standing& to, float floor,
                 ImU32 color) {
  constexpr float kAir = 14;
  const float own = std::max(from.cells.bottom(), to.cells.bottom());
  float lowest = from.cells.bottom();
  for (const auto& column : columns)
    for (const Standing& s : column)
      if (s.cells.x > from.cells.right() && s.cells.right() < to.cells.x)
        lowest = std::max(lowest, s.cells.bottom());
  if (lowest <= from.cells.bottom() + kAir) return false;
  const float y = std::min(std::max(lowest, own) + kAir + kBandName, floor), tip = to.cells.bottom() + 6;
  ui.pen.polyline({{from.cells.mid_x(), from.cells.bottom() + 6},
                   {from.cells.mid_x(), y},
                   {to.cells.mid_x(), y},
                   {to.cells.mid_x(), tip + 6}},
                  color, 2);
  ui.pen.arrow_head(to.cells.mid_x(), tip, 0, -1, color, 7);
  return true;
}

}  // namespace

const Standing* find_standing(const Columns& columns, std::string_view matrix) {
  for (const auto& column : columns)
    for (const Standing& s : column)
      if (matrix == s.name) return &s;
  return nullptr;
}

// inputs @ W_query: the inputs go into the weight, and out of it comes the product.
void draw_arrows(Ui& ui, const Shown& shown, const Columns& columns, int step, const Margins& room) {
  for (const auto& column : columns)
    for (const Standing& s : column) {
      if (s.step > step || is_aside(shown, s)) continue;
      if (const Standing* from = find_before(columns, own_head(s, s.place->from), s))
        draw_arrow(ui, shown, columns, {*from, s, s.place->by}, room);
      if (has_split(shown) && s.found.row && s.found.row->rule == Rule::read_by_head)
        continue;  // one for all
      const std::vector<const Standing*> from = sources_of(shown, columns, s);
      if (!s.found.row || s.found.row->rule == Rule::side_by_side || from.size() > 2) {
        if (draw_bracket(ui, shown, from, s)) continue;
        for (const Standing* f : from)
          if (f->step <= step) draw_arrow(ui, shown, columns, {*f, s}, room);
        continue;
      }
      const Standing *a = from.empty() ? nullptr : from[0], *b = from.size() < 2 ? nullptr : from[1];
      if (is_an_equation(a, b, s)) {
        draw_operator(ui, *a, *b, "−");
        draw_operator(ui, *b, s, "=");
        continue;
      }
      if (a && b && b->found.parameter && b->found.run) {
        const Hue& hue = hue_of(ui, role_of(shown.runs(), b->name));
        if (!is_blocked(columns, *a, *b) || !draw_around(ui, columns, *a, *b, room.floor, hue.mark))
          draw_arrow(ui, shown, columns, {*a, *b}, room);
        draw_arrow(ui, shown, columns, {*b, s}, room);
        continue;
      }
      const bool side_by_side = a && b && a != b && a->cells.x == b->cells.x;
      const float apart = side_by_side ? std::copysign(kApart, b->cells.y - a->cells.y) : 0;
      if (a && a->step <= step) draw_arrow(ui, shown, columns, {*a, s, rule_words(s), -apart}, room);
      if (b && b != a && b->step <= step) draw_arrow(ui, shown, columns, {*b, s, "", apart}, room);
    }
}

}  // namespace lab
