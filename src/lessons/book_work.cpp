#include "lessons/book_work.hpp"

#include <algorithm>

#include "lessons/texts/book_texts.hpp"

namespace lab {
namespace {

// Of the run's time in a browser, about: drawing takes this part. Normal numbers, of the embeddings, which
// come first, cost several times what the others do.
constexpr double kDrawing = .6;
constexpr double kNormal = 4;
constexpr double kLongestFrame = 1;  // s: what took longer was a pause
constexpr double kTellFrom = .04;    // of the progress: before it, nothing can be told from it

Inputs inputs_of_book_gpt() {
  Inputs in{.lesson = "gpt"};
  in.gpt_size = gpt_sizes().front().id;
  in.seed = kBookGptSeed;
  return in;
}

// Whole, and drawn as the book has it.
bool is_book_gpt(const GptWork& work) {
  const GptWork::Stage stage = work.stage();
  const bool is_drawn = stage != GptWork::Stage::refused && stage != GptWork::Stage::waiting &&
                        stage != GptWork::Stage::drawing && !work.plan().by_block;
  return is_drawn && work.config() == book_gpt() &&
         work.model()->out_head.origins.front().seed == kBookGptSeed;
}

// Of the time that drawing takes, where this part of the numbers is drawn.
double part_of_drawing(double drawn) {
  const GptConfig c = book_gpt();
  const double normal =
      double(c.vocab_size + c.context_length) * c.emb_dim / double(ledger_of(c, 1, 1).parameters);
  const auto cost = [&](double part) { return part + (kNormal - 1) * std::min(part, normal); };
  return cost(drawn) / cost(1);
}

}  // namespace

std::int64_t book_gpt_bytes() { return ledger_of(book_gpt(), 1, 1).bytes; }

BookWork::BookWork(DropoutStream stream, const Tokenizer* tokenizer, BookKept kept,
                   std::shared_ptr<GptWork> gpt)
    : tokenizer_(tokenizer), checks_(stream), now_(std::move(kept)), gpt_(std::move(gpt)) {
  if (tokenizer_) checks_.check_with(*tokenizer_);
  if (now_.said) checks_.check_with(*now_.said);
}

bool BookWork::is_drawn() const { return gpt_ && is_book_gpt(*gpt_); }

BookWork::Stage BookWork::stage() const {
  if (!problem_.empty()) return Stage::refused;
  if (now_.said) return Stage::done;
  if (!now_.is_wanted) return Stage::waiting;
  return is_drawn() ? Stage::reading : Stage::drawing;
}

bool BookWork::is_running() const {
  const Stage s = stage();
  return s == Stage::drawing || s == Stage::reading;
}

// Without a vocabulary the run stands still when the model is drawn, and goes on when it comes.
bool BookWork::is_working() const {
  return !checks_.done() || stage() == Stage::drawing || (stage() == Stage::reading && tokenizer_);
}

double BookWork::progress() const {
  if (now_.said) return 1;
  const double read = reader_ ? reader_->progress() : 0;
  if (is_drawn()) return now_.has_drawn ? kDrawing + (1 - kDrawing) * read : read;
  return now_.has_drawn && gpt_ ? kDrawing * part_of_drawing(gpt_->progress()) : 0;
}

double BookWork::seconds_left() const {
  const double done = progress();
  return done < kTellFrom ? -1 : now_.seconds * (1 - done) / done;
}

void BookWork::start() {
  checks_ = BookChecks(checks_.stream());
  if (tokenizer_) checks_.check_with(*tokenizer_);
  reader_.reset();
  problem_.clear();
  now_ = {.is_wanted = true, .last_seconds = now_.last_seconds};
}

void BookWork::cancel() {
  now_.is_wanted = false;
  reader_.reset();
  if (is_drawn() || !is_own_) return;
  gpt_.reset();
  is_own_ = false;
}

// Another model makes room for it first. One that is half drawn, here or in its own lesson, is gone on with.
void BookWork::draw_on() {
  if (!is_own_) {
    gpt_ = std::make_shared<GptWork>(inputs_of_book_gpt(), nullptr, gpt_.get());
    gpt_->start();
    is_own_ = now_.has_drawn = true;
  }
  int pieces = 0;
  gpt_->advance([&] { return pieces++ == 0; });
  if (gpt_->problem().empty()) return;
  problem_ = book_texts::no_room();
  cancel();
}

void BookWork::read_on() {
  if (!reader_) reader_.emplace(*gpt_->model(), *tokenizer_);
  reader_->step();
  if (!reader_->done()) return;
  now_.said = std::make_shared<const BookSaid>(reader_->said());
  now_.is_wanted = false;
  if (now_.has_drawn) now_.last_seconds = now_.seconds;
  reader_.reset();
  checks_.check_with(*now_.said);
}

void BookWork::advance(double now, const std::function<bool()>& may_go_on) {
  if (is_running() && last_advance_ >= 0) now_.seconds += std::min(now - last_advance_, kLongestFrame);
  last_advance_ = now;
  while (is_working() && may_go_on()) {
    if (!checks_.done())
      checks_.check_next();
    else if (is_drawn())
      read_on();
    else
      draw_on();
  }
}

}  // namespace lab
