#include "lessons/told.hpp"

#include <algorithm>
#include <cmath>

#include "core/ops.hpp"
#include "lessons/text.hpp"

namespace lab {

std::string not_numbers(const std::string& matrix) {
  return filled(
      "{0} holds NaN or ∞, and whatever is made from those cells is no number either: a sum with NaN is NaN, "
      "and ∞ ÷ ∞ is NaN. Click a cell to see where it came in, or undo.",
      {matrix});
}
std::string no_words() { return "Type a sentence; six words make a good start."; }

int told_row(const Results& r, int wanted) { return std::min(wanted, int(r.runs.words.size()) - 1); }

std::string word(const Results& r, int row) {
  const auto& words = r.runs.words;
  if (row < 0 || row >= int(words.size())) return "";
  const std::string& name = words[std::size_t(row)];
  const auto alike = std::count(words.begin(), words.end(), name);
  if (alike == 1) return name;
  const auto before = std::count(words.begin(), words.begin() + row, name) + 1;
  const bool teen = before % 100 / 10 == 1;
  const char* suffix = before % 10 == 1 && !teen   ? "st"
                       : before % 10 == 2 && !teen ? "nd"
                       : before % 10 == 3 && !teen ? "rd"
                                                   : "th";
  return name + " (" + std::to_string(before) + suffix + ")";
}

std::string counted(int count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string row_text(const Matrix& m, int row, int digits) {
  constexpr int kMost = 6;
  std::string text;
  for (int c = 0; c < std::min(kMost, int(m.cols())); ++c)
    text += (c ? " " : "") + decimals(m(row, c), digits);
  return text + (m.cols() > kMost ? " …" : "");
}

int largest_in_row(const Matrix& m, int row) {
  int best = 0;
  for (int c = 1; c < m.cols(); ++c)
    if (m(row, c) > m(row, best)) best = c;
  return best;
}

bool has_one_largest(const Matrix& m, int row) {
  const int best = largest_in_row(m, row);
  for (int c = best + 1; c < m.cols(); ++c)
    if (m(row, c) == m(row, best)) return false;
  return true;
}

bool all_equal_in_row(const Matrix& m, int row) {
  for (int c = 1; c < m.cols(); ++c)
    if (m(row, c) != m(row, 0)) return false;
  return true;
}

double vector_length(const MatrixView& m, int row) { return double(row_lengths(m)(row, 0)); }

bool has_longest_row(const Matrix& m, int row) {
  for (int r = 0; r < m.rows(); ++r)
    if (r != row && vector_length(m, r) >= vector_length(m, row)) return false;
  return true;
}

bool point_alike(const Matrix& m, int row, int other) {
  constexpr double kAlike = .95;  // cosine
  const double lengths = vector_length(m, row) * vector_length(m, other);
  return lengths > 0 && double(m.row(row).dot(m.row(other))) >= kAlike * lengths;
}

bool all_point_like(const Matrix& m, int row) {
  for (int r = 0; r < m.rows(); ++r)
    if (!point_alike(m, row, r)) return false;
  return true;
}

std::optional<MatrixView> cells_of(const Results& r, const std::string& matrix) {
  const auto found = find(r.runs, matrix);
  if (!found || found->cells.size() == 0) return {};
  return found->cells;
}

std::string number(const MatrixView& m, int row, int col) { return decimals(double(m(row, col))); }

std::string number(const Results& r, const std::string& matrix, int row, int col) {
  const auto cells = cells_of(r, matrix);
  return cells ? number(*cells, row, col) : "";
}

bool is_edited(const Results& r, const std::string& matrix, int row, int col) {
  const CellName cell{matrix, row, col};
  return std::any_of(r.inputs.edits.begin(), r.inputs.edits.end(),
                     [&](const Edit& e) { return e.cell == cell; });
}

double top_share(const Matrix& scores, int row) {
  const double top = scores(row, largest_in_row(scores, row));
  double total = 0;
  for (int c = 0; c < scores.cols(); ++c) total += std::exp(double(scores(row, c)) - top);
  return 1 / total;
}

}  // namespace lab
