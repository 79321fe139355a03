#include "lessons/csv.hpp"

#include "core/number_text.hpp"

namespace lab {

std::string csv(const Runs& runs) {
  std::string text;
  for (const std::string& name : names(runs)) {
    const auto found = find(runs, name);
    if (!found) continue;
    const MatrixView& m = found->cells;
    text += name + "," + std::to_string(m.rows()) + "," + std::to_string(m.cols()) + "\n";
    for (Eigen::Index r = 0; r < m.rows(); ++r)
      for (Eigen::Index c = 0; c < m.cols(); ++c)
        text += number_text(m(r, c)) + (c + 1 < m.cols() ? "," : "\n");
    text += "\n";
  }
  return text;
}

}  // namespace lab
