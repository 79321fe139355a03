#include "core/kernels/attention_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace lab {

void scores_of_row(const float* query, HeadRows keys, std::int64_t rows, float scale, float* scores) {
  constexpr int kLanes = 8;
  for (std::int64_t s = 0; s < rows; ++s) {
    const float* key = keys.first + s * keys.stride;
    float lanes[kLanes] = {};
    std::int64_t k = 0;
    for (; k + kLanes <= keys.width; k += kLanes)
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += query[k + lane] * key[k + lane];
    float sum =
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    for (; k < keys.width; ++k) sum += query[k] * key[k];
    scores[s] = sum * scale;
  }
}

void softmax_of_row(float* scores, std::int64_t rows) {
  const float most = *std::max_element(scores, scores + rows);
  float total = 0;
  for (std::int64_t s = 0; s < rows; ++s) total += scores[s] = std::exp(scores[s] - most);
  for (std::int64_t s = 0; s < rows; ++s) scores[s] /= total;
}

void context_of_row(const float* shares, HeadRows values, std::int64_t rows, float* out) {
  std::fill(out, out + values.width, 0.f);
  for (std::int64_t s = 0; s < rows; ++s) {
    const float* value = values.first + s * values.stride;
    for (std::int64_t k = 0; k < values.width; ++k) out[k] += shares[s] * value[k];
  }
}

}  // namespace lab
