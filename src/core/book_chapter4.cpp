#include <algorithm>
#include <cstdlib>

#include "core/book_computed.hpp"
#include "core/book_values.hpp"
#include "core/gpt_config.hpp"
#include "core/layers.hpp"
#include "core/norm_example.hpp"
#include "core/run.hpp"
#include "core/shortcut_net.hpp"

namespace lab::book {
namespace {

constexpr std::uint64_t kSeed = 123;
constexpr double kDropRate = 0.1;  // of GPT_CONFIG_124M

// The demonstration before there is a class: variance over 5 numbers of 6, and no eps.
Trace levelled_example() {
  NormExample example = made_norm_example(kSeed);
  example.unbiased = true;
  example.eps = 0;
  return run_norm_example("", std::move(example)).trace;
}

// A block of GPT-2 small, behind the batch that it reads.
struct SmallBlock {
  GptConfig config = gpt_sizes().front().config;
  std::vector<Matrix> batch;
  TransformerBlockParams params;
};
SmallBlock drawn_block() {
  SmallBlock b;
  TorchRandom random(kSeed);
  for (int text = 0; text < 2; ++text) b.batch.push_back(random.rand(4, b.config.emb_dim));
  b.params = made_transformer_block(b.config.emb_dim, b.config.n_heads, false, random, kSeed);
  return b;
}
// Seven million numbers, drawn once.
const SmallBlock& block() {
  static const SmallBlock drawn = drawn_block();
  return drawn;
}

Values shape(const std::vector<Matrix>& batch) {
  return {double(batch.size()), double(batch.front().rows()), double(batch.front().cols())};
}

Values gradients(bool use_shortcut) {
  TorchRandom random(kSeed);
  Matrix input(1, 3);
  input << 1, 0, -1;
  return run_shortcut_net(made_shortcut_net({3, 3, 3, 3, 3, 1}, use_shortcut, random, kSeed), input,
                          Matrix::Zero(1, 1))
      .weight_grad_abs_mean;
}

double counted(const std::vector<const Parameter*>& parameters) {
  double count = 0;
  for (const Parameter* p : parameters) count += double(p->stored.size());
  return count;
}

GptLedger ledger(GptConfig config, bool tied) {
  config.tied = tied;
  return ledger_of(config, 1, 1);
}
// Total, with the head tied, and MB of the total: float32.
Values sizes(const GptConfig& config) {
  const GptLedger whole = ledger(config, false);
  return {double(whole.parameters), double(ledger(config, true).parameters), mebibytes(whole.bytes)};
}
const GptConfig& small() { return gpt_sizes().front().config; }

// in_features and out_features of nn.Linear.
Values features(const Projection& p) {
  return {double(p.weight.as_multiplied().rows()), double(p.weight.as_multiplied().cols())};
}
// The number in "ff.layers.2.weight", in "norm1.scale".
double number_in(const std::string& name) {
  const auto first = name.find_first_of("0123456789");
  return std::atof(name.substr(first, 1).c_str());
}

}  // namespace

Values rows_of_layer(DropoutStream) { return cells(made_norm_example(kSeed).out.stored); }
Values mean_and_variance(DropoutStream) {
  const Trace t = levelled_example();
  return cells(t.mean1) + cells(t.var1);
}
Values levelled_rows(DropoutStream) {
  const Trace t = levelled_example();
  return cells(t.norm1) + cells(t.mean2) + cells(t.var2);
}
Values levelled_mean_and_variance(DropoutStream) {
  const Trace t = levelled_example();
  return cells(t.mean2) + cells(t.var2);
}
Values layer_norm_mean_and_variance(DropoutStream) {
  const Trace t = run_norm_example("", made_norm_example(kSeed)).trace;
  return cells(t.mean2) + cells(t.var2);
}

Values emb_dim(DropoutStream) { return {double(small().emb_dim)}; }
Values shape_after_feed_forward(DropoutStream) {
  std::vector<Matrix> said;
  for (const Matrix& text : block().batch)
    said.push_back(feed_forward(block().params.ff, text.topRows(3)).out);
  return shape(said);
}
Values gradients_without_shortcuts(DropoutStream) { return gradients(false); }
Values gradients_with_shortcuts(DropoutStream) { return gradients(true); }
Values shapes_around_block(DropoutStream) {
  const SmallBlock& b = block();
  const BlockPass pass = causal_pass({int(b.batch.front().rows()), b.config.emb_dim, b.config.n_heads});
  std::vector<Matrix> out;
  for (const Matrix& text : b.batch) out.push_back(run_block("", b.params, text, pass).trace.resid_post);
  return shape(b.batch) + shape(out);
}

Values parameter_count(DropoutStream) { return {double(ledger(small(), false).parameters)}; }
Values shapes_of_embedding_and_head(DropoutStream) {
  const GptLedger l = ledger(small(), false);
  const double width = small().emb_dim;
  return {double(l.parameters_of("tok_emb")) / width, width, double(l.parameters_of("out_head")) / width,
          width};
}
Values tied_parameter_count(DropoutStream) { return {double(ledger(small(), true).parameters)}; }
Values size_in_mb(DropoutStream) { return {mebibytes(ledger(small(), false).bytes)}; }

Values printed_block(DropoutStream) {
  const TransformerBlockParams& p = block().params;
  Values values;
  for (const Projection* q : {&p.att.W_query, &p.att.W_key, &p.att.W_value, &p.att.out_proj})
    values = values + features(*q);
  const double first = number_in(p.ff.expand.weight.name), last = number_in(p.ff.contract.weight.name);
  values = values + Values{kDropRate} + Values{first} + features(p.ff.expand);
  values = values + Values{first + 1} + Values{last} + features(p.ff.contract);  // GELU stands between them
  return values + Values{number_in(p.norm1.scale.name), number_in(p.norm2.scale.name), kDropRate};
}
Values feed_forward_parameters(DropoutStream) {
  const FeedForwardParams& ff = block().params.ff;
  return {counted({&ff.expand.weight, &ff.expand.bias, &ff.contract.weight, &ff.contract.bias})};
}
Values attention_parameters(DropoutStream) { return {counted(parameters(block().params.att))}; }
Values four_sizes(DropoutStream) {
  Values values;
  for (const GptSize& size : gpt_sizes()) values = values + sizes(size.config);
  return values;
}

}  // namespace lab::book
