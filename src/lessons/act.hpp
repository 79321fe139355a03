// What the user does, carried out on the State. Mouse, keyboard, mirror and tests all come through here, with
// the id of a target.
#pragma once
#include <string>

#include "lessons/hand.hpp"
#include "lessons/lesson.hpp"

namespace lab {

struct Action {
  std::string id;     // "slot.W_query", "auto", "input.seed" …
  std::string value;  // what was dropped, typed or pressed; empty: a plain click
};

// now in ms; random is what "Break it" chooses its fault from. False: nothing answers to that id.
bool act(State& state, Hand& hand, const Results& results, const Action& action, double now,
         std::uint32_t random);

// An answer was to what was asked then: it goes when that, or what it was about, is another. Hints to
// something that is to be set stay while it is being set.
void keep_answer(Hand& hand, const State& before, const State& now);

}  // namespace lab
