#include "core/ops.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lab {

Matrix product(const MatrixView& a, const MatrixView& b) { return a.lazyProduct(b); }

Matrix softmax(const Matrix& scores) {
  Matrix weights(scores.rows(), scores.cols());
  for (Eigen::Index r = 0; r < scores.rows(); ++r) {
    float largest = -std::numeric_limits<float>::infinity();
    for (Eigen::Index c = 0; c < scores.cols(); ++c) largest = std::max(largest, scores(r, c));
    float sum = 0;
    for (Eigen::Index c = 0; c < scores.cols(); ++c) sum += weights(r, c) = std::exp(scores(r, c) - largest);
    for (Eigen::Index c = 0; c < scores.cols(); ++c) weights(r, c) /= sum;
  }
  return weights;
}

Matrix row_sums(const MatrixView& m) {
  Matrix sums = Matrix::Zero(m.rows(), 1);
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) sums(r, 0) += m(r, c);
  return sums;
}

Matrix row_lengths(const MatrixView& m) {
  Matrix lengths(m.rows(), 1);
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    double squares = 0;
    for (Eigen::Index c = 0; c < m.cols(); ++c) squares += double(m(r, c)) * double(m(r, c));
    lengths(r, 0) = float(std::sqrt(squares));
  }
  return lengths;
}

bool rows_sum_to_one(const MatrixView& m) { return ((row_sums(m).array() - 1).abs() < kSumRounding).all(); }

std::optional<int> row_of_no_shares(const Matrix& m) {
  for (int r = 0; r < int(m.rows()); ++r)
    if (!rows_sum_to_one(view(m, {r, r + 1, 0, int(m.cols())}))) return r;
  return std::nullopt;
}

Matrix divide_rows(const Matrix& m, const Matrix& divisors) {
  Matrix quotients(m.rows(), m.cols());
  for (Eigen::Index r = 0; r < m.rows(); ++r) quotients.row(r) = m.row(r) / divisors(r, 0);
  return quotients;
}

Matrix times(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b); }

Matrix scaled_down(const Matrix& m, int d_k) { return m / std::sqrt(float(d_k)); }

Matrix minus_infinity_where_hidden(const Matrix& scores, const Matrix& keep) {
  Matrix masked = scores;
  for (Eigen::Index i = 0; i < masked.size(); ++i)
    if (keep.data()[i] == 0) masked.data()[i] = -std::numeric_limits<float>::infinity();
  return masked;
}

Sums sums(std::span<const float> values) {
  Sums s;
  for (const float x : values) {
    s.sum += double(x);
    s.of_squares += double(x) * double(x);
    s.of_magnitudes += std::abs(double(x));
    s.of_bits += std::bit_cast<std::uint32_t>(x);
  }
  return s;
}

}  // namespace lab
