// How a trace is filled.
#pragma once
#include <utility>
#include <vector>

#include "core/forward.hpp"

namespace lab {

// Stores a matrix that was just made and applies its edits, so that everything after follows.
struct Maker {
  Trace& trace;
  const std::vector<CellEdit>& edits;

  void operator()(Tensor tensor, Matrix made) const {
    for (const CellEdit& e : edits) {
      if (e.tensor != tensor || e.row >= made.rows() || e.col >= made.cols()) continue;
      trace.edited.push_back({tensor, e.row, e.col, made(e.row, e.col)});
      made(e.row, e.col) = e.value;
    }
    trace.*tensor = std::move(made);
  }
};

}  // namespace lab
