#include "lessons/transfer_lesson.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/turn.hpp"
#include "lessons/compute.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

const Bench& bench(const Results& r) { return *r.runs.bench; }
std::string largest(const Results& r) { return difference_text(r.runs.comparison.max_difference); }

std::string shape(const Parameter& p) { return shape_text(int(p.stored.rows()), int(p.stored.cols())); }

std::string output_row(const Results& r, int run, int row) {
  const Matrix& out = r.runs.runs[std::size_t(run)].trace.context_vec;
  std::string text;
  for (int c = 0; c < std::min<int>(3, int(out.cols())); ++c) text += (c ? " " : "") + decimals(out(row, c));
  return text + (out.cols() > 3 ? " …" : "");
}

// The word that sentences speak of: the second, as in the book, or the last that there is.
int told_row(const Results& r) { return told_row(r, 1); }
std::string told_word(const Results& r) {
  return r.runs.words.empty() ? "" : "“" + word(r, told_row(r)) + "”";
}

std::string blame_text(const Results& r);

std::string pair_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (r.inputs.fault) return blame_text(r);
  if (r.runs.comparison.all_close)
    return filled(
        "Both classes compute attention, and already {0} comes out alike on both sides: {1}. Move the left "
        "weights over all the same.",
        {told_word(r), output_row(r, 0, told_row(r))});
  if (!any_slot_empty(r))
    return filled(
        "Every slot is filled, and still {0} comes out as {1} on the left and {2} on the right. The verdict "
        "says why.",
        {told_word(r), output_row(r, 0, told_row(r)), output_row(r, 1, told_row(r))});
  return filled(
      "Both classes compute attention, each made right after its own seed. Yet {0} comes out as {1} on the "
      "left and "
      "{2} on the right. Your job: move the left weights into the right module until the outputs agree.",
      {told_word(r), output_row(r, 0, told_row(r)), output_row(r, 1, told_row(r))});
}

std::string draws_text(const Results& r) {
  const auto linear = [](const AttentionParams& m) { return m.kind != AttentionKind::v1; };
  const bool left = linear(bench(r).source), right = linear(bench(r).target);
  const std::string width = std::to_string(r.inputs.d_in);
  const bool same_dice = r.inputs.target_seed.value_or(r.inputs.seed) == r.inputs.seed;
  const std::string dice = same_dice
                               ? "Both roll the same dice: numbers u between 0 and 1, one after another."
                               : "Each rolls its own dice, by its own seed: numbers u between 0 and 1.";
  if (left && right)
    return filled(
        "{0} nn.Linear stretches each to (2u - 1) ÷ √{1} and lays them out in rows of {1}, a row per output "
        "number.",
        {dice, width});
  if (!left && !right)
    return filled(
        "{0} nn.Parameter(torch.rand) keeps each u as it is, in rows of {1}, a row per input number.",
        {dice, std::to_string(r.inputs.d_out)});
  const std::string bias = r.inputs.bias ? " A bias takes draws of its own, so later ones shift." : "";
  return filled(
      "{0} nn.Parameter keeps u. nn.Linear stretches it to (2u - 1) ÷ √{1} and lays it out in rows of {1}. "
      "Other recipe, other shape.{2}",
      {dice, width, bias});
}

std::string drag_text(const Results& r, Slot slot) {
  const Parameter &from = projection(bench(r).source, slot).weight,
                  &to = projection(bench(r).target, slot).weight;
  const Move right = right_move(bench(r).source, bench(r).target, to.name);
  if (right.op == MoveOp::copy)
    return filled(
        "Drag {0} onto {1}. Both keep it the same way, {2}, so a plain copy is right. Largest difference "
        "now: {3}.",
        {from.name, to.name, shape(from), largest(r)});
  const Parameter &linear = from.stored_transposed ? from : to, &plain = from.stored_transposed ? to : from;
  return filled(
      "Drag {0} onto {1}. nn.Linear computes x @ W.T and keeps outputs by inputs, {2}; x @ W needs inputs by "
      "outputs, {3}. A transpose is right. Largest difference now: {4}.",
      {from.name, to.name, shape(linear), shape(plain), largest(r)});
}

std::string query_text(const Results& r) { return drag_text(r, Slot::query); }

std::string key_text(const Results& r) {
  const Matrix &a = r.runs.runs[0].trace.attn_weights, &b = r.runs.runs[1].trace.attn_weights;
  const Comparison shares = compared(b, a, r.inputs.rtol, r.inputs.atol);
  std::string text = drag_text(r, Slot::key);
  if (shares.all_close && !r.runs.words.empty() && !r.runs.comparison.all_close && !r.inputs.fault)
    text += " The attention weights of both modules agree now; what they share out does not.";
  return text;
}

