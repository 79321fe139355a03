#include "lessons/stages.hpp"

#include <algorithm>

#include "core/compare.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab {

bool is_stage(std::string_view name) {
  const std::string_view own = name.substr(name.rfind('.') + 1);
  return own == "softmax_unmasked" || own == "masked_zeroed" || own == "masked_renormalized" ||
         own == "row_sums";
}

void add_stage_facts(std::vector<Fact>& facts, const Trace& t, int row, int digits, StagesTold told) {
  const auto first = [&](const Matrix& m) {
    constexpr int kTold = 3;
    return row_text(m.leftCols(std::min(kTold, row + 1)), row, digits) + (row + 1 > kTold ? " …" : "");
  };
  if (told >= StagesTold::softmax)
    facts.push_back({"after softmax", first(t.softmax_unmasked), Role::weights});
  if (told >= StagesTold::zeroed)
    facts.push_back({"row sum after zeroing", decimals(t.row_sums(row, 0), digits)});
  if (told >= StagesTold::renormalized) {
    facts.push_back({"renormalized", first(t.masked_renormalized), Role::weights, true});
    facts.push_back({"row sum", decimals(t.masked_renormalized.row(row).sum(), digits), Role::neutral, true});
  }
  if (told >= StagesTold::both_routes)
    facts.push_back({"max |Δ| to the −∞ route", difference_text(largest_size(t.route_difference))});
}

}  // namespace lab
