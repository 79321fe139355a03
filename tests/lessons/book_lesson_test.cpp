// The numbers of the book, as a lesson: rows that open where their numbers are made, a filter, two streams.
#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/fixtures.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/book_report.hpp"
#include "lessons/csv.hpp"
#include "lessons/lock.hpp"
#include "lessons/texts/book_texts.hpp"
#include "lessons/user.hpp"
#include "vocabulary.hpp"

using namespace lab;
using lab::test::User;

namespace {

const Tokenizer& tokenizer() {
  static const auto made = Tokenizer::from(kVocabulary);
  return *made;
}

int row_named(std::string_view what) {
  const auto rows = book_rows();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].what == what) return int(i);
  FAIL("no row ", what);
  return 0;
}

Results checked_results(const std::string& query) {
  Results r = results_of(state_of(query).state.inputs, &tokenizer());
  if (r.book) r.book->advance(0, [] { return true; });
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
  std::set<std::pair<std::string, int>> placed;
  for (std::size_t i = 0; i < book_rows().size(); ++i) {
    const BookRow& row = book_rows()[i];
    const BookPlace& place = place_of(row);
    CAPTURE(row.what);
    CAPTURE(place.query);
    CHECK(place.cell == row.cell);
    CHECK(std::string(place.chapter) == row.chapter);
    placed.insert({place.chapter, place.cell});
    User user("lesson=book");
    user.act("book." + std::to_string(i));
    CHECK(user.state.inputs.lesson == lesson_of_place(place).id);
    const ReadQuery read = opened(place.query);
    CHECK(read.problems.empty());
    CHECK(user.state == read.state);
    CHECK(query_of(user.state) != "");
    if (place.number < 0) continue;
    const Results r = results_of(user.state.inputs);
    REQUIRE(user.state.view.cell.has_value());
    const auto value = value_of(r.runs, *user.state.view.cell);
    REQUIRE(value.has_value());
    const double computed = row.computed(DropoutStream::mac)[std::size_t(place.number)];
    CHECK(std::abs(double(*value) - computed) < 1e-6);
  }
  CHECK(placed.size() == book_rows().size());
}

TEST_CASE("what lies behind a dropout opens with the dice that it was compared with") {
  User user("lesson=book&stream=mkl");
  user.act("book." + std::to_string(row_named("dropout 0.5 of the weights")));
  CHECK(user.state.inputs.stream == DropoutStream::mkl);
  const auto value = value_of(results_of(user.state.inputs).runs, {"attn_weights_dropped", 1, 1});
  REQUIRE(value.has_value());
  CHECK(std::abs(*value - .8966f) < 1e-4f);
}

TEST_CASE("a row brings the program that prints its numbers, one that no program prints brings none") {
  const auto code = [](const char* what) {
    const State s = opened("lesson=book&row=" + std::to_string(row_named(what))).state;
    return pytorch_of(checked_results("lesson=book"), s);
  };
  CHECK(holds(code("SelfAttention_v1").program, "torch.manual_seed(123)"));
  CHECK(holds(code("renormalized weights").program, "torch.manual_seed(789)"));
  CHECK(std::string(code("renormalized weights").lit) != "");
  CHECK(holds(code("the generated text").program, "[[15496, 11, 314, 716]]"));
  CHECK(code("GPTModel, logits").program.empty());
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
              "(0.0) 0.22169792652130127=0.2216979"));
  CHECK(holds(fact_text("lesson=book&row=" + std::to_string(row_named("parameters"))),
              "163,009,536=163009536"));
  CHECK(holds(fact_text("lesson=book&row=" + std::to_string(row_named("DummyGPTModel, logits"))),
              "Not run: it takes GPT-2 small, 163,009,536"));
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
  for (const BookCheck& check : r.book->checks().all()) {
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

TEST_CASE("other dice have rows of their own, and the summary never rounds up") {
  const Results mac = checked_results("lesson=book"), mkl = checked_results("lesson=book&stream=mkl");
  CHECK(holds(book_texts::status_of(*mac.book),
              "783 of 904 equal. 776 to the last digit · 7 explained. 121 not run"));
  CHECK(holds(book_texts::status_of(*mkl.book), "711 of 722 equal."));
  CHECK(holds(book_texts::status_of(*mkl.book), "Apart, behind dropout: 72 of 182."));
  User user("lesson=book");
  user.act("input.stream");
  CHECK(user.state.inputs.stream == DropoutStream::mkl);
  CHECK(holds(book_texts::run_of(*results_of(user.state.inputs).book), "55 rows to go"));
}

TEST_CASE("the numbers of the book are saved with what is computed for them") {
  const std::string text = csv(checked_results("lesson=book"), opened("lesson=book").state);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 904 + 24);
  CHECK(holds(text, "ch03,105,\"renormalized weights\",\"0.5517\",0.551678"));
  CHECK(holds(text, "ch04,74,\"parameters\",\"163,009,536\",163009536,0,0,equal"));
  CHECK(holds(text, "ch04,15,\"token ids of two texts\",\"6109\",6109,0,0,equal"));
  CHECK(holds(text, "ch04,91,\"ids of the generated text\",\"15496\",,,0,not run"));
  CHECK_FALSE(holds(text, "different"));
  CHECK(csv(checked_results("lesson=causal-mask"), opened("lesson=causal-mask").state)
            .starts_with("inputs,6,3"));
}

