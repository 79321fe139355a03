// A module's trainable matrix as PyTorch stores it, and where each of its numbers came from.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/matrix.hpp"

namespace lab {

// How a run of cells got its numbers. Later origins cover earlier ones.
struct Origin {
  enum class Kind {
    drawn,   // from a seed
    book,    // a word's vector as the book prints it
    moved,   // from a cell of another module
    chosen,  // by hand in the core
    edited,  // by the user
  };
  Kind kind = Kind::drawn;
  Rect cells;                   // of the stored matrix
  std::uint64_t seed = 0;       // drawn: torch.manual_seed(seed), then …
  std::int64_t first_draw = 1;  // … row-major from this draw on, counted from 1
  float bound = 0;              // drawn: nn.Linear stretches u to (2u - 1) × bound; 0: u itself (torch.rand)
  std::string from;             // moved: the cell's name in the other module; chosen: what for
  Rect from_cells;
  bool transposed = false;
  float was = 0;  // edited: the number before the first edit
};

struct Parameter {
  std::string name;  // in state_dict: "W_query", "W_query.weight", "W_query.bias"
  Matrix stored;     // "W_query": d_in × d_out; ".weight": d_out × d_in; ".bias": 1 × d_out
  bool stored_transposed = false;
  bool one_dimensional = false;  // a bias: PyTorch calls its shape [d_out]
  std::vector<Origin> origins;

  // The matrix that inputs are multiplied by: d_in × d_out, whatever way it is stored.
  MatrixView as_multiplied() const { return stored_transposed ? transposed_view(stored) : view(stored); }
  bool empty() const { return stored.size() == 0; }
  const Origin& origin_of(int row, int col) const;  // of a stored cell
};

std::string shape_text(const Parameter& p);  // "[3, 2]", "[2]"
std::string shape_text(int rows, int cols);  // "3 × 2"

}  // namespace lab
