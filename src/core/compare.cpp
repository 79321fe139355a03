#include "core/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

Comparison compared(const Matrix& a, const Matrix& b, double rtol, double atol) {
  Comparison c{.cells = int(a.size())};
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) {
      const float x = a(i, j), y = b(i, j), difference = std::abs(x - y);  // ∞ − ∞ is NaN, as torch says
      // As torch: infinities are close only where they are equal.
      const bool close = x == y || (std::isfinite(x) && std::isfinite(y) &&
                                    std::abs(double(x) - double(y)) <= atol + rtol * std::abs(double(y)));
      c.cells_close += close;
      if (difference > c.max_difference || (std::isnan(difference) && !std::isnan(c.max_difference))) {
        c.max_difference = difference;
        c.row = i;
        c.col = j;
      }
    }
  }
  c.all_close = c.cells_close == c.cells;
  return c;
}

double largest_size(const MatrixView& m) {
  double most = 0;
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) {
      const double size = std::abs(double(m(r, c)));
      if (std::isnan(size)) return size;
      most = std::max(most, size);
    }
  return most;
}

double likeness(const MatrixView& a, const MatrixView& b) {
  double sum = 0;
  for (Eigen::Index r = 0; r < a.rows(); ++r) {
    double product = 0, of_a = 0, of_b = 0;
    for (Eigen::Index c = 0; c < a.cols(); ++c) {
      const double x = double(a(r, c)), y = double(b(r, c));
      product += x * y;
      of_a += x * x;
      of_b += y * y;
    }
    sum += of_a == 0 || of_b == 0 ? product : product / std::sqrt(of_a * of_b);
  }
  return sum / double(a.rows());
}

Matrix change_between(const MatrixView& before, const MatrixView& after) {
  if (before.rows() != after.rows() || before.cols() != after.cols())
    return Matrix::Zero(after.rows(), after.cols());
  return after - before;
}

}  // namespace lab
