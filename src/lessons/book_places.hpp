// Where in the lab the numbers of a row of the book stand.
#pragma once
#include "core/book_table.hpp"

namespace lab {

struct BookPlace {
  const char* chapter;
  int cell;
  const char* query;      // opens the lesson, with the cell selected
  int number = 0;         // which of the row's numbers that cell holds; -1: none, and then …
  const char* told = "";  // … what of the row is read there; "": it is about the same, and has other numbers
};
const BookPlace& place_of(const BookRow& row);
// The program of that place prints the row's numbers.
bool has_program(const BookPlace& place);

}  // namespace lab
