#include "lessons/gpt_work.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/multi_head.hpp"
#include "core/words.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {
namespace {

constexpr std::int64_t kSlice = 1 << 16;              // numbers, some milliseconds'
constexpr std::int64_t kFloat = 4;                    // bytes
constexpr std::int64_t kMostForStream = 300'000'000;  // bytes

// The memory is there to be had; asked for once, before anything is drawn.
bool has_room_for(std::int64_t bytes) {
  void* block = std::malloc(std::size_t(bytes));
  std::free(block);
  return block != nullptr;
}

std::string megabytes(std::int64_t bytes) { return decimals(mebibytes(bytes), 0) + " MiB"; }

std::string why_not(const GptConfig& c, const GptPlan& plan) {
  if (!can_split(c.emb_dim, c.n_heads))
    return multi_head_texts::cannot_share(c.emb_dim, c.n_heads, "emb_dim");
  if (plan.bytes > kMostBytes)
    return filled(
        "{0} are more than a page may keep. Its parts and its figures stand here; its numbers are not drawn.",
        {megabytes(plan.bytes)});
  return "";
}

// What stays of a model whose blocks come and go: its tables, and a block.
std::int64_t largest_part(const GptConfig& config) {
  GptConfig one = config;
  one.n_layers = 1;
  return ledger_of(one, 1, 1).bytes;
}

}  // namespace

GptConfig gpt_config_of(const Inputs& in) {
  GptConfig c{.emb_dim = in.gpt_dim, .n_heads = in.gpt_heads, .n_layers = in.gpt_layers};
  for (const GptSize& size : gpt_sizes())
    if (in.gpt_size == size.id) c = size.config;
  c.qkv_bias = in.bias;
  c.dummy = in.dummy;
  return c;
}

