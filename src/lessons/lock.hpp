// What a teacher's link fixes: `lock` names keys of the grammar. keep_locked() of query.hpp holds them in
// every act; here stands what is shown as off because nothing else would come of it.
#pragma once
#include <string_view>

#include "lessons/state.hpp"

namespace lab {

bool is_locked(const View& view, std::string_view id);  // of a target
bool hides(const View& view, std::string_view panel);   // rail, inspector, timeline, input

}  // namespace lab
