// What is saved and copied: the picture, the program, the numbers, the report of the book's.
#include "app/app.hpp"
#include "lessons/book_report.hpp"
#include "lessons/csv.hpp"

namespace lab {

// The picture is read back when it is drawn; the rest is text.
void App::export_as(const std::string& what) {
  const BookChecks* book = results_.book ? &results_.book->checks() : nullptr;
  const std::string name = "attention-lab-" + state_.inputs.lesson;
  hand_.open.clear();
  if (what == "png") effects_.save = File{name + ".png", ""};
  if (what == "py") effects_.save = File{name + ".py", code_.program};
  if (what == "json") effects_.save = File{name + ".json", book ? book_report_json(*book) : trace()};
  if (what == "csv") effects_.save = File{name + ".csv", csv(results_, state_)};
  if (what == "txt" && book) effects_.save = File{name + ".txt", book_report_text(*book)};
  if (effects_.save && what != "png" && effects_.save->content.empty()) {
    effects_.save.reset();
    hand_.said = hand_.trouble = what == "py"
                                     ? "This state has no program, for nothing can be computed from it."
                                     : "There are no numbers to save yet.";
  }
  if (effects_.save) hand_.said = effects_.save->name + " saved.";
  if (what != "copy" || !book) return;
  effects_.clipboard = book_report_text(*book);
  hand_.copied = "report.copy";
  hand_.said = "Report copied.";
}

}  // namespace lab
