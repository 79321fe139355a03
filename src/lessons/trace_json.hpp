// Every number of a state, for tests, scripts and the page's trace().
#pragma once
#include <string>
#include <string_view>

#include "core/runs.hpp"

namespace lab {

// {"state":QUERY,"tensors":{NAME:{"shape":[…],"data":[…]}}} in the order of names(runs). 9 significant
// digits; "inf", "-inf" and "nan" are strings; a bias has one dimension. Natively and in the page the same
// characters.
std::string trace_json(const Runs& runs, std::string_view canonical_query);

}  // namespace lab
