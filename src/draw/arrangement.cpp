// A lesson's matrices in columns, with the atlas' arrows between them. All matrices of an arrangement have
// their places from the first step on, so that nothing jumps; those that no step has made yet are empty
// frames.
#include <algorithm>
#include <cmath>

#include "draw/numbers.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "draw/wires.hpp"
#include "lessons/inspect.hpp"

namespace lab {
namespace {

constexpr float kHead = 50, kLeast = 2, kMost = 44, kBars = 84, kGapX = 40, kGapY = 22, kPad = 28;

struct Standing {
  const Place* place;
  Found found;
  int step = 0;  // the first that shows it
  Box cells{};   // where it stands
  float cell = 0;
  int rows() const { return int(found.cells.rows()); }
  int cols() const { return int(found.cells.cols()); }
};
using Columns = std::vector<std::vector<Standing>>;

int first_step_showing(const Lesson& lesson, std::string_view name, int arrangement) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (lesson.steps[i].arrangement == arrangement && shows(lesson.steps[i], name)) return int(i);
  return 0;
}

const Arrangement& arrangement_of(const Shown& shown) {
  return lesson_of(shown.state).arrangements[std::size_t(step_of(shown.state).arrangement)];
}

// What stands where; in a narrow window only what the step shows, one below the other.
Columns standing(const Shown& shown, bool narrow) {
  const Lesson& lesson = lesson_of(shown.state);
  const Step& step = step_of(shown.state);
  Columns columns;
  for (const auto& column : arrangement_of(shown).columns) {
    std::vector<Standing> items;
    for (const Place& p : column) {
      if (narrow && !shows(step, p.name)) continue;
      if (const auto found = find(shown.runs(), p.name))
        items.push_back({&p, *found, first_step_showing(lesson, p.name, step.arrangement)});
    }
    if (items.empty()) continue;
    if (!narrow || columns.empty()) columns.emplace_back();
    for (const Standing& s : items) columns.back().push_back(s);
  }
  return columns;
}

std::string title_of(const Standing& s) {
  return s.found.row                           ? s.found.row->title
         : s.found.parameter->name == "inputs" ? "Inputs"
                                               : s.found.parameter->name;
}

std::string note_of(const Standing& s) {
  const std::string shape = std::to_string(s.rows()) + " × " + std::to_string(s.cols());
  return s.place->row_sums ? "rows sum to 1" : shape;
}

float width_of(const Ui& ui, const Standing& s, float cell) {
  const float cells = float(s.cols()) * std::max(1.f, std::floor(cell * s.place->scale));
  return std::max(cells + (s.place->row_sums ? kBars : 0.f), ui.pen.width(Bold, type::heading, title_of(s)));
}
float height_of(const Standing& s, float cell) {
  return kHead + float(s.rows()) * std::max(1.f, std::floor(cell * s.place->scale));
}

struct Extent {
  float width = 0, height = 0;
};
Extent extent_of(const Ui& ui, const Columns& columns, float cell) {
  Extent e;
  for (const auto& column : columns) {
    float w = 0, h = kGapY * float(column.size() - 1);
    for (const Standing& s : column) {
      w = std::max(w, width_of(ui, s, cell));
      h += height_of(s, cell);
    }
    e.width += w;
    e.height = std::max(e.height, h);
  }
  e.width += kGapX * float(columns.size() - 1);
  return e;
}

float labels_width(const Ui& ui, const Shown& shown) {
  float w = 0;
  for (const std::string& word : shown.runs().words) w = std::max(w, ui.pen.width(Bold, type::small, word));
  return std::min(w, 96.f) + 12;
}

// The largest cells with which all columns fit, and where they stand then.
void lay_out(const Ui& ui, Columns& columns, Box area) {
  float cell = kMost;
  const auto fits = [&](float c) {
    const Extent e = extent_of(ui, columns, c);
    return e.width <= area.w && e.height <= area.h;
  };
  while (cell > kLeast && !fits(cell)) cell -= 1;
  const Extent e = extent_of(ui, columns, cell);
  const float spare = columns.size() < 2 ? 0 : (area.w - e.width) / float(columns.size() - 1);
  const float between = kGapX + std::clamp(spare, 0.f, 120.f);
  float x = area.x + std::max(0.f, area.w - e.width - (between - kGapX) * float(columns.size() - 1)) / 2;
  for (auto& column : columns) {
    float h = 0, w = 0;
    for (const Standing& s : column) {
      h += height_of(s, cell);
      w = std::max(w, width_of(ui, s, cell));
    }
    const float gap = (area.h - h) / float(column.size() + 1);
    float y = area.y + gap;
    for (Standing& s : column) {
      s.cell = std::max(1.f, std::floor(cell * s.place->scale));
      s.cells = {x, y + kHead, float(s.cols()) * s.cell, float(s.rows()) * s.cell};
      y = s.cells.bottom() + gap;
    }
    x += w + between;
  }
}

const Standing* find_standing(const Columns& columns, std::string_view name) {
  for (const auto& column : columns)
    for (const Standing& s : column)
      if (name == s.place->name) return &s;
  return nullptr;
}

// The name of a source as it stands here: of the same run, else as it is; a weight by its stored name.
const Standing* source_of(const Columns& columns, const Standing& s, std::string_view name) {
  if (name.empty()) return nullptr;
  const std::string own = (s.found.run ? s.found.run->prefix : "") + std::string(name);
  for (const std::string& n : {own, own + ".weight", std::string(name)})
    if (const Standing* found = find_standing(columns, n); found && found != &s) return found;
  return nullptr;
}

std::string rule_words(const Standing& s) {
  switch (s.found.row->rule) {
    case Rule::over_root_d: return "÷ √" + std::to_string(s.found.run->module.d_out);
    case Rule::softmax:
    case Rule::softmax_over_root_d: return "softmax";
    case Rule::over_row: return "÷ row sum";
    default: return "";
  }
}

// Something stands on the straight way from one to the other.
bool is_blocked(const Columns& columns, const Standing& from, const Standing& to) {
  for (const auto& column : columns)
    for (const Standing& s : column) {
      const bool between = s.cells.x > from.cells.right() && s.cells.right() < to.cells.x;
      const float y = (from.cells.mid_y() + to.cells.mid_y()) / 2;
      if (between && y > s.cells.y - kHead && y < s.cells.bottom() + 8) return true;
    }
  return false;
}

struct Arrow {
  const Standing &from, &to;
  std::string words{};
};

void draw_arrow(Ui& ui, const Shown& shown, const Columns& columns, const Arrow& arrow) {
  const Standing &from = arrow.from, &to = arrow.to;
  const bool lit = shows(step_of(shown.state), to.place->name);
  const Role role = role_of(shown.runs(), from.place->name);
  const bool carries = role == Role::query || role == Role::key || role == Role::value;
  WireLook look{.color = carries ? hue_of(ui, role).mark : ui.theme->deco,
                .width = 2,
                .opacity = lit ? 1.f : .4f,
                .gap = 8,
                .dot = false};
  if (is_blocked(columns, from, to)) look.below = 26;
  // From above it ends over the title.
  Box target = to.cells;
  const bool beside = target.x >= from.cells.right() || target.right() <= from.cells.x;
  if (!beside && target.y > from.cells.y)
    target = {target.x, target.y - kHead + 4, target.w, target.h + kHead - 4};
  Box source = from.cells;
  if (from.place->row_sums && target.x >= source.right()) source.w += kBars;
  const WirePlace w = draw_wire(ui, source, target, look);
  if (!lit || arrow.words.empty()) return;
  if (beside)
    wire_label(ui, w, arrow.words, ui.theme->panel, ui.theme->mute);
  else  // a short way down has no room for a word on it
    ui.pen.text_mid(Sans, type::small, w.mid_x + 12, w.mid_y, ui.theme->mute, arrow.words);
}

// inputs @ W_query: the inputs go into the weight, and out of it comes the product.
void draw_arrows(Ui& ui, const Shown& shown, const Columns& columns, int step) {
  for (const auto& column : columns)
    for (const Standing& s : column) {
      if (!s.found.row || s.step > step) continue;
      const Standing *a = source_of(columns, s, s.found.row->a), *b = source_of(columns, s, s.found.row->b);
      if (a && b && b->found.parameter && b->found.run) {
        draw_arrow(ui, shown, columns, {*a, *b});
        draw_arrow(ui, shown, columns, {*b, s});
        continue;
      }
      if (a && a->step <= step) draw_arrow(ui, shown, columns, {*a, s, rule_words(s)});
      if (b && b != a && b->step <= step) draw_arrow(ui, shown, columns, {*b, s});
    }
}

void draw_empty(Ui& ui, const Standing& s) {
  ui.pen.text(Bold, type::heading, s.cells.x, s.cells.y - 30, ui.theme->faint, title_of(s));
  ui.pen.dashed(s.cells, ui.theme->rail, 1);
}

void draw_one(Ui& ui, const Shown& shown, const Standing& s, bool labels) {
  const Role role = role_of(shown.runs(), s.place->name);
  MatrixLook look{.name = s.place->name, .title = title_of(s), .note = note_of(s)};
  look.label = title_of(s) + " " + note_of(s);
  if (role != Role::neutral) look.title_color = hue_of(ui, role).text;
  look.is_signed = !s.found.row || !is_share(*s.found.row);
  look.max = look.is_signed ? 0 : 1;
  look.digits = s.cell < 50 ? std::min(2, shown.state.view.digits) : shown.state.view.digits;
  look.mirror_digits = std::max(4, shown.state.view.digits);
  if (labels) look.row_labels = &shown.runs().words;
  if (s.step == step_index(shown.state)) look.opacity = ui.motion(300);
  mark_cells(ui, shown, look.name, look);
  const MatrixPlace place = draw_matrix(ui, heat_view(s.found.cells), s.cells.x, s.cells.y, s.cell, look);
  if (!s.place->row_sums) return;
  std::vector<float> sums;
  for (int r = 0; r < s.rows(); ++r) sums.push_back(s.found.cells.row(r).sum());
  draw_row_sums(ui, place, sums, 34, s.cell >= 12);
}

}  // namespace

