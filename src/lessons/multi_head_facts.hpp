// What the inspector adds about a head, and about the two classes where none is selected.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

std::vector<Fact> head_facts(const Results& r, const State& s);

}  // namespace lab
