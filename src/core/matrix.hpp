// Matrices of model values: float32, row-major, as PyTorch lays them out.
#pragma once
#include <Eigen/Core>

namespace lab {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Somebody else's numbers, read with any strides: a matrix, its transpose or a rectangle of it.
using MatrixView = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

inline MatrixView view(const Matrix& m) { return {m.data(), m.rows(), m.cols(), {m.cols(), 1}}; }
inline MatrixView transposed_view(const Matrix& m) { return {m.data(), m.cols(), m.rows(), {1, m.cols()}}; }
inline MatrixView no_view() { return {nullptr, 0, 0, {0, 1}}; }

// Rows r0 ≤ r < r1 and columns c0 ≤ c < c1.
struct Rect {
  int r0 = 0, r1 = 0, c0 = 0, c1 = 0;
  int rows() const { return r1 - r0; }
  int cols() const { return c1 - c0; }
  bool contains(int r, int c) const { return r >= r0 && r < r1 && c >= c0 && c < c1; }
  bool overlaps(const Rect& o) const { return r0 < o.r1 && o.r0 < r1 && c0 < o.c1 && o.c0 < c1; }
  bool operator==(const Rect&) const = default;
};
inline Rect whole(const Matrix& m) { return {0, int(m.rows()), 0, int(m.cols())}; }
inline MatrixView view(const Matrix& m, const Rect& r) {
  return {m.data() + r.r0 * m.cols() + r.c0, r.rows(), r.cols(), {m.cols(), 1}};
}

}  // namespace lab
