// State.inputs → numbers: the runs that the lesson needs, made anew from nothing.
#pragma once
#include "core/runs.hpp"
#include "lessons/state.hpp"

namespace lab {

Runs compute(const Inputs& inputs);

}  // namespace lab
