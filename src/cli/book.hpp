// attention-lab book: every number that chapters 3 and 4 print, computed again.
#pragma once
#include <functional>
#include <string_view>

namespace lab {

// Prints a row a line, those of GPT-2 small too, and the count. 1: some number is another.
int check_book(const std::function<void(std::string_view)>& print);

}  // namespace lab
