#include "core/kernels/rows_kernel.hpp"

namespace lab {
namespace {

constexpr int kLanes = 8, kRows = 4;

float sum_of(const float* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Several rows of x share what is read of the weight: its numbers are what has to come from memory.
template <int rows>
void dot_rows(const float* x, std::int64_t in, const float* w, float* sums) {
  float lanes[rows][kLanes] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= in; k += kLanes)
    for (int r = 0; r < rows; ++r)
      for (int lane = 0; lane < kLanes; ++lane) lanes[r][lane] += x[r * in + k + lane] * w[k + lane];
  for (int r = 0; r < rows; ++r) {
    sums[r] = sum_of(lanes[r]);
    for (std::int64_t rest = k; rest < in; ++rest) sums[r] += x[r * in + rest] * w[rest];
  }
}

}  // namespace

void rows_times_weight(const float* x, std::int64_t rows, std::int64_t in, const float* weight,
                       std::int64_t out, const float* bias, float* y) {
  float sums[kRows];
  for (std::int64_t o = 0; o < out; ++o) {
    const float* w = weight + o * in;
    const float more = bias ? bias[o] : 0;
    std::int64_t r = 0;
    for (; r + kRows <= rows; r += kRows) {
      dot_rows<kRows>(x + r * in, in, w, sums);
      for (int i = 0; i < kRows; ++i) y[(r + i) * out + o] = sums[i] + more;
    }
    for (; r < rows; ++r) {
      dot_rows<1>(x + r * in, in, w, sums);
      y[r * out + o] = sums[0] + more;
    }
  }
}

}  // namespace lab
