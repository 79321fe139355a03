#include "lessons/book_places.hpp"

#include <string_view>

namespace lab {
namespace {

constexpr const char* kOneBlock =
    "lesson=gpt&step=sizes&size=custom&custom_dim=768&custom_layers=1&custom_heads=12";
constexpr const char* kGreedy = "lesson=gpt&step=greedy";

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
    {"ch03", 120, "lesson=causal-mask&step=context&seed=123", -1},
    {"ch03", 121, "lesson=causal-mask&step=context&seed=123&cell=context_vec.0.0"},
    {"ch03", 127, "lesson=multi-head&step=concat&cell=wrapper.out.0.0"},
    {"ch03", 131, "lesson=multi-head&step=out_proj&cell=mha.out.0.0"},
    {"ch03", 138, "lesson=multi-head&step=inside", -1},
    {"ch03", 140, "lesson=multi-head&step=maps", -1},
    {"ch03 exercises", 8,
     "lesson=transfer&step=match&move=W_query.weight,transpose,W_query&move=W_key.weight,transpose,W_key"
     "&move=W_value.weight,transpose,W_value&cell=target.context_vec.0.0"},
    {"ch03 exercises", 9, "lesson=transfer&step=pair&cell=source.context_vec.0.0"},
    {"ch03 exercises", 13, "lesson=multi-head&step=concat&d_out=1&cell=wrapper.out.0.0"},
    {"ch04", 15, "lesson=gpt&step=ids&text=Every+effort+moves+you", -1, "6109 3626 6100 345"},
    {"ch04", 16, "lesson=gpt&step=logits&text=Every+effort+moves+you&dummy=1", -1},
    {"ch04", 22, "lesson=transformer-block&step=norm-book&cell=book.out.0.0"},
    {"ch04", 24, "lesson=transformer-block&step=norm-book&variance=unbiased&cell=book.mean.0.0"},
    {"ch04", 28, "lesson=transformer-block&step=norm-book&variance=unbiased&eps=0&cell=book.norm.0.0"},
    {"ch04", 30, "lesson=transformer-block&step=norm-book&variance=unbiased&eps=0&cell=book.var_after.0.0",
     2},
    {"ch04", 35, "lesson=transformer-block&step=norm-book&cell=book.var_after.0.0", 2},
    {"ch04", 45, "lesson=gpt&step=sizes", -1, "width 768, blocks × heads 12 × 12"},
    {"ch04", 47, "lesson=transformer-block&step=ff", -1},
    {"ch04", 55, "lesson=transformer-block&step=gradients", -1, "gradient of 0.0002"},
    {"ch04", 57, "lesson=transformer-block&step=gradients", -1, "0.2217"},
    {"ch04", 64, "lesson=transformer-block&step=stream", -1},
    {"ch04", 72, "lesson=gpt&step=logits&text=Every+effort+moves+you", -1},
    {"ch04", 74, "lesson=gpt&step=sizes", -1, "163,009,536"},
    {"ch04", 76, "lesson=gpt&step=sizes", -1},
    {"ch04", 78, "lesson=gpt&step=sizes", -1, "124,412,160"},
    {"ch04", 80, "lesson=gpt&step=sizes", -1, "621.83"},
    {"ch04", 90, "lesson=gpt&step=ids", -1, "15496 11 314 716"},
    {"ch04", 91, kGreedy, -1, "Featureiman Byeswickattribute argue"},
    {"ch04", 93, kGreedy, -1, "Featureiman Byeswickattribute argue"},
    {"ch04 exercises", 4, kOneBlock, -1},
    {"ch04 exercises", 5, kOneBlock, -1, "4,722,432"},
    {"ch04 exercises", 6, kOneBlock, -1, "1,769,472"},
    {"ch04 exercises", 12, "lesson=gpt&step=sizes", -1, "1,557,380,800"},
};

}  // namespace

const BookPlace& place_of(const BookRow& row) {
  for (const BookPlace& place : kPlaces)
    if (place.cell == row.cell && std::string_view(place.chapter) == row.chapter) return place;
  return kPlaces[0];  // a test holds every row to a place of its own
}

bool has_program(const BookPlace& place) {
  return place.number >= 0 || std::string_view(place.query) == kGreedy;
}

}  // namespace lab
