#include "lessons/text.hpp"

#include <cmath>
#include <cstdio>

namespace lab {
namespace {

std::string printed(const char* format, int digits, double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char text[400];  // a double of 308 digits before the point fits
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

}  // namespace

std::string decimals(double value, int digits) {
  const std::string text = printed("%.*f", digits, value);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;  // never "-0.0000"
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

namespace {

// "1,000", but not "0,125".
bool groups_thousands(const std::string& text) {
  const std::size_t comma = text.find(','), from = text.find_first_of("123456789");
  const auto digits = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  if (comma == std::string::npos || from == std::string::npos || from > comma) return false;
  return digits(comma + 1) && digits(comma + 2) && digits(comma + 3) && !digits(comma + 4);
}

}  // namespace

std::string plain_number(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("−", "-");
  replace("∞", "inf");
  if (groups_thousands(text)) return text;  // 1000, or 1 as in much of Europe?
  replace(",", ".");
  replace("\u00A0", " ");
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  text = text.substr(first, last + 1 - first);
  return text.starts_with('+') ? text.substr(1) : text;
}

std::string difference_text(double value) {
  if (value == 0) return "0";
  return printed(std::abs(value) >= 0.001 && std::abs(value) < 1e5 ? "%.*f" : "%.*e",
                 std::abs(value) >= 0.001 && std::abs(value) < 1e5 ? 4 : 2, value);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string filled(std::string sentence, const std::vector<std::string>& arguments) {
  std::string text;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool place = sentence[i] == '{' && i + 2 < sentence.size() && sentence[i + 2] == '}';
    const std::size_t argument = place ? std::size_t(sentence[i + 1] - '0') : arguments.size();
    if (argument < arguments.size()) {
      text += arguments[argument];
      i += 2;
    } else {
      text += sentence[i];
    }
  }
  return text;
}

}  // namespace lab
