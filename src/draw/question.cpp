// A lesson's questions: one at a time, its answers, hints, and what is said to an answer.
#include <algorithm>

#include "draw/column.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"

namespace lab {
namespace {

constexpr float kPagerHeight = 34;

bool is_answered(const Shown& shown, const Question& q) {
  return std::count(shown.done.begin(), shown.done.end(), q.id) > 0;
}

void draw_page(Ui& ui, const Shown& shown, Box box, int number) {
  const auto all = lesson_of(shown.state).questions;
  const Question& q = *all[std::size_t(number)].asks;
  const bool here = number == question_index(shown.state), answered = is_answered(shown, q);
  const std::string words = std::to_string(number + 1);
  button(ui, box, std::string("ask.") + q.id, words,
         {.small = true,
          .value = here ? "current" : "",
          .mirror_label = "Question " + words + " of " + std::to_string(all.size()) + ": " + q.title +
                          (answered ? ", answered" : "")});
  if (answered) ui.pen.tick(box.right() - 6, box.y + 7, 7, ui.theme->ok.mark, 2);
}

void lay_out_answers(Column& col, const Shown& shown, const Question& q) {
  const Hand::Answering& a = shown.hand.answering;
  col.y += 8;
  if (q.kind == Question::Kind::choice) {
    const auto choices = q.choices(shown.results);
    for (std::size_t i = 0; i < choices.size(); ++i, col.y += 38)
      if (col.ui)
        button(*col.ui, {col.x, col.y, col.w, 32}, "answer." + std::to_string(i), choices[i],
               {.disabled = a.revealed, .value = a.given == std::to_string(i) ? "true" : "false"});
    return;
  }
  if (q.kind == Question::Kind::cell) return;  // answered on the stage
  float x = col.x;
  const bool typed = q.kind == Question::Kind::number;
  if (typed && col.ui)
    text_field(
        *col.ui, {x, col.y, 120, 32}, "answer", "Your answer", a.given,
        {.placeholder = q.close < .5 ? "0.000" : "0", .mono = true, .numeric = true, .disabled = a.revealed});
  if (typed) x += 128;
  if (col.ui)
    button(*col.ui, {x, col.y, button_width(*col.ui, "Check"), 32}, "check", "Check",
           {.kind = ButtonKind::Primary, .disabled = a.revealed || (typed && a.given.empty())});
  col.y += 40;
}

void lay_out_help(Column& col, const Shown& shown, const Question& q) {
  col.y += 6;
  if (col.ui) {
    const float w = button_width(*col.ui, "Hint", true);
    const bool more = shown.hand.answering.hints.size() < q.hints(shown.results).size();
    button(*col.ui, {col.x, col.y, w, 32}, "hint", "Hint", {.small = true, .disabled = !more});
    const char* words = q.kind == Question::Kind::setting ? "Set it for me" : "Show the answer";
    button(*col.ui, {col.x + w + 8, col.y, button_width(*col.ui, words, true), 32}, "reveal", words,
           {.kind = ButtonKind::Quiet, .small = true});
  }
  col.y += 38;
}

struct Said {
  std::string text;
  enum { answer, hint, right, wrong } kind;
};
std::vector<Said> said_below(const Hand::Answering& a) {
  std::vector<Said> all;
  if (a.right) all.push_back({"✓ Right.", Said::right});
  if (a.revealed) all.push_back({a.told, Said::answer});
  if (a.revealed) return all;
  if (a.checked) all.push_back({"✗ Not that. " + a.told, Said::wrong});
  for (const std::string& hint : a.hints) all.push_back({hint, Said::hint});
  return all;
}
ImU32 ink_of(const Said& said, const Palette& c) {
  switch (said.kind) {
    case Said::right: return c.ok.text;
    case Said::wrong: return c.bad.text;
    case Said::hint: return c.mute;
    default: return c.ink;
  }
}

void lay_out_on(Column& col, const Shown& shown) {
  const int next = question_index(shown.state) + 1;
  if (next >= int(lesson_of(shown.state).questions.size())) return;
  col.y += 10;
  if (col.ui)
    button(*col.ui, {col.x, col.y, button_width(*col.ui, "Next question"), 32}, "ask-on", "Next question");
  col.y += 40;
}

}  // namespace

void lay_out_pager(Column& col, const Shown& shown) {
  const int all = int(lesson_of(shown.state).questions.size()), here = question_index(shown.state);
  const bool several = step_of(shown.state).asks && all > 1;
  if (several && col.ui)
    col.pen.text(Sans, type::small, col.x + col.w, col.y + 14, col.colors.mute,
                 std::to_string(here + 1) + " of " + std::to_string(all), Align::Right);
  col.y += 26;
  if (!several) return;
  constexpr float kApart = 4;
  const bool thumb = col.ui && is_narrow(*col.ui);
  const float turn = thumb ? 40 : 28, pages = col.w - 2 * (turn + kApart);
  const float w = std::min(36.f, (pages + kApart) / float(all) - kApart);
  const Box row{col.x, col.y, col.w, kPagerHeight};
  col.y += kPagerHeight + 8;
  if (!col.ui) return;
  turn_button(*col.ui, {row.x, row.y, turn, row.h}, "ask-back", "Question before", false, here == 0);
  float x = row.x + turn + kApart;
  for (int i = 0; i < all; ++i, x += w + kApart) draw_page(*col.ui, shown, {x, row.y, w, row.h}, i);
  turn_button(*col.ui, {x, row.y, turn, row.h}, "ask-next", "Question after", true, here + 1 == all);
}

void lay_out_question(Column& col, const Shown& shown) {
  const Question* q = step_of(shown.state).asks;
  if (!q || !can_be_asked(*q, shown.results)) return;
  const Hand::Answering& a = shown.hand.answering;
  lay_out_answers(col, shown, *q);
  // The buttons stay where they are when something is said below them.
  if (!a.revealed) lay_out_help(col, shown, *q);
  for (const Said& said : said_below(a)) col.paragraph(said.text, ink_of(said, col.colors));
  if (a.revealed) lay_out_on(col, shown);
}

std::string told_answer(const Shown& shown) {
  std::string text;
  for (const Said& said : said_below(shown.hand.answering)) text += (text.empty() ? "" : " ") + said.text;
  return text;
}

}  // namespace lab
