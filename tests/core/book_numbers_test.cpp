// The numbers that the book prints, beside what is computed here.
#include <doctest.h>

#include <cmath>
#include <limits>

#include "core/book_computed.hpp"
#include "core/book_numbers.hpp"
#include "core/fixtures.hpp"
#include "vocabulary.hpp"

using namespace lab;

namespace {

std::string chapter_and_cell(const BookRow& row) {
  return std::string(row.chapter) + " " + std::to_string(row.cell);
}

BookChecks all_checked(DropoutStream stream) {
  BookChecks checks(stream);
  while (!checks.done()) checks.check_next();
  return checks;
}

const BookRow& row_of(const std::string& name) {
  for (const BookRow& row : book_rows())
    if (chapter_and_cell(row) == name) return row;
  FAIL("no row ", name);
  return book_rows().front();
}

// What the row computes, with the number at that place moved.
BookCheck moved(const std::string& name, std::size_t place, double by) {
  const BookRow& row = row_of(name);
  std::vector<double> values = row.computed(DropoutStream::mac);
  values.at(place) += by;
  return compared(row, values, DropoutStream::mac);
}

}  // namespace

TEST_CASE("every number that needs no large model is the one that the book prints") {
  const BookChecks checks = all_checked(DropoutStream::mac);
  for (const BookCheck& check : checks.all()) {
    CAPTURE(chapter_and_cell(*check.row));
    for (const BookNumber& n : check.numbers) {
      CAPTURE(n.text);
      CAPTURE(n.computed);
      if (!check.row->computed || check.row->cannot_be) continue;
      CHECK(n.within);
      const bool hangs_on_last_bits = n.rule == BookRule::gradient || n.rule == BookRule::near_zero;
      if (!hangs_on_last_bits) CHECK(n.to_last_digit);
    }
    if (!check.row->computed)
      CHECK(check.state == BookCheck::State::not_run);
    else if (check.row->cannot_be)
      CHECK(check.state == BookCheck::State::explained);
    else
      CHECK(check.state == BookCheck::State::equal);
  }
  CHECK(checks.to_tick() == 904);
  CHECK(checks.equal() == 769);
}

TEST_CASE("the table holds what the notebooks print, number by number") {
  const Json kept = Json::parse(fixture_text("book_values.json"));
  std::vector<const BookRow*> rows;
  for (const BookRow& row : book_rows())
    if (!row.cannot_be) rows.push_back(&row);
  REQUIRE(rows.size() == kept["values"].size());
  int printed = 0, names = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& value = kept["values"][i];
    CHECK(chapter_and_cell(*rows[i]) ==
          value["chapter"].get<std::string>() + " " + std::to_string(value["cell"].get<int>()));
    std::istringstream texts(rows[i]->printed);
    std::vector<std::string> ours;
    for (std::string text; texts >> text;) {
      names += text.front() == '(';
      ours.push_back(text.front() == '(' ? text.substr(1, text.size() - 2) : text);
    }
    CHECK(ours == value["printed_numbers"].get<std::vector<std::string>>());
    printed += int(ours.size());
  }
  CHECK(printed == 920);
  CHECK(names == 16);
}

TEST_CASE("a tick tolerates half a last digit and a little for rounding, and no more") {
  CHECK(moved("ch03 105", 6, 4e-5).numbers[6].within == true);
  const BookCheck off = moved("ch03 105", 6, 1e-4);
  CHECK_FALSE(off.numbers[6].within);
  CHECK(off.state == BookCheck::State::failed);
  CHECK(off.equal == 35);
  CHECK(furthest(off) == &off.numbers[6]);
}

TEST_CASE("a gradient is held to one part in a million, counts and shapes must be equal") {
  CHECK(moved("ch04 57", 4, 1.3e-7).numbers[4].within);
  CHECK_FALSE(moved("ch04 57", 4, 3e-6).numbers[4].within);
  CHECK_FALSE(moved("ch04 55", 0, 1e-9).numbers[0].within);
  CHECK_FALSE(moved("ch04 74", 0, 1).numbers[0].within);
  CHECK_FALSE(moved("ch03 72", 0, .01).numbers[0].within);
  CHECK_FALSE(moved("ch04 80", 0, .01).numbers[0].within);
  CHECK_FALSE(moved("ch04 exercises 12", 2, .01).numbers[2].within);
}

TEST_CASE("a mean that is really 0 may be any tiny number, and no larger one") {
  const BookCheck as_it_is = moved("ch04 28", 12, 0), off = moved("ch04 28", 12, 1e-6);
  CHECK(as_it_is.numbers[12].rule == BookRule::near_zero);
  CHECK(as_it_is.numbers[12].within);
  CHECK_FALSE(off.numbers[12].within);
}

TEST_CASE("infinity equals infinity only, NaN nothing, and a number that is missing is seen") {
  const BookRow& row = row_of("ch03 108");
  std::vector<double> values = row.computed(DropoutStream::mac);
  CHECK(compared(row, values, DropoutStream::mac).state == BookCheck::State::equal);
  values[1] = -1e30;
  CHECK(compared(row, values, DropoutStream::mac).equal == 35);
  values[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(compared(row, values, DropoutStream::mac).equal == 35);
  values.resize(35);
  CHECK(compared(row, values, DropoutStream::mac).state == BookCheck::State::failed);
}

TEST_CASE("the other stream of dropout gives what readers reported, and leaves all other rows as they are") {
  const BookChecks mac = all_checked(DropoutStream::mac), mkl = all_checked(DropoutStream::mkl);
  for (std::size_t i = 0; i < mac.all().size(); ++i) {
    const BookCheck &here = mac.all()[i], &there = mkl.all()[i];
    CAPTURE(chapter_and_cell(*here.row));
    if (!here.row->drops || here.row->computed_with) {
      CHECK(here.state == there.state);
      CHECK(here.equal == there.equal);
    } else if (*here.row->reported) {
      CHECK(there.against_readers);
      CHECK(there.state == BookCheck::State::equal);
      CHECK(here.numbers[2].computed == 0);
      CHECK(there.numbers[2].computed == 2);
    } else {
      CHECK(there.state == BookCheck::State::explained);
      CHECK(there.equal < here.equal);
    }
  }
}

TEST_CASE("what exercise 3.2 prints is further from zero than any context of its module can be") {
  const BookRow& row = row_of("ch03 exercises 13");
  CHECK(row.cannot_be);
  const BookCheck check = checked(row, DropoutStream::mac);
  double printed = 0, computed = 0;
  for (const BookNumber& n : check.numbers) {
    printed = std::max(printed, std::abs(n.printed));
    computed = std::max(computed, std::abs(n.computed));
  }
  CHECK(printed == 1.4744);
  CHECK(std::abs(book::largest_context_of_exercise() - 2.08 / std::sqrt(3.)) < 1e-6);
  CHECK(computed < book::largest_context_of_exercise());
  CHECK(printed > book::largest_context_of_exercise());
  CHECK(std::abs(check.numbers[0].computed + .5740) < 1e-4);
  CHECK(std::abs(check.numbers[1].computed - .2216) < 1e-4);
}

TEST_CASE("with GPT-2 small and its tokenizer all 904 numbers are the book's") {
  const Tokenizer tokenizer = *Tokenizer::from(kVocabulary);
  int equal = 0;
  for (const BookRow& row : book_rows()) {
    const BookCheck check = checked_with(tokenizer, row, DropoutStream::mac);
    CAPTURE(chapter_and_cell(row));
    if (row.computed_with) CHECK(check.state == BookCheck::State::equal);
    if (!row.cannot_be) equal += check.equal;
  }
  CHECK(equal == 904);
}
