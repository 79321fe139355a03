#include "core/json_text.hpp"

#include <cmath>
#include <cstdio>

namespace lab {

void JsonText::separate() {
  if (text_.empty()) return;
  const char last = text_.back();  // a string ends with its quotation mark
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

JsonText& JsonText::open(char bracket) {
  separate();
  text_ += bracket;
  return *this;
}

JsonText& JsonText::end(char bracket) {
  text_ += bracket;
  return *this;
}

void JsonText::quote(std::string_view utf8) {
  text_ += '"';
  for (const char c : utf8) {
    if (c == '"' || c == '\\') {
      text_ += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(c));
      text_ += escaped;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  return *this;
}

JsonText& JsonText::text(std::string_view utf8) {
  separate();
  quote(utf8);
  return *this;
}

JsonText& JsonText::printed(const char* format, double x) {
  if (std::isnan(x)) return text("nan");
  if (std::isinf(x)) return text(x > 0 ? "inf" : "-inf");
  separate();
  char digits[32];
  text_.append(digits, std::size_t(std::snprintf(digits, sizeof digits, format, x)));
  return *this;
}

JsonText& JsonText::number(float x) { return printed("%.9g", double(x)); }
JsonText& JsonText::number(double x) { return printed("%.17g", x); }

JsonText& JsonText::number(std::int64_t x) {
  separate();
  text_ += std::to_string(x);
  return *this;
}

JsonText& JsonText::tensor(std::span<const std::int64_t> shape, std::span<const float> data) {
  object().key("shape").array();
  for (const std::int64_t n : shape) number(n);
  end(']').key("data").array();
  for (const float x : data) number(x);
  return end(']').end('}');
}

JsonText& JsonText::tensor(std::span<const std::int64_t> shape, std::span<const std::int64_t> data) {
  object().key("shape").array();
  for (const std::int64_t n : shape) number(n);
  end(']').key("dtype").text("i64").key("data").array();
  for (const std::int64_t x : data) number(x);
  return end(']').end('}');
}

}  // namespace lab
