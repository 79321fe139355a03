#include "core/masks.hpp"

namespace lab {
namespace {

template <class Keeps>
Matrix mask(int words, Keeps keeps) {
  Matrix m(words, words);
  for (int r = 0; r < words; ++r)
    for (int c = 0; c < words; ++c) m(r, c) = keeps(r, c) ? 1 : 0;
  return m;
}

}  // namespace

Matrix drawn_mask(int rows, int cols, double dropout, DropoutStream stream, TorchRandom& random) {
  Matrix mask(rows, cols);
  random.dropout_mask({mask.data(), std::size_t(mask.size())}, dropout, stream);
  return mask;
}

Matrix causal_mask(int words) {
  return mask(words, [](int r, int c) { return c <= r; });
}

Matrix route_mask(MaskRoute route, int words) {
  switch (route) {
    case MaskRoute::none: return Matrix::Ones(words, words);
    case MaskRoute::off_by_one: return mask(words, [](int r, int c) { return c <= r + 1; });
    case MaskRoute::transposed: return mask(words, [](int r, int c) { return c >= r; });
    default: return causal_mask(words);
  }
}

}  // namespace lab
