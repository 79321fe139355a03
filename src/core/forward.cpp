#include "core/forward.hpp"

#include "core/maker.hpp"
#include "core/ops.hpp"

namespace lab {
namespace {

using T = Trace;

void attend_without_weights(Trace& t, const Maker& make) {
  make(&T::attn_scores, product(view(t.inputs), transposed_view(t.inputs)));
  make(&T::row_sums, row_sums(t.attn_scores));
  make(&T::sum_normalized, divide_rows(t.attn_scores, t.row_sums));
  make(&T::attn_weights, softmax(t.attn_scores));
  make(&T::context_vec, product(t.attn_weights, t.inputs));
}

void mask_in_three_stages(Trace& t, const Maker& make, const Matrix& keep) {
  make(&T::keep, keep);
  make(&T::softmax_unmasked, softmax(t.scaled_scores));
  make(&T::masked_zeroed, times(t.softmax_unmasked, t.keep));
  make(&T::row_sums, row_sums(t.masked_zeroed));
  make(&T::masked_renormalized, divide_rows(t.masked_zeroed, t.row_sums));
}

void mask_by_minus_infinity(Trace& t, const Maker& make, int d_k) {
  make(&T::masked_scores, minus_infinity_where_hidden(t.attn_scores, t.keep));
  make(&T::masked_softmax, softmax(scaled_down(t.masked_scores, d_k)));
  make(&T::route_difference, t.masked_renormalized - t.masked_softmax);
}

// Zero and renormalize under a mask of the route's own.
void renormalize_route(Trace& t, const Maker& make, const Matrix& weights, const Matrix& keep) {
  make(&T::route_keep, keep);
  make(&T::route_zeroed, times(weights, t.route_keep));
  make(&T::route_sums, row_sums(t.route_zeroed));
  make(&T::attn_weights, divide_rows(t.route_zeroed, t.route_sums));
}

void take_route(Trace& t, const Maker& make, const Pass& pass, int d_k) {
  switch (pass.route) {
    case MaskRoute::none: return make(&T::attn_weights, t.softmax_unmasked);
    case MaskRoute::zero_renorm: return make(&T::attn_weights, t.masked_renormalized);
    case MaskRoute::neginf: return make(&T::attn_weights, t.masked_softmax);
    case MaskRoute::zero_scores:
      make(&T::route_scores, times(t.attn_scores, t.keep));
      return make(&T::attn_weights, softmax(scaled_down(t.route_scores, d_k)));
    case MaskRoute::no_renorm: return make(&T::attn_weights, t.masked_zeroed);
    case MaskRoute::renorm_first:
      make(&T::route_sums, row_sums(t.softmax_unmasked));
      make(&T::route_renormalized, divide_rows(t.softmax_unmasked, t.route_sums));
      return make(&T::attn_weights, times(t.route_renormalized, t.keep));
    case MaskRoute::off_by_one:
    case MaskRoute::transposed:
      return renormalize_route(t, make, t.softmax_unmasked, route_mask(pass.route, int(t.queries.rows())));
    case MaskRoute::after_dropout:
      if (pass.dropout_mask.size() == 0) return renormalize_route(t, make, t.softmax_unmasked, t.keep);
      make(&T::dropout_mask, pass.dropout_mask);
      make(&T::route_dropped, times(t.softmax_unmasked, t.dropout_mask));
      return renormalize_route(t, make, t.route_dropped, t.keep);
  }
}

void attend_to(Trace& t, const Maker& make, Projected made, const Pass& pass) {
  const int d_k = pass.scale_by ? pass.scale_by : int(made.queries.cols());
  make(&T::queries, std::move(made.queries));
  make(&T::keys, std::move(made.keys));
  make(&T::values, std::move(made.values));
  make(&T::attn_scores, product(view(t.queries), transposed_view(t.keys)));
  make(&T::scaled_scores, scaled_down(t.attn_scores, d_k));
  if (pass.keep.size() == 0) {
    make(&T::attn_weights, softmax(t.scaled_scores));
  } else {
    mask_in_three_stages(t, make, pass.keep);
    mask_by_minus_infinity(t, make, d_k);
    take_route(t, make, pass, d_k);
  }
  const bool drops_last = pass.dropout_mask.size() != 0 && pass.route != MaskRoute::after_dropout;
  if (drops_last) {
    make(&T::dropout_mask, pass.dropout_mask);
    make(&T::attn_weights_dropped, times(t.attn_weights, t.dropout_mask));
  }
  make(&T::context_vec, product(drops_last ? t.attn_weights_dropped : t.attn_weights, t.values));
}

}  // namespace

Matrix projected(const Matrix& inputs, const Projection& p) {
  Matrix out = product(view(inputs), p.weight.as_multiplied());
  if (!p.bias.empty()) out.rowwise() += p.bias.stored.row(0);
  return out;
}

Trace forward(const AttentionParams& m, const Matrix& inputs, const Pass& pass) {
  Trace t;
  const Maker make{t, pass.edits};
  make(&T::inputs, inputs);
  if (m.kind == AttentionKind::simple)
    attend_without_weights(t, make);
  else
    attend_to(t, make,
              {projected(t.inputs, m.W_query), projected(t.inputs, m.W_key), projected(t.inputs, m.W_value)},
              pass);
  return t;
}

Trace attend(Projected made, const Pass& pass) {
  Trace t;
  attend_to(t, Maker{t, pass.edits}, std::move(made), pass);
  return t;
}

}  // namespace lab
