#include "core/words.hpp"

namespace lab {

CodePoint first_code_point(std::string_view text) {
  constexpr CodePoint stray = {0xFFFD, 1, false};
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return stray;
  char32_t value = lead & (0x7F >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return stray;
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = value < (bytes == 2 ? 0x80u : bytes == 3 ? 0x800u : 0x10000u);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return stray;
  return {value, bytes, true};
}

bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) end += first_code_point(text.substr(end)).bytes;
  return text.substr(0, end);
}

std::vector<std::string_view> whole_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0, end = 0;  // of the word being read
  const auto close_word = [&] {
    if (end > begin) words.push_back(text.substr(begin, end - begin));
  };
  while (end < text.size()) {
    const CodePoint c = first_code_point(text.substr(end));
    if (is_white_space(c.value)) {
      close_word();
      begin = end + c.bytes;
    }
    end += c.bytes;
  }
  close_word();
  return words;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word : whole_words(text)) words.emplace_back(first_code_points(word, kMaxWordLength));
  return words;
}

}  // namespace lab
