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

constexpr int kMaxTokens = 64, kTokensToWrite = 10;

GptConfig gpt_config_of(const Inputs& in);
// What is kept in memory, bytes: its parameters, and what is read with them.
std::int64_t gpt_bytes(const GptConfig& config);
constexpr std::int64_t kSmallEnough = 20'000'000;  // parameters that are drawn without being asked for
constexpr std::int64_t kLargest = 2'000'000'000;   // bytes that are tried at all

class GptWork {
 public:
  enum class Stage {
    no_words,  // or no vocabulary yet
    refused,   // problem() says why
    waiting,   // the numbers are many: start() draws them
    drawing,
    reading,
    writing,
    done,
  };

  // tokenizer: null while the vocabulary is on its way. Takes over what another work has already made.
  GptWork(const Inputs& in, const Tokenizer* tokenizer, const GptWork* before);

  Stage stage() const;
  const std::string& problem() const { return problem_; }
  double progress() const;  // 0 … 1, of drawing
  bool is_working() const;

  void start() { wanted_ = true; }
  void cancel();
  // Goes on for as long as it may; each piece takes a few milliseconds.
  void advance(const std::function<bool()>& may_go_on);

  const GptConfig& config() const { return config_; }
  const std::vector<int>& ids() const { return ids_; }
  const std::vector<std::string>& tokens() const { return tokens_; }  // their texts, a blank as "·"
  // How the piece that a token is of was put together: its tokens at first, byte by byte, and after each
  // merge.
  std::vector<std::vector<std::string>> merges(int token) const;
  int cut() const { return cut_; }                         // tokens that had no place
  const GptParams* model() const { return model_.get(); }  // null: not drawn
  int blocks_drawn() const;
  const GptReader* reading() const { return reader_ ? &*reader_ : nullptr; }  // of the text
  bool has_read() const { return reader_ && reader_->done(); }
  const std::vector<int>& written() const { return written_; }  // ids that it added
  std::string text_of(int id) const;

 private:
  std::uint64_t seed_;
  GptConfig config_;
  GptHow how_;
  std::string problem_;
  const Tokenizer* tokenizer_;
  std::vector<int> ids_, written_;
  std::vector<std::string> tokens_, pieces_;  // of each token its text, and the piece that it is of
  int cut_ = 0;
  bool wanted_ = false;
  std::shared_ptr<GptBuilder> builder_;
  std::shared_ptr<const GptParams> model_;
  std::optional<GptReader> reader_, writer_;
};

std::string shown_token(const std::string& text);  // " am" → "·am"

}  // namespace lab
