#include "lessons/question.hpp"

#include <cmath>

#include "core/number_text.hpp"
#include "lessons/text.hpp"

namespace lab {

bool is_right(const Question& q, const Results& r, const std::string& given) {
  const std::string answer = q.answer(r);
  if (answer.empty() || given.empty()) return false;
  if (q.kind != Question::Kind::number) return given == answer;
  constexpr double kClose = 0.0005;  // half of the last of three decimals
  const auto a = double_of(plain_number(given)), b = double_of(answer);
  return a && b && std::abs(*a - *b) <= kClose;
}

}  // namespace lab
