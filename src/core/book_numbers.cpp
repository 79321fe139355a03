#include "core/book_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>

namespace lab {
namespace {

constexpr int kDigitsOfFloat = 9;  // beyond them a printed number says which float it is

double value_of_text(std::string text) {
  std::erase(text, ',');  // of thousands
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::strtod(text.c_str(), nullptr);
}

// What one step of its last digit is worth.
double unit_of(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  const int decimals = point == e ? 0 : int(e - point) - 1;
  const int exponent = e < text.size() ? std::atoi(text.c_str() + e + 1) : 0;
  return std::pow(10, exponent - decimals);
}

int digits_of(const std::string& text) {
  return int(std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

BookRule rule_of(const BookRow& row, const BookNumber& n) {
  if (n.text.find('.') == std::string::npos && std::isfinite(n.printed)) return BookRule::exact;
  if (row.rule != BookRule::four_digits) return row.rule;
  const bool scientific = n.text.find('e') != std::string::npos;
  return scientific && std::abs(n.printed) <= kBookNearZero ? BookRule::near_zero : BookRule::four_digits;
}

double limit_of(const BookNumber& n) {
  switch (n.rule) {
    case BookRule::four_digits: return kBookFourDigits;
    case BookRule::gradient: return kBookGradient * std::abs(n.printed);
    case BookRule::near_zero: return kBookNearZero;
    case BookRule::exact: return unit_of(n.text) < 1 ? unit_of(n.text) / 2 : 0;
  }
  return 0;
}

bool rounds_to_print(const BookNumber& n) {
  if (!std::isfinite(n.printed)) return n.computed == n.printed;
  if (digits_of(n.text) > kDigitsOfFloat && n.rule == BookRule::gradient)
    return float(n.computed) == float(n.printed);
  const double unit = unit_of(n.text);
  return std::abs(std::round(n.computed / unit) - std::round(n.printed / unit)) < .5;
}

void compare(BookNumber& n, double computed) {
  n.computed = computed;
  n.distance = n.computed == n.printed ? 0 : std::abs(n.computed - n.printed);  // ∞ − ∞ is no number
  const double counts = n.rule == BookRule::near_zero ? std::abs(n.computed) : n.distance;
  n.within = counts <= n.limit;
  n.to_last_digit = n.within && rounds_to_print(n);
}

bool is_elsewhere(const BookRow& row, DropoutStream stream) {
  return row.drops && stream == DropoutStream::mkl;
}

}  // namespace

std::vector<BookNumber> printed_numbers(const BookRow& row, DropoutStream stream) {
  std::vector<BookNumber> numbers;
  std::istringstream texts(is_elsewhere(row, stream) ? row.published : row.printed);
  std::string name;
  for (std::string text; texts >> text;) {
    if (text.front() == '(') {
      name = text.substr(1, text.size() - 2);
      continue;
    }
    BookNumber n{.text = text, .name = std::exchange(name, ""), .printed = value_of_text(text)};
    n.rule = rule_of(row, n);
    n.limit = limit_of(n);
    numbers.push_back(std::move(n));
  }
  return numbers;
}

bool is_as_printed(std::vector<double> (*computed)(DropoutStream), std::size_t n, double number) {
  for (const BookRow& row : book_rows()) {
    if (row.computed != computed) continue;
    const auto numbers = printed_numbers(row, DropoutStream::mac);
    return n < numbers.size() && std::abs(number - numbers[n].printed) <= numbers[n].limit;
  }
  return false;
}

BookCheck compared(const BookRow& row, const std::vector<double>& values, DropoutStream stream) {
  BookCheck check{.row = &row, .numbers = printed_numbers(row, stream)};
  check.elsewhere = is_elsewhere(row, stream);
  const bool as_many = values.size() == check.numbers.size();
  for (std::size_t i = 0; i < std::min(values.size(), check.numbers.size()); ++i) {
    BookNumber& n = check.numbers[i];
    compare(n, values[i]);
    check.equal += n.within;
    check.to_last_digit += n.to_last_digit;
  }
  const bool all = as_many && check.equal == int(check.numbers.size());
  check.state = row.cannot_be ? BookCheck::State::explained
                : all         ? BookCheck::State::equal
                              : BookCheck::State::failed;
  return check;
}

BookCheck compared(const BookRow& row, const std::string& words) {
  return {.row = &row,
          .state = words == row.words ? BookCheck::State::equal : BookCheck::State::failed,
          .words = words};
}

const BookNumber* furthest(const BookCheck& check) {
  const auto room = [](const BookNumber& n) { return n.within ? n.limit - n.distance : -n.distance; };
  const auto found = std::min_element(check.numbers.begin(), check.numbers.end(),
                                      [&](const auto& a, const auto& b) { return room(a) < room(b); });
  return found == check.numbers.end() ? nullptr : &*found;
}

BookChecks::BookChecks(DropoutStream stream) : stream_(stream) {
  for (const BookRow& row : book_rows())
    checks_.push_back({.row = &row,
                       .state = row.computed ? BookCheck::State::waiting : BookCheck::State::not_run,
                       .numbers = printed_numbers(row, stream),
                       .elsewhere = is_elsewhere(row, stream)});
}

int BookChecks::to_go() const {
  return int(std::count_if(checks_.begin(), checks_.end(),
                           [](const BookCheck& c) { return c.state == BookCheck::State::waiting; }));
}

void BookChecks::check_next() {
  while (next_ < checks_.size() && checks_[next_].state != BookCheck::State::waiting) ++next_;
  if (next_ == checks_.size()) return;
  const BookRow& row = *checks_[next_].row;
  checks_[next_] = compared(row, row.computed(stream_), stream_);
}

void BookChecks::check_with(const Tokenizer& tokenizer) {
  for (BookCheck& check : checks_)
    if (check.row->cut) check = compared(*check.row, check.row->cut(tokenizer), stream_);
}

void BookChecks::check_with(const BookSaid& said) {
  for (BookCheck& check : checks_) {
    if (check.row->said) check = compared(*check.row, check.row->said(said, stream_), stream_);
    if (*check.row->words) check = compared(*check.row, said.generated_text);
  }
}

BookCount BookChecks::count(bool apart) const {
  BookCount count;
  for (const BookCheck& c : checks_) {
    if (c.row->cannot_be || c.elsewhere != apart) continue;
    const int numbers = int(c.numbers.size());
    count.numbers += numbers;
    count.equal += c.equal;
    count.to_last_digit += c.to_last_digit;
    count.explained += c.equal - c.to_last_digit;
    count.wrong += is_run(c) ? numbers - c.equal : 0;
    count.not_run += is_run(c) ? 0 : numbers;
  }
  return count;
}
bool BookChecks::any_failed() const {
  return std::any_of(checks_.begin(), checks_.end(),
                     [](const BookCheck& c) { return c.state == BookCheck::State::failed; });
}
BookCount BookChecks::counted() const { return count(false); }
BookCount BookChecks::counted_apart() const { return count(true); }

}  // namespace lab
