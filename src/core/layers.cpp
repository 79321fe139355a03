#include "core/layers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/forward.hpp"
#include "core/ops.hpp"

namespace lab {
namespace {

constexpr float kCubic = 0.044715f;
const float kRoot = std::sqrt(2 / std::numbers::pi_v<float>);

Parameter constant_row(std::string name, int width, float value) {
  Parameter p{.name = std::move(name), .stored = Matrix::Constant(1, width, value), .one_dimensional = true};
  p.origins = {{.kind = Origin::Kind::chosen,
                .cells = whole(p.stored),
                .from = value == 0 ? "zero until it is trained" : "one until it is trained"}};
  return p;
}

}  // namespace

LayerNormParams made_layer_norm(const std::string& prefix, int width) {
  return {constant_row(prefix + "scale", width, 1), constant_row(prefix + "shift", width, 0)};
}

// Sums in double: the mean of numbers near 1000 must not swallow their variance.
Matrix row_means(const Matrix& x) {
  Matrix mean(x.rows(), 1);
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    double sum = 0;
    for (Eigen::Index c = 0; c < x.cols(); ++c) sum += double(x(r, c));
    mean(r, 0) = float(sum / double(x.cols()));
  }
  return mean;
}

Matrix row_variances(const Matrix& x, const Matrix& mean, bool unbiased) {
  Matrix var(x.rows(), 1);
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    double squares = 0;
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const double apart = double(x(r, c)) - double(mean(r, 0));
      squares += apart * apart;
    }
    var(r, 0) = float(squares / double(x.cols() - unbiased));  // 0 ÷ 0 at width 1: NaN, as torch says
  }
  return var;
}

Matrix centred(const Matrix& x, const Matrix& mean) {
  Matrix out(x.rows(), x.cols());
  for (Eigen::Index r = 0; r < x.rows(); ++r) out.row(r) = x.row(r).array() - mean(r, 0);
  return out;
}

Matrix levelled(const Matrix& x, const Matrix& mean, const Matrix& var, float eps) {
  Matrix out(x.rows(), x.cols());
  for (Eigen::Index r = 0; r < x.rows(); ++r) {
    const float root = std::sqrt(var(r, 0) + eps);
    for (Eigen::Index c = 0; c < x.cols(); ++c) out(r, c) = (x(r, c) - mean(r, 0)) / root;
  }
  return out;
}

Matrix scaled_and_shifted(const LayerNormParams& p, const Matrix& normalized) {
  Matrix out(normalized.rows(), normalized.cols());
  for (Eigen::Index r = 0; r < out.rows(); ++r)
    for (Eigen::Index c = 0; c < out.cols(); ++c)
      out(r, c) = p.scale.stored(0, c) * normalized(r, c) + p.shift.stored(0, c);
  return out;
}

Matrix layer_norm(const LayerNormParams& p, const Matrix& x) {
  const Matrix mean = row_means(x);
  return scaled_and_shifted(p, levelled(x, mean, row_variances(x, mean)));
}

float gelu(float x) { return .5f * x * (1 + std::tanh(kRoot * (x + kCubic * x * x * x))); }

float gelu_derivative(float x) {
  const float t = std::tanh(kRoot * (x + kCubic * x * x * x));
  return .5f * (1 + t) + .5f * x * (1 - t * t) * kRoot * (1 + 3 * kCubic * x * x);
}

Matrix gelu(const Matrix& m) {
  return m.unaryExpr([](float x) { return gelu(x); });
}
Matrix relu(const Matrix& m) {
  return m.unaryExpr([](float x) { return x > 0 || std::isnan(x) ? x : 0; });
}

Matrix log_softmax(const Matrix& m) {
  Matrix out(m.rows(), m.cols());
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    const float most = m.row(r).maxCoeff();
    float sum = 0;
    for (Eigen::Index c = 0; c < m.cols(); ++c) sum += std::exp(m(r, c) - most);
    for (Eigen::Index c = 0; c < m.cols(); ++c) out(r, c) = m(r, c) - most - std::log(sum);
  }
  return out;
}

CrossEntropy cross_entropy(const Matrix& logits, const std::vector<int>& targets) {
  CrossEntropy c;
  const Matrix log_shares = log_softmax(logits);
  c.grad = softmax(logits);
  for (Eigen::Index r = 0; r < logits.rows(); ++r) {
    const int target = targets[std::size_t(r)];
    c.loss -= double(log_shares(r, target)) / double(logits.rows());
    c.grad(r, target) -= 1;
  }
  c.grad /= float(std::max<Eigen::Index>(1, logits.rows()));
  return c;
}

FeedForwardParams made_feed_forward(const std::string& prefix, int width, TorchRandom& random,
                                    std::uint64_t seed) {
  FeedForwardParams p;
  p.expand = drawn_linear(prefix + "layers.0", width, 4 * width, true, random, seed);
  p.contract = drawn_linear(prefix + "layers.2", 4 * width, width, true, random, seed);
  return p;
}

FeedForwardTrace feed_forward(const FeedForwardParams& p, const Matrix& x) {
  FeedForwardTrace t;
  t.pre = projected(x, p.expand);
  t.gelu = gelu(t.pre);
  t.out = projected(t.gelu, p.contract);
  return t;
}

}  // namespace lab
