// Names of cells and what the user wrote into them.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace lab {

// NAME.R.C: a cell of a matrix by its atlas name with its run's prefix, "source.W_query.weight.0.1". A
// parameter's cells are counted as it is stored.
struct CellName {
  std::string name;
  int row = 0, col = 0;
  bool operator==(const CellName&) const = default;
};

struct Edit {
  CellName cell;
  float value = 0;
  // NaN is NaN, and -0 is not 0: else an edit to NaN would differ from itself in every frame.
  bool operator==(const Edit& o) const {
    return cell == o.cell && ((std::isnan(value) && std::isnan(o.value)) ||
                              std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(o.value));
  }
};

}  // namespace lab