std::string value_text(const Results& r) {
  return drag_text(r, Slot::value) +
         " Query and key only decide the shares; the values are what is handed out.";
}

std::string match_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (!r.runs.comparison.all_close || any_slot_empty(r))
    return filled(
        "Not there yet: the outputs differ by {0}. Fill every slot, or press Auto and look at what it did.",
        {largest(r)});
  return "allclose says True. You never compared two weights: you ran one input through both modules, and "
         "the "
         "outputs agree. That is the whole test, and the only one this transfer needs.";
}

constexpr const char* kChooseAgain = "This step shows a bench of its own. Choose it again to set it up.";

bool is_square(const Results& r) {
  return r.inputs.d_in == r.inputs.d_out && !any_slot_empty(r) && !r.inputs.fault;
}

std::string square_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (!is_square(r)) return kChooseAgain;
  if (r.runs.comparison.all_close)
    return "With d_in = d_out every plain copy fits, and a copy of all three would be wrong without any "
           "error. Here "
           "the outputs agree.";
  return filled(
      "Now d_in = d_out = {0}. Every plain copy fits: no error, no warning. Row {1} should read {2}. It "
      "reads {3}. A "
      "shape that fits proves nothing.",
      {std::to_string(r.inputs.d_in), told_word(r), output_row(r, 0, told_row(r)),
       output_row(r, 1, told_row(r))});
}

std::string slip_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (!is_square(r)) return kChooseAgain;
  if (r.runs.comparison.all_close) return "The outputs agree now, and only allclose could tell you so.";
  int same = 0;
  const Matrix &a = r.runs.runs[0].trace.context_vec, &b = r.runs.runs[1].trace.context_vec;
  for (int i = 0; i < a.size(); ++i) same += decimals(a.data()[i], 2) == decimals(b.data()[i], 2);
  return filled(
      "Something was left plain. The outputs are off by {0} at most: {1} of {2} cells agree to two decimals. "
      "Your "
      "eyes may say yes. allclose says False.",
      {largest(r), std::to_string(same), std::to_string(a.size())});
}

std::string blame_text(const Results& r) {
  const int tried = r.search ? r.search->tried() : 0;
  if (r.inputs.fault)
    return "One thing is wrong, and you say which: click the slot. The verdict finds it by trying every slot "
           "again, "
           "transposed, copied, from another source, and running both modules each time.";
  if (tried == 0)
    return "Press Break it: one thing goes wrong, and you say which. To find it, the verdict tries every "
           "slot again, "
           "transposed, copied, from another source, and runs both modules each time.";
  return filled(
      "Which matrix is wrong? The verdict tries every slot again: transposed, copied, from another source, "
      "left "
      "alone. After {0} tries the smallest repair that makes the outputs match is the culprit.",
      {std::to_string(tried)});
}

std::string freedom_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const bool turned = std::any_of(r.inputs.edits.begin(), r.inputs.edits.end(),
                                  [](const Edit& e) { return e.cell.name.starts_with(kTarget); });
  if (!turned || !r.runs.comparison.all_close || any_slot_empty(r)) return kChooseAgain;
  return filled(
      "Query and key space of the right module are turned by the same 30 degrees. Its weights changed, its "
      "outputs "
      "by {0}, which is rounding. Many weights behave alike: that is why outputs are the judge.",
      {largest(r)});
}

void set_slip(State& s) {
  set_square_trap(s);
  fill_all_slots(s);
  s.inputs.moves[0].op = MoveOp::copy;
}

// Turns the first two output numbers of query and key alike; every dot product stays what it was.
void set_freedom(State& s) {
  if (s.inputs.d_out < 2) s.inputs.d_out = 2;
  if (4 * s.inputs.d_in > kMaxEdits) s.inputs.d_in = 3;  // two columns of two matrices are edited
  s.inputs.bias = s.inputs.as_is = false;
  fill_all_slots(s);
  const Runs runs = compute(s.inputs);
  const AttentionParams& target = runs.runs[1].module;
  for (const Slot slot : {Slot::query, Slot::key})
    for (const Parameter* p : {&projection(target, slot).weight, &projection(target, slot).bias}) {
      if (p->empty()) continue;
      const Parameter turned = turned_outputs(*p, std::numbers::pi / 6);
      for (int r = 0; r < p->stored.rows(); ++r)
        for (int c = 0; c < p->stored.cols(); ++c)
          if (turned.stored(r, c) != p->stored(r, c) && int(s.inputs.edits.size()) < kMaxEdits)
            s.inputs.edits.push_back({{kTarget + p->name, r, c}, turned.stored(r, c)});
    }
}

const CellName kLargest = {"difference", 1, 1};

