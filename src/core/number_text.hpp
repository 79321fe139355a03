// Numbers as decimal text, the same on every machine and in every locale.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lab {

// With the fewest digits that, rounded from the number, read back as the same number: "0.1", "1000", "1e-5",
// "-0", "inf", "-inf", "nan". Plain where that is no longer than the form "1e+20" with its sign and two
// digits; an exponent is then written without plus sign and leading zeros, as a plus sign is a space in a
// URL.
std::string number_text(float x);
std::string number_text(double x);

// "-12.5e3": digits with at most one point, an optional exponent, at most 64 characters; nothing around it.
// Beyond the type's range it is ±infinity or ±0. "inf" and "nan" are no decimals.
std::optional<float> float_of(std::string_view text);
std::optional<double> double_of(std::string_view text);

}  // namespace lab
