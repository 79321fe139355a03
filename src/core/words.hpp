// A sentence and its words. Text is UTF-8; where it is not, each stray byte counts as one character.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
  bool valid = false;  // false: one byte that is no UTF-8, value U+FFFD
};
CodePoint first_code_point(std::string_view text);  // text is not empty

bool is_white_space(char32_t c);  // Unicode's White_Space
bool is_control(char32_t c);      // C0, DEL, C1

std::string_view first_code_points(std::string_view text, std::size_t count);  // at most so many

// What stands between white space. The vector of a word is made from its first 64 characters.
constexpr std::size_t kMaxWordLength = 64;
std::vector<std::string_view> whole_words(std::string_view text);  // uncut, views into text
std::vector<std::string> words_of(std::string_view text);          // each cut to kMaxWordLength

}  // namespace lab
