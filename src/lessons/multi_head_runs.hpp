// The numbers of the lesson of several heads.
#pragma once
#include "core/multi_head.hpp"
#include "core/runs.hpp"
#include "lessons/state.hpp"

namespace lab {

// "wrapper.": the stack. "": its heads packed into one module. "mha.": the book's own module, where d_out can
// be shared. The first and the last once more, "before." in front, where heads were swapped or switched off.
void make_multi_head_runs(Runs& runs, const Inputs& in);

// What was edited in two heads, or switched off, goes where they go.
void carry_through_swap(Inputs& in, const Runs& runs, HeadPair pair);

bool drops_out(const Inputs& in);
// Of all sentences of the batch, as this kind of module draws them.
HeadMasks dropout_masks(const Inputs& in, AttentionKind kind, int heads, int words);

}  // namespace lab
