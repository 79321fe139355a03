// The rows that take the tokenizer or a whole GPT: seconds and hundreds of megabytes.
#include "core/book_computed.hpp"
#include "core/book_values.hpp"
#include "core/gpt_builder.hpp"
#include "core/gpt_reader.hpp"
#include "core/ops.hpp"

namespace lab::book {
namespace {

constexpr std::uint64_t kSeed = 123;
constexpr double kDropRate = 0.1;
constexpr const char* kTexts[] = {"Every effort moves you", "Every day holds a"};
constexpr const char* kPrompt = "Hello, I am";
constexpr int kNewTokens = 6;

GptConfig small() { return gpt_sizes().front().config; }

struct Built {
  GptParams model;
  TorchRandom random;  // behind what was drawn
};
Built built(const GptConfig& config) {
  TorchRandom random(kSeed);
  GptParams model = made_gpt(config, random, kSeed);
  return {std::move(model), random};
}

std::vector<std::vector<int>> batch(const Tokenizer& tokenizer) {
  std::vector<std::vector<int>> ids;
  for (const char* text : kTexts) ids.push_back(tokenizer.encode(text));
  return ids;
}

// As torch prints a large tensor: of each row the first three numbers and the last three.
void add_edges(Values& values, const Matrix& logits) {
  constexpr Eigen::Index kEdge = 3;
  for (Eigen::Index r = 0; r < logits.rows(); ++r) {
    for (Eigen::Index c = 0; c < kEdge; ++c) values.push_back(double(logits(r, c)));
    for (Eigen::Index c = logits.cols() - kEdge; c < logits.cols(); ++c)
      values.push_back(double(logits(r, c)));
  }
}

}  // namespace

Values ids_of_batch(const Tokenizer& tokenizer, DropoutStream) {
  Values values;
  for (const auto& ids : batch(tokenizer)) values.insert(values.end(), ids.begin(), ids.end());
  return values;
}

Values ids_of_prompt(const Tokenizer& tokenizer, DropoutStream) {
  const std::vector<int> ids = tokenizer.encode(kPrompt);
  Values values(ids.begin(), ids.end());
  values.insert(values.end(), {1, double(ids.size())});  // and their shape
  return values;
}

// DummyGPTModel: its blocks and its norm pass on what they read.
Values dummy_logits(const Tokenizer& tokenizer, DropoutStream stream) {
  GptConfig config = small();
  config.n_layers = 0;
  Built b = built(config);
  const auto ids = batch(tokenizer);
  const int words = int(ids.front().size());
  const auto drops = batch_masks(int(ids.size()), words, config.emb_dim, kDropRate, stream, b.random);
  Values values = {double(ids.size()), double(words), double(config.vocab_size)};
  for (std::size_t s = 0; s < ids.size(); ++s) {
    Matrix x(words, config.emb_dim);
    for (int t = 0; t < words; ++t)
      x.row(t) = b.model.tok_emb.stored.row(ids[s][std::size_t(t)]) + b.model.pos_emb.stored.row(t);
    x = times(x, drops[s]);
    add_edges(values, product(view(x), transposed_view(b.model.out_head.stored)));
  }
  return values;
}

Values gpt_logits(const Tokenizer& tokenizer, DropoutStream stream) {
  Built b = built(small());
  const auto ids = batch(tokenizer);
  const int words = int(ids.front().size());
  const auto passes =
      gpt_training_passes(small(), words, int(ids.size()), one_rate(kDropRate), stream, b.random);
  Values values = ids_of_batch(tokenizer, stream);
  values.insert(values.end(), {double(ids.size()), double(words), double(small().vocab_size)});
  for (std::size_t s = 0; s < ids.size(); ++s) add_edges(values, run_gpt(b.model, ids[s], passes[s]).logits);
  return values;
}

Values generated_ids(const Tokenizer& tokenizer, DropoutStream) {
  const Built b = built(small());
  GptReader reader(b.model, tokenizer.encode(kPrompt));
  for (int i = 0; i < kNewTokens; ++i) {
    while (!reader.done()) reader.step();
    reader.append(next_tokens(reader.logits(), 1).top[0].id);
  }
  Values values(reader.ids().begin(), reader.ids().end());
  values.push_back(double(reader.ids().size()));
  return values;
}

}  // namespace lab::book
