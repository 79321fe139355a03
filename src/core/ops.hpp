// The few operations that attention is made of, each as the book writes it. Results are the same bits on
// every machine: sums run from left to right, one rounding an operation.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "core/matrix.hpp"

namespace lab {

// rows(a) × cols(b). Coefficient by coefficient: Eigen's blocked product would sum in an order that depends
// on the machine's caches.
Matrix product(const MatrixView& a, const MatrixView& b);
inline Matrix product(const Matrix& a, const Matrix& b) { return product(view(a), view(b)); }

Matrix softmax(const Matrix& scores);     // each row: exp(x - max) / Σ exp(x - max)
Matrix row_sums(const MatrixView& m);     // rows × 1
Matrix row_lengths(const MatrixView& m);  // rows × 1, of each row as a vector
inline Matrix row_sums(const Matrix& m) { return row_sums(view(m)); }
inline Matrix row_lengths(const Matrix& m) { return row_lengths(view(m)); }
constexpr float kSumRounding = 1e-4f;  // by so much a sum that is 1 may be off
bool rows_sum_to_one(const MatrixView& m);
std::optional<int> row_of_no_shares(const Matrix& m);         // the first that does not sum to 1
Matrix divide_rows(const Matrix& m, const Matrix& divisors);  // m[r, c] / divisors[r, 0]
Matrix times(const Matrix& a, const Matrix& b);               // cell by cell
Matrix scaled_down(const Matrix& m, int d_k);                 // m / √d_k
Matrix minus_infinity_where_hidden(const Matrix& scores, const Matrix& keep);  // keep[r, c] = 0 is hidden

// What a large tensor is known by: sums in double, and the sum of the 32-bit patterns mod 2⁶⁴.
struct Sums {
  double sum = 0, of_squares = 0, of_magnitudes = 0;
  std::uint64_t of_bits = 0;
};
Sums sums(std::span<const float> values);

}  // namespace lab
