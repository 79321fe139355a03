// Numbers and lists as lessons print them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lab {

std::string decimals(double value, int digits = 4);  // "-0.5323", "−∞", "NaN"
// As people type it → as links write it: " −2,5" → "-2.5", "+∞" → "inf", "NaN" → "nan". What is no number
// stays none: "1 2".
std::string plain_number(std::string text);
std::string difference_text(double value);                  // "0", "0.0067", "2.98e-08"
std::string listed(const std::vector<std::string>& names);  // "a", "a and b", "a, b and c"
// "Set {0} to {1}." with its arguments: sentences stay whole, so that they can be translated.
std::string filled(std::string sentence, const std::vector<std::string>& arguments);

}  // namespace lab
