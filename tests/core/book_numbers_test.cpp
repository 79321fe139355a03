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
  const BookCount count = checks.counted();
  CHECK(count.numbers == 904);
  CHECK(count.equal == 769);
  CHECK(count.not_run == 135);
  CHECK(count.wrong == 0);
  CHECK_FALSE(count.all_equal());
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

TEST_CASE(
    "under the dice of Linux and Windows what drops is compared with what is printed there and counted "
    "apart, and "
    "all other rows are as they are") {
  const BookChecks mac = all_checked(DropoutStream::mac), mkl = all_checked(DropoutStream::mkl);
  for (std::size_t i = 0; i < mac.all().size(); ++i) {
    const BookCheck &here = mac.all()[i], &there = mkl.all()[i];
    CAPTURE(chapter_and_cell(*here.row));
    CHECK(here.state == there.state);
    CHECK(here.equal == there.equal);
    CHECK_FALSE(here.elsewhere);
    CHECK(there.elsewhere == here.row->drops);
    CHECK(here.row->drops == (*here.row->published != 0));
    if (!here.row->drops) continue;
    CHECK(here.numbers.size() == there.numbers.size());
    if (here.row->computed) CHECK(here.numbers[7].computed != there.numbers[7].computed);
  }
  CHECK(mac.counted_apart().numbers == 0);
  CHECK(mkl.counted().numbers == 722);
  CHECK(mkl.counted_apart().numbers == 182);
  CHECK(mkl.counted_apart().equal == 72);
  CHECK(mkl.counted_apart().not_run == 110);
}

TEST_CASE("what is published for Linux and Windows is what their stream makes") {
  const Json kept = Json::parse(fixture_text("rng_mkl_dropout.json"));
  const auto published = [](const char* name) { return printed_numbers(row_of(name), DropoutStream::mkl); };
  const auto mask = published("ch03 115");
  const Json& ones = kept["cases"][0]["out"]["data"];
  REQUIRE(mask.size() == ones.size());
  for (std::size_t i = 0; i < mask.size(); ++i) CHECK(mask[i].printed == ones[i].get<double>());
  const auto logits = published("ch04 72");
  const Json& edges = kept["gptmodel_124m_seed123_train_edges"]["data"];
  REQUIRE(logits.size() == edges.size() + 11);  // behind the ids and the shape
  for (std::size_t i = 0; i < edges.size(); ++i)
    CHECK(std::abs(logits[i + 11].printed - edges[i].get<double>()) <= kBookFourDigits);
}

TEST_CASE("what exercise 3.2 prints is further from zero than any context of its module can be") {
  const BookRow& row = row_of("ch03 exercises 13");
  CHECK(row.cannot_be);
  const BookCheck check = compared(row, row.computed(DropoutStream::mac), DropoutStream::mac);
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

TEST_CASE("with GPT-2 small and its tokenizer all 904 numbers are the book's, on either system") {
  const Tokenizer tokenizer = *Tokenizer::from(kVocabulary);
  const BookSaid said = said_by_book_gpt(tokenizer);
  for (const DropoutStream stream : {DropoutStream::mac, DropoutStream::mkl}) {
    BookChecks checks = all_checked(stream);
    checks.check_with(tokenizer);
    checks.check_with(said);
    for (const BookCheck& check : checks.all()) {
      CAPTURE(chapter_and_cell(*check.row));
      CHECK((check.state == BookCheck::State::equal || check.row->cannot_be));
    }
    const BookCount count = checks.counted(), apart = checks.counted_apart();
    CHECK(count.all_equal());
    CHECK(apart.all_equal());
    CHECK(count.numbers + apart.numbers == 904);
    CHECK_FALSE(checks.any_failed());
  }
}

TEST_CASE("another word is no equal text, and other logits fail") {
  BookSaid said;
  said.generated_text = "Hello, I am Featureiman Byeswickattribute argues";
  BookChecks checks(DropoutStream::mac);
  checks.check_with(said);
  CHECK(checks.any_failed());
  for (const BookCheck& check : checks.all()) {
    if (check.row->said || *check.row->words) CHECK(check.state == BookCheck::State::failed);
    if (check.row->cut) CHECK(check.state == BookCheck::State::not_run);
  }
  CHECK(compared(row_of("ch04 93"), "Hello, I am Featureiman Byeswickattribute argue").state ==
        BookCheck::State::equal);
}