GptPlan gpt_plan(const GptConfig& c, int tokens) {
  GptPlan plan{.tokens = std::min(tokens + kTokensToWrite, c.context_length)};
  const auto kept = [&](bool stream) {
    return kFloat * GptReader::numbers_kept(c, int(plan.tokens), stream);
  };
  plan.keep_stream = kept(true) - kept(false) <= kMostForStream;
  const std::int64_t whole = ledger_of(c, 1, 1).bytes + kept(plan.keep_stream);
  plan.by_block = whole > kMostBytes;
  plan.bytes = plan.by_block ? largest_part(c) + kept(plan.keep_stream) : whole;
  return plan;
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
    : seed_(in.seed),
      config_(gpt_config_of(in)),
      how_{.tied = in.tied, .shortcuts = in.shortcuts, .scaled = in.scaled},
      choice_{in.temperature, in.top_k, in.by_chance},
      tokenizer_(tokenizer),
      chance_(in.seed) {
  if (tokenizer) take_ids(in.text);
  plan_ = gpt_plan(config_, int(ids_.size()));
  problem_ = why_not(config_, plan_);
  how_.keep_stream = plan_.keep_stream;
  how_.more = int(plan_.tokens) - int(ids_.size());
  wanted_ = ledger_of(config_, 1, 1).parameters <= kSmallEnough;
  if (before && problem_.empty() && before->config_ == config_ && before->seed_ == seed_ &&
      before->plan_.by_block == plan_.by_block)
    take_over(*before);
}

void GptWork::take_ids(const std::string& text) {
  for (const std::string_view piece : tokenizer_->pieces_of(text))
    for (const int id : tokenizer_->encode(piece)) {
      ids_.push_back(id);
      tokens_.push_back(shown_token(tokenizer_->text_of(id)));
      pieces_.emplace_back(piece);
    }
  cut_ = std::max(0, int(ids_.size()) - config_.context_length);
  ids_.erase(ids_.begin(), ids_.begin() + cut_);
  tokens_.erase(tokens_.begin(), tokens_.begin() + cut_);
  pieces_.erase(pieces_.begin(), pieces_.begin() + cut_);
}

// The numbers, and where the same is read in the same way, what was read.
void GptWork::take_over(const GptWork& before) {
  wanted_ |= before.wanted_;
  builder_ = before.builder_;
  if (before.reader_ && before.ids_ == ids_ && before.how_ == how_) {
    reader_ = before.reader_;
    halted_ = before.halted_;
    if (before.choice_ == choice_) {
      written_ = before.written_;
      chance_ = before.chance_;
    } else if (has_read()) {
      reader_->forget_appended();
    }
  } else if (builder_ && plan_.by_block) {
    builder_->draw_blocks_again();
  }
}

int GptWork::to_write() const {
  return plan_.by_block ? 0 : std::min(kTokensToWrite, config_.context_length - int(ids_.size()));
}

GptWork::Stage GptWork::stage() const {
  if (!problem_.empty()) return Stage::refused;
  if (!builder_ && !wanted_) return Stage::waiting;
  if (halted_) return Stage::halted;
  const bool drawn = builder_ && builder_->done();
  if (ids_.empty()) return drawn || plan_.by_block ? Stage::no_words : Stage::drawing;
  if (!drawn) return Stage::drawing;
  if (!has_read()) return Stage::reading;
  return int(written_.size()) < to_write() ? Stage::writing : Stage::done;
}

bool GptWork::is_working() const {
  const Stage s = stage();
  return s == Stage::drawing || s == Stage::reading || s == Stage::writing;
}

double GptWork::progress() const {
  switch (stage()) {
    case Stage::drawing: return builder_ ? builder_->progress() : 0;
    case Stage::reading: return reader_ ? reader_->progress() : 0;
    case Stage::writing: return double(written_.size()) / to_write();
    case Stage::done: return 1;
    default: return 0;
  }
}

// Told from how long the stage has taken so far.
std::optional<double> GptWork::seconds_left() const {
  constexpr double kEnough = 1000;  // ms
  if (!measured_ || measured_->stage != stage()) return {};
  const double took = measured_->at - measured_->since, done = progress() - measured_->from;
  if (took < kEnough || done <= 0) return {};
  return took * (1 - progress()) / done / 1000;
}

void GptWork::measure(double now) {
  if (!measured_ || measured_->stage != stage()) measured_ = Measured{stage(), now, progress(), now};
  measured_->at = now;
}

int GptWork::blocks_drawn() const { return builder_ ? builder_->blocks_done() : 0; }
const GptParams* GptWork::model() const {
  return builder_ && builder_->has_embeddings() ? &builder_->params() : nullptr;
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

// While numbers are drawn they are let go; a text that is being read stays where it is.
void GptWork::cancel() {
  if (stage() == Stage::reading || stage() == Stage::writing) {
    halted_ = true;
    return;
  }
  wanted_ = false;
  reader_.reset();
  builder_.reset();
}

bool GptWork::begin_drawing() {
  if (!has_room_for(plan_.bytes)) {
    problem_ = filled("This device gives the page no {0}. A smaller size will do.", {megabytes(plan_.bytes)});
    return false;
  }
  builder_ = std::make_shared<GptBuilder>(config_, TorchRandom(seed_), seed_);
  return true;
}

// One step down the tower, where the numbers for it are there; else more of them.
void GptWork::go_on_reading() {
  if (!reader_ && !ids_.empty() && builder_->has_embeddings())
    reader_ = std::make_shared<GptReader>(builder_->params(), ids_, how_);
  if (!reader_ || reader_->done()) return builder_->draw(kSlice);
  const int block = reader_->block(), layers = int(reader_->blocks().size());
  if (!(block < layers ? builder_->has_block(block) : builder_->has_head())) return builder_->draw(kSlice);
  reader_->step();
  if (plan_.by_block && block < layers && reader_->block() != block) builder_->let_go(block);
}

void GptWork::go_on_writing() {
  if (!reader_->done()) return reader_->step();
  const Matrix& logits = reader_->logits();
  written_.push_back(choice_.by_chance
                         ? token_by_chance(logits, choice_.temperature, choice_.top_k, chance_.uniform())
                         : next_tokens(logits, 1).top[0].id);
  if (int(written_.size()) < to_write()) reader_->append(written_.back());
}

void GptWork::advance(const std::function<bool()>& may_go_on, double now) {
  measure(now);
  while (is_working() && may_go_on()) {
    if (!builder_ && !begin_drawing()) return;
    if (stage() == Stage::writing)
      go_on_writing();
    else
      go_on_reading();
  }
}

}  // namespace lab