TEST_CASE("a number that is not as printed is told with both and their distance") {
  const BookRow& row = book_rows()[std::size_t(row_named("query of journey"))];
  std::vector<double> values = row.computed(DropoutStream::mac);
  values[1] += .01;
  const std::string reason = book_texts::reason_of(compared(row, values, DropoutStream::mac));
  CHECK(holds(reason, "Printed 1.4551, computed 1.465058: 0.0100 apart."));
}

TEST_CASE("the report says of every row what was printed, what is computed and why, as text and as JSON") {
  const Results r = checked_results("lesson=book");
  const std::string text = book_report_text(r.book->checks());
  for (const char* part :
       {"Attention Lab 0.", "783 of 904 equal · 776 to the last digit · 7 explained · 121 not run",
        "0.000055", "torch.manual_seed", "as on macOS", "\n3.5  Causal mask\n",
        "  ✓ renormalized weights · chapter 3, cell 105 · seed 789 · 36 of 36\n", "printed  1.0000    0.0000",
        "computed 1.000000  0.000000",
        "  i 3.2: two narrow heads · exercises of chapter 3, cell 13 · seed 123 · explained\n      Printed "
        "up to 1.4744",
        "  – GPTModel, logits · chapter 4, cell 72 · seed 123 · not run\n      Not run: it takes GPT-2 "
        "small"}) {
    CAPTURE(part);
    CHECK(holds(text, part));
  }
  const Json json = Json::parse(book_report_json(r.book->checks()));
  CHECK(json["count"]["equal"].get<int>() == 783);
  CHECK(json["count"]["not_run"].get<int>() == 121);
  CHECK(json["system"].get<std::string>() == "macOS");
  CHECK_FALSE(json.contains("count_apart"));
  REQUIRE(json["rows"].size() == book_rows().size());
  std::size_t numbers = 0, names = 0;
  for (std::size_t i = 0; i < json["rows"].size(); ++i) {
    const Json& row = json["rows"][i];
    CHECK(row["cell"].get<int>() == book_rows()[i].cell);
    for (const Json& n : row["numbers"])
      CHECK(n.contains("computed") == (row["result"].get<std::string>() != "not run"));
    numbers += row["numbers"].size();
    for (const Json& n : row["numbers"]) names += n.contains("part_of_name");
  }
  CHECK(numbers == 904 + 24);
  CHECK(names == 16);
  CHECK(holds(text, "(2) 163,009,536"));
  CHECK(json["rows"][0]["numbers"][1]["printed"].get<std::string>() == "1.4950");
  const Json apart = Json::parse(book_report_json(checked_results("lesson=book&stream=mkl").book->checks()));
  CHECK(apart["count_apart"]["numbers"].get<int>() == 182);
}
