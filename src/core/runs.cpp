#include "core/runs.hpp"

#include <array>

#include "core/atlas.hpp"

namespace lab {
namespace {

std::optional<Found> find_in(const Run& run, std::string_view name) {
  if (const Parameter* p = find_parameter(run.module, name)) return Found{view(p->stored), &run, nullptr, p};
  if (const AtlasRow* row = atlas_row(run, name))
    return Found{view(run.trace.*row->tensor), &run, row, nullptr};
  return std::nullopt;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

struct Derived {
  const AtlasRow* row;
  const Matrix* cells;
};
std::array<Derived, 3> of_several_runs(const Runs& runs) {
  return {{{&difference_row(), &runs.difference},
           {&influence_row(), &runs.influence},
           {&leak_row(), &runs.leak}}};
}

}  // namespace

std::optional<Found> find(const Runs& runs, std::string_view name) {
  if (name == runs.inputs.name) return Found{view(runs.inputs.stored), nullptr, nullptr, &runs.inputs};
  for (const auto& [row, cells] : of_several_runs(runs))
    if (name == row->name && cells->size() != 0) return Found{view(*cells), nullptr, row, nullptr};
  for (const Run& run : runs.runs)
    if (starts_with(name, run.prefix))
      if (auto found = find_in(run, name.substr(run.prefix.size()))) return found;
  return std::nullopt;
}

std::optional<float> value_of(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  if (!found || cell.row < 0 || cell.col < 0 || cell.row >= found->cells.rows() ||
      cell.col >= found->cells.cols())
    return std::nullopt;
  return found->cells(cell.row, cell.col);
}

bool is_editable(const Runs& runs, std::string_view name) {
  const auto found = find(runs, name);
  if (!found) return false;
  if (!found->run) return found->parameter != nullptr;
  return !starts_with(found->run->prefix, kUnedited) && !starts_with(found->run->prefix, "perturbed.");
}

std::vector<std::string> names(const Runs& runs) {
  std::vector<std::string> all;
  if (!runs.inputs.empty()) all.push_back(runs.inputs.name);
  for (const Run& run : runs.runs) {
    for (const Parameter* p : parameters(run.module)) all.push_back(run.prefix + p->name);
    for (const AtlasRow* row : atlas_rows(run)) {
      const std::string name = run.prefix + row->name;
      if (name != runs.inputs.name) all.push_back(name);
    }
  }
  for (const auto& [row, cells] : of_several_runs(runs))
    if (cells->size() != 0) all.push_back(row->name);
  return all;
}

}  // namespace lab
