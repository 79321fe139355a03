#include "core/head_route.hpp"

namespace lab {

AllCell read_from(HeadRoute route, HeadShape s, HeadCell c) {
  const int width = s.num_heads * s.head_dim;
  switch (route) {
    case HeadRoute::interleaved: return {c.row, c.col * s.num_heads + c.head};
    case HeadRoute::no_transpose: {
      const int at = (c.head * s.words + c.row) * s.head_dim + c.col;
      return {at / width, at % width};
    }
    default: return {c.row, c.head * s.head_dim + c.col};
  }
}

HeadCell written_by(HeadRoute route, HeadShape s, AllCell c) {
  const int width = s.num_heads * s.head_dim;
  switch (route) {
    case HeadRoute::interleaved: return {c.col % s.num_heads, c.row, c.col / s.num_heads};
    case HeadRoute::no_transpose:
    case HeadRoute::no_transpose_back: {
      const int at = c.row * width + c.col;
      return {at / (s.words * s.head_dim), at / s.head_dim % s.words, at % s.head_dim};
    }
    default: return {c.col / s.head_dim, c.row, c.col % s.head_dim};
  }
}

}  // namespace lab
