// Chapter 4's first look at LayerNorm: two rows of six numbers out of a small layer, levelled, and measured
// again. A pass through it is a Run (run.hpp).
#pragma once
#include <cstdint>
#include <vector>

#include "core/forward.hpp"
#include "core/layers.hpp"

namespace lab {

struct NormExample {
  Parameter out;  // 2 × 6
  LayerNormParams norm;
  bool unbiased = false;  // variance over 5 numbers, not 6
  float eps = kNormEps;
  std::vector<CellEdit> edits;
};
// After torch.manual_seed(seed): relu(nn.Linear(5, 6)(torch.randn(2, 5))).
NormExample made_norm_example(std::uint64_t seed);

}  // namespace lab
