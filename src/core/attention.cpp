#include "core/attention.hpp"

#include <utility>

namespace lab {
namespace {

template <class Module>
std::vector<decltype(&std::declval<Module&>().W_query.weight)> parameters_of(Module& m) {
  std::vector<decltype(&m.W_query.weight)> all;
  for (auto& head : m.heads)
    for (auto* p : parameters_of(head)) all.push_back(p);
  for (auto* p : {&m.W_query, &m.W_key, &m.W_value, &m.out_proj})
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
    case AttentionKind::wrapper: return "MultiHeadAttentionWrapper";
    case AttentionKind::mha: return "MultiHeadAttention";
    case AttentionKind::head: return "a head of MultiHeadAttention";
  }
  return "";
}

const Projection& projection(const AttentionParams& m, Slot s, int head) {
  if (!m.heads.empty()) return projection(m.heads[std::size_t(head)], s);
  return s == Slot::query ? m.W_query : s == Slot::key ? m.W_key : m.W_value;
}
Projection& projection(AttentionParams& m, Slot s, int head) {
  return const_cast<Projection&>(projection(static_cast<const AttentionParams&>(m), s, head));
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
  for (const AttentionParams& head : m.heads)
    if (const Parameter* p = find_parameter(head, name)) return p;
  for (const Projection* p : {&m.W_query, &m.W_key, &m.W_value, &m.out_proj})
    for (const Parameter* q : {&p->weight, &p->bias})
      if (!q->empty() && q->name == name) return q;
  return nullptr;
}
Parameter* find_parameter(AttentionParams& m, std::string_view name) {
  return const_cast<Parameter*>(find_parameter(static_cast<const AttentionParams&>(m), name));
}

}  // namespace lab
