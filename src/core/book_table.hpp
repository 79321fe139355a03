// The numbers that chapters 3 and 4 of the book print, row by row, and what computes each of them again.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/book_gpt.hpp"

namespace lab {

// When a computed number counts as the printed one.
enum class BookRule {
  four_digits,  // half of the fourth digit, and a little for rounding
  gradient,     // 17 digits are printed: one part in a million
  near_zero,    // a mean that is really 0: what is printed is what rounding has left
  exact,        // counts, shapes, sizes
};

struct BookRow {
  const char* chapter;  // of the notebooks: "ch03", "ch03 exercises" …
  int cell;             // … and the cell that prints them
  const char* section;  // of the book: "3.5"; of the exercises "3 ex"
  const char* what;
  int seed;             // what torch.manual_seed was given; -1: nothing hangs on it
  const char* printed;  // in reading order; in parentheses what is only part of a name
  // As many numbers as there are outside of parentheses. Null: it takes what one of the last two takes.
  std::vector<double> (*computed)(DropoutStream);
  BookRule rule = BookRule::four_digits;  // of the numbers that have a point
  bool drops = false;                     // hangs on the stream of the dropout masks, and then …
  const char* published = "";             // … what is printed on Linux and Windows instead
  bool cannot_be = false;  // the printed numbers cannot come from the book's data; they are not counted
  std::vector<double> (*cut)(const Tokenizer&) = nullptr;
  std::vector<double> (*said)(const BookSaid&, DropoutStream) = nullptr;
  const char* words = "";  // said, and printed instead of numbers
};

// In the order of the book.
std::span<const BookRow> book_rows();

// Row of that chapter's cell; null: there is none.
const BookRow* book_row(std::string_view chapter, int cell);

}  // namespace lab
