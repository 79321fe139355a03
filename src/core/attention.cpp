#include "core/attention.hpp"

#include <cmath>

namespace lab {
namespace {

std::span<float> cells(Matrix& m) { return {m.data(), std::size_t(m.size())}; }

// nn.Parameter(torch.rand(d_in, d_out))
Projection drawn_parameter(std::string name, int d_in, int d_out, TorchRandom& random, std::uint64_t seed) {
  Projection p;
  p.weight.name = std::move(name);
  p.weight.stored.resize(d_in, d_out);
  p.weight.origins = {{.cells = whole(p.weight.stored), .seed = seed, .first_draw = random.draws() + 1}};
  random.rand(cells(p.weight.stored));
  return p;
}

void draw_linear(Parameter& p, double bound, TorchRandom& random, std::uint64_t seed) {
  p.origins = {
      {.cells = whole(p.stored), .seed = seed, .first_draw = random.draws() + 1, .bound = float(bound)}};
  random.uniform_(cells(p.stored), -bound, bound);
}

// nn.Linear(d_in, d_out, bias): kaiming_uniform_(a = √5) for the weight, then the bias.
Projection drawn_linear(std::string name, int d_in, int d_out, bool bias, TorchRandom& random,
                        std::uint64_t seed) {
  Projection p;
  p.weight.name = name + ".weight";
  p.weight.stored.resize(d_out, d_in);
  p.weight.stored_transposed = true;
  const double a = std::sqrt(5.0), fan_in = d_in;
  draw_linear(p.weight, std::sqrt(3.0) * (std::sqrt(2 / (1 + a * a)) / std::sqrt(fan_in)), random, seed);
  if (bias) {
    p.bias.name = name + ".bias";
    p.bias.stored.resize(1, d_out);
    p.bias.one_dimensional = true;
    draw_linear(p.bias, 1 / std::sqrt(fan_in), random, seed);
  }
  return p;
}

template <class Module>
auto parameters_of(Module& m) {
  std::vector<decltype(&m.W_query.weight)> all;
  for (auto* p : {&m.W_query, &m.W_key, &m.W_value})
    for (auto* q : {&p->weight, &p->bias})
      if (!q->empty()) all.push_back(q);
  return all;
}

}  // namespace

const char* class_name(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::simple: return "attention without weights";
    case AttentionKind::v1: return "SelfAttention_v1";
    case AttentionKind::v2: return "SelfAttention_v2";
    case AttentionKind::causal: return "CausalAttention";
  }
  return "";
}

const Projection& projection(const AttentionParams& m, Slot s) {
  return s == Slot::query ? m.W_query : s == Slot::key ? m.W_key : m.W_value;
}
Projection& projection(AttentionParams& m, Slot s) {
  return const_cast<Projection&>(projection(static_cast<const AttentionParams&>(m), s));
}

AttentionParams made_attention(AttentionKind kind, int d_in, int d_out, bool bias, TorchRandom& random,
                               std::uint64_t seed) {
  AttentionParams m{.kind = kind, .d_in = d_in, .d_out = d_out};
  if (kind == AttentionKind::simple) return m;
  const auto drawn = [&](const char* name) {
    return kind == AttentionKind::v1 ? drawn_parameter(name, d_in, d_out, random, seed)
                                     : drawn_linear(name, d_in, d_out, bias, random, seed);
  };
  m.W_query = drawn("W_query");
  m.W_key = drawn("W_key");
  m.W_value = drawn("W_value");
  return m;
}

std::vector<Parameter*> parameters(AttentionParams& m) { return parameters_of(m); }
std::vector<const Parameter*> parameters(const AttentionParams& m) { return parameters_of(m); }

const Parameter* find_parameter(const AttentionParams& m, std::string_view name) {
  for (const Parameter* p : parameters(m))
    if (p->name == name) return p;
  return nullptr;
}
Parameter* find_parameter(AttentionParams& m, std::string_view name) {
  return const_cast<Parameter*>(find_parameter(static_cast<const AttentionParams&>(m), name));
}

}  // namespace lab
