// What chapter 4 has GPT-2 small say, computed from the drawn model a little at a time, so that a page can
// draw between two pieces.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gpt.hpp"
#include "core/gpt_reader.hpp"
#include "core/tokenizer.hpp"

namespace lab {

constexpr std::uint64_t kBookGptSeed = 123;
GptConfig book_gpt();  // GPT-2 small

// The numbers of the cells that take the model, as they print them.
struct BookSaid {
  struct InTraining {                                // dropout acts
    std::vector<double> dummy_logits, model_logits;  // of DummyGPTModel, of GPTModel
  };
  std::array<InTraining, 2> in_training;  // by DropoutStream
  std::vector<double> generated_ids;      // and how many
  std::string generated_text;
};
// Row 1 and 2 of the batch that the chapter reads, then the ids of its prompt and their shape.
std::vector<double> book_batch_ids(const Tokenizer& tokenizer);
std::vector<double> book_prompt_ids(const Tokenizer& tokenizer);

class BookGpt {
 public:
  // model: book_gpt(), drawn from kBookGptSeed. It and the tokenizer must outlive this.
  BookGpt(const GptParams& model, const Tokenizer& tokenizer);

  void step();  // one piece: at most a block of the model
  bool done() const { return stage_ == Stage::done; }
  double progress() const { return spent_ / all_; }  // 0 … 1 of the time it takes, about
  const BookSaid& said() const { return said_; }     // whole once done

 private:
  enum class Stage { to_dummy_head, dummy_head, to_masks, training, writing, done };
  // A sequence on its way through the blocks in training mode.
  struct Sequence {
    GptPass pass;
    Matrix x;  // T × emb_dim
  };
  void skip_to(std::int64_t draws, Stage next);
  void draw_dummy_head();
  void say_as_dummy(DropoutStream stream);
  void begin_training(DropoutStream stream);
  void train_a_block();
  void write_on();

  const GptParams& model_;
  const Tokenizer& tokenizer_;
  std::vector<std::vector<int>> batch_;
  BookSaid said_;
  Stage stage_ = Stage::to_dummy_head;
  TorchRandom random_, behind_dummy_;
  int row_ = 0;         // of the dummy's output head, the next to be drawn
  Matrix dummy_edges_;  // of that head the rows whose logits are printed × emb_dim
  DropoutStream stream_ = DropoutStream::mac;
  std::vector<Sequence> sequences_;
  std::size_t sequence_ = 0, block_ = 0;
  std::optional<GptReader> writer_;
  int written_ = 0;
  double spent_ = 0, all_ = 0, before_writing_ = 0;
};

// All at once: the model is drawn, read and let go. Seconds and 622 MB.
BookSaid said_by_book_gpt(const Tokenizer& tokenizer);

}  // namespace lab
