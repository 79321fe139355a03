#include "core/book_gpt.hpp"

#include <algorithm>

#include "core/ops.hpp"

namespace lab {
namespace {

constexpr double kDropRate = 0.1;
constexpr const char* kTexts[] = {"Every effort moves you", "Every day holds a"};
constexpr const char* kPrompt = "Hello, I am";
constexpr int kNewTokens = 6;
constexpr DropoutStream kStreams[] = {DropoutStream::mac, DropoutStream::mkl};

constexpr std::int64_t kSkip = 1 << 20;  // draws of a piece, and
constexpr int kRows = 128;               // rows of a matrix: some milliseconds

// What a piece costs, so that progress goes as time does: nanoseconds of a browser, about.
constexpr double kSkipped = 4, kDrawn = 8, kTrained = 2.2, kRead = .7;

std::vector<std::vector<int>> batch(const Tokenizer& tokenizer) {
  std::vector<std::vector<int>> ids;
  for (const char* text : kTexts) ids.push_back(tokenizer.encode(text));
  return ids;
}

double products_of_block(const GptConfig& c) { return 12. * c.emb_dim * c.emb_dim; }

// As torch prints a large tensor: of each row the first three numbers and the last three.
constexpr int kEdge = 3;
int edge_of(int row, int rows) {  // which of the printed ones; -1: it is left out
  return row < kEdge ? row : row >= rows - kEdge ? row - (rows - 2 * kEdge) : -1;
}
Matrix edge_rows(const Matrix& m) {
  Matrix edges(2 * kEdge, m.cols());
  edges << m.topRows(kEdge), m.bottomRows(kEdge);
  return edges;
}
// x: T × emb_dim; T × 6 of the T × vocab_size logits.
void add_logits(std::vector<double>& values, const Matrix& x, const Matrix& edges) {
  const Matrix logits = product(view(x), transposed_view(edges));
  values.insert(values.end(), logits.data(), logits.data() + logits.size());
}

}  // namespace

GptConfig book_gpt() { return gpt_sizes().front().config; }

std::vector<double> book_batch_ids(const Tokenizer& tokenizer) {
  std::vector<double> values;
  for (const auto& ids : batch(tokenizer)) values.insert(values.end(), ids.begin(), ids.end());
  return values;
}

std::vector<double> book_prompt_ids(const Tokenizer& tokenizer) {
  const std::vector<int> ids = tokenizer.encode(kPrompt);
  std::vector<double> values(ids.begin(), ids.end());
  values.insert(values.end(), {1, double(ids.size())});
  return values;
}

BookGpt::BookGpt(const GptParams& model, const Tokenizer& tokenizer)
    : model_(model),
      tokenizer_(tokenizer),
      batch_(batch(tokenizer)),
      random_(kBookGptSeed),
      behind_dummy_(kBookGptSeed),
      dummy_edges_(2 * kEdge, model.config.emb_dim) {
  const GptConfig& c = model.config;
  const double words = double(batch_.size() * batch_.front().size()), prompt = 4 + kNewTokens;
  const double block = products_of_block(c), head = double(c.vocab_size) * c.emb_dim;
  all_ = kSkipped * double(ledger_of(c, 1, 1).parameters) + kDrawn * head +
         double(std::size(kStreams)) * kTrained * c.n_layers * block * words +
         kRead * (c.n_layers * block * prompt + head * kNewTokens);
}

void BookGpt::step() {
  const auto draws_before = [](const Parameter& p) { return p.origins.front().first_draw - 1; };
  switch (stage_) {
    case Stage::to_dummy_head:
      return skip_to(draws_before(model_.trf_blocks.front().att.W_query.weight), Stage::dummy_head);
    case Stage::dummy_head: return draw_dummy_head();
    case Stage::to_masks:
      return skip_to(draws_before(model_.out_head) + model_.out_head.stored.size(), Stage::training);
    case Stage::training: return train_a_block();
    case Stage::writing: return write_on();
    case Stage::done: return;
  }
}

void BookGpt::skip_to(std::int64_t draws, Stage next) {
  const std::int64_t piece = std::min(kSkip, draws - random_.draws());
  random_.skip(piece);
  spent_ += kSkipped * double(piece);
  if (random_.draws() < draws) return;
  stage_ = next;
  if (next == Stage::dummy_head) behind_dummy_ = random_;
  if (next == Stage::training) begin_training(kStreams[0]);
}

// DummyGPTModel draws its embeddings as GPTModel does, from the same seed the same ones; then, as its blocks
// and its norm are empty, at once its output head.
void BookGpt::draw_dummy_head() {
  const int all = model_.config.vocab_size, width = model_.config.emb_dim;
  Matrix row(1, width);
  const double bound = linear_weight_bound(width);
  for (const int end = std::min(row_ + kRows, all); row_ < end; ++row_) {
    behind_dummy_.uniform_({row.data(), std::size_t(width)}, -bound, bound);
    if (const int edge = edge_of(row_, all); edge >= 0) dummy_edges_.row(edge) = row;
    spent_ += kDrawn * width;
  }
  if (row_ < all) return;
  for (const DropoutStream stream : kStreams) say_as_dummy(stream);
  stage_ = Stage::to_masks;
}

void BookGpt::say_as_dummy(DropoutStream stream) {
  TorchRandom random = behind_dummy_;
  const int words = int(batch_.front().size());
  const Matrix drop =
      drawn_mask(int(batch_.size()) * words, model_.config.emb_dim, kDropRate, stream, random);
  auto& values = said_.in_training[std::size_t(stream)].dummy_logits;
  values = {double(batch_.size()), double(words), double(model_.config.vocab_size)};
  for (std::size_t s = 0; s < batch_.size(); ++s)
    add_logits(values, times(embedded(model_, batch_[s]), drop.middleRows(int(s) * words, words)),
               dummy_edges_);
}

void BookGpt::begin_training(DropoutStream stream) {
  stream_ = stream;
  sequences_.clear();
  sequence_ = block_ = 0;
  const int words = int(batch_.front().size());
  TorchRandom random = random_;
  for (GptPass& pass :
       gpt_training_passes(model_.config, words, int(batch_.size()), one_rate(kDropRate), stream, random)) {
    Matrix x = times(embedded(model_, batch_[sequences_.size()]), pass.embedding_drop);
    sequences_.push_back({std::move(pass), std::move(x)});
  }
  auto& values = said_.in_training[std::size_t(stream)].model_logits;
  values = book_batch_ids(tokenizer_);
  values.insert(values.end(), {double(batch_.size()), double(words), double(model_.config.vocab_size)});
}

void BookGpt::train_a_block() {
  Sequence& s = sequences_[sequence_];
  s.x = run_block("", model_.trf_blocks[block_], s.x, std::move(s.pass.blocks[block_])).trace.resid_post;
  spent_ += kTrained * products_of_block(model_.config) * double(s.x.rows());
  if (++block_ < model_.trf_blocks.size()) return;
  add_logits(said_.in_training[std::size_t(stream_)].model_logits, layer_norm(model_.final_norm, s.x),
             edge_rows(model_.out_head.stored));
  block_ = 0;
  if (++sequence_ < sequences_.size()) return;
  if (stream_ == kStreams[0]) return begin_training(kStreams[1]);
  sequences_.clear();
  stage_ = Stage::writing;
}

void BookGpt::write_on() {
  if (!writer_) {
    writer_.emplace(model_, tokenizer_.encode(kPrompt));
    before_writing_ = spent_;
  }
  writer_->step();
  const double part = (written_ + writer_->progress()) / kNewTokens;
  spent_ = before_writing_ + (all_ - before_writing_) * std::min(part, 1.);
  if (!writer_->done()) return;
  const int id = next_tokens(writer_->logits(), 1).top[0].id;
  ++written_;
  std::vector<int> ids = writer_->ids();
  ids.push_back(id);
  if (written_ < kNewTokens) return writer_->append(id);
  said_.generated_ids.assign(ids.begin(), ids.end());
  said_.generated_ids.push_back(double(ids.size()));
  for (const int each : ids) said_.generated_text += tokenizer_.text_of(each);
  writer_.reset();
  spent_ = all_;
  stage_ = Stage::done;
}

BookSaid said_by_book_gpt(const Tokenizer& tokenizer) {
  TorchRandom random(kBookGptSeed);
  const GptParams model = made_gpt(book_gpt(), random, kBookGptSeed);
  BookGpt gpt(model, tokenizer);
  while (!gpt.done()) gpt.step();
  return gpt.said();
}

}  // namespace lab
