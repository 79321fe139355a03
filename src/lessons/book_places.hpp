// Where in the lab the numbers of a row of the book stand.
#pragma once
#include "core/book_table.hpp"

namespace lab {

struct BookPlace {
  const char* chapter;
  int cell;
  const char* query;  // opens the lesson, with the cell selected
  int number = 0;     // which of the row's numbers that cell holds; -1: they stand beside it
};
const BookPlace* place_of(const BookRow& row);  // null: the lab has no picture of them

}  // namespace lab
