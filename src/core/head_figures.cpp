#include "core/head_figures.hpp"

#include <cmath>

#include "core/compare.hpp"

namespace lab {
namespace {

double entropy(const Matrix& weights, int row) {
  double sum = 0;
  for (int c = 0; c <= row; ++c) {
    const double w = double(weights(row, c));
    if (w != 0) sum -= w * std::log(w);
  }
  return sum;
}

}  // namespace

HeadFigures figures_of(const Matrix& weights) {
  const int words = int(weights.rows());
  HeadFigures f;
  for (int r = 0; r < words; ++r) {
    f.entropy += r == 0 ? 0 : entropy(weights, r) / double(words - 1);
    for (int c = 0; c <= r; ++c) f.distance += double(weights(r, c)) * double(r - c) / double(words);
  }
  f.last_entropy = words > 1 ? entropy(weights, words - 1) / std::log(double(words)) : 1;
  for (int c = 0; c < words; ++c) {
    double sum = 0;
    for (int r = 0; r < words; ++r) sum += double(weights(r, c));
    if (std::isnan(sum)) {
      f.most_attended_by = sum;
      break;
    }
    if (sum / words > f.most_attended_by) {
      f.most_attended = c;
      f.most_attended_by = sum / words;
    }
  }
  return f;
}

float effect_of(const Run& module, int head) {
  const bool mixes = module.module.kind == AttentionKind::mha;
  const Matrix& all = mixes ? module.trace.concat : module.trace.out;
  Matrix without = all;
  for (int r = 0; r < int(all.rows()); ++r)
    for (int c = 0; c < int(all.cols()); ++c)
      if (written_by(module.pass.head_route, head_shape(module), {r, c}).head == head) without(r, c) = 0;
  const Matrix with = mixes ? projected(all, module.module.out_proj) : all;
  if (mixes) without = projected(without, module.module.out_proj);
  return float(largest_size(Matrix(with - without)));
}

Matrix even_weights(int words) {
  Matrix even = Matrix::Zero(words, words);
  for (int r = 0; r < words; ++r) even.row(r).leftCols(r + 1).setConstant(1 / float(r + 1));
  return even;
}

}  // namespace lab
