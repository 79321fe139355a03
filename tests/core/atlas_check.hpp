// Holds what the atlas tells about every cell to what the program computed.
#pragma once
#include <string>

#include "core/atlas.hpp"

namespace lab {

// The first cell of these runs that is not made as the atlas says, and what is wrong with it; empty: all are.
// For every cell of every matrix: the operands are cells of that name with that value; the rule over them
// gives the number, |explained − value| ≤ 1e-6 × max(1, Σ |terms|), NaN equal to NaN; a cell that was edited
// explains what it was; a parameter's drawn cell is drawn again from its seed, a moved one is found where it
// came from.
std::string first_wrong_cell(const Runs& runs);

}  // namespace lab
