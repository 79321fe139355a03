// The numbers of the book, as a lesson: rows that open where their numbers are made, a filter, two streams.
#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lessons/book_lesson.hpp"
#include "lessons/csv.hpp"
#include "lessons/lock.hpp"
#include "lessons/texts/book_texts.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::User;

namespace {

int row_named(std::string_view what) {
  const auto rows = book_rows();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].what == what) return int(i);
  FAIL("no row ", what);
  return 0;
}

Results checked_results(const std::string& query) {
  Results r = results_of(state_of(query).state.inputs);
  while (r.book && !r.book->done()) r.book->check_next();
  return r;
}

std::string fact_text(const std::string& query) {
  const State s = opened(query).state;
  std::string text;
  for (const Fact& f : lesson_of(s).facts(checked_results(query), s)) text += f.label + "=" + f.value + ";";
  return text;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a row of the book opens the lesson where its number stands, and the very number stands there") {
  int placed = 0;
  for (std::size_t i = 0; i < book_rows().size(); ++i) {
    const BookRow& row = book_rows()[i];
    const BookPlace* place = place_of(row);
    if (!place) continue;
    ++placed;
    CAPTURE(place->query);
    User user("lesson=book");
    user.act("book." + std::to_string(i));
    CHECK(user.state.inputs.lesson == lesson_of_place(*place).id);
    const ReadQuery read = opened(place->query);
    CHECK(read.problems.empty());
    CHECK(user.state == read.state);
    CHECK(query_of(user.state) != "");
    if (place->number < 0) continue;
    const Results r = results_of(user.state.inputs);
    REQUIRE(user.state.view.cell.has_value());
    const auto value = value_of(r.runs, *user.state.view.cell);
    REQUIRE(value.has_value());
    const double computed = row.computed(DropoutStream::mac)[std::size_t(place->number)];
    CHECK(std::abs(double(*value) - computed) < 1e-6);
  }
  CHECK(placed == 41);
}

TEST_CASE("what a row opens with keeps how one looks, and not what was changed before") {
  User user("lesson=book&theme=dark&digits=6&present=1&hide=rail&stream=mkl");
  user.act("book." + std::to_string(row_named("renormalized weights")));
  CHECK(user.state.inputs.lesson == "causal-mask");
  CHECK(user.state.inputs.seed == 789);
  CHECK(user.state.inputs.stream == DropoutStream::mac);
  CHECK(selected_cell(user.state) == CellName{"masked_renormalized", 1, 0});
  CHECK(user.state.view.theme == ThemeChoice::dark);
  CHECK(user.state.view.digits == 6);
  CHECK(user.state.view.present);
  CHECK(user.state.view.hide.size() == 1);
}

TEST_CASE("a row that the lab has no picture of is compared number by number instead") {
  User user("lesson=book");
  const int row = row_named("size in MB");
  user.act("book." + std::to_string(row));
  CHECK(user.state.inputs.lesson == "book");
  CHECK(magnified_row(user.state) == row);
}

TEST_CASE("a count compares its row, the next step its own, and no other number is a row") {
  User user("lesson=book");
  CHECK(book_rows()[std::size_t(magnified_row(user.state))].what == std::string("renormalized weights"));
  user.act("check.3");
  CHECK(magnified_row(user.state) == 3);
  CHECK(holds(query_of(user.state), "row=3"));
  user.act("step.odd");
  CHECK(book_rows()[std::size_t(magnified_row(user.state))].cannot_be);
  user.act("step.dice");
  CHECK(book_rows()[std::size_t(magnified_row(user.state))].drops);
  for (const char* id : {"check.99", "check.-1", "check.x", "book.4095", "book."}) {
    const State before = user.state;
    user.act(id);
    CHECK(user.state == before);
  }
  CHECK_FALSE(opened("lesson=book&row=99").state.view.row.has_value());
  CHECK_FALSE(opened("lesson=transfer&row=3&filter=1").state.view.filter);
}

