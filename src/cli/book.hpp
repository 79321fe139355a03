// attention-lab book: every number that chapters 3 and 4 print, computed again.
#pragma once
#include <functional>
#include <string_view>

#include "core/torch_random.hpp"

namespace lab {

// Prints the report, those of GPT-2 small in it too. 1: some number is another.
int check_book(DropoutStream stream, bool as_json, const std::function<void(std::string_view)>& print);

}  // namespace lab
