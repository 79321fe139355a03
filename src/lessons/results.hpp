// The numbers on the screen and the inputs that they came from. When the inputs differ, they are made anew.
#pragma once
#include <memory>
#include <optional>

#include "core/block_stack.hpp"
#include "core/runs.hpp"
#include "core/stage_glance.hpp"
#include "lessons/book_work.hpp"
#include "lessons/gpt_work.hpp"
#include "lessons/state.hpp"

namespace lab {

struct Results {
  Inputs inputs;
  Runs runs;
  std::optional<BlameSearch>
      search;                       // why the bench's outputs differ; advanced a little each frame until done
  std::optional<BlockStack> stack;  // of the block lesson; advanced likewise
  std::shared_ptr<BookWork> book;   // of the lesson about the book's numbers; advanced likewise
  std::shared_ptr<GptWork> gpt;     // of the GPT lesson; advanced likewise
  // Of the GPT's head that is looked at: its weights, and its stages where the text is long.
  StageGlance glance;
  std::vector<StageGlance> glances;
  // What one of the two has left to whichever is opened next: seconds and hundreds of megabytes.
  struct Left {
    std::shared_ptr<GptWork> gpt;
    BookKept book;
  };
  Left left;

  bool has_work() const;  // besides the GPT's and the book's
  void work_on();         // a piece of it
};

// tokenizer: what a GPT's text is cut with, null where there is none yet; before: what its work may take
// over.
Results results_of(const Inputs& inputs, const Tokenizer* tokenizer = nullptr,
                   const Results* before = nullptr);

bool any_slot_empty(const Results& r);

}  // namespace lab
