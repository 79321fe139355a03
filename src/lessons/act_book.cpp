// What is done to the book's numbers: a row opened or compared, the rest of them run.
#include "lessons/book_lesson.hpp"
#include "lessons/doing.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

// A row by its number in the list.
std::optional<int> listed_row(const std::string& number) {
  const auto cell = cell_of("row." + number + ".0");
  if (!cell || cell->row >= int(book_rows().size())) return std::nullopt;
  return cell->row;
}

void magnify(Doing& h, int row) {
  h.state.view.row = row;
  h.hand.said = filled("Compared: {0}.", {book_rows()[std::size_t(row)].what});
}

// The lesson where its numbers stand, with all that they are made from.
void open_row(Doing& h, int row) {
  const View before = h.state.view;
  const DropoutStream stream = h.state.inputs.stream;
  h.state = opened(place_of(book_rows()[std::size_t(row)]).query).state;
  if (book_rows()[std::size_t(row)].drops) h.state.inputs.stream = stream;
  keep_looks(h.state.view, before);
  h.hand.step_began = h.now;
  h.hand.said = filled("{0}: {1}.", {lesson_of(h.state).says->title, step_of(h.state).says->title});
}

// One button, which keeps the keyboard.
void run_or_stop(Doing& h) {
  constexpr double kDoubleClick = .4;  // s: its second half stops nothing
  BookWork& work = *h.results.book;
  if (!work.is_running()) {
    work.start();
    h.hand.said = "Running all rows.";
  } else if (work.seconds() > kDoubleClick) {
    work.cancel();
    h.hand.said = "Stopped. What was not run is not ticked.";
  }
}

}  // namespace

bool act_on_book(Doing& h, const Action& a) {
  std::string name;
  if (begins(a.id, "book.", name)) {
    if (const auto row = listed_row(name)) open_row(h, *row);
  } else if (begins(a.id, "check.", name)) {
    if (const auto row = listed_row(name)) magnify(h, *row);
  } else if (a.id == "open-row") {
    open_row(h, magnified_row(h.state));
  } else if (a.id == "filter") {
    h.state.view.filter = !h.state.view.filter;
    h.hand.said = h.state.view.filter ? "Only rows that are not equal to the last digit." : "All rows.";
  } else if (a.id == "run-book") {
    run_or_stop(h);
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
