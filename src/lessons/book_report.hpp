// What was printed, what is computed, and whether the two are the same, row by row: for who wants to keep it.
#pragma once
#include <string>

#include "core/book_numbers.hpp"

namespace lab {

std::string book_report_text(const BookChecks& checks);
std::string book_report_json(const BookChecks& checks);

}  // namespace lab