float arrangement_height(const Ui& ui, const Shown& shown, float width) {
  Columns columns = standing(shown, true);
  if (columns.empty()) return 160;
  float h = 24;
  for (Standing& s : columns.front()) {
    const float room = width - 32 - labels_width(ui, shown) - (s.place->row_sums ? kBars : 0);
    h += height_of(s,
                   std::clamp(std::floor(room / float(std::max(1, s.cols()))), 1.f, 44.f) / s.place->scale) +
         kGapY;
  }
  return h;
}

void draw_arrangement(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  if (shown.runs().words.empty()) {
    ui.pen.text_mid(Sans, type::lead, box.mid_x(), box.mid_y(), ui.theme->mute,
                    "Type a sentence above, and every number of it will stand here.", Align::Center);
    return;
  }
  const bool narrow = ui.width < 900;
  Columns columns = standing(shown, narrow);
  const float labels = labels_width(ui, shown);
  if (narrow) {
    float y = box.y + 8;
    for (auto& column : columns)
      for (Standing& s : column) {
        const float room = box.w - 32 - labels - (s.place->row_sums ? kBars : 0);
        s.cell = std::clamp(std::floor(room / float(std::max(1, s.cols()))), 1.f, 44.f);
        s.cells = {box.x + 16 + labels, y + kHead, float(s.cols()) * s.cell, float(s.rows()) * s.cell};
        y = s.cells.bottom() + kGapY;
      }
  } else {
    lay_out(ui, columns, {box.x + kPad + labels, box.y + 8, box.w - 2 * kPad - labels, box.h - 16});
  }
  const int step = step_index(shown.state);
  if (!narrow) draw_arrows(ui, shown, columns, step);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (const Standing& s : columns[i]) {
      const bool words_are_rows = !s.found.parameter || s.found.parameter == &shown.runs().inputs;
      if (!narrow && s.step > step)
        draw_empty(ui, s);
      else
        draw_one(ui, shown, s, words_are_rows && (narrow || i == 0));
    }
}

}  // namespace lab
