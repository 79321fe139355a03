// The work behind the page of the book's numbers: rows are computed one after the other, and when it is asked
// for GPT-2 small is drawn and read; a little at a time, so that the page goes on drawing.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/book_numbers.hpp"
#include "lessons/gpt_work.hpp"

namespace lab {

// What a visit leaves to the next one.
struct BookKept {
  std::shared_ptr<const BookSaid> said;  // by the model
  bool is_wanted = false;                // the run was started, and goes on when one comes back
  bool has_drawn = false;                // … in which the model was drawn
  double seconds = 0;                    // that it has taken so far, or took
  double last_seconds = 0;               // that the last whole run took, with drawing; 0: there was none
};

class BookWork {
 public:
  enum class Stage {
    waiting,  // for start()
    refused,  // problem() says why
    drawing,
    reading,
    done,
  };
  // tokenizer: null while the vocabulary is on its way. gpt: whatever model there is already, or null.
  BookWork(DropoutStream stream, const Tokenizer* tokenizer, BookKept kept, std::shared_ptr<GptWork> gpt);

  const BookChecks& checks() const { return checks_; }
  const Tokenizer* tokenizer() const { return tokenizer_; }
  Stage stage() const;
  const std::string& problem() const { return problem_; }
  bool is_running() const;                                   // the model's rows
  bool is_working() const;                                   // those or others: a frame is wanted
  bool is_drawn() const;                                     // the model is there already
  double progress() const;                                   // 0 … 1 of the run's time, about
  double seconds() const { return now_.seconds; }            // the run took, or has taken so far
  double seconds_left() const;                               // < 0: it cannot be told yet
  double last_seconds() const { return now_.last_seconds; }  // as in BookKept
  void remember(double last_seconds) { now_.last_seconds = last_seconds; }

  void start();   // computes all rows anew
  void cancel();  // what is not whole is let go; a model that is stays
  // Goes on for as long as it may; each piece takes some milliseconds. seconds: by a clock, from anywhere.
  void advance(double seconds, const std::function<bool()>& may_go_on);

  const BookKept& kept() const { return now_; }
  std::shared_ptr<GptWork> gpt() const { return gpt_; }

 private:
  void draw_on();
  void read_on();

  const Tokenizer* tokenizer_;
  BookChecks checks_;
  BookKept now_;
  std::shared_ptr<GptWork> gpt_;
  std::optional<BookGpt> reader_;
  std::string problem_;
  bool is_own_ = false;       // gpt_ was made here, not handed on
  double last_advance_ = -1;  // s
};

// Of its parameters, bytes.
std::int64_t book_gpt_bytes();

}  // namespace lab
