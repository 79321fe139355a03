// The whole model: text to ids, embeddings, blocks, and what an untrained one says next.
#pragma once
#include "core/gpt_figures.hpp"
#include "lessons/lesson.hpp"

namespace lab {

Lesson gpt_lesson();
void as_it_is(State& state);  // the model as the book has it: a head of its own, with shortcuts

// The one that was chosen; else what the step is about: the boldest, or the one that finds what was said
// before.
HeadPlace looked_at_head(const Results& r, const State& s);
std::string head_name(HeadPlace place);  // "blocks.9.heads.6.", before the names of its matrices
constexpr int kMostInCells = 64;         // tokens: the stages of a head over more are shown as pictures,
constexpr int kGlanceSide = 60;          // of so many cells a side
constexpr int kEnlargedSide = 128;       // of the one map that stands beside all
// Once the text is read: the runs hold the head that is looked at, with every stage.
void open_looked_at_head(Results& r, const State& s);
int looked_at_token(const Results& r, const State& s);  // the one that was chosen, else the last; -1: none

}  // namespace lab
