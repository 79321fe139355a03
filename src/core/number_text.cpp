#include "core/number_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// from_chars alone also takes "inf" and "nan(7)".
bool looks_decimal(std::string_view text) {
  constexpr std::size_t longest = 64;  // so that a number too large or small for a double has an exponent
  return !text.empty() && text.size() <= longest &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

// Libraries differ in what they say of numbers out of range: 12's libstdc++ calls some of them infinite and
// well.
double beyond_range(std::string_view text) {
  const bool tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  const double size = tiny ? 0 : std::numeric_limits<double>::infinity();
  return text[0] == '-' ? -size : size;
}

template <class T>
std::optional<T> decimal_of(std::string_view text) {
  if (!looks_decimal(text)) return {};
  T x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return {};
  if (error == std::errc{}) return x;
  if constexpr (sizeof(T) == sizeof(double)) return beyond_range(text);
  if (const auto wide = decimal_of<double>(text))
    return T(std::abs(*wide) < 1 ? std::copysign(0.0, *wide) : beyond_range(text));
  return {};
}

struct Scientific {
  std::string digits;  // without trailing zeros
  int exponent = 0;    // of the first digit
  std::string text;    // "1.5e-7"
};

// |x| to so many digits. std::to_chars would do, but brings 115 kB of tables to the page. Only digits and
// exponent are taken from snprintf, so that the locale's decimal point does not matter.
Scientific rounded(double x, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, x);
  Scientific s;
  const char* at = buffer;
  for (; *at != 'e'; ++at) {
    if (is_digit(*at)) s.digits += *at;
  }
  s.exponent = std::atoi(at + 1);
  while (s.digits.size() > 1 && s.digits.back() == '0') s.digits.pop_back();
  s.text = s.digits.substr(0, 1);
  if (s.digits.size() > 1) s.text += '.' + s.digits.substr(1);
  s.text += 'e' + std::to_string(s.exponent);
  return s;
}

std::string plain(double x, const Scientific& s) {
  const int count = int(s.digits.size());
  if (s.exponent < 0) return "0." + std::string(std::size_t(-s.exponent - 1), '0') + s.digits;
  if (s.exponent < count - 1) {
    return s.digits.substr(0, std::size_t(s.exponent) + 1) + '.' +
           s.digits.substr(std::size_t(s.exponent) + 1);
  }
  char buffer[400];  // a whole number: all its digits, no made-up zeros
  std::snprintf(buffer, sizeof buffer, "%.0f", x);
  return buffer;
}

bool plain_is_short(const Scientific& s) {
  const int count = int(s.digits.size());
  const int plain_length = s.exponent < 0           ? count + 1 - s.exponent
                           : s.exponent < count - 1 ? count + 1
                                                    : s.exponent + 1;
  const int exponent_length = std::abs(s.exponent) < 100 ? 4 : 5;
  return plain_length <= count + (count > 1) + exponent_length;
}

template <class T>
std::string shortest(T x) {
  if (std::isnan(x)) return "nan";
  const std::string sign = std::signbit(x) ? "-" : "";
  if (std::isinf(x)) return sign + "inf";
  if (x == 0) return sign + "0";
  using Limits = std::numeric_limits<T>;
  const double size = std::abs(double(x));
  const auto reads_back = [size](const Scientific& s) { return decimal_of<T>(s.text) == T(size); };
  int digits = reads_back(rounded(size, Limits::digits10)) ? 1 : Limits::digits10 + 1;
  Scientific s = rounded(size, digits);
  while (digits < Limits::max_digits10 && !reads_back(s)) s = rounded(size, ++digits);
  return sign + (plain_is_short(s) ? plain(size, s) : s.text);
}

}  // namespace

std::string number_text(float x) { return shortest(x); }
std::string number_text(double x) { return shortest(x); }
std::optional<float> float_of(std::string_view text) { return decimal_of<float>(text); }
std::optional<double> double_of(std::string_view text) { return decimal_of<double>(text); }

}  // namespace lab
