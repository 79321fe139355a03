// The lessons there are, and what each opens with.
#pragma once
#include <string_view>

#include "lessons/state.hpp"

namespace lab {

bool is_lesson(std::string_view id);

// inputs.lesson is the id, everything else as the lesson opens.
State defaults_of(std::string_view lesson);

}  // namespace lab
