// Does the past depend on the future? One word is changed, and the pass is run again: every context vector
// that moves has heard of that word.
#pragma once
#include "core/run.hpp"

namespace lab {

constexpr float kNudge = 1;             // added to the first number of a word's vector
constexpr float kLeakRounding = 1e-6f;  // a change below it is rounding, not a leak

Run nudged(const Run& run, int word);  // the same pass, word's vector changed as an edit of its inputs

// T × T: how far row r of context_vec moves, at most, when word c is nudged. NaN where either side is.
Matrix influence_of(const Run& run);
// T × 1: the largest influence on row r of a word that comes later. 0: the past does not hear the future.
Matrix leak_of(const Matrix& influence);

// What row r of attention weights spends on later words.
float later_sum(const MatrixView& weights, int r);

}  // namespace lab
