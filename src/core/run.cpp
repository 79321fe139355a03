#include "core/run.hpp"

#include "core/atlas.hpp"

namespace lab {
namespace {

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

}  // namespace

std::vector<CellEdit> edits_of_run(const std::vector<Edit>& edits, std::string_view prefix) {
  std::vector<CellEdit> of_run;
  for (const Edit& e : edits) {
    if (!starts_with(e.cell.name, prefix)) continue;
    const std::string_view name = std::string_view(e.cell.name).substr(prefix.size());
    if (prefix.empty() && name == "inputs") continue;  // the inputs themselves are edited before any run
    for (const AtlasRow& row : whole_atlas()) {
      if (row.name != name) continue;
      of_run.push_back({row.tensor, e.cell.row, e.cell.col, e.value});
      break;
    }
  }
  return of_run;
}

void apply_edits(Parameter& p, std::string_view prefix, const std::vector<Edit>& edits) {
  for (const Edit& e : edits) {
    if (e.cell.name != std::string(prefix) + p.name) continue;
    const int r = e.cell.row, c = e.cell.col;
    if (r < 0 || c < 0 || r >= p.stored.rows() || c >= p.stored.cols()) continue;
    const Origin& before = p.origin_of(r, c);
    const float was = before.kind == Origin::Kind::edited ? before.was : p.stored(r, c);
    p.origins.push_back({.kind = Origin::Kind::edited, .cells = {r, r + 1, c, c + 1}, .was = was});
    p.stored(r, c) = e.value;
  }
}

}  // namespace lab
