#include <cmath>

#include "core/book_computed.hpp"
#include "core/book_values.hpp"
#include "core/multi_head.hpp"
#include "core/ops.hpp"
#include "core/transfer.hpp"
#include "core/word_vectors.hpp"
#include "core/words.hpp"

namespace lab::book {
namespace {

constexpr int kSecond = 1, kIn = 3, kOut = 2, kHeads = 2;
constexpr std::uint64_t kSeed = 123, kSeedOfV2 = 789;

Matrix inputs() { return word_vectors(words_of("Your journey starts with one step"), kIn, 0).stored; }
// Of one sentence twice, as the book has it.
std::vector<Matrix> batch() { return {inputs(), inputs()}; }

Values row(const Matrix& m, int r) { return cells(m.row(r)); }
Values shape(const Matrix& m) { return {double(m.rows()), double(m.cols())}; }

Trace simple() { return forward({.d_in = kIn, .d_out = kIn}, inputs(), {}); }

AttentionParams drawn(AttentionKind kind, std::uint64_t seed) {
  TorchRandom random(seed);
  return made_attention(kind, kIn, kOut, false, random, seed);
}
Trace v1() { return forward(drawn(AttentionKind::v1, kSeed), inputs(), {}); }

Pass masked(Matrix dropout_mask = {}) {
  return {.route = MaskRoute::neginf, .keep = causal_mask(6), .dropout_mask = std::move(dropout_mask)};
}
Trace masked_v2(Matrix dropout_mask = {}) {
  return forward(drawn(AttentionKind::v2, kSeedOfV2), inputs(), masked(std::move(dropout_mask)));
}

// What comes out of each sentence of the batch, and its shape.
Values batch_outputs(const AttentionParams& module) {
  Pass pass = masked();
  pass.heads.assign(std::size_t(module.num_heads), masked());
  Values values;
  Matrix last;
  for (const Matrix& x : batch()) values = values + cells(last = output_of(run_of("", module, x, pass)));
  return values + Values{double(batch().size())} + shape(last);
}

Matrix dropout_mask(DropoutStream stream) {
  TorchRandom random(kSeed);
  return drawn_mask(6, 6, 0.5, stream, random);
}

// Two heads of three words, as the book types them.
std::vector<Matrix> typed_heads() {
  Matrix first(3, 4), second(3, 4);
  first << 0.2745f, 0.6584f, 0.2775f, 0.8573f,  //
      0.8993f, 0.0390f, 0.9268f, 0.7388f,       //
      0.7179f, 0.7058f, 0.9156f, 0.4340f;
  second << 0.0772f, 0.3565f, 0.1479f, 0.5331f,  //
      0.4066f, 0.2318f, 0.4545f, 0.9737f,        //
      0.4606f, 0.5159f, 0.4220f, 0.5786f;
  return {first, second};
}

float dot_in_a_loop(const Matrix& x, int a, int b) {
  float sum = 0;
  for (Eigen::Index c = 0; c < x.cols(); ++c) sum += x(a, c) * x(b, c);
  return sum;
}

}  // namespace

Values simple_scores_of_second(DropoutStream) { return row(simple().attn_scores, kSecond); }
Values dot_product_two_ways(DropoutStream) {
  return {double(dot_in_a_loop(inputs(), 0, kSecond)), double(simple().attn_scores(0, kSecond))};
}
Values scores_over_sum(DropoutStream) {
  const Matrix m = simple().sum_normalized;
  return row(m, kSecond) + row(row_sums(m), kSecond);
}
Values softmax_written_out(DropoutStream) {
  const Matrix scores = simple().attn_scores.row(kSecond);
  const Matrix grown = scores.unaryExpr([](float x) { return std::exp(x); });
  const Matrix shares = divide_rows(grown, row_sums(grown));
  return cells(shares) + cells(row_sums(shares));
}
Values softmax_of_second(DropoutStream) {
  const Matrix m = simple().attn_weights;
  return row(m, kSecond) + row(row_sums(m), kSecond);
}
Values simple_context_of_second(DropoutStream) { return row(simple().context_vec, kSecond); }
Values simple_scores_in_loops(DropoutStream) {
  Values values;
  const Matrix x = inputs();
  for (int a = 0; a < int(x.rows()); ++a)
    for (int b = 0; b < int(x.rows()); ++b) values.push_back(double(dot_in_a_loop(x, a, b)));
  return values;
}
Values simple_scores(DropoutStream) { return cells(simple().attn_scores); }
Values simple_weights(DropoutStream) { return cells(simple().attn_weights); }
Values simple_row_sums(DropoutStream) {
  const Matrix sums = row_sums(simple().attn_weights);
  return row(sums, kSecond) + cells(sums);
}
Values simple_contexts(DropoutStream) { return cells(simple().context_vec); }

Values query_of_second(DropoutStream) { return row(v1().queries, kSecond); }
Values shapes_of_keys_and_values(DropoutStream) {
  const Trace t = v1();
  return shape(t.keys) + shape(t.values);
}
Values score_of_second_with_itself(DropoutStream) { return {double(v1().attn_scores(kSecond, kSecond))}; }
Values scores_of_second(DropoutStream) { return row(v1().attn_scores, kSecond); }
Values weights_of_second(DropoutStream) { return row(v1().attn_weights, kSecond); }
Values context_of_second(DropoutStream) { return row(v1().context_vec, kSecond); }
Values v1_contexts(DropoutStream) { return cells(v1().context_vec); }
Values v2_contexts(DropoutStream) {
  return cells(forward(drawn(AttentionKind::v2, kSeedOfV2), inputs(), {}).context_vec);
}

Values weights_before_the_mask(DropoutStream) { return cells(masked_v2().softmax_unmasked); }
Values the_mask(DropoutStream) { return cells(causal_mask(6)); }
Values zeroed_weights(DropoutStream) { return cells(masked_v2().masked_zeroed); }
Values renormalized_weights(DropoutStream) { return cells(masked_v2().masked_renormalized); }
Values scores_with_minus_infinity(DropoutStream) { return cells(masked_v2().masked_scores); }
Values softmax_of_masked(DropoutStream) { return cells(masked_v2().masked_softmax); }
Values dropout_of_ones(DropoutStream stream) {
  return cells(times(Matrix::Ones(6, 6), dropout_mask(stream)));
}
Values dropout_of_weights(DropoutStream stream) {
  return cells(masked_v2(dropout_mask(stream)).attn_weights_dropped);
}
Values shape_of_batch(DropoutStream) { return Values{double(batch().size())} + shape(batch().front()); }
Values causal_contexts(DropoutStream) { return batch_outputs(drawn(AttentionKind::causal, kSeed)); }

Values wrapper_outputs(DropoutStream) {
  TorchRandom random(kSeed);
  return batch_outputs(made_wrapper(kHeads, kIn, kOut, false, random, kSeed));
}
Values mha_outputs(DropoutStream) {
  TorchRandom random(kSeed);
  return batch_outputs(made_mha(kHeads, kIn, kOut, false, random, kSeed));
}
Values heads_in_one_product(DropoutStream) {
  Values values;
  for (const Matrix& head : typed_heads())
    values = values + cells(product(view(head), transposed_view(head)));
  return values;
}
Values heads_one_by_one(DropoutStream) {
  Values values;
  for (const Matrix& head : typed_heads())
    for (int a = 0; a < int(head.rows()); ++a)
      for (int b = 0; b < int(head.rows()); ++b) values.push_back(double(dot_in_a_loop(head, a, b)));
  return values;
}

Values v1_with_weights_of_v2(DropoutStream) {
  const AttentionParams v2 = drawn(AttentionKind::v2, kSeed), fresh = drawn(AttentionKind::v1, kSeed);
  std::vector<Move> moves;
  for (const std::string& slot : slots(v2, fresh)) moves.push_back(right_move(v2, fresh, slot));
  return cells(forward(with_moves(fresh, v2, moves), inputs(), {}).context_vec);
}
Values v2_of_exercise(DropoutStream) {
  return cells(forward(drawn(AttentionKind::v2, kSeed), inputs(), {}).context_vec);
}
Values wrapper_of_exercise(DropoutStream) {
  TorchRandom random(kSeed);
  Values values = batch_outputs(made_wrapper(kHeads, kIn, 1, false, random, kSeed));
  values.resize(values.size() - 3);  // the shape is right in the book
  return values;
}
double largest_context_of_exercise() {
  return double(row_sums(inputs()).maxCoeff()) / std::sqrt(double(kIn));
}

}  // namespace lab::book