// ---- the question -----------------------------------------------------------------------------------------

// The square bench with everything right, so that nothing gives the answer away.
void ask_question(State& s) {
  set_square_trap(s);
  fill_all_slots(s);
}

// Which of the three hurts most when it alone is left untransposed; max |Δ| of each.
std::vector<float> harm_of_each(const Results& r) {
  std::vector<float> harm;
  for (const Slot slot : kSlots) {
    State s = defaults_of("transfer");
    s.inputs.text = r.inputs.text;
    s.inputs.word_seed = r.inputs.word_seed;
    ask_question(s);
    s.inputs.moves[std::size_t(slot)].op = MoveOp::copy;
    harm.push_back(compute(s.inputs).comparison.max_difference);
  }
  return harm;
}

const Question kQuestion = {
    .id = "tr3",
    .kind = Question::Kind::choice,
    .asked =
        [](const Results& r) {
          if (r.runs.words.empty()) return no_words();
          return std::string(
              "Three square matrices, seed 789. One of them is copied where a transpose belongs, and nothing "
              "complains. "
              "Which slip moves the outputs most?");
        },
    .answer =
        [](const Results& r) {
          if (r.runs.words.empty()) return std::string();
          const auto harm = harm_of_each(r);
          return std::to_string(std::max_element(harm.begin(), harm.end()) - harm.begin());
        },
    .revealed =
        [](const Results& r) {
          const auto harm = harm_of_each(r);
          return filled(
              "Left untransposed, W_query moves the outputs by {0} at most, W_key by {1}, W_value by {2}.",
              {difference_text(harm[0]), difference_text(harm[1]), difference_text(harm[2])});
        },
    .why_not = "Query and key only shift shares that are nearly even; what is shared out are the values.",
    .hints = {"Two of the three only decide who gets how much.", "The context is a blend. A blend of what?"},
    .choices = {"W_query", "W_key", "W_value"},
};

const Step kSteps[] = {
    {"pair", "Two classes, one job", pair_text, kLargest, {}},
    {"draws", "Same dice, other recipe", draws_text, {"source.W_query.weight", 0, 0}, Slot::query},
    {"W_query", "First the query", query_text, {"target.W_query", 0, 1}, Slot::query},
    {"W_key", "Then the key", key_text, {"target.W_key", 0, 1}, Slot::key},
    {"W_value", "Then the value", value_text, {"target.context_vec", 1, 0}, Slot::value},
    {"match", "Same input, same output", match_text, kLargest, {}},
    {"square", "The square trap", square_text, kLargest, {}, set_square_trap},
    {"slip", "One slip that hides", slip_text, {"difference", 5, 1}, Slot::query, set_slip},
    {kFaultStep, "Find the culprit", blame_text, kLargest, {}},
    {"freedom", "Other weights, same outputs", freedom_text, {"difference", 1, 0}, {}, set_freedom},
    {.id = "question",
     .title = "Your turn",
     .text = [](const Results& r) { return kQuestion.asked(r); },
     .cell = kLargest,
     .patch = ask_question,
     .question = true},
};

}  // namespace

Lesson transfer_lesson() {
  return {
      .id = "transfer",
      .title = "Transfer weights",
      .purpose =
          "Make one attention module behave like another. Drag a matrix onto its partner; the outputs tell "
          "you when you are done.",
      .controls = "d_in d_out seed target_seed bias word_seed",
      .steps = kSteps,
      .make_runs = make_transfer_runs,
      .program = transfer_code,
      .stage = Stage::bench,
      .question = &kQuestion,
  };
}

void fill_all_slots(State& s) {
  s.inputs.moves.clear();
  s.inputs.fault.reset();
  std::erase_if(s.inputs.edits, [](const Edit& e) { return e.cell.name.starts_with(kTarget); });
  const Runs runs = compute(s.inputs);
  for (const std::string& slot : slots(runs.bench->source, runs.bench->target))
    s.inputs.moves.push_back(right_move(runs.bench->source, runs.bench->target, slot));
}

void set_square_trap(State& s) {
  Inputs& in = s.inputs;
  in.d_in = in.d_out = 3;
  in.seed = 789;
  in.target_seed.reset();
  in.edits.clear();
  in.bias = false;
  in.from = AttentionKind::v2;
  in.to = AttentionKind::v1;
  fill_all_slots(s);
  for (Move& m : in.moves) m.op = MoveOp::copy;
}

void swap_direction(State& s) {
  std::swap(s.inputs.from, s.inputs.to);
  if (s.inputs.target_seed) std::swap(s.inputs.seed, *s.inputs.target_seed);
  s.inputs.moves.clear();
  s.inputs.fault.reset();
  s.inputs.edits.clear();
}

}  // namespace lab
