// Python in a narrow panel: how its lines go on below where they are too long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

// Lines that a program breaks within brackets, whole again: the panel breaks them by its own width.
std::vector<std::string> unfolded(const std::vector<std::string>& lines);

// The line in as few rows of at most so many columns as it takes, each but the first four columns further in.
// Breaks after commas and opening brackets and beside operators, within a word only where nothing else helps.
std::vector<std::string> wrapped_lines(int columns, std::string_view line);

}  // namespace lab
