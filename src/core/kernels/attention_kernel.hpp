// One row of attention over what was kept: what a GPT does besides multiplying by weights.
#pragma once
#include <cstdint>

namespace lab {

// A head's part of rows that lie `stride` numbers apart: width of them each.
struct HeadRows {
  const float* first;
  std::int64_t stride, width;
};

// scores[s] = Σₖ query[k] × keys[s, k] × scale, for s < rows. The sum runs in eight lanes, in the same order
// on every machine.
void scores_of_row(const float* query, HeadRows keys, std::int64_t rows, float scale, float* scores);
// scores become shares that add up to 1.
void softmax_of_row(float* scores, std::int64_t rows);
// out[k] = Σₛ shares[s] × values[s, k].
void context_of_row(const float* shares, HeadRows values, std::int64_t rows, float* out);

}  // namespace lab
