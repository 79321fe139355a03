// The stages of a head over a long text: too many cells to tell apart, so a smaller picture of each.
#pragma once
#include <string>
#include <vector>

#include "core/run.hpp"

namespace lab {

struct StageGlance {
  std::string name;          // of the stage, "softmax_unmasked"
  Matrix cells;              // at most side × side, each the mean of a rectangle of the stage:
  bool beside_even = false;  // log2 of shares over an even share, −1 … 1; else the numbers themselves
  std::vector<unsigned char> masked;  // row by row, 1: all of the rectangle lies in the future
};

// Scores, scaled scores, the three stages and the −∞ route of a head with all its stages (T × T each).
std::vector<StageGlance> stage_glances(const Run& head, int side);
// Of causal attention weights alone: log2 of each share over an even one.
StageGlance shares_beside_even(const Matrix& attn_weights, int side);

}  // namespace lab
