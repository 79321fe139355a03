// Everything that hides or drops cells, decided before the pass: forward() draws nothing.
#pragma once
#include "core/matrix.hpp"
#include "core/torch_random.hpp"

namespace lab {

// How attn_weights are made from the scores. The first three are right for what they are; the rest are the
// mistakes that the lab shows.
enum class MaskRoute {
  none,           // every word sees every word
  zero_renorm,    // softmax, zero above the diagonal, renormalize: the book's three stages
  neginf,         // −∞ above the diagonal, then softmax
  zero_scores,    // wrong: zero the scores above the diagonal, then softmax
  no_renorm,      // wrong: softmax, zero, forget to renormalize
  renorm_first,   // wrong: renormalize (rows sum to 1 already), then zero
  off_by_one,     // wrong: every word sees one word ahead
  transposed,     // wrong: every word sees itself and the future
  after_dropout,  // wrong: dropout, then zero and renormalize
};
constexpr bool is_right(MaskRoute r) { return r == MaskRoute::zero_renorm || r == MaskRoute::neginf; }

// How likely a cell is dropped in training, wherever a GPT drops. One rate for all, as the book's drop_rate,
// or each its own, as its exercise 4.3 has them. At a rate of 0 nothing is drawn.
struct DropoutRates {
  double embedding = 0;
  double attention = 0;  // of the attention weights, inside MultiHeadAttention
  double shortcut = 0;   // of what a box says, before it is added to the stream
};
constexpr DropoutRates one_rate(double rate) { return {rate, rate, rate}; }

// rows × cols, 0 or 1 / (1 − dropout).
Matrix drawn_mask(int rows, int cols, double dropout, DropoutStream stream, TorchRandom& random);

Matrix causal_mask(int words);  // T × T, 1 where column ≤ row: torch.tril(torch.ones(T, T))
Matrix route_mask(MaskRoute route, int words);  // T × T, what that route keeps

}  // namespace lab
