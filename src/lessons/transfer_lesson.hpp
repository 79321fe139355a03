// The transfer bench: weights move from one attention module into another until the outputs match.
#pragma once
#include "lessons/lesson.hpp"

namespace lab {

constexpr const char* kFaultStep = "blame";  // the step about a hidden fault

Lesson transfer_lesson();
void make_transfer_runs(Runs& runs, const Inputs& in);
// The moves that are in force on the bench: the user's, or the broken plan of "Break it".
std::vector<Move> moves_in_force(const Inputs& inputs, const Bench& bench);

// States that buttons and steps lead to.
void fill_all_slots(State& state);   // every slot from its partner, the right way
void set_square_trap(State& state);  // 3 × 3, seed 789, three plain copies that fit and are wrong
void swap_direction(State& state);
// Of other sizes: what moved between a head and its band moves between where these are now; of a head that is
// gone nothing is left.
void carry_moves(Inputs& inputs, const Inputs& before);

// Of the square bench: max |Δ| of the outputs when query, key or value alone is copied where a transpose
// belongs.
std::vector<float> harm_of_each_copy(const Results& results);

}  // namespace lab
