// Answers, hints and what is said to them.
#include "core/number_text.hpp"
#include "lessons/doing.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

const Question& question_of(const Doing& h) { return *step_of(h.state).asks; }

void tell(Doing& h, const char* before, std::string what) {
  h.hand.answering.told = std::move(what);
  h.hand.said = before + h.hand.answering.told;
}

void reveal(Doing& h, const char* before, const Results& results) {
  h.hand.answering.revealed = true;
  h.state.view.cell.reset();
  tell(h, before, question_of(h).revealed(results));
}

// Of what was to be set, the controls stand at the answer then.
void give_up(Doing& h) {
  const Question& q = question_of(h);
  if (h.hand.answering.revealed || !can_be_asked(q, h.results)) return;
  if (q.kind != Question::Kind::setting) return reveal(h, "", h.results);
  for (const auto& [key, value] : pairs_of(q.answer(h.results))) set_key(h, key, value);
  reveal(h, "", results_of(h.state.inputs, nullptr, &h.results));
}

void check_answer(Doing& h, const std::string& given) {
  const Question& q = question_of(h);
  Hand::Answering& a = h.hand.answering;
  if (a.revealed || given.empty() || !can_be_asked(q, h.results)) return;
  if (q.kind == Question::Kind::number && !double_of(given_number(q, given))) {
    h.hand.said = h.hand.trouble = "An answer here is a number, such as 0.5.";
    return;
  }
  a.given = given;
  a.checked = true;
  a.right = is_right(q, h.results, given);
  if (a.right) return reveal(h, "Right. ", h.results);
  tell(h, "Not that. ", q.why_not(h.results, given));
}

void give_hint(Doing& h) {
  auto& shown = h.hand.answering.hints;
  if (!can_be_asked(question_of(h), h.results)) return;
  const auto all = question_of(h).hints(h.results);
  if (shown.size() >= all.size()) return;
  shown.push_back(all[shown.size()]);
  h.hand.said = shown.back();
}

}  // namespace

void keep_answer(Hand& hand, const State& before, const State& now) {
  const Question *was = step_of(before).asks, *is = step_of(now).asks;
  if (was == is && before.inputs == now.inputs) return;
  auto hints = std::move(hand.answering.hints);
  hand.answering = {};
  if (was == is && is && is->kind == Question::Kind::setting) hand.answering.hints = std::move(hints);
}

// A click on a cell of the hidden matrix is an answer, not a look at it.
bool act_on_question(Doing& h, const Action& a) {
  if (!step_of(h.state).asks) return false;
  const Question& q = question_of(h);
  const bool by_cell = q.kind == Question::Kind::cell, revealed = h.hand.answering.revealed;
  std::string name;
  if (begins(a.id, "answer.", name)) {
    check_answer(h, name);
  } else if (a.id == "check") {
    check_answer(h, q.kind == Question::Kind::setting ? "set" : h.hand.answering.given);
  } else if (a.id == "hint") {
    give_hint(h);
  } else if (a.id == "reveal") {
    give_up(h);
  } else if (!revealed && begins(a.id, std::string("cell.") + q.hidden + ".", name)) {
    if (by_cell) check_answer(h, q.hidden + ("." + name));
  } else if (!revealed && a.id == std::string("matrix.") + q.hidden) {
    if (a.value != "Enter" && a.value != "Delete") return false;  // arrows walk through it
    const CellName cell = selected_cell(h.state);
    if (by_cell && a.value == "Enter" && cell.name == q.hidden) check_answer(h, text_of(cell));
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
