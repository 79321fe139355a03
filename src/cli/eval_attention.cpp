// The kinds of attention.json with one head: simple, sa_v1, sa_v2, causal.
#include "cli/eval_case.hpp"
#include "core/forward.hpp"

namespace lab {
namespace {

struct AttentionCase {
  std::int64_t batch = 0;  // 0: no batch axis
  std::int64_t T = 1, d_in = 1, d_out = 1;
  bool bias = false;
  double dropout = 0;
  std::uint64_t init_seed = 0;
  FileTensor input;

  std::int64_t sequences() const { return batch == 0 ? 1 : batch; }
  Shape shape(std::int64_t rows, std::int64_t cols) const {
    return batch == 0 ? Shape{rows, cols} : Shape{batch, rows, cols};
  }
};

AttentionCase attention_case(const Fields& in, AttentionKind kind) {
  AttentionCase c;
  c.batch = in.integer("batch", 0, kMaxElements);
  c.T = in.integer("T", 1, kMaxElements);
  c.d_in = in.integer("d_in", 1, kMaxElements);
  c.d_out = in.integer("d_out", 1, kMaxElements);
  c.bias = in.flag("qkv_bias");
  c.dropout = in.probability("dropout");
  c.init_seed = in.seed("init_seed");
  if (kind == AttentionKind::simple && c.d_in != c.d_out) in.complain("d_out", "differs from d_in");
  if (c.bias && !can_have_bias(kind))
    in.complain("qkv_bias", std::string("is true, but ") + class_name(kind) + " has no bias");
  if (c.dropout != 0 && kind != AttentionKind::causal)
    in.complain("dropout", std::string("is not 0, but ") + class_name(kind) + " has none");
  if (kind == AttentionKind::causal && in.has("context_length"))
    if (in.integer("context_length", 1, kMaxElements) < c.T)
      in.complain("T", "is larger than context_length");
  // A trace's bookkeeping, the trace and what is printed of it, the input, the parameters and their given
  // values.
  const std::int64_t total = elements({c.sequences(), 512}) + elements({c.sequences(), c.T, c.T, 16}) +
                             elements({c.sequences(), c.T, c.d_out, 8}) +
                             elements({c.sequences(), c.T, c.d_in, 4}) + elements({c.d_in + 1, c.d_out, 6});
  if (total > kMaxElements) in.complain("T", "and the other sizes together need more memory than is allowed");
  if (in.ok()) c.input = in.tensor("input", c.shape(c.T, c.d_in));
  return c;
}

Matrix matrix(const float* data, std::int64_t rows, std::int64_t cols) {
  return Eigen::Map<const Matrix>(data, Eigen::Index(rows), Eigen::Index(cols));
}

// Weights given are used as given.
void take_weights(const Fields& in, AttentionParams& module) {
  const Fields given = in.object("weights");
  for (const std::string& name : given.keys())
    if (!find_parameter(module, name))
      given.complain(name.c_str(), std::string("is no parameter of this ") + class_name(module.kind));
  for (Parameter* p : parameters(module)) {
    const Shape shape =
        p->one_dimensional ? Shape{p->stored.cols()} : Shape{p->stored.rows(), p->stored.cols()};
    const FileTensor t = given.tensor(p->name.c_str(), shape);
    if (in.ok()) p->stored = matrix(t.data.data(), p->stored.rows(), p->stored.cols());
  }
}

struct Printed {
  const char* name;
  Tensor tensor;
};
using T = AttentionTrace;
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

void write_tensors(const Fields& in, const AttentionCase& c, const std::vector<AttentionTrace>& traces,
                   std::span<const Printed> printed, JsonText& out) {
  const Json* fixtures = in.raw("tensors");
  out.key("tensors").object();
  for (const Printed& p : printed) {
    const Matrix& first = traces.front().*p.tensor;
    if (first.size() == 0) continue;
    std::vector<float> all;
    all.reserve(traces.size() * std::size_t(first.size()));
    for (const AttentionTrace& t : traces) {
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
  if (in.has("weights")) take_weights(in, module);
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
  std::vector<AttentionTrace> traces;
  for (std::int64_t b = 0; b < c.sequences(); ++b) {
    if (!masks.empty()) pass.dropout_mask = matrix(masks.data() + b * T2, c.T, c.T);
    traces.push_back(forward(module, matrix(c.input.data.data() + b * c.T * c.d_in, c.T, c.d_in), pass));
  }
  write_tensors(in, c, traces, printed, out);
}

constexpr EvalKind kKinds[] = {
    {"simple", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::simple, kSimple, out); }},
    {"sa_v1", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::v1, kUnmasked, out); }},
    {"sa_v2", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::v2, kUnmasked, out); }},
    {"causal", [](const Fields& in, JsonText& out) { attention(in, AttentionKind::causal, kCausal, out); }},
};

}  // namespace

std::span<const EvalKind> attention_kinds() { return kKinds; }

}  // namespace lab
