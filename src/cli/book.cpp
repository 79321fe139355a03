#include "cli/book.hpp"

#include <string>

#include "cli/tokens.hpp"
#include "core/book_numbers.hpp"
#include "core/number_text.hpp"

namespace lab {
namespace {

const char* word_of(BookCheck::State state) {
  switch (state) {
    case BookCheck::State::equal: return "equal    ";
    case BookCheck::State::explained: return "explained";
    case BookCheck::State::failed: return "FAILED   ";
    case BookCheck::State::waiting:
    case BookCheck::State::not_run: return "no number";
  }
  return "";
}

}  // namespace

int check_book(const std::function<void(std::string_view)>& print) {
  const Tokenizer& tokenizer = gpt2_tokenizer();
  int equal = 0, all = 0, failed = 0;
  for (const BookRow& row : book_rows()) {
    const BookCheck check = checked_with(tokenizer, row, DropoutStream::mac);
    const BookNumber* worst = furthest(check);
    print(std::string(word_of(check.state)) + "  " + std::to_string(check.equal) + " of " +
          std::to_string(check.numbers.size()) + "  " + row.chapter + " cell " + std::to_string(row.cell) +
          ", " + row.what + (worst ? ", at most " + number_text(float(worst->distance)) + " apart" : "") +
          "\n");
    failed += check.state == BookCheck::State::failed;
    if (row.cannot_be) continue;
    equal += check.equal;
    all += int(check.numbers.size());
  }
  print(std::to_string(equal) + " of " + std::to_string(all) + " numbers are the book's.\n");
  return failed > 0 || equal != all;
}

}  // namespace lab
