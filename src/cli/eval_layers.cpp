// The kinds of layers.json: what a transformer block is made of, and the block.
#include <cmath>

#include "cli/eval_case.hpp"
#include "core/multi_head.hpp"
#include "core/ops.hpp"
#include "core/shortcut_net.hpp"

namespace lab {
namespace {

std::span<const float> cells(const Matrix& m) { return {m.data(), std::size_t(m.size())}; }

// A tensor of any number of axes, as rows of the last one.
struct Rows {
  Shape shape;
  Matrix m;
  Shape with_width(std::int64_t width) const {
    Shape s = shape;
    s.back() = width;
    return s;
  }
};
Rows rows_of(const Fields& in, const char* key, std::int64_t width = 0) {
  const Fields given = in.object(key);
  const Shape shape = given.shape("shape");
  if (in.ok() && shape.empty()) in.complain(key, "has no axis");
  if (in.ok() && width && shape.back() != width) in.complain(key, "has another width");
  if (!in.ok()) return {{1}, Matrix::Zero(1, 1)};
  const FileTensor t = in.tensor(key, shape);
  if (!in.ok()) return {{1}, Matrix::Zero(1, 1)};
  const std::int64_t columns = shape.back(), rows = columns ? std::int64_t(t.data.size()) / columns : 0;
  return {shape, matrix(t.data.data(), rows, columns)};
}

struct Writer {
  JsonText& out;
  const Json* fixtures;
  void operator()(const std::string& name, const Shape& shape, const Matrix& m) const {
    write_result(out, name.c_str(), shape, cells(m), member(fixtures, name.c_str()));
  }
};

void layer_norm_case(const Fields& in, JsonText& out) {
  const Rows x = rows_of(in, "input");
  const double eps = in.number("eps");
  const std::int64_t width = x.shape.back();
  const FileTensor scale = in.tensor("scale", {width}), shift = in.tensor("shift", {width});
  if (!in.ok()) return;
  LayerNormParams p = made_layer_norm("", int(width));
  p.scale.stored = matrix(scale.data.data(), 1, width);
  p.shift.stored = matrix(shift.data.data(), 1, width);
  const Matrix mean = row_means(x.m), var = row_variances(x.m, mean);
  out.key("tensors").object();
  const Writer write{out, in.raw("tensors")};
  write("mean", x.with_width(1), mean);
  write("var", x.with_width(1), var);
  write("out", x.shape, scaled_and_shifted(p, levelled(x.m, mean, var, float(eps))));
  write("var_unbiased", x.with_width(1), row_variances(x.m, mean, true));
  out.end('}');
}

void gelu_case(const Fields& in, JsonText& out) {
  const Rows x = rows_of(in, "input");
  if (!in.ok()) return;
  write_result(out, "out", x.shape, cells(gelu(x.m)), in.raw("out"));
  write_result(out, "derivative", x.shape,
               cells(x.m.unaryExpr([](float v) { return gelu_derivative(v); }).eval()), in.raw("derivative"));
  write_result(out, "relu", x.shape, cells(relu(x.m)), in.raw("relu"));
}

void softmax_case(const Fields& in, JsonText& out) {
  const Rows x = rows_of(in, "input");
  if (!in.ok()) return;
  write_result(out, "out", x.shape, cells(softmax(x.m)), in.raw("out"));
  write_result(out, "log_softmax", x.shape, cells(log_softmax(x.m)), in.raw("log_softmax"));
}

void feed_forward_case(const Fields& in, JsonText& out) {
  const std::int64_t width = in.integer("emb_dim", 1, 1 << 12);
  const std::uint64_t seed = in.seed("init_seed");
  const Rows x = rows_of(in, "input", width);
  if (!in.ok()) return;
  TorchRandom random(seed);
  FeedForwardParams p = made_feed_forward("", int(width), random, seed);
  if (in.has("weights"))
    take_weights(in, "FeedForward", {&p.expand.weight, &p.expand.bias, &p.contract.weight, &p.contract.bias});
  if (!in.ok()) return;
  const FeedForwardTrace t = feed_forward(p, x.m);
  out.key("tensors").object();
  const Writer write{out, in.raw("tensors")};
  write("pre", x.with_width(4 * width), t.pre);
  write("gelu", x.with_width(4 * width), t.gelu);
  write("out", x.shape, t.out);
  out.end('}');
}

// ---- the block: sequences one after another ---------------------------------------------------------------

struct BlockCase {
  int width = 1, heads = 1;
  std::int64_t sequences = 1, words = 1;
  double dropout = 0;
};

void write_block(const Fields& in, const BlockCase& c, const Rows& x, const std::vector<Run>& runs,
                 JsonText& out) {
  out.key("tensors").object();
  const Writer write{out, in.raw("tensors")};
  const auto own = [&](const std::string& name, std::int64_t width, Tensor tensor) {
    write(name, x.with_width(width),
          below_each_other(runs, [=](const Run& run) -> const Matrix& { return run.trace.*tensor; }));
  };
  const auto attention = [&](const std::string& name, Tensor tensor) {
    write("att." + name, x.with_width(c.width), below_each_other(runs, [=](const Run& run) -> const Matrix& {
            return run.parts[0].trace.*tensor;
          }));
  };
  const auto of_heads = [&](const std::string& name, Tensor tensor) {
    Matrix rows;
    for (const Run& run : runs)
      for (const Run& head : run.parts[0].parts) {
        const Matrix& m = head.trace.*tensor;
        if (m.size() == 0) return;
        put_below(rows, m);
      }
    Shape shape{c.heads, c.words, c.words};
    if (x.shape.size() > 2) shape.insert(shape.begin(), c.sequences);
    write("att." + name, shape, rows);
  };
  own("norm1.mean", 1, &Trace::mean1);
  own("norm1.var", 1, &Trace::var1);
  own("norm1.out", c.width, &Trace::norm1);
  attention("queries", &Trace::queries);
  attention("keys", &Trace::keys);
  attention("values", &Trace::values);
  of_heads("weights", &Trace::attn_weights);
  of_heads("weights_dropped", &Trace::attn_weights_dropped);
  attention("concat", &Trace::concat);
  attention("out", &Trace::out);
  own("after_attention", c.width, &Trace::resid_mid);
  own("norm2.mean", 1, &Trace::mean2);
  own("norm2.var", 1, &Trace::var2);
  own("norm2.out", c.width, &Trace::norm2);
  own("ff.pre", 4 * c.width, &Trace::ff_hidden);
  own("ff.gelu", 4 * c.width, &Trace::ff_gelu);
  own("ff.out", c.width, &Trace::ff_out);
  own("out", c.width, &Trace::resid_post);
  out.end('}');
}

void block_case(const Fields& in, JsonText& out) {
  BlockCase c;
  c.width = int(in.integer("emb_dim", 1, 1 << 12));
  c.heads = int(in.integer("heads", 1, 1 << 12));
  const bool bias = in.flag("qkv_bias");
  c.dropout = in.probability("dropout");
  const std::uint64_t seed = in.seed("init_seed");
  if (in.ok() && !can_split(c.width, c.heads)) in.complain("emb_dim", "is not divisible by heads");
  const Rows x = rows_of(in, "input", c.width);
  if (in.ok() && (x.shape.size() < 2 || x.shape.size() > 3))
    in.complain("input", "is no sequence or batch of them");
  if (!in.ok()) return;
  c.words = x.shape[x.shape.size() - 2];
  c.sequences = x.shape.size() == 3 ? x.shape[0] : 1;
  if (elements({c.sequences, c.heads, c.words, c.words, 16}) > kMaxElements)
    return in.complain("input", "and heads together need more memory than is allowed");
  TorchRandom random(seed);
  Matrix drawn(x.m.rows(), x.m.cols());  // the case draws its input first
  random.rand({drawn.data(), std::size_t(drawn.size())});
  TransformerBlockParams p = made_transformer_block(c.width, c.heads, bias, random, seed);
  if (in.has("weights")) take_weights(in, "TransformerBlock", parameters(p));
  if (!in.ok()) return;
  std::vector<Run> runs;
  const std::vector<BlockPass> passes = block_passes({int(c.words), c.width, c.heads}, int(c.sequences),
                                                     one_rate(c.dropout), DropoutStream::mac, random);
  for (std::int64_t b = 0; b < c.sequences; ++b)
    runs.push_back(run_block("", p, x.m.middleRows(b * c.words, c.words), passes[std::size_t(b)]));
  write_block(in, c, x, runs, out);
}

// ---- the deep network with and without shortcuts ----------------------------------------------------------

std::vector<int> sizes_of(const Fields& in) {
  std::vector<int> sizes;
  const Json* list = in.raw("layer_sizes");
  if (!list || !list->is_array() || list->size() < 2 || list->size() > 64) {
    in.complain("layer_sizes", "must be a list of 2 to 64 widths");
    return {1, 1};
  }
  for (const Json& size : *list) {
    const bool is_width = size.is_number_integer() && size.get<double>() >= 1 && size.get<double>() <= 4096;
    if (!is_width) in.complain("layer_sizes", "must hold whole numbers from 1 to 4096");
    sizes.push_back(is_width ? size.get<int>() : 1);
  }
  return sizes;
}

void shortcut_case(const Fields& in, JsonText& out) {
  const std::vector<int> sizes = sizes_of(in);
  const bool use_shortcut = in.flag("use_shortcut");
  const std::uint64_t seed = in.seed("init_seed");
  const Rows x = rows_of(in, "input", sizes.front()), target = rows_of(in, "target", sizes.back());
  if (in.ok() && x.m.rows() != target.m.rows()) in.complain("target", "has another number of rows");
  if (!in.ok()) return;
  TorchRandom random(seed);
  ShortcutNet net = made_shortcut_net(sizes, use_shortcut, random, seed);
  std::vector<Parameter*> parameters;
  for (Projection& layer : net.layers) parameters.insert(parameters.end(), {&layer.weight, &layer.bias});
  if (in.has("weights")) take_weights(in, "network", parameters);
  if (!in.ok()) return;
  const ShortcutPass pass = run_shortcut_net(net, x.m, target.m);
  out.key("loss").number(pass.loss);
  out.key("activations").array();
  for (const Matrix& m : pass.activations) write_tensor(out, x.with_width(m.cols()), cells(m), nullptr);
  out.end(']');
  out.key("grads").object();
  for (std::size_t i = 0; i < net.layers.size(); ++i) {
    const Projection& layer = net.layers[i];
    write_result(out, layer.weight.name.c_str(), {layer.weight.stored.rows(), layer.weight.stored.cols()},
                 cells(pass.weight_grads[i]), nullptr);
    write_result(out, layer.bias.name.c_str(), {layer.bias.stored.cols()}, cells(pass.bias_grads[i]),
                 nullptr);
  }
  out.end('}');
  out.key("grad_abs_mean").object();
  for (std::size_t i = 0; i < net.layers.size(); ++i)
    out.key(net.layers[i].weight.name.c_str()).number(pass.weight_grad_abs_mean[i]);
  out.end('}');
}

void cross_entropy_case(const Fields& in, JsonText& out) {
  const Rows logits = rows_of(in, "logits");
  if (!in.ok()) return;
  const Fields given = in.object("targets");
  const Json* list = given.raw("data");
  std::vector<int> targets;
  if (list && list->is_array())
    for (const Json& t : *list)
      if (t.is_number_integer() && t.get<double>() >= 0 && t.get<double>() < double(logits.m.cols()))
        targets.push_back(t.get<int>());
  if (Eigen::Index(targets.size()) != logits.m.rows() || logits.m.cols() == 0)
    return in.complain("targets", "must name a column of logits for each of its rows");
  const CrossEntropy c = cross_entropy(logits.m, targets);
  out.key("loss").number(c.loss);
  write_result(out, "grad", logits.shape, cells(c.grad), in.raw("grad"));
}

constexpr EvalKind kKinds[] = {
    {"LayerNorm", layer_norm_case},
    {"GELU_tanh", gelu_case},
    {"softmax", softmax_case},
    {"FeedForward", feed_forward_case},
    {"TransformerBlock", block_case},
    {"ShortcutNet", shortcut_case},
    {"cross_entropy_mean", cross_entropy_case},
};

}  // namespace

std::span<const EvalKind> layer_kinds() { return kKinds; }

}  // namespace lab