TEST_CASE("printed and computed stand side by side, with the distance and what it may be") {
  const std::string weights = fact_text("lesson=book");
  CHECK(holds(weights, "0.5517=0.551678"));
  CHECK(holds(weights, "largest distance="));
  CHECK(holds(weights, "|Δ| ≤ 5.50e-05"));
  CHECK(holds(fact_text("lesson=book&row=" + std::to_string(row_named("gradients with shortcuts"))),
              "0.22169792652130127=0.2216979"));
  CHECK(holds(fact_text("lesson=book&row=" + std::to_string(row_named("parameters"))),
              "163,009,536=163009536"));
  CHECK(holds(fact_text("lesson=book&row=" + std::to_string(row_named("DummyGPTModel, logits"))), "Not run"));
  CHECK(holds(fact_text("lesson=book&step=odd"), "-9.1476e-02=-0.57"));
  CHECK(holds(fact_text("lesson=book&step=odd"), "Printed up to 1.4744, but no context"));
  CHECK(holds(fact_text("lesson=book&step=odd"), "than 1.2009"));
}

TEST_CASE("without a sentence the numbers of the book stay what they are") {
  CHECK(fact_text("lesson=book&text=") == fact_text("lesson=book"));
}

TEST_CASE("the filter leaves what is not equal to the last digit, and each of those rows has a reason") {
  const Results r = checked_results("lesson=book");
  const State all = opened("lesson=book").state, some = opened("lesson=book&step=odd").state;
  CHECK(some.view.filter);
  std::set<std::string> left;
  for (const BookCheck& check : r.book->all()) {
    CAPTURE(check.row->what);
    CHECK(is_listed(all, check));
    if (!is_listed(some, check)) continue;
    left.insert(check.row->what);
    CHECK(book_texts::reason_of(check) != "");
  }
  CHECK(left.count("3.2: two narrow heads") == 1);
  CHECK(left.count("levelled, mean and variance") == 1);
  CHECK(left.size() < 8);
  User user("lesson=book");
  user.act("filter");
  CHECK(user.state.view.filter);
  user.act("step.dice");
  CHECK_FALSE(user.state.view.filter);
}

TEST_CASE("other dice change the rows behind a dropout, and the summary never rounds up") {
  const Results mac = checked_results("lesson=book"), mkl = checked_results("lesson=book&stream=mkl");
  CHECK(mac.book->equal() == 769);
  CHECK(mkl.book->equal() < 769);
  CHECK(holds(book_texts::summary_of(*mac.book), " explained"));
  CHECK(holds(book_texts::waiting_of(*mac.book), "135 not run"));
  User user("lesson=book");
  user.act("input.stream");
  CHECK(user.state.inputs.stream == DropoutStream::mkl);
  CHECK(holds(book_texts::waiting_of(BookChecks(DropoutStream::mac)), "61 rows to go"));
}

TEST_CASE("the numbers of the book are saved with what is computed for them") {
  const std::string text = csv(checked_results("lesson=book"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 904 + 24);
  CHECK(holds(text, "ch03,105,\"renormalized weights\",\"0.5517\",0.551678"));
  CHECK(holds(text, "ch04,74,\"parameters\",\"163,009,536\",163009536,0,0,equal"));
  CHECK(holds(text, "ch04,15,\"token ids of two texts\",\"6109\",,,0,not run"));
  CHECK_FALSE(holds(text, "different"));
  CHECK(csv(checked_results("lesson=causal-mask")).starts_with("inputs,6,3"));
}

TEST_CASE("a number that is not as printed is told with both and their distance") {
  const BookRow& row = book_rows()[std::size_t(row_named("query of journey"))];
  std::vector<double> values = row.computed(DropoutStream::mac);
  values[1] += .01;
  const std::string reason = book_texts::reason_of(compared(row, values, DropoutStream::mac));
  CHECK(holds(reason, "Printed 1.4551, computed 1.465058: 0.0100 apart."));
}
