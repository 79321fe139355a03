// What the inspector says of a cell: its arithmetic, in terms that stay together, in the hues of its sources.
#include "lessons/inspect.hpp"

#include <doctest.h>

#include "lessons/compute.hpp"
#include "lessons/query.hpp"

using namespace lab;

namespace {

Runs computed(const char* query) { return compute(state_of(query).state.inputs); }

}  // namespace

TEST_CASE("a sum of products is told a product a line, each operand in the hue of its matrix") {
  const Runs runs = computed("lesson=self-attention&step=scores");
  const CellReport report = report_of(runs, {"attn_scores", 1, 2}, 4);
  REQUIRE(report.lines.size() == 3);
  CHECK(text_of(report.lines[0]) == "0.4306 × 0.4361");
  CHECK(report.lines[0].result == "0.1878");
  CHECK(text_of(report.lines[1]) == "+ 1.4551 × 1.1156");
  CHECK(text_of(report.lines[2]) == "= 1.8111");
  for (const int i : {0, 1}) {
    CHECK(report.lines[std::size_t(i)].terms.size() == 1);
    const ToldTerm& term = report.lines[std::size_t(i)].terms.front();
    CHECK(term[term.size() - 3].role == Role::query);
    CHECK(term.back().role == Role::key);
  }
}

TEST_CASE("after a sign a negative number stands in brackets, at the beginning it does not") {
  const Runs runs =
      computed("lesson=self-attention&edit=queries.1.0:-2&edit=queries.1.1:-3&edit=keys.2.1:-4");
  const CellReport report = report_of(runs, {"attn_scores", 1, 2}, 2);
  CHECK(text_of(report.lines[0]) == "−2.00 × 0.44");
  CHECK(text_of(report.lines[1]) == "+ (−3.00) × (−4.00)");
  CHECK(report.lines[1].result == "12.00");
}
