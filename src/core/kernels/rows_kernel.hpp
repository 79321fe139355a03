// What a GPT spends its time with: rows of numbers times a large weight that is stored as nn.Linear stores
// it.
#pragma once
#include <cstdint>

namespace lab {

// y[r, o] = Σₖ x[r, k] × weight[o, k] + bias[o]. x: rows × in, weight: out × in, y: rows × out; bias may be
// null. Each sum runs in eight lanes that are added at the end, in the same order on every machine.
void rows_times_weight(const float* x, std::int64_t rows, std::int64_t in, const float* weight,
                       std::int64_t out, const float* bias, float* y);

}  // namespace lab
