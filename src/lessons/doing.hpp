// What an act has at hand. Only act*.cpp include this.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lessons/act.hpp"

namespace lab {

struct Doing {
  State& state;
  Hand& hand;
  const Results& results;
  double now;
  std::uint32_t random;

  const Bench& bench() const { return *results.runs.bench; }
};

bool begins(std::string_view text, std::string_view start, std::string& rest);
void keep_looks(View& view, const View& before);             // which are the same in every lesson
void go_to_step(Doing& h, const Step& step, bool patching);  // patching: what choosing the step sets
void go_to_question(Doing& h, const Step& question);         // one of the lesson's
void go_on_asking(Doing& h, int by);                         // to the next (1), or back (-1)
void go_on(Doing& h, int by);  // Next (1) and Back (-1): a step, or a word where it goes word by word
void take_turn(Doing& h, int word);
void go_word_by_word(Doing& h);  // or no longer so
void play(Doing& h);             // or pause
void play_on(Doing& h);          // when a step has had its time

void set_key(Doing& h, const std::string& key, const std::string& value);  // of the query, as if typed
// Heads stand elsewhere than before: what was edited in them, or switched off, goes along.
void follow_swap(Doing& h, const std::optional<HeadPair>& before);

bool act_on_question(Doing& h, const Action& a);  // these return false: not an act of its own
bool act_on_heads(Doing& h, const Action& a);
bool act_on_gpt(Doing& h, const Action& a);
bool act_on_book(Doing& h, const Action& a);
bool act_on_bench(Doing& h, const Action& a);
bool play_on_bench(Doing& h);  // fills the slot that the step is about; false: nothing to fill

}  // namespace lab
