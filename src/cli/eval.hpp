// attention-lab eval FILE: cases of the fixtures' form, recomputed.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace lab {

using Print = std::function<void(std::string_view)>;

// Prints {"cases":[…]}, each case with its id and its results where the fixtures have them. Cases of a kind
// that the lab cannot compute (yet) are left out and named in notes, a line a kind. Returns the exit status:
// 0; 1: a case was left out because something in it is wrong, notes say what; 2: the text is no list of
// cases, nothing was printed. Memory is bounded whatever the text says: one case is in memory at a time, and
// its size is checked before it is computed.
int evaluate(std::string_view file_text, const Print& print, std::string& notes);

}  // namespace lab
