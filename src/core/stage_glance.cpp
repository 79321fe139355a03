#include "core/stage_glance.hpp"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

enum class Even { none, over_all, over_visible };
struct Stage {
  const char* name;
  Matrix Trace::*matrix;
  bool causal;  // what lies in the future is masked
  Even even;
};
constexpr Stage kStages[] = {
    {"attn_scores", &Trace::attn_scores, false, Even::none},
    {"scaled_scores", &Trace::scaled_scores, false, Even::none},
    {"softmax_unmasked", &Trace::softmax_unmasked, false, Even::over_all},
    {"masked_zeroed", &Trace::masked_zeroed, true, Even::over_all},
    {"masked_renormalized", &Trace::masked_renormalized, true, Even::over_visible},
    {"masked_softmax", &Trace::masked_softmax, true, Even::over_visible},
};

StageGlance glance_of(const Matrix& stage, const Stage& kind, int most) {
  const Eigen::Index words = stage.rows(), side = std::min<Eigen::Index>(most, words);
  const auto place = [&](Eigen::Index i) { return i * side / words; };
  StageGlance glance{kind.name, Matrix::Zero(side, side), kind.even != Even::none, {}};
  Matrix counted = Matrix::Zero(side, side);
  for (Eigen::Index r = 0; r < words; ++r) {
    const float even = kind.even == Even::none       ? 1
                       : kind.even == Even::over_all ? 1 / float(words)
                                                     : 1 / float(r + 1);
    const Eigen::Index seen = kind.causal ? r + 1 : words;
    for (Eigen::Index c = 0; c < seen; ++c) {
      glance.cells(place(r), place(c)) += stage(r, c) / even;
      counted(place(r), place(c)) += 1;
    }
  }
  for (Eigen::Index r = 0; r < side; ++r)
    for (Eigen::Index c = 0; c < side; ++c) {
      glance.masked.push_back(counted(r, c) == 0);
      if (counted(r, c) == 0) continue;
      float& mean = glance.cells(r, c);
      mean /= counted(r, c);
      if (glance.beside_even) mean = std::clamp(std::log2(mean), -1.f, 1.f);
    }
  return glance;
}

}  // namespace

StageGlance shares_beside_even(const Matrix& attn_weights, int side) {
  return glance_of(attn_weights, {"attn_weights", nullptr, true, Even::over_visible}, side);
}

std::vector<StageGlance> stage_glances(const Run& head, int side) {
  std::vector<StageGlance> glances;
  for (const Stage& stage : kStages) glances.push_back(glance_of(head.trace.*stage.matrix, stage, side));
  return glances;
}

}  // namespace lab
