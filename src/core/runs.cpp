#include "core/runs.hpp"

#include <algorithm>

#include "core/atlas.hpp"

namespace lab {
namespace {

// A weight of a head of a stack is the head's own.
std::optional<Found> find_in(const Run& run, std::string_view name) {
  if (!name.starts_with(run.prefix)) return std::nullopt;
  for (const Run& part : run.parts)
    if (auto found = find_in(part, name)) return found;
  const std::string_view own = name.substr(run.prefix.size());
  if (const Parameter* p = find_parameter(run, own)) return Found{view(p->stored), &run, nullptr, p};
  if (const AtlasRow* row = atlas_row(run, own))
    return Found{view(run.trace.*row->tensor), &run, row, nullptr};
  return std::nullopt;
}

struct Derived {
  const AtlasRow* row;
  const Matrix* cells;
};
std::vector<Derived> of_several_runs(const Runs& runs) {
  std::vector<Derived> all;
  for (const Difference& d : runs.differences) all.push_back({d.row, &d.cells});
  all.push_back({&influence_row(), &runs.influence});
  all.push_back({&leak_row(), &runs.leak});
  return all;
}

void add_names(const Runs& runs, const Run& run, std::vector<std::string>& all) {
  for (const Parameter* p : parameters(run)) all.push_back(run.prefix + p->name);
  bool parts_told = run.parts.empty();
  for (const AtlasRow* row : atlas_rows(run)) {
    const bool of_parts = row->rule == Rule::side_by_side || row->tensor == &Trace::att;
    if (of_parts && !parts_told) {
      for (const Run& part : run.parts) add_names(runs, part, all);
      parts_told = true;
    }
    const std::string name = run.prefix + row->name;
    if (name != runs.inputs.name) all.push_back(name);
  }
  if (!parts_told)
    for (const Run& part : run.parts) add_names(runs, part, all);
}

}  // namespace

std::optional<Found> find(const Runs& runs, std::string_view name) {
  if (name == runs.inputs.name) return Found{view(runs.inputs.stored), nullptr, nullptr, &runs.inputs};
  for (const auto& [row, cells] : of_several_runs(runs))
    if (name == row->name && cells->size() != 0) return Found{view(*cells), nullptr, row, nullptr};
  for (const Run& run : runs.runs)
    if (auto found = find_in(run, name)) return found;
  return std::nullopt;
}

std::optional<float> value_of(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  if (!found || cell.row < 0 || cell.col < 0 || cell.row >= found->cells.rows() ||
      cell.col >= found->cells.cols())
    return std::nullopt;
  return found->cells(cell.row, cell.col);
}

namespace {

// "W_query" of a parameter "W_query" or "W_query.weight".
const Projection* projection_named(const Run& run, std::string_view name) {
  for (const Projection* p : projections(run))
    if (p->weight.name == name || p->weight.name == std::string(name) + ".weight") return p;
  return nullptr;
}

std::string source_name(const Run& run, const AtlasRow& row, std::string_view name) {
  if (row.tensor == &Trace::inputs || row.tensor == &Trace::resid_pre) return run.inputs_name;
  if (row.rule == Rule::read_by_head) return run.module_prefix + std::string(name);
  if (const Projection* p = projection_named(run, name)) return run.prefix + p->weight.name;
  return run.prefix + std::string(name);
}

}  // namespace

std::vector<std::string> sources(const Runs& runs, const Found& found) {
  std::vector<std::string> names;
  if (found.parameter)
    for (const Origin& o : found.parameter->origins)
      if (o.kind == Origin::Kind::moved && std::find(names.begin(), names.end(), o.from) == names.end())
        names.push_back(o.from);
  if (!found.row) return names;
  for (const Difference& d : runs.differences)
    if (d.row == found.row) return {d.a, d.b};
  if (found.run && found.row->rule == Rule::side_by_side) {
    for (const Run& head : found.run->parts) names.push_back(head.prefix + found.row->a);
    return names;
  }
  for (std::string_view list : {found.row->a, found.row->b})
    while (!list.empty()) {
      const std::string_view name = list.substr(0, list.find(' '));
      names.push_back(found.run ? source_name(*found.run, *found.row, name) : std::string(name));
      list.remove_prefix(std::min(list.size(), name.size() + 1));
    }
  return names;
}

void add_difference(Runs& runs, const AtlasRow& row, std::string a, std::string b) {
  const auto from = find(runs, a), taken = find(runs, b);
  if (!from || !taken) return;  // without words there are no matrices
  Matrix cells = from->cells - taken->cells;
  runs.differences.push_back({&row, std::move(a), std::move(b), std::move(cells)});
}

const Matrix& difference_named(const Runs& runs, std::string_view name) {
  static const Matrix none;
  for (const Difference& d : runs.differences)
    if (name == d.row->name) return d.cells;
  return none;
}

bool is_editable(const Runs& runs, std::string_view name) {
  const auto found = find(runs, name);
  if (!found) return false;
  if (!found->run) return found->parameter != nullptr;
  for (const char* made_beside : {kUnedited, kBefore, "perturbed.", kBlocks})
    if (found->run->prefix.starts_with(made_beside)) return false;
  return true;
}

std::vector<std::string> names(const Runs& runs) {
  std::vector<std::string> all;
  if (!runs.inputs.empty()) all.push_back(runs.inputs.name);
  for (const Run& run : runs.runs) add_names(runs, run, all);
  for (const auto& [row, cells] : of_several_runs(runs))
    if (cells->size() != 0) all.push_back(row->name);
  return all;
}

}  // namespace lab
