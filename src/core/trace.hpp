// One pass through a module, with every intermediate kept: an attention head, a module of several (what it
// makes before and after them), a transformer block (what it makes around its attention). T = words, d_k =
// d_out of the head, width = emb_dim.
#pragma once
#include <vector>

#include "core/matrix.hpp"

namespace lab {

struct Trace {
  Matrix inputs;                 // T × d_in
  Matrix queries, keys, values;  // T × d_k; of all heads together T × d_out
  Matrix attn_scores;            // T × T, row asks, column answers
  Matrix scaled_scores;          // T × T, attn_scores / √d_k

  // The three stages, where the module is causal.
  Matrix keep;                 // T × T, 1 visible, 0 hidden
  Matrix softmax_unmasked;     // T × T
  Matrix masked_zeroed;        // T × T
  Matrix row_sums;             // T × 1, of masked_zeroed; without weights: of attn_scores
  Matrix masked_renormalized;  // T × T
  // The −∞ route, always beside them.
  Matrix masked_scores;     // T × T, unscaled, as the book prints them
  Matrix masked_softmax;    // T × T, softmax of masked_scores / √d_k
  Matrix route_difference;  // T × T, masked_renormalized − masked_softmax: rounding, or one of them is wrong
  // What a wrong route makes on its way; empty on the others.
  Matrix route_keep, route_scores, route_dropped, route_zeroed, route_renormalized;  // T × T
  Matrix route_sums;                                                                 // T × 1

  Matrix sum_normalized;        // T × T, without weights only: scores / their row sum, no softmax
  Matrix attn_weights;          // T × T, by the chosen route
  Matrix dropout_mask;          // T × T, 0 or 1 / (1 - p); empty without dropout
  Matrix attn_weights_dropped;  // T × T; empty without dropout
  Matrix context_vec;           // T × d_k

  // Of several heads.
  Matrix concat;  // T × (num_heads × head_dim): their context vectors side by side
  Matrix out;     // T × d_out, concat @ out_proj; the wrapper has no out_proj and returns concat's numbers

  // Of a transformer block, in the order of pre-norm. Post-norm adds first: norm1 then reads att_added.
  Matrix resid_pre;                // T × width, what comes in
  Matrix mean1, var1;              // T × 1, of what norm1 reads
  Matrix norm1;                    // T × width
  Matrix att;                      // T × width, what attention says; zeros where it is switched off
  Matrix drop_mask1, att_dropped;  // T × width, 0 or 1 / (1 - p); empty without dropout
  Matrix att_added;                // T × width, post-norm only: the stream plus what attention says
  Matrix resid_mid;                // T × width
  Matrix mean2, var2, norm2;       // as above, for feed-forward
  Matrix ff_hidden, ff_gelu;       // T × 4·width
  Matrix ff_out;                   // T × width; zeros where it is switched off
  Matrix drop_mask2, ff_dropped;   // T × width; empty without dropout
  Matrix ff_added;                 // T × width, post-norm only
  Matrix resid_post;               // T × width, what goes out

  // What edits overwrote, in the order in which the cells were made.
  struct Edited {
    Matrix Trace::*tensor;
    int row, col;
    float was;
  };
  std::vector<Edited> edited;
};

using Tensor = Matrix Trace::*;  // names a matrix of the trace; a mistyped one does not compile

}  // namespace lab
