// The layers that modules are built from: how PyTorch stores them and in which order it draws their numbers.
#pragma once
#include <cstdint>
#include <string>

#include "core/parameter.hpp"
#include "core/torch_random.hpp"

namespace lab {

// What a layer multiplies by, and what it adds.
struct Projection {
  Parameter weight;
  Parameter bias;  // empty where the layer has none
};

// nn.Parameter(torch.rand(d_in, d_out)), x @ W: stored d_in × d_out.
Projection drawn_parameter(std::string name, int d_in, int d_out, TorchRandom& random, std::uint64_t seed);

// Between ∓ which bounds nn.Linear draws: √3 × √(2 ÷ (1 + a²)) ÷ √d_in, a = √5 (kaiming_uniform_), and 1 ÷
// √d_in.
double linear_weight_bound(int d_in);
double linear_bias_bound(int d_in);

// nn.Linear(d_in, d_out, bias), x @ W.T + b: first NAME.weight, stored d_out × d_in, then NAME.bias.
Projection drawn_linear(const std::string& name, int d_in, int d_out, bool bias, TorchRandom& random,
                        std::uint64_t seed);

// The weight of nn.Embedding(rows, width): normal_(0, 1).
Matrix drawn_embedding(int rows, int width, TorchRandom& random);

}  // namespace lab
