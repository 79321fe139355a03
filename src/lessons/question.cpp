#include "lessons/question.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "lessons/text.hpp"

namespace lab {

namespace {

constexpr std::string_view kAnyColumn = ".*";  // the cells of a row are all right

}  // namespace

bool can_be_asked(const Question& q, const Results& r) { return q.lacks(r).empty(); }

std::string given_number(const Question& q, const std::string& typed) {
  std::string text = typed;
  const bool is_whole = q.close >= .5;
  if (is_whole) std::erase_if(text, [](char c) { return c == ',' || c == ' ' || c == '\'' || c == '_'; });
  return plain_number(text);
}

bool is_close(const Question& q, const std::string& given, double number) {
  const auto a = double_of(given_number(q, given));
  return a && std::abs(*a - number) <= q.close;
}

bool is_right(const Question& q, const Results& r, const std::string& given) {
  if (!can_be_asked(q, r) || given.empty()) return false;
  if (q.kind == Question::Kind::setting) return q.is_set(r);
  const std::string answer = q.answer(r);
  if (q.kind == Question::Kind::cell && answer.ends_with(kAnyColumn))
    return given.starts_with(answer.substr(0, answer.size() - kAnyColumn.size() + 1));
  if (q.kind != Question::Kind::number) return given == answer;
  const auto number = double_of(answer);
  return number && is_close(q, given, *number);
}

}  // namespace lab
