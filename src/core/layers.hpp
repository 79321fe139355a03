// What a transformer block is made of besides attention, each layer with every intermediate kept.
#pragma once
#include <cstdint>
#include <vector>

#include "core/linear.hpp"
#include "core/matrix.hpp"

namespace lab {

// ---- LayerNorm: each row by itself to mean 0 and variance 1, then scaled and shifted ----------------------

constexpr float kNormEps = 1e-5f;  // chapter 4's, so that a constant row is not divided by 0

struct LayerNormParams {
  Parameter scale, shift;  // 1 × width, named PREFIX.scale and PREFIX.shift
};
LayerNormParams made_layer_norm(const std::string& prefix, int width);  // ones and zeros: nothing is drawn

Matrix row_means(const Matrix& x);                    // rows × 1
Matrix centred(const Matrix& x, const Matrix& mean);  // x − mean, row by row
// rows × 1, the mean of (x − mean)²: over the width, "biased", or over width − 1, which is NaN at width 1.
Matrix row_variances(const Matrix& x, const Matrix& mean, bool unbiased = false);
// rows × width, (x − mean) / √(var + eps)
Matrix levelled(const Matrix& x, const Matrix& mean, const Matrix& var, float eps = kNormEps);
Matrix scaled_and_shifted(const LayerNormParams& p, const Matrix& normalized);  // scale × normalized + shift
Matrix layer_norm(const LayerNormParams& p, const Matrix& x);                   // all of it

// ---- GELU and ReLU ----------------------------------------------------------------------------------------

float gelu(float x);  // ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))
float gelu_derivative(float x);
Matrix gelu(const Matrix& m);
Matrix relu(const Matrix& m);

Matrix log_softmax(const Matrix& m);  // each row: x − max − ln Σ exp(x − max)

// Mean over the rows of −log_softmax(logits)[row, target], and how it changes with each logit.
struct CrossEntropy {
  double loss = 0;
  Matrix grad;  // as logits
};
CrossEntropy cross_entropy(const Matrix& logits, const std::vector<int>& targets);

// ---- FeedForward: four times wider, bent, and back --------------------------------------------------------

struct FeedForwardParams {
  Projection expand;    // layers.0: width → 4 × width
  Projection contract;  // layers.2: 4 × width → width
};
FeedForwardParams made_feed_forward(const std::string& prefix, int width, TorchRandom& random,
                                    std::uint64_t seed);

struct FeedForwardTrace {
  Matrix pre;   // rows × 4·width
  Matrix gelu;  // rows × 4·width
  Matrix out;   // rows × width
};
FeedForwardTrace feed_forward(const FeedForwardParams& p, const Matrix& x);

}  // namespace lab
