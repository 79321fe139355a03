#include "core/runs.hpp"

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

}  // namespace

std::optional<Found> find(const Runs& runs, std::string_view name) {
  if (name == runs.inputs.name) return Found{view(runs.inputs.stored), nullptr, nullptr, &runs.inputs};
  if (name == difference_row().name && runs.difference.size() != 0)
    return Found{view(runs.difference), nullptr, &difference_row(), nullptr};
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
  if (runs.difference.size() != 0) all.push_back(difference_row().name);
  return all;
}

}  // namespace lab
