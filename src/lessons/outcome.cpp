#include "lessons/outcome.hpp"

#include "core/ops.hpp"
#include "lessons/lesson.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

bool is_square_of_words(const Runs& runs, const Found& found) {
  const auto words = Eigen::Index(runs.words.size());
  return found.row && found.cells.rows() == words && found.cells.cols() == words;
}

// The attention weights that are looked at: selected, or what the step shows first of that kind.
std::string shares_at_hand(const State& state, const Runs& runs) {
  const std::string selected = selected_cell(state).name;
  const auto are_shares = [&](const std::string& name) {
    const auto found = find(runs, name);
    return found && is_square_of_words(runs, *found) && is_share(*found->row) &&
           found->row->rule != Rule::mask && found->row->rule != Rule::drawn;
  };
  if (are_shares(selected)) return selected;
  for (const std::string& name : names(runs))
    if (place_in_show(step_of(state), name) == 0 && are_shares(name)) return name;
  return "";
}

std::string sums_of(const Runs& runs, const std::string& name) {
  const MatrixView cells = find(runs, name)->cells;
  if (rows_sum_to_one(cells)) return "Every row sums to 1.";
  const Matrix sums = row_sums(cells);
  std::string told;
  for (Eigen::Index r = 0; r < sums.rows(); ++r) told += (r == 0 ? "" : ", ") + decimals(sums(r, 0), 2);
  return "Row sums: " + told + ".";
}

}  // namespace

std::string outcome_of(const State& state, const Results& r, const Verdict& verdict) {
  if (r.runs.words.empty() || step_of(state).asks) return "";
  if (r.runs.bench)
    return verdict.headline + ". Largest difference " +
           difference_text(double(r.runs.comparison.max_difference)) + ".";
  const std::string shares = shares_at_hand(state, r.runs);
  return shares.empty() ? "" : sums_of(r.runs, shares);
}

}  // namespace lab
