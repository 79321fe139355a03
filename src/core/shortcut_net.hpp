// Chapter 4's deep network that shows what shortcuts do: layers of nn.Linear and GELU, and the gradients of a
// loss at every layer, with shortcuts and without.
#pragma once
#include <cstdint>
#include <vector>

#include "core/linear.hpp"

namespace lab {

struct ShortcutNet {
  std::vector<Projection> layers;  // "layers.0.0" …
  bool use_shortcut = false;       // where a layer is as wide as what it reads, that is added to what it says
};
// sizes: the widths from the input on, one more than there are layers.
ShortcutNet made_shortcut_net(const std::vector<int>& sizes, bool use_shortcut, TorchRandom& random,
                              std::uint64_t seed);

struct ShortcutPass {
  std::vector<Matrix> activations;               // rows × width of each layer
  double loss = 0;                               // mean squared error
  std::vector<Matrix> weight_grads, bias_grads;  // as the parameters are stored
  std::vector<double> weight_grad_abs_mean;      // what the book prints of each layer
};
ShortcutPass run_shortcut_net(const ShortcutNet& net, const Matrix& input, const Matrix& target);

}  // namespace lab
