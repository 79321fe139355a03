#include "core/leak.hpp"

#include <cmath>

namespace lab {
namespace {

// NaN wins: what cannot be told is not to look like nothing.
float larger(float a, float b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace

Run nudged(const Run& run, int word) {
  Pass pass = run.pass;
  if (word >= 0 && word < run.trace.inputs.rows())
    pass.edits.push_back({&Trace::inputs, word, 0, run.trace.inputs(word, 0) + kNudge});
  Run again = run_of("perturbed.", run.module, run.trace.inputs, std::move(pass));
  again.dropout_seed = run.dropout_seed;
  return again;
}

Matrix influence_of(const Run& run) {
  const Matrix& before = output_of(run);
  const int words = int(before.rows());
  Matrix influence = Matrix::Zero(words, words);
  for (int word = 0; word < words; ++word) {
    const Matrix after = output_of(nudged(run, word));
    for (int r = 0; r < words; ++r)
      for (int c = 0; c < before.cols(); ++c)
        influence(r, word) = larger(influence(r, word), std::abs(before(r, c) - after(r, c)));
  }
  return influence;
}

Matrix leak_of(const Matrix& influence) {
  Matrix leak = Matrix::Zero(influence.rows(), 1);
  for (int r = 0; r < influence.rows(); ++r)
    for (int later = r + 1; later < influence.cols(); ++later)
      leak(r, 0) = larger(leak(r, 0), influence(r, later));
  return leak;
}

float later_sum(const MatrixView& weights, int r) {
  float sum = 0;
  for (Eigen::Index c = r + 1; c < weights.cols(); ++c) sum += weights(r, c);
  return sum;
}

}  // namespace lab
