// Writing JSON, the same characters on every machine. Reading it is another matter (cli/).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lab {

// Built from left to right; commas are set by themselves.
//   JsonText j; j.object().key("a").number(1.5f).key("b").array().text("x").end(']').end('}');
class JsonText {
 public:
  JsonText& object() { return open('{'); }
  JsonText& array() { return open('['); }
  JsonText& end(char bracket);
  JsonText& key(std::string_view name);
  JsonText& text(std::string_view utf8);
  JsonText& number(float x);   // 9 significant digits: exact for float32; "inf", "-inf", "nan" as strings
  JsonText& number(double x);  // 17 digits
  JsonText& number(std::int64_t x);
  // {"shape":[…],"data":[…]}, row-major
  JsonText& tensor(std::span<const std::int64_t> shape, std::span<const float> data);
  JsonText& tensor(std::span<const std::int64_t> shape, std::span<const std::int64_t> data);  // "dtype":"i64"

  const std::string& str() const { return text_; }

 private:
  JsonText& open(char bracket);
  JsonText& printed(const char* format, double x);
  void separate();
  void quote(std::string_view utf8);

  std::string text_;
};

}  // namespace lab
