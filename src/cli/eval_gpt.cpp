// The cases of eval that are whole models: forward and what lies between, training mode, generation.
#include <cmath>

#include "cli/eval.hpp"
#include "cli/eval_case.hpp"
#include "core/gpt_builder.hpp"
#include "core/gpt_reader.hpp"
#include "core/multi_head.hpp"
#include "core/ops.hpp"

namespace lab {
namespace {

using Ids = std::vector<int>;
using Sequences = std::vector<Ids>;

GptConfig config_of(const Fields& in) {
  const Fields c = in.object("config");
  GptConfig config{.vocab_size = int(c.integer("vocab_size", 1, 1 << 20)),
                   .context_length = int(c.integer("context_length", 1, 1 << 14)),
                   .emb_dim = int(c.integer("emb_dim", 1, 1 << 12)),
                   .n_heads = int(c.integer("n_heads", 1, 1 << 8)),
                   .n_layers = int(c.integer("n_layers", 1, 1 << 8)),
                   .qkv_bias = c.flag("qkv_bias")};
  if (in.ok() && !can_split(config.emb_dim, config.n_heads))
    c.complain("emb_dim", "is not divisible by n_heads");
  constexpr std::int64_t most = std::int64_t(1) << 28;  // parameters: a gigabyte
  if (in.ok() && ledger_of(config, 1, 1).parameters > most)
    in.complain("config", "needs more memory than is allowed");
  return config;
}

// {"shape":[sequences, words],"data":[ids]}
Sequences sequences_of(const Fields& in, const char* key, const GptConfig& c) {
  const Fields given = in.object(key);
  const Shape shape = given.shape("shape");
  const Json* list = given.raw("data");
  const bool right = in.ok() && shape.size() == 2 && list && list->is_array() &&
                     std::int64_t(list->size()) == shape[0] * shape[1];
  if (!right || shape[1] < 1) {
    in.complain(key, "is no list of sequences of ids");
    return {};
  }
  Sequences all;
  all.resize(std::size_t(shape[0]));
  std::size_t i = 0;
  for (Ids& ids : all)
    for (std::int64_t t = 0; t < shape[1]; ++t, ++i) {
      const Json& id = (*list)[i];
      const bool known = id.is_number_integer() && id.get<double>() >= 0 && id.get<double>() < c.vocab_size;
      if (!known) in.complain(key, "holds what is no token of the vocabulary");
      ids.push_back(known ? id.get<int>() : 0);
    }
  return all;
}

std::vector<GptTrace> run_all(const GptParams& model, const Sequences& ids,
                              const std::vector<GptPass>& passes) {
  std::vector<GptTrace> traces;
  for (std::size_t s = 0; s < ids.size(); ++s) traces.push_back(run_gpt(model, ids[s], passes[s]));
  return traces;
}

void write_ids(JsonText& out, const char* name, std::int64_t rows, const Ids& ids) {
  const std::vector<std::int64_t> all(ids.begin(), ids.end());
  out.key(name).tensor(std::vector{rows, std::int64_t(all.size()) / rows}, all);
}

void write_between(const Fields& in, const Shape& shape, const std::vector<GptTrace>& traces, JsonText& out) {
  const Fields theirs = in.object("intermediates");
  out.key("intermediates").object();
  const auto write = [&](const std::string& name, auto get) {
    const Matrix all = below_each_other(traces, get);
    write_result(out, name.c_str(), {shape[0], shape[1], all.cols()}, {all.data(), std::size_t(all.size())},
                 theirs.raw(name.c_str()));
  };
  write("embedded", [](const GptTrace& t) -> const Matrix& { return t.embedded; });
  for (std::size_t i = 0; i < traces.front().blocks.size(); ++i) {
    const std::string block = "trf_blocks." + std::to_string(i) + ".";
    write(block + "norm1.out", [=](const GptTrace& t) -> const Matrix& { return t.blocks[i].trace.norm1; });
    write(block + "att.out", [=](const GptTrace& t) -> const Matrix& { return t.blocks[i].trace.att; });
    write(block + "after_attention",
          [=](const GptTrace& t) -> const Matrix& { return t.blocks[i].trace.resid_mid; });
    write(block + "out", [=](const GptTrace& t) -> const Matrix& { return t.blocks[i].trace.resid_post; });
  }
  write("final_norm.out", [](const GptTrace& t) -> const Matrix& { return t.final_norm; });
  out.end('}');
}

void write_logits(const Fields& in, const Shape& shape, const std::vector<GptTrace>& traces, JsonText& out) {
  const Matrix all = below_each_other(traces, [](const GptTrace& t) -> const Matrix& { return t.logits; });
  write_result(out, "logits", {shape[0], shape[1], all.cols()}, {all.data(), std::size_t(all.size())},
               in.raw("logits"));
}

// ---- models that are made from their seed alone: their logits as a summary -------------------------------

void write_edges(const Matrix& logits, const Shape& shape, JsonText& out) {
  constexpr Eigen::Index kEdge = 3;
  Matrix edges(logits.rows(), 2 * kEdge);
  edges << logits.leftCols(kEdge), logits.rightCols(kEdge);
  write_result(out, "edges_first3_last3", {shape[0], shape[1], 2 * kEdge},
               {edges.data(), std::size_t(edges.size())}, nullptr);
}

void write_top(const Matrix& logits, const Shape& shape, JsonText& out) {
  constexpr int kTop = 5;
  Matrix values(logits.rows(), kTop);
  std::vector<std::int64_t> ids;
  for (Eigen::Index r = 0; r < logits.rows(); ++r) {
    const NextTokens next = next_tokens(logits.row(r), kTop);
    for (int i = 0; i < kTop; ++i) {
      ids.push_back(next.top[std::size_t(i)].id);
      values(r, i) = logits(r, ids.back());
    }
  }
  write_result(out, "top5_values", {shape[0], shape[1], kTop}, {values.data(), std::size_t(values.size())},
               nullptr);
  out.key("top5_ids").tensor(Shape{shape[0], shape[1], kTop}, ids);
}

void write_sums(const Matrix& logits, const Shape& shape, JsonText& out) {
  std::vector<Sums> rows;
  Matrix log_totals(logits.rows(), 1);
  for (Eigen::Index r = 0; r < logits.rows(); ++r) {
    rows.push_back(sums({logits.row(r).data(), std::size_t(logits.cols())}));
    log_totals(r, 0) = float(next_tokens(logits.row(r), 1).log_total);
  }
  out.key("row_sum_f64").array();
  for (const Sums& row : rows) out.number(row.sum);
  out.end(']').key("row_sumsq_f64").array();
  for (const Sums& row : rows) out.number(row.of_squares);
  out.end(']');
  write_result(out, "logsumexp", {shape[0], shape[1]}, {log_totals.data(), std::size_t(log_totals.size())},
               nullptr);
}

void write_samples(const Matrix& logits, const Fields& theirs, JsonText& out) {
  std::vector<std::int64_t> at;
  if (const Json* list = theirs.raw("samples_flat_idx"); list && list->is_array())
    for (const Json& i : *list)
      if (i.is_number_integer() && i.get<double>() >= 0 && i.get<double>() < double(logits.size()))
        at.push_back(i.get<std::int64_t>());
  out.key("samples_flat_idx").array();
  for (const std::int64_t i : at) out.number(i);
  out.end(']').key("samples").array();
  for (const std::int64_t i : at) out.number(logits.data()[i]);
  out.end(']');
}

// Each sequence by itself; a run in training mode continues the stream of random numbers.
Matrix logits_of(const GptParams& model, const Sequences& ids, double dropout, TorchRandom random) {
  const int words = int(ids.front().size());
  if (dropout > 0)
    return below_each_other(run_all(model, ids,
                                    gpt_training_passes(model.config, words, int(ids.size()),
                                                        one_rate(dropout), DropoutStream::mac, random)),
                            [](const GptTrace& t) -> const Matrix& { return t.logits; });
  Matrix all(0, model.config.vocab_size);
  for (const Ids& sequence : ids) {
    GptReader reader(model, sequence);
    while (!reader.done()) reader.step();
    put_below(all, reader.all_logits());
  }
  return all;
}

void write_run(const Fields& run, const GptParams& model, double drop_rate, const TorchRandom& random,
               JsonText& out) {
  const Sequences ids = sequences_of(run, "ids", model.config);
  const Json* mode = run.raw("mode");
  if (!run.ok() || !mode || !mode->is_string()) return run.complain("mode", "is missing");
  const bool training = mode->get_ref<const Json::string_t&>().starts_with("train");
  const Shape shape{std::int64_t(ids.size()), std::int64_t(ids.front().size()), model.config.vocab_size};
  const Matrix logits = logits_of(model, ids, training ? drop_rate : 0, random);
  out.object().key("logits").object().key("shape").array();
  for (const std::int64_t n : shape) out.number(n);
  out.end(']');
  write_edges(logits, shape, out);
  write_top(logits, shape, out);
  write_sums(logits, shape, out);
  write_samples(logits, run.object("logits"), out);
  out.end('}').end('}');
}

void seeded_case(const Fields& in, const GptConfig& c, std::uint64_t seed, JsonText& out) {
  const double drop_rate = in.object("config").probability("drop_rate");
  TorchRandom random(seed);
  GptParams model = made_gpt(c, random, seed);
  out.key("parameters").number(ledger_of(c, 1, 1).parameters);
  const Fields theirs = in.object("tensors");
  out.key("tensors").object();
  for (const Parameter* p : parameters(model)) {
    const Shape shape =
        p->one_dimensional ? Shape{p->stored.cols()} : Shape{p->stored.rows(), p->stored.cols()};
    out.key(p->name);
    write_summary(out, shape, {p->stored.data(), std::size_t(p->stored.size())}, theirs.raw(p->name.c_str()));
  }
  out.end('}').key("runs").array();
  for (const Fields& run : in.list("runs")) write_run(run, model, drop_rate, random, out);
  out.end(']');
  if (!in.ok() || !in.has("greedy")) return;
  const Fields greedy = in.object("greedy");
  const Ids ids = sequences_of(greedy, "ids", c).front();
  const std::int64_t length = greedy.integer("prompt_len", 1, std::int64_t(ids.size()));
  if (!in.ok()) return;
  GptReader reader(model, Ids(ids.begin(), ids.begin() + length));
  while (reader.ids().size() < ids.size()) {
    while (!reader.done()) reader.step();
    reader.append(next_tokens(reader.logits(), 1).top[0].id);
  }
  out.key("greedy").object();
  write_ids(out, "ids", 1, reader.ids());
  out.end('}');
}

// ---- models whose weights the case gives
// --------------------------------------------------------------------

void gpt_case(const Fields& in, JsonText& out) {
  const GptConfig c = config_of(in);
  const std::uint64_t seed = in.seed("init_seed");
  if (!in.ok()) return;
  if (in.has("runs")) return seeded_case(in, c, seed, out);
  const Sequences ids = sequences_of(in, "inputs", c);
  if (!in.ok()) return;
  const Shape shape{std::int64_t(ids.size()), std::int64_t(ids.front().size())};
  if (shape[1] > c.context_length) return in.complain("inputs", "is longer than context_length");
  TorchRandom random(seed);
  GptParams model = made_gpt(c, random, seed);
  if (in.has("weights")) take_weights(in, "GPTModel", parameters(model));
  if (!in.ok()) return;
  const std::vector<GptTrace> traces =
      run_all(model, ids, std::vector<GptPass>(ids.size(), gpt_pass(c, int(shape[1]))));
  write_between(in, shape, traces, out);
  write_logits(in, shape, traces, out);
  if (in.has("greedy")) {
    const Fields greedy = in.object("greedy");
    const Sequences prompt = sequences_of(greedy, "prompt", c);
    const std::int64_t more = greedy.integer("max_new_tokens", 0, 1 << 10);
    if (!in.ok()) return;
    out.key("greedy").object();
    write_ids(out, "ids", 1, generated_greedily(model, prompt.front(), int(more)));
    out.end('}');
  }
  if (in.has("training_mode")) {
    const Fields training = in.object("training_mode");
    const double dropout = training.probability("drop_rate");
    if (!in.ok()) return;
    out.key("training_mode").object();
    write_logits(training, shape,
                 run_all(model, ids,
                         gpt_training_passes(c, int(shape[1]), int(shape[0]), one_rate(dropout),
                                             DropoutStream::mac, random)),
                 out);
    out.end('}');
  }
}

constexpr EvalKind kKinds[] = {{"GPTModel", gpt_case}};

}  // namespace

std::span<const EvalKind> gpt_kinds() { return kKinds; }

}  // namespace lab
