// Where the numbers are made.
#pragma once
#include <vector>

#include "core/attention.hpp"
#include "core/head_route.hpp"
#include "core/masks.hpp"
#include "core/trace.hpp"

namespace lab {

// One cell that the user overwrote; what follows from it follows.
struct CellEdit {
  Tensor tensor;
  int row, col;
  float value;
};

struct Pass {
  MaskRoute route = MaskRoute::none;
  Matrix keep;          // T × T; empty: a module that knows no mask
  Matrix dropout_mask;  // T × T; empty: no dropout
  std::vector<CellEdit> edits;
  int scale_by = 0;  // scores are divided by the root of this; 0: of the width of the keys

  // Of a module with several heads: a pass for each, with the mask and the dropout of that head.
  std::vector<Pass> heads;
  bool off = false;                         // a head that is switched off: its columns of concat are 0
  HeadRoute head_route = HeadRoute::right;  // of one of these heads its module's
};

// x @ W, or x @ W.T + b as nn.Linear has it: the parameter knows how it is stored.
Matrix projected(const Matrix& inputs, const Projection& p);

struct Projected {
  Matrix queries, keys, values;  // T × d_k, of one head
};
// One head, from its projections on.
Trace attend(Projected made, const Pass& pass);

// A module of one head. inputs: T × d_in. Pure: the same arguments give the same bits.
Trace forward(const AttentionParams& module, const Matrix& inputs, const Pass& pass);

}  // namespace lab
