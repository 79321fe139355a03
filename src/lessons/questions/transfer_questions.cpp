// The transfer bench: which copies fit, what each matrix is for, and a bias that nobody hears.
#include <algorithm>

#include "core/compare.hpp"
#include "core/forward.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"
#include "lessons/transfer_lesson.hpp"

namespace lab::questions {
namespace {

const Bench& bench(const Results& r) { return *r.runs.bench; }
float most(const Matrix& a, const Matrix& b) { return float(largest_size(Matrix(a - b))); }

// ---- a copy where a transpose belongs ---------------------------------------------------------------------

// The first slot, filled with its partner as it is stored.
Move plain_copy(const Results& r) {
  const Bench& b = bench(r);
  Move move = right_move(b.source, b.target, slots(b.source, b.target).front());
  move.op = MoveOp::copy;
  return move;
}
std::string shape_of(const AttentionParams& m, const Piece& piece) {
  const Parameter* p = find_parameter(m, piece.name);
  const Rect cells = piece.cells.value_or(whole(p->stored));
  return filled("{0} × {1}", {std::to_string(cells.rows()), std::to_string(cells.cols())});
}
bool is_refused(const Results& r) {
  return refusal(plain_copy(r), bench(r).source, bench(r).target).has_value();
}

const Question tr1 = {
    .id = "tr1",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results& r) {
          const Move move = plain_copy(r);
          return filled("{0} is {1}, and its slot is {2}. You copy it there as it is. What happens?",
                        {move.from, shape_of(bench(r).source, from_piece(move)),
                         shape_of(bench(r).target, to_piece(move))});
        },
    .answer = [](const Results& r) { return place(is_refused(r) ? 0 : 2); },
    .revealed = [](const Results& r) -> std::string {
      const auto refused = refusal(plain_copy(r), bench(r).source, bench(r).target);
      if (!refused) return "It fits, and nobody complains. Whether it is right, only the outputs can tell.";
      return filled("It is refused: {0} {1}", {refused->what, refused->why});
    },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (given == "1")
        return "copy_() never reads a matrix in another order: as many numbers are not the same shape.";
      return is_refused(r) ? "Rows and columns have changed places, and copy_() turns nothing round."
                           : "The two shapes are the same, so there is nothing to refuse.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Compare rows with rows and columns with columns.",
              "copy_() writes cell by cell. Does every cell have a place?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"It is refused", "It is reshaped", "It fits"};
    },
};

// ---- what the value matrix is not for ---------------------------------------------------------------------

// Query and key moved rightly, value not.
Sides without_value(const Results& r) {
  Bench b = bench(r);
  b.moves.clear();
  for (const std::string& slot : slots(b.source, b.target)) {
    const auto pair = pair_into(b.source, b.target, slot);
    if (pair && pair->slot && *pair->slot != Slot::value)
      b.moves.push_back(right_move(b.source, b.target, slot));
  }
  return run_both(b);
}
float maps_apart(const Results& r) {
  const Sides sides = without_value(r);
  return most(sides.source.trace.attn_weights, sides.target.trace.attn_weights);
}

extern const Question tr2;
const Question tr2 = {
    .id = "tr2",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) -> std::string {
      if (has_heads(bench(r).source.kind) || has_heads(bench(r).target.kind))
        return "This question is about modules of one head.";
      return needs_words(r, 1);
    },
    .asked =
        [](const Results&) {
          return std::string(
              "W_query and W_key have been moved the right way, W_value has not. How far apart are the "
              "attention weights of the two modules, at most?");
        },
    .answer = [](const Results& r) { return exactly(maps_apart(r)); },
    .revealed =
        [](const Results& r) {
          return filled("{0}: weights come from queries and keys alone. The outputs still differ by {1}.",
                        {difference_text(double(maps_apart(r))),
                         difference_text(double(without_value(r).comparison.max_difference))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (is_close(tr2, given, double(without_value(r).comparison.max_difference)))
        return "So far apart are the outputs. The weights are made before any value is looked at.";
      return "Which of the three matrices do the weights need?";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Scores are products of queries and keys.",
              "Equal queries and equal keys make equal scores, and softmax has no secret of its own."};
    },
};

// ---- which slip moves the outputs most --------------------------------------------------------------------

const Question tr3 = {
    .id = "tr3",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results&) {
          return std::string(
              "Three square matrices, seed 789. One of them is copied where a transpose belongs, and nothing "
              "complains. Which slip moves the outputs most?");
        },
    .answer =
        [](const Results& r) {
          const auto harm = harm_of_each_copy(r);
          return place(int(std::max_element(harm.begin(), harm.end()) - harm.begin()));
        },
    .revealed =
        [](const Results& r) {
          const auto harm = harm_of_each_copy(r);
          return filled(
              "Left untransposed, W_query moves the outputs by {0} at most, W_key by {1}, W_value by {2}.",
              {difference_text(harm[0]), difference_text(harm[1]), difference_text(harm[2])});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      const auto harm = harm_of_each_copy(r);
      return filled("That one moves them by {0} only: it decides who gets how much, not what is handed over.",
                    {difference_text(harm[given == "0"   ? 0
                                          : given == "1" ? 1
                                                         : 2])});
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Two of the three only decide who gets how much.",
              "In an untrained module the shares are nearly even, and stay so whatever decides them.",
              "The context is a blend: the shares say how much, and the third matrix makes what is blended."};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"W_query", "W_key", "W_value"};
    },
};

// ---- a bias that softmax does not see ---------------------------------------------------------------------

// How far the outputs of SelfAttention_v2 move when its key bias is forgotten.
float moved_by_key_bias(const Results& r) {
  Inputs in = r.inputs;
  in.bias = true;
  AttentionParams module = fresh_module(AttentionKind::v2, in, in.seed);
  const Matrix& words = r.runs.inputs.stored;
  const Matrix before = forward(module, words, {}).context_vec;
  module.W_key.bias.stored.setZero();
  return most(forward(module, words, {}).context_vec, before);
}

const Question tr4 = {
    .id = "tr4",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results&) {
          return std::string(
              "SelfAttention_v2 with qkv_bias=True. Everything is moved but the bias of W_key, which is "
              "forgotten. What becomes of the outputs?");
        },
    .answer =
        [](const Results& r) {
          constexpr float kRounding = 1e-6f;
          return place(moved_by_key_bias(r) < kRounding ? 0 : 1);
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "They stay: they move by {0}, which is rounding. q · (k + b) = q · k + q · b adds the same "
              "number to a whole row of scores, and softmax sees only differences.",
              {difference_text(double(moved_by_key_bias(r)))});
        },
    .why_not = [](const Results&, const std::string&) -> std::string {
      return "Write it out: q · (k + b) = q · k + q · b. By how much does each score of a row change?";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"The bias is added to every key alike.",
              "So every score of a row grows by the same number. What does softmax make of that?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"They stay the same", "They differ"};
    },
};

// The square bench with everything right, so that nothing gives the answer away.
void fill_square_bench(State& s) {
  set_square_trap(s);
  fill_all_slots(s);
}
void empty_bench(State& s) {
  s.inputs.moves.clear();
  s.inputs.fault.reset();
}

const CellName kLargest = {"difference", 1, 1};

}  // namespace

std::span<const Step> transfer() {
  static const Step all[] = {
      asking(tr1, {.cell = kLargest, .patch = empty_bench}),
      asking(tr2, {.cell = kLargest, .patch = empty_bench}),
      asking(tr3, {.cell = kLargest, .patch = fill_square_bench}),
      asking(tr4, {.cell = kLargest, .patch = empty_bench}),
  };
  return all;
}

}  // namespace lab::questions
