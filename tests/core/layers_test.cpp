// What the book says of its layers.
#include <doctest.h>

#include <cmath>

#include "core/layers.hpp"
#include "core/ops.hpp"
#include "core/shortcut_net.hpp"

using namespace lab;

namespace {

Matrix drawn(int rows, int cols, std::uint64_t seed) {
  Matrix m(rows, cols);
  TorchRandom random(seed);
  random.rand({m.data(), std::size_t(m.size())});
  return m;
}

}  // namespace

TEST_CASE("LayerNorm leaves mean 0 and variance 1 in each row, whatever is added or multiplied") {
  Matrix x = drawn(4, 8, 1);
  x.row(1) *= 10;
  x.row(2).array() += 5;
  const Matrix mean = row_means(x), var = row_variances(x, mean), unbiased = row_variances(x, mean, true);
  const Matrix out = layer_norm(made_layer_norm("", 8), x);
  for (int r = 0; r < 4; ++r) {
    CHECK(std::abs(out.row(r).mean()) < 1e-6f);
    CHECK(std::abs(out.row(r).squaredNorm() / 8 - 1) < 1e-3f);
    CHECK(std::abs(unbiased(r, 0) - var(r, 0) * 8 / 7) < 1e-6f * unbiased(r, 0) + 1e-7f);
  }
  const Matrix thin = drawn(2, 1, 1);
  CHECK(std::isnan(row_variances(thin, row_means(thin), true)(0, 0)));
}

TEST_CASE("GELU is smooth where ReLU bends, and its slope is the slope of its curve") {
  for (float x = -4; x < 4; x += .37f) {
    const double h = 1e-2, slope = (double(gelu(x + float(h))) - double(gelu(x - float(h)))) / (2 * h);
    CHECK(std::abs(double(gelu_derivative(x)) - slope) < 1e-3);
  }
  CHECK(gelu(0.f) == 0);
  CHECK(gelu(-.5f) < 0);
  CHECK(relu(Matrix::Constant(1, 1, -2))(0, 0) == 0);
}

TEST_CASE("the gradients of the deep network are how its loss changes with each weight") {
  for (const bool shortcuts : {false, true}) {
    TorchRandom random(123);
    ShortcutNet net = made_shortcut_net({3, 3, 3, 3, 3, 1}, shortcuts, random, 123);
    Matrix x(1, 3);
    x << 1, 0, -1;
    const Matrix target = Matrix::Zero(1, 1);
    const ShortcutPass pass = run_shortcut_net(net, x, target);
    for (std::size_t i = 0; i < net.layers.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        float& weight = net.layers[i].weight.stored(0, c);
        const float was = weight, h = 1e-2f;
        weight = was + h;
        const double more = run_shortcut_net(net, x, target).loss;
        weight = was - h;
        const double less = run_shortcut_net(net, x, target).loss;
        weight = was;
        CHECK(std::abs((more - less) / (2 * double(h)) - double(pass.weight_grads[i](0, c))) < 2e-3);
      }
  }
}

TEST_CASE("the ten gradients that chapter 4 prints come out, without shortcuts and with them") {
  constexpr double kWithout[] = {0.00020173587836325169, 0.0001201116101583466, 0.0007152041653171182,
                                 0.001398873864673078, 0.005049646366387606};
  constexpr double kWith[] = {0.22169792652130127, 0.20694106817245483, 0.32896995544433594,
                              0.2665732204914093, 1.3258540630340576};
  for (const bool shortcuts : {false, true}) {
    TorchRandom random(123);
    const ShortcutNet net = made_shortcut_net({3, 3, 3, 3, 3, 1}, shortcuts, random, 123);
    Matrix x(1, 3);
    x << 1, 0, -1;
    const ShortcutPass pass = run_shortcut_net(net, x, Matrix::Zero(1, 1));
    for (std::size_t i = 0; i < 5; ++i) {
      const double printed = (shortcuts ? kWith : kWithout)[i];
      CHECK(std::abs(pass.weight_grad_abs_mean[i] - printed) <= 2e-6 * printed + 1e-9);
    }
  }
}

TEST_CASE("rows have lengths and sums, also seen through a transpose") {
  Matrix m(2, 3);
  m << 3, 4, 0, 1e20f, -1, 1;
  CHECK(row_lengths(m)(0, 0) == 5);
  CHECK(row_lengths(m)(1, 0) == 1e20f);  // its square is no float32
  CHECK(row_lengths(transposed_view(m)).rows() == 3);
  CHECK(row_sums(transposed_view(m))(2, 0) == 1);
  CHECK_FALSE(rows_sum_to_one(view(m)));
  Matrix shares(2, 2);
  shares << .5f, .5f, .25f, .75f;
  CHECK(rows_sum_to_one(view(shares)));
  shares(0, 0) = std::nanf("");
  CHECK_FALSE(rows_sum_to_one(view(shares)));
}
