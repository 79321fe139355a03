// What a cell of the book prints, as plain numbers in reading order.
#pragma once
#include <vector>

#include "core/matrix.hpp"

namespace lab::book {

using Values = std::vector<double>;

inline Values cells(const Matrix& m) { return {m.data(), m.data() + m.size()}; }
inline Values operator+(Values a, const Values& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace lab::book
