#include "core/shortcut_net.hpp"

#include "core/forward.hpp"
#include "core/layers.hpp"
#include "core/ops.hpp"

namespace lab {

ShortcutNet made_shortcut_net(const std::vector<int>& sizes, bool use_shortcut, TorchRandom& random,
                              std::uint64_t seed) {
  ShortcutNet net{.layers = {}, .use_shortcut = use_shortcut};
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    net.layers.push_back(
        drawn_linear("layers." + std::to_string(i) + ".0", sizes[i], sizes[i + 1], true, random, seed));
  return net;
}

ShortcutPass run_shortcut_net(const ShortcutNet& net, const Matrix& input, const Matrix& target) {
  ShortcutPass pass;
  const std::size_t n = net.layers.size();
  std::vector<Matrix> read, pre;  // by each layer, and before its GELU
  std::vector<bool> added;
  Matrix x = input;
  for (const Projection& layer : net.layers) {
    read.push_back(x);
    pre.push_back(projected(x, layer));
    const Matrix said = gelu(pre.back());
    added.push_back(net.use_shortcut && said.cols() == x.cols());
    x = added.back() ? Matrix(x + said) : said;
    pass.activations.push_back(x);
  }
  const Matrix apart = x - target;
  for (Eigen::Index i = 0; i < apart.size(); ++i)
    pass.loss += double(apart.data()[i]) * double(apart.data()[i]) / double(apart.size());

  // Backwards: what the loss would gain from a little more of each activation, layer by layer.
  pass.weight_grads.resize(n);
  pass.bias_grads.resize(n);
  pass.weight_grad_abs_mean.resize(n);
  Matrix gain = apart * (2 / float(apart.size()));
  for (std::size_t i = n; i-- > 0;) {
    Matrix at_pre = gain;
    for (Eigen::Index k = 0; k < at_pre.size(); ++k) at_pre.data()[k] *= gelu_derivative(pre[i].data()[k]);
    pass.weight_grads[i] = product(transposed_view(at_pre), view(read[i]));
    pass.bias_grads[i] = at_pre.colwise().sum();
    const Matrix through = product(view(at_pre), view(net.layers[i].weight.stored));
    gain = added[i] ? Matrix(gain + through) : through;
    double sum = 0;
    for (Eigen::Index k = 0; k < pass.weight_grads[i].size(); ++k)
      sum += std::abs(double(pass.weight_grads[i].data()[k]));
    pass.weight_grad_abs_mean[i] = sum / double(pass.weight_grads[i].size());
  }
  return pass;
}

}  // namespace lab
