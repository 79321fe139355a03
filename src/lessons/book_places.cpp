#include "lessons/book_places.hpp"

#include <string_view>

namespace lab {
namespace {

constexpr BookPlace kPlaces[] = {
    {"ch03", 28, "lesson=self-attention&step=inputs&cell=simple.attn_scores.1.0"},
    {"ch03", 30, "lesson=self-attention&step=inputs&cell=simple.attn_scores.0.1"},
    {"ch03", 33, "lesson=self-attention&step=simple-weights&cell=simple.attn_scores.1.0", -1},
    {"ch03", 35, "lesson=self-attention&step=simple-weights&cell=simple.attn_weights.1.0"},
    {"ch03", 37, "lesson=self-attention&step=simple-weights&cell=simple.attn_weights.1.0"},
    {"ch03", 40, "lesson=self-attention&step=simple-context&cell=simple.context_vec.1.0"},
    {"ch03", 47, "lesson=self-attention&step=inputs&cell=simple.attn_scores.0.0"},
    {"ch03", 49, "lesson=self-attention&step=inputs&cell=simple.attn_scores.0.0"},
    {"ch03", 51, "lesson=self-attention&step=simple-weights&cell=simple.attn_weights.0.0"},
    {"ch03", 53, "lesson=self-attention&step=simple-weights&cell=simple.attn_weights.1.1", -1},
    {"ch03", 55, "lesson=self-attention&step=simple-context&cell=simple.context_vec.0.0"},
    {"ch03", 57, "lesson=self-attention&step=simple-context&cell=simple.context_vec.1.0"},
    {"ch03", 70, "lesson=self-attention&step=project&cell=queries.1.0"},
    {"ch03", 72, "lesson=self-attention&step=project&cell=keys.5.1", -1},
    {"ch03", 75, "lesson=self-attention&step=scores&cell=attn_scores.1.1"},
    {"ch03", 77, "lesson=self-attention&step=scores&cell=attn_scores.1.0"},
    {"ch03", 80, "lesson=self-attention&step=softmax&cell=attn_weights.1.0"},
    {"ch03", 83, "lesson=self-attention&step=context&cell=context_vec.1.0"},
    {"ch03", 86, "lesson=self-attention&step=module&cell=context_vec.0.0"},
    {"ch03", 89, "lesson=transfer&step=pair&seed=789&cell=source.context_vec.0.0"},
    {"ch03", 98, "lesson=causal-mask&step=softmax&cell=softmax_unmasked.0.0"},
    {"ch03", 100, "lesson=causal-mask&step=minus-inf&cell=keep.0.0"},
    {"ch03", 102, "lesson=causal-mask&step=zero&cell=masked_zeroed.0.0"},
    {"ch03", 105, "lesson=causal-mask&step=renormalize&cell=masked_renormalized.1.0", 6},
    {"ch03", 108, "lesson=causal-mask&step=minus-inf&cell=masked_scores.0.0"},
    {"ch03", 110, "lesson=causal-mask&step=minus-inf&cell=masked_softmax.1.0", 6},
    {"ch03", 115, "lesson=causal-mask&step=dropout&training=1&cell=dropout_mask.0.0"},
    {"ch03", 116, "lesson=causal-mask&step=dropout&training=1&cell=attn_weights_dropped.2.0", 12},
    {"ch03", 121, "lesson=causal-mask&step=context&seed=123&cell=context_vec.0.0"},
    {"ch03", 127, "lesson=multi-head&step=concat&cell=wrapper.out.0.0"},
    {"ch03", 131, "lesson=multi-head&step=out_proj&cell=mha.out.0.0"},
    {"ch03 exercises", 8,
     "lesson=transfer&step=match&move=W_query.weight,transpose,W_query&move=W_key.weight,transpose,W_key"
     "&move=W_value.weight,transpose,W_value&cell=target.context_vec.0.0"},
    {"ch03 exercises", 9, "lesson=transfer&step=pair&cell=source.context_vec.0.0"},
    {"ch03 exercises", 13, "lesson=multi-head&step=concat&d_out=1&cell=wrapper.out.0.0"},
    {"ch04", 22, "lesson=transformer-block&step=norm-book&cell=book.out.0.0"},
    {"ch04", 24, "lesson=transformer-block&step=norm-book&variance=unbiased&cell=book.mean.0.0"},
    {"ch04", 28, "lesson=transformer-block&step=norm-book&variance=unbiased&eps=0&cell=book.norm.0.0"},
    {"ch04", 30, "lesson=transformer-block&step=norm-book&variance=unbiased&eps=0&cell=book.var_after.0.0",
     2},
    {"ch04", 35, "lesson=transformer-block&step=norm-book&cell=book.var_after.0.0", 2},
    {"ch04", 55, "lesson=transformer-block&step=gradients", -1},
    {"ch04", 57, "lesson=transformer-block&step=gradients", -1},
};

}  // namespace

const BookPlace* place_of(const BookRow& row) {
  for (const BookPlace& place : kPlaces)
    if (place.cell == row.cell && std::string_view(place.chapter) == row.chapter) return &place;
  return nullptr;
}

}  // namespace lab
