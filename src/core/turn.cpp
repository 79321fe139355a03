#include "core/turn.hpp"

#include <cmath>

namespace lab {

Parameter turned_outputs(Parameter p, double angle) {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const bool outputs_are_rows = p.stored_transposed;
  const auto turn = [&](float& x, float& y) {
    const double a = double(x), b = double(y);
    x = float(cosine * a - sine * b);
    y = float(sine * a + cosine * b);
  };
  if (outputs_are_rows) {
    for (int c = 0; p.stored.rows() > 1 && c < p.stored.cols(); ++c) turn(p.stored(0, c), p.stored(1, c));
  } else {
    for (int r = 0; p.stored.cols() > 1 && r < p.stored.rows(); ++r) turn(p.stored(r, 0), p.stored(r, 1));
  }
  return p;
}

}  // namespace lab
