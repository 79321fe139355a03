#include "core/multi_head.hpp"

#include <string>

namespace lab {
namespace {

template <class Module>
auto parameters_of(Module& m) {
  std::vector<decltype(&m.W_query.weight)> all;
  for (auto* p : {&m.W_query, &m.W_key, &m.W_value, &m.out_proj})
    for (auto* q : {&p->weight, &p->bias})
      if (!q->empty()) all.push_back(q);
  return all;
}

template <class Found, class Stack>
std::vector<Found> parameters_of_stack(Stack& m) {
  std::vector<Found> all;
  for (auto& head : m.heads)
    for (Found p : parameters(head)) all.push_back(p);
  return all;
}

// Head h's numbers into its band: rows of a weight, as PyTorch stores it, or entries of a bias.
void append_band(Parameter& to, const Parameter& from, int h, int width, int d_out) {
  if (from.empty()) return;
  const bool bias = from.one_dimensional;
  if (to.empty()) {
    to.stored.resize(bias ? 1 : d_out, from.stored.cols() * (bias ? d_out / width : 1));
    to.stored_transposed = from.stored_transposed;
    to.one_dimensional = bias;
  }
  const Rect band = bias ? Rect{0, 1, h * width, (h + 1) * width}
                         : Rect{h * width, (h + 1) * width, 0, int(from.stored.cols())};
  to.stored.block(band.r0, band.c0, band.rows(), band.cols()) = from.stored;
  to.origins.push_back(
      {.kind = Origin::Kind::moved, .cells = band, .from = from.name, .from_cells = whole(from.stored)});
}

// What comes in goes out: nn.Linear with the identity for its weight and a bias of zeros.
Projection passing_on(int width) {
  Projection p;
  p.weight.name = "out_proj.weight";
  p.weight.stored = Matrix::Identity(width, width);
  p.weight.stored_transposed = true;
  p.bias.name = "out_proj.bias";
  p.bias.stored = Matrix::Zero(1, width);
  p.bias.one_dimensional = true;
  for (Parameter* q : {&p.weight, &p.bias})
    q->origins = {{.kind = Origin::Kind::moved, .cells = whole(q->stored), .from = "identity"}};
  return p;
}

Matrix side_by_side(const std::vector<AttentionTrace>& heads) {
  if (heads.empty()) return {};
  const Eigen::Index width = heads[0].context_vec.cols();
  Matrix all(heads[0].context_vec.rows(), Eigen::Index(heads.size()) * width);
  for (std::size_t h = 0; h < heads.size(); ++h)
    all.middleCols(Eigen::Index(h) * width, width) = heads[h].context_vec;
  return all;
}

}  // namespace

StackedHeads made_stacked_heads(int num_heads, int d_in, int head_dim, bool bias, TorchRandom& random,
                                std::uint64_t seed) {
  StackedHeads m{.d_in = d_in, .head_dim = head_dim, .heads = {}};
  for (int h = 0; h < num_heads; ++h) {
    m.heads.push_back(made_attention(AttentionKind::causal, d_in, head_dim, bias, random, seed));
    for (Parameter* p : parameters(m.heads.back())) p->name = "heads." + std::to_string(h) + "." + p->name;
  }
  return m;
}

FusedHeads made_fused_heads(int num_heads, int d_in, int d_out, bool bias, TorchRandom& random,
                            std::uint64_t seed) {
  FusedHeads m{.d_in = d_in, .d_out = d_out, .num_heads = num_heads};
  m.W_query = drawn_linear("W_query", d_in, d_out, bias, random, seed);
  m.W_key = drawn_linear("W_key", d_in, d_out, bias, random, seed);
  m.W_value = drawn_linear("W_value", d_in, d_out, bias, random, seed);
  m.out_proj = drawn_linear("out_proj", d_out, d_out, true, random, seed);
  return m;
}

FusedHeads packed(const StackedHeads& m) {
  const int heads = int(m.heads.size()), width = m.head_dim, d_out = heads * width;
  FusedHeads all{.d_in = m.d_in, .d_out = d_out, .num_heads = heads};
  const auto pack = [&](Projection FusedHeads::*to, Projection AttentionParams::*from, const char* name) {
    for (Parameter Projection::*part : {&Projection::weight, &Projection::bias}) {
      Parameter& p = (all.*to).*part;
      for (int h = 0; h < heads; ++h) append_band(p, (m.heads[std::size_t(h)].*from).*part, h, width, d_out);
      if (!p.empty()) p.name = name + std::string(part == &Projection::weight ? ".weight" : ".bias");
    }
  };
  pack(&FusedHeads::W_query, &AttentionParams::W_query, "W_query");
  pack(&FusedHeads::W_key, &AttentionParams::W_key, "W_key");
  pack(&FusedHeads::W_value, &AttentionParams::W_value, "W_value");
  all.out_proj = passing_on(d_out);
  return all;
}

std::vector<Parameter*> parameters(StackedHeads& m) { return parameters_of_stack<Parameter*>(m); }
std::vector<const Parameter*> parameters(const StackedHeads& m) {
  return parameters_of_stack<const Parameter*>(m);
}
std::vector<Parameter*> parameters(FusedHeads& m) { return parameters_of(m); }
std::vector<const Parameter*> parameters(const FusedHeads& m) { return parameters_of(m); }

Matrix columns_of_head(const Matrix& all, int head, int head_dim) {
  return all.middleCols(Eigen::Index(head) * head_dim, head_dim);
}

MultiHeadTrace forward(const StackedHeads& m, const Matrix& inputs, const std::vector<Pass>& passes) {
  MultiHeadTrace t;
  t.inputs = inputs;
  for (std::size_t h = 0; h < m.heads.size(); ++h)
    t.heads.push_back(forward(m.heads[h], inputs, passes.at(h)));
  t.concat = side_by_side(t.heads);
  return t;
}

MultiHeadTrace forward(const FusedHeads& m, const Matrix& inputs, const std::vector<Pass>& passes) {
  MultiHeadTrace t;
  t.inputs = inputs;
  t.queries = projected(inputs, m.W_query);
  t.keys = projected(inputs, m.W_key);
  t.values = projected(inputs, m.W_value);
  const int width = m.head_dim();
  for (int h = 0; h < m.num_heads; ++h)
    t.heads.push_back(attend(inputs,
                             {.queries = columns_of_head(t.queries, h, width),
                              .keys = columns_of_head(t.keys, h, width),
                              .values = columns_of_head(t.values, h, width)},
                             passes.at(std::size_t(h))));
  t.concat = side_by_side(t.heads);
  t.out = projected(t.concat, m.out_proj);
  return t;
}

}  // namespace lab
