// The kinds of attention.json: simple, sa_v1, sa_v2, causal; wrapper and mha of several heads.
#include <algorithm>

#include "cli/eval_case.hpp"
#include "core/multi_head.hpp"

namespace lab {
namespace {

struct AttentionCase {
  std::int64_t batch = 0;                              // 0: no batch axis
  std::int64_t T = 1, d_in = 1, d_out = 1, heads = 1;  // d_out: of a wrapper that of each head
  bool bias = false;
  double dropout = 0;
  std::uint64_t init_seed = 0;
  FileTensor input;

  std::int64_t sequences() const { return batch == 0 ? 1 : batch; }
  Shape shape(std::int64_t rows, std::int64_t cols) const {
    return batch == 0 ? Shape{rows, cols} : Shape{batch, rows, cols};
  }
  Shape shape_per_head(std::int64_t rows, std::int64_t cols) const {
    return batch == 0 ? Shape{heads, rows, cols} : Shape{batch, heads, rows, cols};
  }
};

bool can_drop(AttentionKind kind) { return kind == AttentionKind::causal || has_heads(kind); }

AttentionCase attention_case(const Fields& in, AttentionKind kind) {
  const bool fused = kind == AttentionKind::mha;
  AttentionCase c;
  if (has_heads(kind)) c.heads = in.integer("heads", 1, kMaxElements);
  c.batch = in.integer("batch", 0, kMaxElements);
  c.T = in.integer("T", 1, kMaxElements);
  c.d_in = in.integer("d_in", 1, kMaxElements);
  c.d_out = in.integer("d_out", 1, kMaxElements);
  c.bias = in.flag("qkv_bias");
  c.dropout = in.probability("dropout");
  c.init_seed = in.seed("init_seed");
  if (fused && in.ok() && c.d_out % c.heads != 0)
    in.complain("d_out", "is not divisible by heads, so the heads would not be equally wide");
  if (kind == AttentionKind::simple && c.d_in != c.d_out) in.complain("d_out", "differs from d_in");
  if (c.bias && !can_have_bias(kind))
    in.complain("qkv_bias", std::string("is true, but ") + class_name(kind) + " has no bias");
  if (c.dropout != 0 && !can_drop(kind))
    in.complain("dropout", std::string("is not 0, but ") + class_name(kind) + " has none");
  if (can_drop(kind) && in.has("context_length"))
    if (in.integer("context_length", 1, kMaxElements) < c.T)
      in.complain("T", "is larger than context_length");
  // A trace's bookkeeping, the trace and what is printed of it, the input, the parameters and their given
  // values.
  const std::int64_t width = kind == AttentionKind::wrapper ? elements({c.heads, c.d_out}) : c.d_out;
  const std::int64_t total =
      elements({c.sequences(), c.heads, 512}) + elements({c.sequences(), c.heads, c.T, c.T, 16}) +
      elements({c.sequences(), c.T, width, 12}) + elements({c.sequences(), c.heads, c.T, c.d_in, 4}) +
      elements({c.d_in + 1, width, 6}) + (fused ? elements({width + 1, width, 2}) : 0);
  if (total > kMaxElements) in.complain("T", "and the other sizes together need more memory than is allowed");
  if (in.ok()) c.input = in.tensor("input", c.shape(c.T, c.d_in));
  return c;
}

struct Printed {
  const char* name;
  Tensor tensor;
};
using T = Trace;
constexpr Printed kSimple[] = {
    {"scores", &T::attn_scores},
    {"weights", &T::attn_weights},
    {"context", &T::context_vec},
    {"output", &T::context_vec},
};
constexpr Printed kUnmasked[] = {
    {"queries", &T::queries},      {"keys", &T::keys},
    {"values", &T::values},        {"scores", &T::attn_scores},
    {"scaled", &T::scaled_scores}, {"weights", &T::attn_weights},
    {"context", &T::context_vec},  {"output", &T::context_vec},
};
constexpr Printed kCausal[] = {
    {"queries", &T::queries},
    {"keys", &T::keys},
    {"values", &T::values},
    {"scores", &T::attn_scores},
    {"scaled", &T::scaled_scores},
    {"softmax_unmasked", &T::softmax_unmasked},
    {"masked_zeroed", &T::masked_zeroed},
    {"row_sums", &T::row_sums},
    {"masked_renormalized", &T::masked_renormalized},
    {"scores_neginf", &T::masked_scores},
    {"weights", &T::masked_softmax},
    {"weights_dropped", &T::attn_weights_dropped},  // with dropout only
    {"context", &T::context_vec},
    {"output", &T::context_vec},
};

void write_tensors(const Fields& in, const AttentionCase& c, const std::vector<Trace>& traces,
                   std::span<const Printed> printed, JsonText& out) {
  const Json* fixtures = in.raw("tensors");
  out.key("tensors").object();
  for (const Printed& p : printed) {
    const Matrix& first = traces.front().*p.tensor;
    if (first.size() == 0) continue;
    std::vector<float> all;
    all.reserve(traces.size() * std::size_t(first.size()));
    for (const Trace& t : traces) {
      const Matrix& m = t.*p.tensor;
      all.insert(all.end(), m.data(), m.data() + m.size());
    }
    write_result(out, p.name, c.shape(first.rows(), first.cols()), all, member(fixtures, p.name));
  }
  if (const Matrix& m = traces.front().sum_normalized; m.size() != 0)
    write_result(out, "weights_sum_normalized_row0", {m.cols()}, {m.data(), std::size_t(m.cols())},
                 member(fixtures, "weights_sum_normalized_row0"));
  out.end('}');
}

void attention(const Fields& in, AttentionKind kind, std::span<const Printed> printed, JsonText& out) {
  const AttentionCase c = attention_case(in, kind);
  const bool own_dropout_seed = in.has("dropout_seed");
  const std::uint64_t dropout_seed = own_dropout_seed ? in.seed("dropout_seed") : 0;
  if (!in.ok()) return;
  TorchRandom random(c.init_seed);
  AttentionParams module = made_attention(kind, int(c.d_in), int(c.d_out), c.bias, random, c.init_seed);
  if (in.has("weights")) take_weights(in, class_name(kind), parameters(module));
  if (!in.ok()) return;

  // One mask for the whole batch, as torch draws it.
  const std::int64_t T2 = c.T * c.T;
  std::vector<float> masks;
  if (c.dropout != 0) {
    if (own_dropout_seed) random.manual_seed(dropout_seed);
    masks.resize(std::size_t(c.sequences() * T2));
    random.dropout_mask(masks, c.dropout, DropoutStream::mac);
  }
  Pass pass;
  if (kind == AttentionKind::causal) {
    pass.route = MaskRoute::neginf;
    pass.keep = causal_mask(int(c.T));
  }
  std::vector<Trace> traces;
  for (std::int64_t b = 0; b < c.sequences(); ++b) {
    if (!masks.empty()) pass.dropout_mask = matrix(masks.data() + b * T2, c.T, c.T);
    traces.push_back(forward(module, matrix(c.input.data.data() + b * c.T * c.d_in, c.T, c.d_in), pass));
  }
  write_tensors(in, c, traces, printed, out);
}

// ---- several heads ---------------------------------------------------------------------------------------

// One matrix of every sequence, or of every head of every sequence, one after another.
struct Collected {
  Shape shape;
  std::vector<float> cells;
  void add(const Matrix& m) { cells.insert(cells.end(), m.data(), m.data() + m.size()); }
};

struct TensorWriter {
  const Json* fixtures;
  JsonText& out;
  void operator()(const std::string& name, const Collected& c) const {
    if (!c.cells.empty()) write_result(out, name.c_str(), c.shape, c.cells, member(fixtures, name.c_str()));
  }
};

Collected of_sequences(const AttentionCase& c, const std::vector<Run>& runs, Tensor tensor) {
  Collected all;
  for (const Run& run : runs) all.add(run.trace.*tensor);
  const Matrix& first = runs[0].trace.*tensor;
  all.shape = c.shape(first.rows(), first.cols());
  return all;
}

void write_wrapper(const AttentionCase& c, const std::vector<Run>& runs, const TensorWriter& write) {
  for (std::size_t h = 0; h < runs[0].parts.size(); ++h)
    for (const Printed& p : kCausal) {
      if (std::string_view(p.name) == "output") continue;
      Collected all;
      for (const Run& run : runs) all.add(run.parts[h].trace.*p.tensor);
      const Matrix& first = runs[0].parts[h].trace.*p.tensor;
      all.shape = c.shape(first.rows(), first.cols());
      write(head_prefix(int(h)) + p.name, all);
    }
  for (const char* name : {"concat", "output"}) write(name, of_sequences(c, runs, &T::out));
}

void write_mha(const AttentionCase& c, const std::vector<Run>& runs, const TensorWriter& write) {
  const auto of_heads = [&](Tensor tensor) {
    Collected all;
    for (const Run& run : runs)
      for (const Run& head : run.parts) all.add(head.trace.*tensor);
    const Matrix& first = runs[0].parts[0].trace.*tensor;
    all.shape = c.shape_per_head(first.rows(), first.cols());
    return all;
  };
  write("queries", of_sequences(c, runs, &T::queries));
  write("keys", of_sequences(c, runs, &T::keys));
  write("values", of_sequences(c, runs, &T::values));
  write("queries_per_head", of_heads(&T::queries));
  for (const Printed& p : kCausal)
    if (p.tensor != &T::queries && p.tensor != &T::keys && p.tensor != &T::values &&
        p.tensor != &T::context_vec)
      write(p.name, of_heads(p.tensor));
  write("context_per_head", of_heads(&T::context_vec));
  write("concat", of_sequences(c, runs, &T::concat));
  for (const char* name : {"out", "output"}) write(name, of_sequences(c, runs, &T::out));
}

Pass pass_of(const AttentionCase& c, const std::vector<Matrix>& masks) {
  Pass pass;
  pass.heads.assign(std::size_t(c.heads), {.route = MaskRoute::neginf, .keep = causal_mask(int(c.T))});
  for (std::size_t h = 0; h < masks.size(); ++h) pass.heads[h].dropout_mask = masks[h];
  return pass;
}

void several_heads(const Fields& in, AttentionKind kind, JsonText& out) {
  const AttentionCase c = attention_case(in, kind);
  const bool own_dropout_seed = in.has("dropout_seed");
  const std::uint64_t dropout_seed = own_dropout_seed ? in.seed("dropout_seed") : 0;
  if (!in.ok()) return;
  TorchRandom random(c.init_seed);
  AttentionParams module =
      made_module(kind, {int(c.d_in), int(c.d_out), int(c.heads), c.bias}, random, c.init_seed);
  if (in.has("weights")) take_weights(in, class_name(kind), parameters(module));
  if (!in.ok()) return;
  if (own_dropout_seed) random.manual_seed(dropout_seed);
  HeadMasks masks(std::size_t(c.sequences()));
  if (c.dropout != 0)
    masks =
        head_masks(kind, {int(c.sequences()), int(c.heads), int(c.T)}, c.dropout, DropoutStream::mac, random);
  std::vector<Run> runs;
  for (std::int64_t b = 0; b < c.sequences(); ++b)
    runs.push_back(run_of("", module, matrix(c.input.data.data() + b * c.T * c.d_in, c.T, c.d_in),
                          pass_of(c, masks[std::size_t(b)])));
  out.key("tensors").object();
  const TensorWriter write{in.raw("tensors"), out};
  kind == AttentionKind::wrapper ? write_wrapper(c, runs, write) : write_mha(c, runs, write);
  out.end('}');
}

constexpr EvalKind kKinds[] = {
    {"simple", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::simple, kSimple, out); }},
    {"sa_v1", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::v1, kUnmasked, out); }},
    {"sa_v2", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::v2, kUnmasked, out); }},
    {"causal", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::causal, kCausal, out); }},
    {"wrapper", [](const Fields& in, JsonText& out) { several_heads(in, AttentionKind::wrapper, out); }},
    {"mha", [](const Fields& in, JsonText& out) { several_heads(in, AttentionKind::mha, out); }},
};

}  // namespace

std::span<const EvalKind> attention_kinds() { return kKinds; }

}  // namespace lab
