#include "core/atlas.hpp"

#include <algorithm>

namespace lab {
namespace {

using T = Trace;

bool without_weights(const Run& r) { return r.module.kind == AttentionKind::simple; }
bool plain(const Run& r) { return r.module.kind == AttentionKind::v1; }
bool linear(const Run& r) {
  return r.module.kind == AttentionKind::v2 || r.module.kind == AttentionKind::causal ||
         r.module.kind == AttentionKind::mha;
}
bool of_all(const Run& r) { return r.module.kind == AttentionKind::head; }
bool stacked(const Run& r) { return r.module.kind == AttentionKind::wrapper; }
bool fused(const Run& r) { return r.module.kind == AttentionKind::mha; }
template <HeadRoute route>
bool of_all_by(const Run& r) {
  return of_all(r) && r.pass.head_route == route;
}
template <HeadRoute route>
bool fused_by(const Run& r) {
  return fused(r) && r.pass.head_route == route;
}
bool fused_as_it_lies(const Run& r) {
  return fused_by<HeadRoute::no_transpose>(r) || fused_by<HeadRoute::no_transpose_back>(r);
}
bool with_weights(const Run& r) { return r.module.kind != AttentionKind::simple; }
bool unmasked(const Run& r) { return with_weights(r) && r.trace.keep.size() == 0; }
template <MaskRoute route>
bool by(const Run& r) {
  return r.trace.keep.size() != 0 && r.pass.route == route;
}
bool drops(const Run& r) { return r.trace.attn_weights_dropped.size() != 0; }
bool keeps_all(const Run& r) { return with_weights(r) && !drops(r); }
bool zeroes_dropped(const Run& r) { return r.trace.route_dropped.size() != 0; }
bool zeroes_softmax(const Run& r) { return !zeroes_dropped(r); }
bool by_own_mask(const Run& r) {
  return by<MaskRoute::off_by_one>(r) || by<MaskRoute::transposed>(r) || by<MaskRoute::after_dropout>(r);
}

// A block of a GPT: its weights stay with the model.
bool of_gpt(const Run& r) { return fused(r) && r.prefix.starts_with(kBlocks); }

bool alone(const Run& r) { return r.norm_example.has_value(); }
bool pre(const Run& r) { return r.block && !r.block->pass.post_norm; }
bool post(const Run& r) { return r.block && r.block->pass.post_norm; }
template <bool (*applies)(const Run&)>
bool unbiased(const Run& r) {
  return applies(r) && (r.block ? r.block->pass.unbiased : r.norm_example->unbiased);
}
bool bent_by_relu(const Run& r) { return r.block && r.block->pass.relu; }
bool bent_by_gelu(const Run& r) { return !bent_by_relu(r); }
bool drops_first(const Run& r) { return r.trace.drop_mask1.size() != 0; }
bool drops_second(const Run& r) { return r.trace.drop_mask2.size() != 0; }
template <bool (*drops)(const Run&), bool post_norm>
bool adds_dropped(const Run& r) {
  return r.block && r.block->pass.shortcuts && r.block->pass.post_norm == post_norm && drops(r);
}
template <bool (*drops)(const Run&), bool post_norm>
bool passes_on_dropped(const Run& r) {
  return r.block && !r.block->pass.shortcuts && r.block->pass.post_norm == post_norm && drops(r);
}
template <bool post_norm>
bool adds(const Run& r) {
  return r.block && r.block->pass.shortcuts && r.block->pass.post_norm == post_norm;
}
template <bool post_norm>
bool passes_on(const Run& r) {
  return r.block && r.block->pass.post_norm == post_norm;
}

using enum Role;
using enum Rule;

// Rows stand in the order in which forward() makes the matrices.
constexpr AtlasRow kAtlas[] = {
    {&T::inputs, "inputs", "Inputs", "inputs", neutral, same, "inputs"},
    {&T::resid_pre, "resid_pre", "resid_pre", "x", neutral, kept, "", "", of_gpt},
    {&T::queries, "queries", "Queries", "att.W_query(norm1(x))", query, kept, "", "", of_gpt},
    {&T::keys, "keys", "Keys", "att.W_key(norm1(x))", key, kept, "", "", of_gpt},
    {&T::values, "values", "Values", "att.W_value(norm1(x))", value, kept, "", "", of_gpt},
    {&T::resid_mid, "resid_mid", "resid_mid", "x + att(norm1(x))", neutral, kept, "", "", of_gpt},
    {&T::queries, "queries", "Queries", "inputs @ W_query", query, row_times_column, "inputs", "W_query",
     plain},
    {&T::queries, "queries", "Queries", "W_query(inputs)", query, row_times_column, "inputs", "W_query",
     linear},
    {&T::keys, "keys", "Keys", "inputs @ W_key", key, row_times_column, "inputs", "W_key", plain},
    {&T::keys, "keys", "Keys", "W_key(inputs)", key, row_times_column, "inputs", "W_key", linear},
    {&T::values, "values", "Values", "inputs @ W_value", value, row_times_column, "inputs", "W_value", plain},
    {&T::values, "values", "Values", "W_value(inputs)", value, row_times_column, "inputs", "W_value", linear},
    {&T::queries, "queries", "Queries", "queries.view(T, head_dim, heads).permute(2, 0, 1)[h]", query,
     read_by_head, "queries", "", of_all_by<HeadRoute::interleaved>},
    {&T::queries, "queries", "Queries", "queries.reshape(heads, T, head_dim)[h]", query, read_by_head,
     "queries", "", of_all_by<HeadRoute::no_transpose>},
    {&T::keys, "keys", "Keys", "keys.view(T, head_dim, heads).permute(2, 0, 1)[h]", key, read_by_head, "keys",
     "", of_all_by<HeadRoute::interleaved>},
    {&T::keys, "keys", "Keys", "keys.reshape(heads, T, head_dim)[h]", key, read_by_head, "keys", "",
     of_all_by<HeadRoute::no_transpose>},
    {&T::values, "values", "Values", "values.view(T, head_dim, heads).permute(2, 0, 1)[h]", value,
     read_by_head, "values", "", of_all_by<HeadRoute::interleaved>},
    {&T::values, "values", "Values", "values.reshape(heads, T, head_dim)[h]", value, read_by_head, "values",
     "", of_all_by<HeadRoute::no_transpose>},
    {&T::queries, "queries", "Queries", "queries.view(T, heads, head_dim).transpose(0, 1)[h]", query,
     read_by_head, "queries", "", of_all},
    {&T::keys, "keys", "Keys", "keys.view(T, heads, head_dim).transpose(0, 1)[h]", key, read_by_head, "keys",
     "", of_all},
    {&T::values, "values", "Values", "values.view(T, heads, head_dim).transpose(0, 1)[h]", value,
     read_by_head, "values", "", of_all},
    {&T::attn_scores, "attn_scores", "Attention scores", "inputs @ inputs.T", weights, row_times_row,
     "inputs", "inputs", without_weights},
    {&T::attn_scores, "attn_scores", "Attention scores", "queries @ keys.T", weights, row_times_row,
     "queries", "keys", with_weights},
    {&T::scaled_scores, "scaled_scores", "Scaled scores", "attn_scores / d_k ** 0.5", weights, over_root_d,
     "attn_scores"},
    {&T::keep, "keep", "Mask", "torch.tril(torch.ones(T, T))", neutral, mask},
    {&T::softmax_unmasked, "softmax_unmasked", "Softmax", "torch.softmax(scaled_scores, dim=-1)", weights,
     softmax, "scaled_scores"},
    {&T::masked_zeroed, "masked_zeroed", "Upper triangle zeroed", "softmax_unmasked * keep", weights, times,
     "softmax_unmasked", "keep"},
    {&T::row_sums, "row_sums", "Row sums", "attn_scores.sum(dim=-1, keepdim=True)", weights, row_sum,
     "attn_scores", "", without_weights},
    {&T::row_sums, "row_sums", "Row sums", "masked_zeroed.sum(dim=-1, keepdim=True)", weights, row_sum,
     "masked_zeroed", "", with_weights},
    {&T::masked_renormalized, "masked_renormalized", "Renormalized", "masked_zeroed / row_sums", weights,
     over_row, "masked_zeroed", "row_sums"},
    {&T::masked_scores, "masked_scores", "Scores with −∞", "attn_scores.masked_fill(keep == 0, -torch.inf)",
     weights, hide, "attn_scores", "keep"},
    {&T::masked_softmax, "masked_softmax", "Masked softmax",
     "torch.softmax(masked_scores / d_k ** 0.5, dim=-1)", weights, softmax_over_root_d, "masked_scores"},
    {&T::route_difference, "route_difference", "Difference of the routes",
     "masked_renormalized - masked_softmax", neutral, minus, "masked_renormalized", "masked_softmax"},
    {&T::sum_normalized, "sum_normalized", "Scores over their sum", "attn_scores / row_sums", weights,
     over_row, "attn_scores", "row_sums"},
    {&T::route_keep, "route_keep", "The route's mask", "keep", neutral, same, "keep", "",
     by<MaskRoute::after_dropout>},
    {&T::route_keep, "route_keep", "The route's mask", "keep", neutral, mask},
    {&T::route_scores, "route_scores", "Scores with zeros", "attn_scores * keep", weights, times,
     "attn_scores", "keep"},
    {&T::dropout_mask, "dropout_mask", "Dropout mask", "dropout(torch.ones(T, T))", neutral, drawn},
    {&T::route_dropped, "route_dropped", "Dropped before the mask", "softmax_unmasked * dropout_mask",
     weights, times, "softmax_unmasked", "dropout_mask"},
    {&T::route_zeroed, "route_zeroed", "Zeroed", "softmax_unmasked * keep", weights, times,
     "softmax_unmasked", "route_keep", zeroes_softmax},
    {&T::route_zeroed, "route_zeroed", "Zeroed", "route_dropped * keep", weights, times, "route_dropped",
     "route_keep", zeroes_dropped},
    {&T::route_sums, "route_sums", "Row sums", "softmax_unmasked.sum(dim=-1, keepdim=True)", weights, row_sum,
     "softmax_unmasked", "", by<MaskRoute::renorm_first>},
    {&T::route_sums, "route_sums", "Row sums", "route_zeroed.sum(dim=-1, keepdim=True)", weights, row_sum,
     "route_zeroed"},
    {&T::route_renormalized, "route_renormalized", "Renormalized too early", "softmax_unmasked / route_sums",
     weights, over_row, "softmax_unmasked", "route_sums"},
    {&T::attn_weights, "attn_weights", "Attention weights", "torch.softmax(attn_scores, dim=-1)", weights,
     softmax, "attn_scores", "", without_weights},
    {&T::attn_weights, "attn_weights", "Attention weights", "torch.softmax(scaled_scores, dim=-1)", weights,
     softmax, "scaled_scores", "", unmasked},
    {&T::attn_weights, "attn_weights", "Attention weights", "softmax_unmasked", weights, same,
     "softmax_unmasked", "", by<MaskRoute::none>},
    {&T::attn_weights, "attn_weights", "Attention weights", "masked_renormalized", weights, same,
     "masked_renormalized", "", by<MaskRoute::zero_renorm>},
    {&T::attn_weights, "attn_weights", "Attention weights", "masked_softmax", weights, same, "masked_softmax",
     "", by<MaskRoute::neginf>},
    {&T::attn_weights, "attn_weights", "Attention weights",
     "torch.softmax(route_scores / d_k ** 0.5, dim=-1)", weights, softmax_over_root_d, "route_scores", "",
     by<MaskRoute::zero_scores>},
    {&T::attn_weights, "attn_weights", "Attention weights", "masked_zeroed", weights, same, "masked_zeroed",
     "", by<MaskRoute::no_renorm>},
    {&T::attn_weights, "attn_weights", "Attention weights", "route_renormalized * keep", weights, times,
     "route_renormalized", "keep", by<MaskRoute::renorm_first>},
    {&T::attn_weights, "attn_weights", "Attention weights", "route_zeroed / route_sums", weights, over_row,
     "route_zeroed", "route_sums", by_own_mask},
    {&T::attn_weights_dropped, "attn_weights_dropped", "Weights after dropout", "attn_weights * dropout_mask",
     weights, times, "attn_weights", "dropout_mask"},
    {&T::context_vec, "context_vec", "Context vectors", "attn_weights @ inputs", context, row_times_column,
     "attn_weights", "inputs", without_weights},
    {&T::context_vec, "context_vec", "Context vectors", "attn_weights_dropped @ values", context,
     row_times_column, "attn_weights_dropped", "values", drops},
    {&T::context_vec, "context_vec", "Context vectors", "attn_weights @ values", context, row_times_column,
     "attn_weights", "values", keeps_all},
    {&T::concat, "concat", "Side by side", "context_vec.permute(1, 2, 0).reshape(T, d_out)", context,
     side_by_side, "context_vec", "", fused_by<HeadRoute::interleaved>},
    {&T::concat, "concat", "Side by side", "context_vec.reshape(T, d_out)", context, side_by_side,
     "context_vec", "", fused_as_it_lies},
    {&T::concat, "concat", "Side by side", "context_vec.transpose(0, 1).reshape(T, d_out)", context,
     side_by_side, "context_vec", "", fused},
    {&T::out, "out", "Output", "torch.cat([head(inputs) for head in heads], dim=-1)", context, side_by_side,
     "context_vec", "", stacked},
    {&T::out, "out", "Output", "out_proj(concat)", context, row_times_column, "concat", "out_proj", fused},
    // Chapter 4's example of LayerNorm.
    {&T::mean1, "mean", "Mean", "out.mean(dim=-1, keepdim=True)", neutral, row_mean, "out", "", alone},
    {&T::var1, "var", "Variance", "((out - mean) ** 2).sum(dim=-1, keepdim=True) / (n - 1)", neutral,
     row_variance, "out", "mean", unbiased<alone>},
    {&T::var1, "var", "Variance", "((out - mean) ** 2).mean(dim=-1, keepdim=True)", neutral, row_variance,
     "out", "mean", alone},
    {&T::norm1, "norm", "Levelled", "(out - mean) / torch.sqrt(var + eps)", neutral, level, "out",
     "mean var scale shift", alone},
    {&T::mean2, "mean_after", "Mean now", "norm.mean(dim=-1, keepdim=True)", neutral, row_mean, "norm", "",
     alone},
    {&T::var2, "var_after", "Variance now", "((norm - mean_after) ** 2).sum(dim=-1, keepdim=True) / (n - 1)",
     neutral, row_variance, "norm", "mean_after", unbiased<alone>},
    {&T::var2, "var_after", "Variance now", "((norm - mean_after) ** 2).mean(dim=-1, keepdim=True)", neutral,
     row_variance, "norm", "mean_after", alone},
    // The transformer block. What is added, and whether anything is, decides which row of a sum applies.
    {&T::resid_pre, "resid_pre", "resid_pre", "torch.rand(T, emb_dim)", neutral, same, "resid_pre"},
    {&T::mean1, "mean1", "Mean", "resid_pre.mean(dim=-1, keepdim=True)", neutral, row_mean, "resid_pre", "",
     pre},
    {&T::var1, "var1", "Variance", "((resid_pre - mean1) ** 2).sum(dim=-1, keepdim=True) / (n - 1)", neutral,
     row_variance, "resid_pre", "mean1", unbiased<pre>},
    {&T::var1, "var1", "Variance", "((resid_pre - mean1) ** 2).mean(dim=-1, keepdim=True)", neutral,
     row_variance, "resid_pre", "mean1", pre},
    {&T::norm1, "norm1", "LayerNorm", "norm1(resid_pre)", neutral, level, "resid_pre",
     "mean1 var1 norm1.scale norm1.shift", pre},
    {&T::att, "att", "Attention", "att(norm1)", context, same, "att.out", "", pre},
    {&T::att, "att", "Attention", "att(resid_pre)", context, same, "att.out", "", post},
    {&T::drop_mask1, "drop_mask1", "Dropout mask", "dropout(torch.ones(T, emb_dim))", neutral, drawn},
    {&T::att_dropped, "att_dropped", "Attention after dropout", "att * drop_mask1", context, times, "att",
     "drop_mask1"},
    {&T::att_added, "att_added", "Sum", "resid_pre + att_dropped", neutral, plus, "resid_pre", "att_dropped",
     adds_dropped<drops_first, true>},
    {&T::att_added, "att_added", "Sum", "att_dropped", neutral, same, "att_dropped", "",
     passes_on_dropped<drops_first, true>},
    {&T::att_added, "att_added", "Sum", "resid_pre + att", neutral, plus, "resid_pre", "att", adds<true>},
    {&T::att_added, "att_added", "Sum", "att", neutral, same, "att", "", passes_on<true>},
    {&T::mean1, "mean1", "Mean", "att_added.mean(dim=-1, keepdim=True)", neutral, row_mean, "att_added", "",
     post},
    {&T::var1, "var1", "Variance", "((att_added - mean1) ** 2).sum(dim=-1, keepdim=True) / (n - 1)", neutral,
     row_variance, "att_added", "mean1", unbiased<post>},
    {&T::var1, "var1", "Variance", "((att_added - mean1) ** 2).mean(dim=-1, keepdim=True)", neutral,
     row_variance, "att_added", "mean1", post},
    {&T::norm1, "norm1", "LayerNorm", "norm1(att_added)", neutral, level, "att_added",
     "mean1 var1 norm1.scale norm1.shift", post},
    {&T::resid_mid, "resid_mid", "resid_mid", "norm1", neutral, same, "norm1", "", post},
    {&T::resid_mid, "resid_mid", "resid_mid", "resid_pre + att_dropped", neutral, plus, "resid_pre",
     "att_dropped", adds_dropped<drops_first, false>},
    {&T::resid_mid, "resid_mid", "resid_mid", "att_dropped", neutral, same, "att_dropped", "",
     passes_on_dropped<drops_first, false>},
    {&T::resid_mid, "resid_mid", "resid_mid", "resid_pre + att", neutral, plus, "resid_pre", "att",
     adds<false>},
    {&T::resid_mid, "resid_mid", "resid_mid", "att", neutral, same, "att", "", passes_on<false>},
    {&T::mean2, "mean2", "Mean", "resid_mid.mean(dim=-1, keepdim=True)", neutral, row_mean, "resid_mid", "",
     pre},
    {&T::var2, "var2", "Variance", "((resid_mid - mean2) ** 2).sum(dim=-1, keepdim=True) / (n - 1)", neutral,
     row_variance, "resid_mid", "mean2", unbiased<pre>},
    {&T::var2, "var2", "Variance", "((resid_mid - mean2) ** 2).mean(dim=-1, keepdim=True)", neutral,
     row_variance, "resid_mid", "mean2", pre},
    {&T::norm2, "norm2", "LayerNorm", "norm2(resid_mid)", neutral, level, "resid_mid",
     "mean2 var2 norm2.scale norm2.shift", pre},
    {&T::ff_hidden, "ff_hidden", "Four times wider", "ff.layers[0](norm2)", neutral, row_times_column,
     "norm2", "ff.layers.0", pre},
    {&T::ff_hidden, "ff_hidden", "Four times wider", "ff.layers[0](resid_mid)", neutral, row_times_column,
     "resid_mid", "ff.layers.0", post},
    {&T::ff_gelu, "ff_relu", "After ReLU", "torch.relu(ff_hidden)", weights, relu, "ff_hidden", "",
     bent_by_relu},
    {&T::ff_gelu, "ff_gelu", "After GELU", "gelu(ff_hidden)", weights, gelu, "ff_hidden", "", bent_by_gelu},
    {&T::ff_out, "ff_out", "Feed-forward", "ff.layers[2](ff_relu)", context, row_times_column, "ff_relu",
     "ff.layers.2", bent_by_relu},
    {&T::ff_out, "ff_out", "Feed-forward", "ff.layers[2](ff_gelu)", context, row_times_column, "ff_gelu",
     "ff.layers.2"},
    {&T::drop_mask2, "drop_mask2", "Dropout mask", "dropout(torch.ones(T, emb_dim))", neutral, drawn},
    {&T::ff_dropped, "ff_dropped", "Feed-forward after dropout", "ff_out * drop_mask2", context, times,
     "ff_out", "drop_mask2"},
    {&T::ff_added, "ff_added", "Sum", "resid_mid + ff_dropped", neutral, plus, "resid_mid", "ff_dropped",
     adds_dropped<drops_second, true>},
    {&T::ff_added, "ff_added", "Sum", "ff_dropped", neutral, same, "ff_dropped", "",
     passes_on_dropped<drops_second, true>},
    {&T::ff_added, "ff_added", "Sum", "resid_mid + ff_out", neutral, plus, "resid_mid", "ff_out", adds<true>},
    {&T::ff_added, "ff_added", "Sum", "ff_out", neutral, same, "ff_out", "", passes_on<true>},
    {&T::mean2, "mean2", "Mean", "ff_added.mean(dim=-1, keepdim=True)", neutral, row_mean, "ff_added", "",
     post},
    {&T::var2, "var2", "Variance", "((ff_added - mean2) ** 2).sum(dim=-1, keepdim=True) / (n - 1)", neutral,
     row_variance, "ff_added", "mean2", unbiased<post>},
    {&T::var2, "var2", "Variance", "((ff_added - mean2) ** 2).mean(dim=-1, keepdim=True)", neutral,
     row_variance, "ff_added", "mean2", post},
    {&T::norm2, "norm2", "LayerNorm", "norm2(ff_added)", neutral, level, "ff_added",
     "mean2 var2 norm2.scale norm2.shift", post},
    {&T::resid_post, "resid_post", "resid_post", "norm2", neutral, same, "norm2", "", post},
    {&T::resid_post, "resid_post", "resid_post", "resid_mid + ff_dropped", neutral, plus, "resid_mid",
     "ff_dropped", adds_dropped<drops_second, false>},
    {&T::resid_post, "resid_post", "resid_post", "ff_dropped", neutral, same, "ff_dropped", "",
     passes_on_dropped<drops_second, false>},
    {&T::resid_post, "resid_post", "resid_post", "resid_mid + ff_out", neutral, plus, "resid_mid", "ff_out",
     adds<false>},
    {&T::resid_post, "resid_post", "resid_post", "ff_out", neutral, same, "ff_out", "", passes_on<false>},
};

constexpr AtlasRow kDifference{nullptr, "difference", "Difference", "source(inputs) - target(inputs)",
                               neutral, minus};
constexpr AtlasRow kPackedDifference{nullptr, "difference", "Difference", "stacked_out - fused_out",
                                     neutral, minus};
constexpr AtlasRow kMapDifference{nullptr,
                                  "map_difference",
                                  "Maps, second − first",
                                  "heads[1].attn_weights - heads[0].attn_weights",
                                  neutral,
                                  minus};
constexpr AtlasRow kContextDifference{nullptr,
                                      "context_difference",
                                      "Outputs, second − first",
                                      "heads[1].context_vec - heads[0].context_vec",
                                      neutral,
                                      minus};
constexpr AtlasRow kStackedChange{
    nullptr, "stacked_change", "Stacked, change", "stacked_out - stacked_before", neutral, minus};
constexpr AtlasRow kFusedChange{nullptr, "fused_change", "Fused, change", "mha_out - mha_before",
                                neutral, minus};
constexpr AtlasRow kInfluence{nullptr, "influence",    "Who moves whom", "(context_vec - nudged).abs().max()",
                              neutral, largest_change, "context_vec"};
constexpr AtlasRow kLeak{nullptr, "leak",        "Leak",     "influence.triu(1).max(dim=-1)",
                         neutral, largest_later, "influence"};

template <class Matches>
const AtlasRow* first_row(const Run& run, Matches matches) {
  for (const AtlasRow& row : kAtlas)
    if (matches(row) && (run.trace.*row.tensor).size() != 0 && (!row.applies || row.applies(run)))
      return &row;
  return nullptr;
}

}  // namespace

const AtlasRow* atlas_row(const Run& run, Tensor tensor) {
  return first_row(run, [&](const AtlasRow& row) { return row.tensor == tensor; });
}
const AtlasRow* atlas_row(const Run& run, std::string_view name) {
  return first_row(run, [&](const AtlasRow& row) { return row.name == name; });
}

std::vector<const AtlasRow*> atlas_rows(const Run& run) {
  std::vector<const AtlasRow*> rows;
  for (const AtlasRow& row : kAtlas)
    if (const AtlasRow* it = atlas_row(run, row.tensor); it == &row) rows.push_back(it);
  return rows;
}

std::span<const AtlasRow> whole_atlas() { return kAtlas; }
const AtlasRow& difference_row() { return kDifference; }
const AtlasRow& packed_difference_row() { return kPackedDifference; }
const AtlasRow& map_difference_row() { return kMapDifference; }
const AtlasRow& context_difference_row() { return kContextDifference; }
const AtlasRow& stacked_change_row() { return kStackedChange; }
const AtlasRow& fused_change_row() { return kFusedChange; }
const AtlasRow& influence_row() { return kInfluence; }
const AtlasRow& leak_row() { return kLeak; }

bool is_share(const AtlasRow& row) {
  switch (row.rule) {
    case softmax:
    case softmax_over_root_d:
    case mask: return true;
    default: break;
  }
  return row.tensor != nullptr && row.tensor != &T::attn_scores && row.tensor != &T::scaled_scores &&
         row.tensor != &T::masked_scores && row.tensor != &T::route_scores &&
         row.tensor != &T::sum_normalized && row.role == weights;
}

}  // namespace lab
