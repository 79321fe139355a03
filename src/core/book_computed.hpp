// What the cells of chapters 3 and 4 compute, with the lab's own classes: each function gives the numbers
// that one cell prints, in reading order. book_table.cpp says which is whose.
#pragma once
#include "core/book_values.hpp"
#include "core/torch_random.hpp"

namespace lab::book {

// 3.3, attention without weights; the second word is "journey".
Values simple_scores_of_second(DropoutStream);
Values dot_product_two_ways(DropoutStream);
Values scores_over_sum(DropoutStream);
Values softmax_written_out(DropoutStream);
Values softmax_of_second(DropoutStream);
Values simple_context_of_second(DropoutStream);
Values simple_scores_in_loops(DropoutStream);
Values simple_scores(DropoutStream);
Values simple_weights(DropoutStream);
Values simple_row_sums(DropoutStream);
Values simple_contexts(DropoutStream);
// 3.4, with weights
Values query_of_second(DropoutStream);
Values shapes_of_keys_and_values(DropoutStream);
Values score_of_second_with_itself(DropoutStream);
Values scores_of_second(DropoutStream);
Values weights_of_second(DropoutStream);
Values context_of_second(DropoutStream);
Values v1_contexts(DropoutStream);
Values v2_contexts(DropoutStream);
// 3.5, under the mask
Values weights_before_the_mask(DropoutStream);
Values the_mask(DropoutStream);
Values zeroed_weights(DropoutStream);
Values renormalized_weights(DropoutStream);
Values scores_with_minus_infinity(DropoutStream);
Values softmax_of_masked(DropoutStream);
Values dropout_of_ones(DropoutStream);
Values dropout_of_weights(DropoutStream);
Values shape_of_batch(DropoutStream);
Values causal_contexts(DropoutStream);
// 3.6, several heads
Values wrapper_outputs(DropoutStream);
Values mha_outputs(DropoutStream);
Values heads_in_one_product(DropoutStream);
Values heads_one_by_one(DropoutStream);
// exercises of chapter 3
Values v1_with_weights_of_v2(DropoutStream);
Values v2_of_exercise(DropoutStream);
Values wrapper_of_exercise(DropoutStream);
// No number of the latter can be further from 0: a context is an average of values, a value is at most the
// sum of a word's numbers times the largest weight that nn.Linear draws.
double largest_context_of_exercise();

// 4.2, LayerNorm
Values rows_of_layer(DropoutStream);
Values mean_and_variance(DropoutStream);
Values levelled_rows(DropoutStream);
Values levelled_mean_and_variance(DropoutStream);
Values layer_norm_mean_and_variance(DropoutStream);
// 4.3 to 4.5, feed-forward, shortcuts, a block
Values emb_dim(DropoutStream);
Values shape_after_feed_forward(DropoutStream);
Values gradients_without_shortcuts(DropoutStream);
Values gradients_with_shortcuts(DropoutStream);
Values shapes_around_block(DropoutStream);
// 4.6, the sizes of a whole model
Values parameter_count(DropoutStream);
Values shapes_of_embedding_and_head(DropoutStream);
Values tied_parameter_count(DropoutStream);
Values size_in_mb(DropoutStream);
// exercises of chapter 4
Values printed_block(DropoutStream);
Values feed_forward_parameters(DropoutStream);
Values attention_parameters(DropoutStream);
Values four_sizes(DropoutStream);

}  // namespace lab::book
