// The work behind the GPT lesson: a model's numbers are drawn, a text is read with it, and it writes on; a
// little at a time, so that the page goes on drawing.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpt_builder.hpp"
#include "core/gpt_reader.hpp"
#include "core/tokenizer.hpp"
#include "lessons/state.hpp"

namespace lab {

constexpr int kTokensToWrite = 10;

GptConfig gpt_config_of(const Inputs& in);

// What becomes of a model's numbers on a page, which is given some memory and no more.
struct GptPlan {
  bool by_block = false;    // too many to be kept: each block is drawn, used and let go
  bool keep_stream = true;  // resid_pre and resid_mid of every block are kept
  std::int64_t bytes = 0;   // the most that is held at a time
  std::int64_t tokens = 0;  // of the text, and those that it writes
};
GptPlan gpt_plan(const GptConfig& config, int tokens);
constexpr std::int64_t kSmallEnough = 20'000'000;  // parameters that are drawn without being asked for
constexpr std::int64_t kMostBytes = 2'400'000'000;

class GptWork {
 public:
  enum class Stage {
    no_words,  // or no vocabulary yet
    refused,   // problem() says why
    waiting,   // the numbers are many: start() draws them
    drawing,   // and reading as far as there are numbers
    reading,
    writing,
    halted,  // start() goes on
    done,
  };

  // tokenizer: null while the vocabulary is on its way. Takes over what another work has already made.
  GptWork(const Inputs& in, const Tokenizer* tokenizer, const GptWork* before);

  Stage stage() const;
  const std::string& problem() const { return problem_; }
  double progress() const;                     // 0 … 1, of the stage
  std::optional<double> seconds_left() const;  // of the stage, once that can be told
  bool is_working() const;

  void start() { wanted_ = true, halted_ = false; }
  void cancel();
  // Goes on for as long as it may; each piece takes some milliseconds. now: ms, of any clock.
  void advance(const std::function<bool()>& may_go_on, double now = 0);

  const GptConfig& config() const { return config_; }
  const GptPlan& plan() const { return plan_; }
  const std::vector<int>& ids() const { return ids_; }
  const std::vector<std::string>& tokens() const { return tokens_; }  // their texts, a blank as "·"
  // How the piece that a token is of was put together: its tokens at first, byte by byte, and after each
  // merge.
  std::vector<std::vector<std::string>> merges(int token) const;
  int cut() const { return cut_; }  // tokens that had no place
  int blocks_drawn() const;
  // Embeddings, head and what blocks are there; null: nothing yet.
  const GptParams* model() const;
  const GptReader* reading() const { return reader_.get(); }  // of the text
  bool has_read() const { return reader_ && reader_->given_logits().size() != 0; }
  const Matrix& logits() const { return reader_->given_logits(); }  // once it has read: 1 × vocab_size
  const std::vector<int>& written() const { return written_; }      // ids that it added
  int to_write() const;                                             // how many it adds in all
  std::string text_of(int id) const;

 private:
  void take_ids(const std::string& text);
  void take_over(const GptWork& before);
  bool begin_drawing();
  void go_on_reading();
  void go_on_writing();
  void measure(double now);

  std::uint64_t seed_;
  GptConfig config_;
  GptHow how_;
  struct Choice {  // of the next token
    double temperature;
    int top_k;
    bool by_chance;
    bool operator==(const Choice&) const = default;
  } choice_;
  GptPlan plan_;
  std::string problem_;
  const Tokenizer* tokenizer_;
  std::vector<int> ids_, written_;
  std::vector<std::string> tokens_, pieces_;  // of each token its text, and the piece that it is of
  int cut_ = 0;
  bool wanted_ = false, halted_ = false;
  std::shared_ptr<GptBuilder> builder_;
  std::shared_ptr<GptReader> reader_;
  TorchRandom chance_;
  struct Measured {
    Stage stage;
    double since, from, at;  // ms, progress, ms
  };
  std::optional<Measured> measured_;
};

std::string shown_token(const std::string& text);  // " am" → "·am"

}  // namespace lab
