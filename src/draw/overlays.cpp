// What lies over the screen for a while: the field in which a cell is typed, menus, the folded rail.
#include <algorithm>

#include "core/number_text.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/query.hpp"
#include "lessons/texts/causal_mask_texts.hpp"
#include "lessons/texts/keys_texts.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {
namespace {

constexpr float kOption = 36;

// The cell is on the screen, and no phone's sheet lies over it.
bool is_in_sight(const Ui& ui, const Target* grid, const Cell& cell) {
  if (!grid) return false;
  const Target* dock = ui.registry.find("dock");
  const float y = grid->box.y + grid->box.h * (float(cell.row) + .5f) / float(grid->rows);
  return y > 0 && y < (dock ? dock->box.y : ui.height);
}

// Over the cell; where that is not in sight, beside the inspector's button.
Box place_of_field(const Ui& ui, const Target* grid, const Cell& cell) {
  if (!is_in_sight(ui, grid, cell)) {
    const Target* button = ui.registry.find("edit-cell");
    if (!button) return {ui.width / 2 - 60, ui.height / 2 - 16, 120, 32};
    return {std::max(4.f, button->box.x - 104), button->box.y - 3, 96, 30};
  }
  const float cw = grid->box.w / float(grid->cols), ch = grid->box.h / float(grid->rows);
  const float w = std::max(cw + 8, 92.f), h = std::max(ch, 30.f);
  const float mid_x = grid->box.x + cw * (float(cell.col) + .5f),
              mid_y = grid->box.y + ch * (float(cell.row) + .5f);
  return {std::clamp(mid_x - w / 2, 4.f, std::max(4.f, ui.width - w - 4)), mid_y - h / 2, w, h};
}

// The grid that shows it, or the part of its matrix that does.
const Target* grid_of(const Ui& ui, const CellName& cell) {
  for (const Target& t : ui.registry.targets())
    if (t.role == "grid" && without_cells(t.id) == "matrix." + cell.name && cell.row >= t.first.row &&
        cell.row < t.first.row + t.rows && cell.col >= t.first.col && cell.col < t.first.col + t.cols)
      return &t;
  return nullptr;
}

void draw_edit_field(Ui& ui, const Shown& shown) {
  if (!shown.hand.editing) return;
  const CellName& cell = *shown.hand.editing;
  const Target* grid = grid_of(ui, cell);
  const auto value = value_of(shown.runs(), cell);
  if (!value) return;
  const Cell at = grid ? Cell{cell.row - grid->first.row, cell.col - grid->first.col} : Cell{};
  const Box box = place_of_field(ui, grid, at);
  ui.pen.shadow(box, radius::chip, 12, ui.theme->shadow);
  text_field(
      ui, box, "edit",
      "Value of " + cell.name + ", row " + std::to_string(cell.row) + ", column " + std::to_string(cell.col),
      number_text(*value), {.mono = true, .wants_focus = true});
}

struct Option {
  std::string id, words;
  bool on = false;
};

std::vector<Option> options_of(const Shown& shown) {
  if (shown.hand.open == "export" && shown.results.book)
    return {{"export.png", "Picture (.png)"},
            {"export.txt", "Report (.txt)"},
            {"export.json", "Report (.json)"},
            {"export.csv", "All numbers (.csv)"},
            {"export.py", "PyTorch program of the row (.py)"}};
  if (shown.hand.open == "export")
    return {{"export.png", "Picture (.png)"},
            {"export.py", "PyTorch program (.py)"},
            {"export.json", "All matrices (.json)"},
            {"export.csv", "All matrices (.csv)"}};
  std::vector<Option> options;
  if (shown.hand.open == "input.mask" || shown.hand.open == "routes")
    for (const causal_mask_texts::RouteText& r : causal_mask_texts::routes())
      options.push_back({std::string("route.") + name_of(r.route), r.name, shown.inputs().mask == r.route});
  for (const char* side : {"from", "to"})
    if (shown.hand.open == std::string("input.") + side)
      for (const AttentionKind kind : {AttentionKind::v1, AttentionKind::v2, AttentionKind::causal,
                                       AttentionKind::wrapper, AttentionKind::mha})
        options.push_back({std::string(side) + "." + name_of(kind), class_name(kind),
                           kind == (side[0] == 'f' ? shown.inputs().from : shown.inputs().to)});
  if (shown.hand.open == "input.split")
    for (const multi_head_texts::SplitText& s : multi_head_texts::splits())
      options.push_back({std::string("split.") + name_of(s.route), s.name, shown.inputs().split == s.route});
  if (shown.hand.open == "input.size") {
    for (const GptSize& s : gpt_sizes())
      options.push_back(
          {std::string("size.") + s.id, std::string(s.name) + ", " + s.id, shown.inputs().gpt_size == s.id});
    options.push_back({"size.custom", "custom", shown.inputs().gpt_size == "custom"});
  }
  return options;
}

// Everything below it: a press there closes what is open.
void draw_scrim(Ui& ui, ImU32 color) {
  const Box all{0, 0, ui.width, ui.height};
  if (color) ui.pen.fill(all, color);
  ui.registry.add({.id = "dismiss", .role = "button", .label = "Close", .box = all, .radius = 0});
}

void draw_options(Ui& ui, const Shown& shown) {
  const Target* anchor = ui.registry.find(shown.hand.open);
  const auto options = options_of(shown);
  if (!anchor || options.empty()) return;
  const Box about = anchor->box;
  draw_scrim(ui, 0);
  const Palette& c = *ui.theme;
  float w = about.w;
  for (const Option& o : options) w = std::max(w, ui.pen.width(Medium, type::body, o.words) + 56);
  const float h = kOption * float(options.size()) + 12;
  const bool below = about.bottom() + 6 + h < ui.height;
  const Box box{std::clamp(about.x, 8.f, std::max(8.f, ui.width - w - 8)),
                below ? about.bottom() + 6 : std::max(8.f, about.y - 6 - h), w, h};
  ui.pen.shadow(box, radius::panel, 18, c.shadow);
  ui.pen.panel(box, c.raised, c.edge, radius::panel);
  float y = box.y + 6;
  for (const Option& o : options) {
    const Box row{box.x + 6, y, box.w - 12, kOption};
    if (ui.hovered(o.id) || ui.focused(o.id)) ui.pen.fill(row, c.chip_hover, radius::button);
    if (o.on) ui.pen.tick(row.x + 16, row.mid_y(), 10, c.weights.mark, 2);
    ui.pen.text_mid(o.on ? Bold : Medium, type::body, row.x + 32, row.mid_y(), o.on ? c.weights.text : c.ink,
                    o.words);
    ui.registry.add({.id = o.id,
                     .role = "button",
                     .label = o.words,
                     .value = o.on ? "true" : "",
                     .box = row,
                     .wants_focus = ui.gesture.focus_visible && &o == &options.front(),
                     .in_menu = true});
    y += kOption;
  }
}

// The keyboard, told in the middle of the screen.
void draw_keys(Ui& ui, const Shown& shown) {
  if (shown.hand.open != "keys") return;
  draw_scrim(ui, IM_COL32(0, 0, 0, 90));
  const Palette& c = *ui.theme;
  constexpr float kKeysWidth = 104, kRow = 20, kAir = 8;
  const float w = std::min(560.f, ui.width - 24), words_w = w - kKeysWidth - 40;
  const auto height_of_row = [&](const KeyText& k) {
    return kRow * float(ui.pen.lines(Sans, type::body, k.does, words_w).size()) + kAir;
  };
  float h = 64;
  for (const KeyText& k : kKeys) h += height_of_row(k);
  const Box box{(ui.width - w) / 2, std::max(8.f, (ui.height - h) / 2), w, h};
  ui.pen.shadow(box, radius::panel, 24, c.shadow);
  ui.pen.panel(box, c.raised, c.edge, radius::panel);
  ui.pen.text(Bold, type::large, box.x + 20, box.y + 34, c.ink, "Keys");
  float y = box.y + 52;
  std::string all;
  for (const KeyText& k : kKeys) {
    ui.pen.text(MonoBold, type::small, box.x + 20, y + 15, c.weights.text, k.keys);
    ui.pen.text_block(Sans, type::body, {box.x + 20 + kKeysWidth, y, words_w, 0}, c.ink, k.does, kRow);
    all += std::string(k.keys) + ": " + k.does + ". ";
    y += height_of_row(k);
  }
  ui.registry.add({.id = "keys-list", .role = "group", .label = "Keys", .value = all, .box = box});
}

void draw_folded_rail(Ui& ui, const Shown& shown) {
  if (shown.hand.open != "menu" || has_rail(ui)) return;
  draw_scrim(ui, IM_COL32(0, 0, 0, 90));
  constexpr float kRail = 236;
  const Box box{0, 0, kRail, ui.height};
  ui.pen.shadow(box, 0, 24, ui.theme->shadow);
  ui.registry.add({.id = "rail", .role = "group", .label = "Lessons and settings", .box = box});
  draw_rail(ui, shown, box);
}

}  // namespace

void draw_overlays(Ui& ui, const Shown& shown) {
  draw_edit_field(ui, shown);
  draw_options(ui, shown);
  draw_folded_rail(ui, shown);
  draw_keys(ui, shown);
}

}  // namespace lab
