#include "core/linear.hpp"

#include <cmath>
#include <span>

namespace lab {
namespace {

std::span<float> cells(Matrix& m) { return {m.data(), std::size_t(m.size())}; }

void draw_between(double bound, Parameter& p, TorchRandom& random, std::uint64_t seed) {
  p.origins = {
      {.cells = whole(p.stored), .seed = seed, .first_draw = random.draws() + 1, .bound = float(bound)}};
  random.uniform_(cells(p.stored), -bound, bound);
}

}  // namespace

Projection drawn_parameter(std::string name, int d_in, int d_out, TorchRandom& random, std::uint64_t seed) {
  Projection p;
  p.weight.name = std::move(name);
  p.weight.stored.resize(d_in, d_out);
  p.weight.origins = {{.cells = whole(p.weight.stored), .seed = seed, .first_draw = random.draws() + 1}};
  random.rand(cells(p.weight.stored));
  return p;
}

double linear_weight_bound(int d_in) {
  const double a = std::sqrt(5.0), fan_in = d_in;
  return std::sqrt(3.0) * (std::sqrt(2 / (1 + a * a)) / std::sqrt(fan_in));
}
double linear_bias_bound(int d_in) { return 1 / std::sqrt(double(d_in)); }

Projection drawn_linear(const std::string& name, int d_in, int d_out, bool bias, TorchRandom& random,
                        std::uint64_t seed) {
  Projection p;
  p.weight.name = name + ".weight";
  p.weight.stored.resize(d_out, d_in);
  p.weight.stored_transposed = true;
  draw_between(linear_weight_bound(d_in), p.weight, random, seed);
  if (bias) {
    p.bias.name = name + ".bias";
    p.bias.stored.resize(1, d_out);
    p.bias.one_dimensional = true;
    draw_between(linear_bias_bound(d_in), p.bias, random, seed);
  }
  return p;
}

Matrix drawn_embedding(int rows, int width, TorchRandom& random) {
  Matrix weight(rows, width);
  random.normal_(cells(weight), 0, 1);
  return weight;
}

}  // namespace lab
