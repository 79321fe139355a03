// What is told of a GPT that has read its text, tensor by tensor, for the trace and for files.
#pragma once
#include <functional>
#include <string>

#include "lessons/results.hpp"

namespace lab {

using TellTensor = std::function<void(const std::string& name, const Matrix& cells)>;

// Under the atlas' names: the blocks with their heads and stages, final norm, logits and shares. Of more than
// some millions of numbers the block that is looked at alone, and of a long text none of a head's stages.
// Returns a sentence about what is left out; empty: nothing is.
std::string tell_gpt(const Results& r, const State& state, const TellTensor& tell);

}  // namespace lab
