// The whole model: text to ids, embeddings, blocks, and what an untrained one says next.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

Lesson gpt_lesson();
void as_it_is(State& state);  // the model as the book has it: a head of its own, with shortcuts

struct HeadPlace {
  int block = 0, head = 0;
};
// The one that was chosen; else the boldest, where there is one yet.
HeadPlace looked_at_head(const Results& r, const State& s);
int looked_at_token(const Results& r, const State& s);  // the one that was chosen, else the last; -1: none

// Of all heads the one whose last row gives one token the largest share, and to which.
struct BoldHead {
  HeadPlace place;
  int token = 0;
  double share = 0, least = 1;  // the largest and the smallest of all heads' last rows
};
BoldHead boldest_head(const GptReader& reading);

}  // namespace lab
