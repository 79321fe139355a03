// Every number of book_table.hpp beside what is computed for it, and whether the two are the same.
#pragma once
#include <string>
#include <vector>

#include "core/book_table.hpp"

namespace lab {

struct BookNumber {
  std::string text;  // as it is printed
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
    waiting,
    equal,      // every number is the same
    explained,  // not every one is, and why is known
    failed,     // not every one is
    not_run,    // needs what is not there
  };
  const BookRow* row = nullptr;
  State state = State::waiting;
  std::vector<BookNumber> numbers;
  int equal = 0, to_last_digit = 0;  // how many of them
  bool against_readers = false;      // compared with what readers reported of the other stream
};
// values: as many as the row prints.
BookCheck compared(const BookRow& row, const std::vector<double>& values, DropoutStream stream);
BookCheck checked(const BookRow& row, DropoutStream stream);
// What takes longer too.
BookCheck checked_with(const Tokenizer& tokenizer, const BookRow& row, DropoutStream stream);
const BookNumber* furthest(const BookCheck& check);  // the one with the least left of its limit; null: none

// All rows, one after the other, so that a frame can spend what it has.
class BookChecks {
 public:
  explicit BookChecks(DropoutStream stream);
  DropoutStream stream() const { return stream_; }
  bool done() const { return next_ == checks_.size(); }
  void check_next();
  const std::vector<BookCheck>& all() const { return checks_; }
  // Of the numbers that the book prints and that can be.
  int to_tick() const;
  int equal() const;
  int to_last_digit() const;

 private:
  DropoutStream stream_;
  std::size_t next_ = 0;
  std::vector<BookCheck> checks_;
};

}  // namespace lab
