#include "core/book_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace lab {
namespace {

constexpr double kFourDigits = 1e-4 / 2 + 5e-6, kGradient = 1e-6, kNearZero = 2e-7;
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
  return scientific && std::abs(n.printed) <= kNearZero ? BookRule::near_zero : BookRule::four_digits;
}

double limit_of(const BookNumber& n) {
  switch (n.rule) {
    case BookRule::four_digits: return kFourDigits;
    case BookRule::gradient: return kGradient * std::abs(n.printed);
    case BookRule::near_zero: return kNearZero;
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

bool is_of_readers(const BookRow& row, DropoutStream stream) {
  return *row.reported && stream == DropoutStream::mkl;
}

}  // namespace

std::vector<BookNumber> printed_numbers(const BookRow& row, DropoutStream stream) {
  std::vector<BookNumber> numbers;
  std::istringstream texts(is_of_readers(row, stream) ? row.reported : row.printed);
  for (std::string text; texts >> text;) {
    if (text.front() == '(') continue;
    BookNumber n{.text = text, .printed = value_of_text(text)};
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
  check.against_readers = is_of_readers(row, stream);
  const bool as_many = values.size() == check.numbers.size();
  for (std::size_t i = 0; i < std::min(values.size(), check.numbers.size()); ++i) {
    BookNumber& n = check.numbers[i];
    compare(n, values[i]);
    check.equal += n.within;
    check.to_last_digit += n.to_last_digit;
  }
  const bool all = as_many && check.equal == int(check.numbers.size());
  const bool known = row.cannot_be || (row.drops && stream != DropoutStream::mac);
  check.state = all && !row.cannot_be ? BookCheck::State::equal
                : known               ? BookCheck::State::explained
                                      : BookCheck::State::failed;
  return check;
}

BookCheck checked(const BookRow& row, DropoutStream stream) {
  if (row.computed) return compared(row, row.computed(stream), stream);
  return {.row = &row, .state = BookCheck::State::not_run, .numbers = printed_numbers(row, stream)};
}

BookCheck checked_with(const Tokenizer& tokenizer, const BookRow& row, DropoutStream stream) {
  if (!row.computed_with) return checked(row, stream);
  return compared(row, row.computed_with(tokenizer, stream), stream);
}

const BookNumber* furthest(const BookCheck& check) {
  const auto room = [](const BookNumber& n) { return n.within ? n.limit - n.distance : -n.distance; };
  const auto found = std::min_element(check.numbers.begin(), check.numbers.end(),
                                      [&](const auto& a, const auto& b) { return room(a) < room(b); });
  return found == check.numbers.end() ? nullptr : &*found;
}

BookChecks::BookChecks(DropoutStream stream) : stream_(stream) {
  for (const BookRow& row : book_rows())
    checks_.push_back({.row = &row, .numbers = printed_numbers(row, stream)});
}

void BookChecks::check_next() {
  if (done()) return;
  checks_[next_] = checked(*checks_[next_].row, stream_);
  ++next_;
}

int BookChecks::to_tick() const {
  int count = 0;
  for (const BookCheck& c : checks_) count += c.row->cannot_be ? 0 : int(c.numbers.size());
  return count;
}
int BookChecks::equal() const {
  int count = 0;
  for (const BookCheck& c : checks_) count += c.row->cannot_be ? 0 : c.equal;
  return count;
}
int BookChecks::to_last_digit() const {
  int count = 0;
  for (const BookCheck& c : checks_) count += c.row->cannot_be ? 0 : c.to_last_digit;
  return count;
}

}  // namespace lab
