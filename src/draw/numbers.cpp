#include "draw/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lab {

std::string number_text(float value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, double(value));
  const bool zero = std::string(buffer).find_first_not_of("-0.") == std::string::npos;
  return buffer[0] == '-' && zero ? buffer + 1 : buffer;
}

std::string without_leading_zero(std::string number) {
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  if (number.compare(sign, 2, "0.") == 0) number.erase(sign, 1);
  return number;
}

std::string bare_number_text(float value, int digits) {
  const std::string bare = without_leading_zero(number_text(value, digits));
  const bool has_whole = bare.find_first_of("123456789") < bare.find('.');
  return has_whole && digits > 0 ? number_text(value, digits - 1) : bare;
}

std::string exponent_text(double value) {
  if (!std::isfinite(value)) return number_text(float(value), 0);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.2e", value);
  return buffer;
}

std::string power_text(double value) {
  if (value == 0 || !std::isfinite(value)) return number_text(float(value), 0);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.0e", value);
  const std::string text = buffer;
  const std::size_t e = text.find('e');
  return text.substr(0, e + 1) + std::to_string(std::atoi(buffer + e + 1));
}

CellText cell_text_for(const FloatView& values, float cell_width, int digits, float cell_height,
                       bool bare_point) {
  if (cell_height <= 0) cell_height = cell_width;
  constexpr float kAdvance = .6f;  // em: JetBrains Mono is 0.6 wide
  bool has_usual = false;
  for (int r = 0; r < values.rows; ++r)
    for (int c = 0; c < values.cols; ++c)
      has_usual |= std::isfinite(values(r, c)) && std::fabs(values(r, c)) < kOutlier;
  float largest = 0;
  bool negative = false;
  bool whole = true;
  for (int r = 0; r < values.rows; ++r) {
    for (int c = 0; c < values.cols; ++c) {
      const float v = values(r, c);
      if (!std::isfinite(v) || (std::fabs(v) >= kOutlier && has_usual)) continue;
      largest = std::max(largest, std::fabs(v));
      negative = negative || v < 0;
      whole = whole && v == std::round(v);
    }
  }
  const int most = whole && largest < 1000 ? 0 : digits;
  if (most == 0 && !whole) return {};  // "0" for every cell would say nothing
  // Below 1 a single decimal hides what differs.
  const int least = std::min(most, largest < 1 ? 2 : 1);
  const int whole_digits = bare_point && largest < 1 ? 0 : 1 + (largest >= 10 ? int(std::log10(largest)) : 0);
  const auto fitting = [&](int before_point, int fewest) -> CellText {
    for (int d = most; d >= fewest; --d)
      for (float size : {13.f, 12.f, 11.f, 10.f, 9.f}) {
        if (size < 10 && d > least) continue;  // fewer digits come before smaller type
        const bool small_for_cell = size > 12 && cell_width < 52;
        const int letters = before_point + (negative ? 1 : 0) + (d > 0 ? d + 1 : 0);
        const float air = size > 10 ? 4 : 2;
        const bool fits = float(letters) * size * kAdvance + air <= cell_width;
        if (!small_for_cell && size * 1.6f <= cell_height && fits) return {size, d};
      }
    return {};
  };
  // Where a whole part takes the room of a digit, only the numbers that have one go without that digit.
  const bool tight = bare_point && largest >= 1 && largest < 10 && most > 1;
  CellText text = fitting(whole_digits, tight ? most : least);
  if (tight && text.size <= 0) {
    constexpr int kEnough = 2;  // with one, 1.46 would become "1"
    text = fitting(0, kEnough);
    text.tight = text.size > 0;
    if (!text.tight) text = fitting(whole_digits, least);
  }
  return text;
}

}  // namespace lab
