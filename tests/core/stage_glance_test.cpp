// Smaller pictures of a head's stages, where a text is long.
#include "core/stage_glance.hpp"

#include <doctest.h>

#include <cmath>

#include "core/runs.hpp"

using namespace lab;

namespace {

// Causal weights of so many words: each row gives its last word all but what the others share.
Matrix weights_of(int words) {
  Matrix w = Matrix::Zero(words, words);
  for (int r = 0; r < words; ++r)
    for (int c = 0; c <= r; ++c) w(r, c) = c == r ? .5f + .5f / float(r + 1) : .5f / float(r + 1);
  return w;
}

}  // namespace

TEST_CASE("up to as many words as a side has cells, each share stands in a cell of its own") {
  const Matrix w = weights_of(5);
  const StageGlance glance = shares_beside_even(w, 8);
  REQUIRE(glance.cells.rows() == 5);
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) {
      CHECK(int(glance.masked[std::size_t(r * 5 + c)]) == (c > r));
      if (c <= r) CHECK(glance.cells(r, c) == std::clamp(std::log2(w(r, c) * float(r + 1)), -1.f, 1.f));
    }
}

TEST_CASE("of more words a cell is the mean of a rectangle, over what is not masked") {
  const Matrix w = weights_of(6);
  const StageGlance glance = shares_beside_even(w, 3);
  REQUIRE(glance.cells.rows() == 3);
  const float corner =
      (w(0, 0) * 1 + w(1, 0) * 2 + w(1, 1) * 2) / 3;  // each times the words that its row sees
  CHECK(glance.cells(0, 0) == doctest::Approx(std::log2(corner)));
  const float below = (w(4, 0) * 5 + w(4, 1) * 5 + w(5, 0) * 6 + w(5, 1) * 6) / 4;
  CHECK(glance.cells(2, 0) == doctest::Approx(std::log2(below)));
  CHECK(glance.masked[2] == 1);
  CHECK(glance.masked[4] == 0);
}
