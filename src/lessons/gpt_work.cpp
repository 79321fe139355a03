#include "lessons/gpt_work.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/multi_head.hpp"
#include "core/words.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {
namespace {

constexpr std::int64_t kSlice = 1 << 16;  // numbers, about a millisecond's

// The memory is there to be had; asked for once, before anything is drawn.
bool has_room_for(std::int64_t bytes) {
  void* block = std::malloc(std::size_t(bytes));
  std::free(block);
  return block != nullptr;
}

std::string megabytes(std::int64_t bytes) { return decimals(mebibytes(bytes), 0) + " MB"; }

std::string why_not(const GptConfig& c) {
  if (!can_split(c.emb_dim, c.n_heads))
    return multi_head_texts::cannot_share(c.emb_dim, c.n_heads, "emb_dim");
  const std::int64_t bytes = gpt_bytes(c);
  if (bytes > kLargest)
    return filled(
        "{0} are more than a page may keep. Its parts and its figures stand here; its numbers are not drawn.",
        {megabytes(bytes)});
  return "";
}

}  // namespace

GptConfig gpt_config_of(const Inputs& in) {
  GptConfig c{.emb_dim = in.gpt_dim, .n_heads = in.gpt_heads, .n_layers = in.gpt_layers};
  for (const GptSize& size : gpt_sizes())
    if (in.gpt_size == size.id) c = size.config;
  c.qkv_bias = in.bias;
  return c;
}

std::int64_t gpt_bytes(const GptConfig& c) {
  constexpr std::int64_t kept_per_number =
      6 * 4;  // of each block: two of the stream, queries, keys, values, a map
  return ledger_of(c, kMaxTokens, 1).bytes +
         std::int64_t(c.n_layers) * kMaxTokens * (c.emb_dim + 64) * kept_per_number;
}

std::string shown_token(const std::string& text) {
  std::string shown;
  for (const char letter : text) {
    if (letter == ' ')
      shown += "·";
    else if (letter == '\n')
      shown += "↵";
    else
      shown += letter;
  }
  return shown;
}

GptWork::GptWork(const Inputs& in, const Tokenizer* tokenizer, const GptWork* before)
    : seed_(in.seed), config_(gpt_config_of(in)), problem_(why_not(config_)), tokenizer_(tokenizer) {
  how_ = {.tied = in.tied, .shortcuts = in.shortcuts, .scaled = in.scaled};
  if (tokenizer) {
    for (const std::string_view piece : tokenizer->pieces_of(in.text))
      for (const int id : tokenizer->encode(piece)) {
        ids_.push_back(id);
        tokens_.push_back(shown_token(tokenizer->text_of(id)));
        pieces_.emplace_back(piece);
      }
    cut_ = std::max(0, int(ids_.size()) - kMaxTokens);
    ids_.erase(ids_.begin(), ids_.begin() + cut_);
    tokens_.erase(tokens_.begin(), tokens_.begin() + cut_);
    pieces_.erase(pieces_.begin(), pieces_.begin() + cut_);
  }
  wanted_ = ledger_of(config_, 1, 1).parameters <= kSmallEnough;
  if (!before || !problem_.empty() || !(before->config_ == config_) || before->seed_ != seed_) return;
  wanted_ |= before->wanted_;
  builder_ = before->builder_;
  model_ = before->model_;
}

GptWork::Stage GptWork::stage() const {
  if (!problem_.empty()) return Stage::refused;
  if (!model_) return wanted_ ? Stage::drawing : Stage::waiting;
  if (ids_.empty()) return Stage::no_words;
  if (!has_read()) return Stage::reading;
  return int(written_.size()) < kTokensToWrite ? Stage::writing : Stage::done;
}

bool GptWork::is_working() const {
  const Stage s = stage();
  return s == Stage::drawing || s == Stage::reading || s == Stage::writing;
}

double GptWork::progress() const { return model_ ? 1 : builder_ ? builder_->progress() : 0; }
int GptWork::blocks_drawn() const {
  return model_ ? config_.n_layers : builder_ ? builder_->blocks_done() : 0;
}
std::string GptWork::text_of(int id) const { return tokenizer_ ? tokenizer_->text_of(id) : ""; }

std::vector<std::vector<std::string>> GptWork::merges(int token) const {
  std::vector<std::vector<std::string>> all;
  if (!tokenizer_ || token < 0 || token >= int(pieces_.size())) return all;
  const std::string& piece = pieces_[std::size_t(token)];
  std::vector<std::string> bytes;
  for (const char byte : piece) bytes.push_back(shown_token(std::string(1, byte)));
  all.push_back(std::move(bytes));
  for (const Tokenizer::Merge& merge : tokenizer_->merges_of(piece)) {
    all.emplace_back();
    for (const int id : merge.tokens) all.back().push_back(shown_token(tokenizer_->text_of(id)));
  }
  return all;
}

void GptWork::cancel() {
  wanted_ = false;
  builder_.reset();
}

void GptWork::advance(const std::function<bool()>& may_go_on) {
  while (is_working() && may_go_on()) {
    switch (stage()) {
      case Stage::drawing:
        if (!builder_) {
          if (!has_room_for(gpt_bytes(config_))) {
            problem_ = filled("This device gives the page no {0}. A smaller size will do.",
                              {megabytes(gpt_bytes(config_))});
            return;
          }
          builder_ = std::make_shared<GptBuilder>(config_, TorchRandom(seed_), seed_);
        }
        builder_->draw(kSlice);
        if (builder_->done()) model_ = std::make_shared<const GptParams>(builder_->take());
        if (model_) builder_.reset();
        break;
      case Stage::reading:
        if (!reader_) reader_.emplace(*model_, ids_, how_);
        reader_->step();
        break;
      case Stage::writing:
        if (!writer_) writer_.emplace(*reader_);
        if (!writer_->done()) {
          writer_->step();
          break;
        }
        written_.push_back(next_tokens(writer_->logits(), 1).top[0].id);
        if (int(written_.size()) < kTokensToWrite) writer_->append(written_.back());
        break;
      default: return;
    }
  }
}

}  // namespace lab
