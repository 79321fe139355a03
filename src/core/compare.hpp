// Are two outputs the same?
#pragma once
#include "core/matrix.hpp"

namespace lab {

struct Comparison {
  float max_difference = 0;  // max |Δ|; NaN where either side holds one, or both the same ∞
  int row = 0, col = 0;      // where it is largest
  bool all_close = false;    // torch.allclose(a, b, rtol, atol): |a - b| ≤ atol + rtol × |b| everywhere
  int cells_close = 0;       // how many cells are within that
  int cells = 0;
};

// a, b: the same shape.
Comparison compared(const Matrix& a, const Matrix& b, double rtol, double atol);

// The largest |cell|; NaN where any cell is NaN, 0 where there is none.
double largest_size(const MatrixView& m);
inline double largest_size(const Matrix& m) { return largest_size(view(m)); }

// The cosine of each row of a with the same row of b, on average: 1 for the same direction, 0 for unrelated
// ones. A row of length 0 has no direction and counts as unrelated.
double likeness(const MatrixView& a, const MatrixView& b);

// after − before, cell by cell; of the same shape, else zeros.
Matrix change_between(const MatrixView& before, const MatrixView& after);

}  // namespace lab
