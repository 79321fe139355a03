// From scores to weights, in three stages and by −∞: what the lesson of the mask and that of several heads
// show alike.
#pragma once
#include <string_view>
#include <vector>

#include "lessons/lesson.hpp"

namespace lab {

// Where they stand. @ is the head that is opened; where there is but one, nothing.
inline constexpr Place kSoftmaxStage{.name = "@softmax_unmasked", .bars = Bars::row_sums, .stage = 1},
    kZeroStage{.name = "@masked_zeroed", .bars = Bars::row_sums, .stage = 2},
    kRenormalizeStage{.name = "@masked_renormalized", .bars = Bars::row_sums, .stage = 3},
    kMaskedSoftmax{.name = "@masked_softmax", .bars = Bars::row_sums};

bool is_stage(std::string_view name);  // one of the three, or their sums, of whichever head

// How far a lesson has come with a row.
enum class StagesTold { none, softmax, zeroed, renormalized, both_routes };
void add_stage_facts(std::vector<Fact>& facts, const Trace& trace, int row, int digits, StagesTold told);

}  // namespace lab
