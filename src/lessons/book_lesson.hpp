#pragma once
#include "core/book_numbers.hpp"
#include "lessons/book_places.hpp"
#include "lessons/lesson.hpp"

namespace lab {

Lesson book_lesson();

// The row whose numbers stand in the inspector: the chosen one, or the step's own.
int magnified_row(const State& state);
// The lesson that shows a row's numbers.
const Lesson& lesson_of_place(const BookPlace& place);

// The program of that place, and the line that makes the row's numbers; none where it would print others.
Code code_of_row(const BookWork& book, int row);

// As the book has it; before it in parentheses what is only part of a name.
std::string printed_text(const BookNumber& number);
std::string computed_text(const BookNumber& number);

// The list shows it: all of them, or only those that are not equal to the last digit.
bool is_listed(const State& state, const BookCheck& check);

}  // namespace lab
