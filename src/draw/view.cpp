#include "draw/view.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/query.hpp"

namespace lab {
namespace {

// Cells that an edit elsewhere has moved.
void mark_followers(const Runs& runs, const std::string& name, MatrixLook& look) {
  constexpr int kReadable = 12;
  const auto now = find(runs, name), before = find(runs, kUnedited + name);
  if (!now || !before || now->cells.rows() > kReadable || now->cells.cols() > kReadable) return;
  for (int r = 0; r < now->cells.rows(); ++r)
    for (int c = 0; c < now->cells.cols(); ++c) {
      const Cell cell{r, c};
      const bool edited = std::find(look.changed.begin(), look.changed.end(), cell) != look.changed.end();
      const float a = now->cells(r, c), b = before->cells(r, c);
      if (!edited && a != b && !(std::isnan(a) && std::isnan(b))) look.followed.push_back(cell);
    }
}

// Where a number goes that heads read: looked is a cell of all heads', name a head's.
void mark_destination(const Runs& runs, const CellName& looked, const std::string& name, MatrixLook& look) {
  const auto all = find(runs, looked.name), own = find(runs, name);
  if (!all || !own || !all->run || !own->row || own->row->rule != Rule::read_by_head ||
      own->run->module_prefix != all->run->prefix || !all->row || all->row->tensor != own->row->tensor)
    return;
  for (int r = 0; r < int(own->cells.rows()); ++r)
    for (int c = 0; c < int(own->cells.cols()); ++c)
      if (read_from(all->run->pass.head_route, head_shape(*all->run), {own->run->head, r, c}) ==
          AllCell{looked.row, looked.col})
        look.outlined.push_back({r, c});
}

}  // namespace

std::string_view name_on_stage(std::string_view matrix) {
  return matrix.ends_with(".inputs") ? "inputs" : matrix;
}

bool is_asking(const Shown& shown) {
  const Question* q = step_of(shown.state).asks;
  return q && q->kind != Question::Kind::setting && !shown.hand.answering.revealed;
}

CellName shown_cell(const Shown& shown) {
  CellName cell = selected_cell(shown.state);
  const auto found = find(shown.runs(), cell.name);
  if (!found || found->cells.size() == 0) return cell;
  cell.row = std::min(cell.row, int(found->cells.rows()) - 1);
  cell.col = std::min(cell.col, int(found->cells.cols()) - 1);
  return cell;
}

CellName looked_at(const Ui& ui, const Shown& shown) {
  constexpr std::string_view grid = "matrix.";
  if (ui.gesture.hover_cell.valid() && ui.gesture.hover.starts_with(grid) && !ui.gesture.drag)
    return {std::string(without_cells(ui.gesture.hover.substr(grid.size()))), ui.gesture.hover_cell.row,
            ui.gesture.hover_cell.col};
  return shown_cell(shown);
}

const Hue& hue_of(const Ui& ui, Role role) {
  switch (role) {
    case Role::query: return ui.theme->query;
    case Role::key: return ui.theme->key;
    case Role::value: return ui.theme->value;
    case Role::weights: return ui.theme->weights;
    case Role::context: return ui.theme->context;
    case Role::neutral: break;
  }
  return ui.theme->neutral;
}

const Hue& hue_of(const Ui& ui, std::optional<Slot> slot) {
  return hue_of(ui, !slot                  ? Role::neutral
                    : *slot == Slot::query ? Role::query
                    : *slot == Slot::key   ? Role::key
                                           : Role::value);
}

void mark_cells(const Ui& ui, const Shown& shown, const std::string& name, MatrixLook& look) {
  const CellName selected = shown_cell(shown);
  if (selected.name == name && value_of(shown.runs(), selected)) {
    look.row = selected.row;
    look.col = selected.col;
  }
  const CellName looked = looked_at(ui, shown);
  if (hides_fault(shown.inputs(), shown.state.view.guess) && looked.name.starts_with(kTarget)) return;
  if (const auto e = explain(shown.runs(), looked))
    for (const CellName& source : sources(*e))
      if (source.name == name || name_on_stage(source.name) == name)
        look.outlined.push_back({source.row, source.col});
  mark_destination(shown.runs(), looked, name, look);
  for (const Edit& edit : shown.inputs().edits)
    if (edit.cell.name == name) look.changed.push_back({edit.cell.row, edit.cell.col});
  mark_followers(shown.runs(), name, look);
}

}  // namespace lab
