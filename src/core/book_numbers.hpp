// Every number of book_table.hpp beside what is computed for it, and whether the two are the same.
#pragma once
#include <string>
#include <vector>

#include "core/book_table.hpp"

namespace lab {

// How far apart is the same: half of a fourth digit and a little for rounding; a part of the number itself;
// from 0.
constexpr double kBookFourDigits = 1e-4 / 2 + 5e-6, kBookGradient = 1e-6, kBookNearZero = 2e-7;

struct BookNumber {
  std::string text;  // as it is printed
  std::string name;  // a number before it that is only part of a name, "2" of GPT-2: shown, not counted
  double printed = 0;
  BookRule rule = BookRule::four_digits;
  double computed = 0, distance = 0;
  double limit = 0;            // the largest distance that counts as the same
  bool within = false;         // it is the same
  bool to_last_digit = false;  // and rounds to the very digits
};

// The numbers of a row that are to be ticked, nothing computed yet.
std::vector<BookNumber> printed_numbers(const BookRow& row, DropoutStream stream);

// The book prints this number as the n-th of what that row computes, and it is the same; false where there is
// no such row.
bool is_as_printed(std::vector<double> (*computed)(DropoutStream), std::size_t n, double number);

struct BookCheck {
  enum class State {
    waiting,    // for its turn
    equal,      // every number is the same
    explained,  // the printed ones cannot be, and why is known
    failed,     // not every one is the same
    not_run,    // needs what is not there
  };
  const BookRow* row = nullptr;
  State state = State::waiting;
  std::vector<BookNumber> numbers;
  int equal = 0, to_last_digit = 0;  // how many of them
  bool elsewhere = false;            // compared with what is printed on Linux and Windows
  std::string words;                 // of a row of words: those that were computed
};
inline bool is_run(const BookCheck& c) {
  return c.state != BookCheck::State::waiting && c.state != BookCheck::State::not_run;
}
// values: as many as the row prints.
BookCheck compared(const BookRow& row, const std::vector<double>& values, DropoutStream stream);
BookCheck compared(const BookRow& row, const std::string& words);  // of a row of words
const BookNumber* furthest(const BookCheck& check);  // the one with the least left of its limit; null: none

// Of numbers that can be, never those of exercise 3.2.
struct BookCount {
  int numbers = 0, equal = 0, to_last_digit = 0;
  int explained = 0;  // equal by the rule, and not to the last digit
  int wrong = 0, not_run = 0;
  bool all_equal() const { return equal == numbers; }
};

// All rows, one after the other, so that a frame can spend what it has.
class BookChecks {
 public:
  explicit BookChecks(DropoutStream stream);
  DropoutStream stream() const { return stream_; }
  // Those that need nothing else.
  bool done() const { return to_go() == 0; }
  int to_go() const;
  void check_next();
  // Those that need it.
  void check_with(const Tokenizer& tokenizer);
  void check_with(const BookSaid& said);

  const std::vector<BookCheck>& all() const { return checks_; }
  // Rows that hang on dropout are compared with what that stream's system prints; on another than the book's
  // they are counted apart.
  BookCount counted() const, counted_apart() const;
  bool any_failed() const;

 private:
  BookCount count(bool apart) const;

  DropoutStream stream_;
  std::size_t next_ = 0;
  std::vector<BookCheck> checks_;
};

}  // namespace lab
