#include "lessons/told.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/text.hpp"

namespace lab {

std::string no_words() { return "Type a sentence; six words make a good start."; }

int told_row(const Results& r, int wanted) { return std::min(wanted, int(r.runs.words.size()) - 1); }

std::string word(const Results& r, int row) {
  return row < 0 || row >= int(r.runs.words.size()) ? "" : r.runs.words[std::size_t(row)];
}

std::string counted(int count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string row_text(const Matrix& m, int row) {
  constexpr int kMost = 6;
  std::string text;
  for (int c = 0; c < std::min(kMost, int(m.cols())); ++c) text += (c ? " " : "") + decimals(m(row, c));
  return text + (m.cols() > kMost ? " …" : "");
}

int largest_in_row(const Matrix& m, int row) {
  int best = 0;
  for (int c = 1; c < m.cols(); ++c)
    if (m(row, c) > m(row, best)) best = c;
  return best;
}

double vector_length(const Matrix& m, int row) { return double(m.row(row).norm()); }

bool has_longest_row(const Matrix& m, int row) {
  for (int r = 0; r < m.rows(); ++r)
    if (r != row && vector_length(m, r) >= vector_length(m, row)) return false;
  return true;
}

double top_share(const Matrix& scores, int row) {
  const double top = scores(row, largest_in_row(scores, row));
  double total = 0;
  for (int c = 0; c < scores.cols(); ++c) total += std::exp(double(scores(row, c)) - top);
  return 1 / total;
}

}  // namespace lab
