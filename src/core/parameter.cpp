#include "core/parameter.hpp"

#include <cassert>

namespace lab {

const Origin& Parameter::origin_of(int row, int col) const {
  for (auto o = origins.rbegin(); o != origins.rend(); ++o)
    if (o->cells.contains(row, col)) return *o;
  assert(!"every cell of a parameter has an origin");
  return origins.front();
}

std::string shape_text(const Parameter& p) {
  if (p.one_dimensional) return "[" + std::to_string(p.stored.cols()) + "]";
  return "[" + std::to_string(p.stored.rows()) + ", " + std::to_string(p.stored.cols()) + "]";
}

std::string shape_text(int rows, int cols) { return std::to_string(rows) + " × " + std::to_string(cols); }

}  // namespace lab
