#include "cli/book.hpp"

#include "cli/tokens.hpp"
#include "core/book_numbers.hpp"
#include "lessons/book_report.hpp"

namespace lab {

int check_book(DropoutStream stream, bool as_json, const std::function<void(std::string_view)>& print) {
  const Tokenizer& tokenizer = gpt2_tokenizer();
  BookChecks checks(stream);
  while (!checks.done()) checks.check_next();
  checks.check_with(tokenizer);
  checks.check_with(said_by_book_gpt(tokenizer));
  print(as_json ? book_report_json(checks) : book_report_text(checks));
  return checks.any_failed() || !checks.counted().all_equal() || !checks.counted_apart().all_equal();
}

}  // namespace lab
