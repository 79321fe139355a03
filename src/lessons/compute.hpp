// State.inputs → numbers: the runs that the lesson needs, made anew from nothing.
#pragma once
#include "core/runs.hpp"
#include "lessons/state.hpp"

namespace lab {

Runs compute(const Inputs& inputs);

// The moves that are in force on the bench: the user's, or the broken plan of "Break it".
std::vector<Move> moves_in_force(const Inputs& inputs, const Bench& bench);

}  // namespace lab
