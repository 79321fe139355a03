// What a user does without a screen: one act after another.
#pragma once
#include <doctest.h>

#include <cstdlib>
#include <string>

#include "lessons/act.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"

namespace lab::test {

struct User {
  State state;
  Hand hand;
  explicit User(const std::string& query) : state(state_of(query).state) {}
  void act(const std::string& id, const std::string& value = "") {
    lab::act(state, hand, results_of(state.inputs), {id, value}, 0, 0);
  }
  std::string step() const { return step_of(state).id; }
  std::string sentence() const { return sentence_of(step_of(state), results_of(state.inputs)); }
};

inline const Question& question_named(const std::string& lesson, const std::string& id) {
  for (const Step& step : lesson_named(lesson).questions)
    if (step.asks->id == id) return *step.asks;
  FAIL(lesson << " asks no " << id);
  std::abort();
}

}  // namespace lab::test
