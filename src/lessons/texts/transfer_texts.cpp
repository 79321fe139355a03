#include "lessons/texts/transfer_texts.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/pieces.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"
#include "lessons/transfer_lesson.hpp"

namespace lab::transfer_texts {
namespace {

const Bench& bench(const Results& r) { return *r.runs.bench; }
std::string largest(const Results& r) { return difference_text(r.runs.comparison.max_difference); }

std::string shape(const Piece& piece, const Parameter& p) {
  const Rect cells = piece.cells.value_or(whole(p.stored));
  return shape_text(cells.rows(), cells.cols());
}

std::string output_row(const Results& r, int run, int row) {
  const Matrix& out = output_of(r.runs.runs[std::size_t(run)]);
  std::string text;
  for (int c = 0; c < std::min<int>(3, int(out.cols())); ++c) text += (c ? " " : "") + decimals(out(row, c));
  return text + (out.cols() > 3 ? " …" : "");
}

// The two modules by their classes, or by what they are here for where these are the same.
struct Sides {
  std::string source, target;
};
Sides sides(const Results& r) {
  const AttentionKind from = bench(r).source.kind, to = bench(r).target.kind;
  if (from == to) return {"the source", "the target"};
  return {class_name(from), class_name(to)};
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
        "Both modules compute attention, and already {0} comes out alike: {1}. Move the weights of {2} over "
        "all the same.",
        {told_word(r), output_row(r, 0, told_row(r)), sides(r).source});
  if (!any_slot_empty(r))
    return filled(
        "Every slot is filled, and still {0} comes out as {1} from {2} and as {3} from {4}. The verdict says "
        "why.",
        {told_word(r), output_row(r, 0, told_row(r)), sides(r).source, output_row(r, 1, told_row(r)),
         sides(r).target});
  return filled(
      "Both modules compute attention, each made right after its own seed. Yet {0} comes out as {1} from {2} "
      "and as {3} from {4}. Your job: move the weights of {2} into {4} until the outputs agree.",
      {told_word(r), output_row(r, 0, told_row(r)), sides(r).source, output_row(r, 1, told_row(r)),
       sides(r).target});
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

// The weights of one projection: head by head, those first whose slots are empty.
std::vector<Pair> weights_of(const Results& r, Slot slot, bool empty_alone) {
  const auto empty = empty_slots(bench(r));
  std::vector<Pair> is_empty, filled_already;
  for (const Pair& pair : pairs(bench(r).source, bench(r).target)) {
    if (pair.slot != slot || pair.bias) continue;
    const bool is = std::find(empty.begin(), empty.end(), text_of(pair.to)) != empty.end();
    (is ? is_empty : filled_already).push_back(pair);
  }
  if (!empty_alone) is_empty.insert(is_empty.end(), filled_already.begin(), filled_already.end());
  return is_empty;
}

std::string drag_text(const Results& r, Slot slot) {
  const Pair pair = weights_of(r, slot, false).front();
  const Parameter &from = *find_parameter(bench(r).source, pair.from.name),
                  &to = *find_parameter(bench(r).target, pair.to.name);
  const std::string names =
      filled("Drag {0} onto {1}.", {sliced(pair.from, bench(r).source), sliced(pair.to, bench(r).target)});
  if (const auto& band = pair.to.cells ? pair.to.cells : pair.from.cells)
    return filled(
        "{0} Where all heads share one matrix, rows {1} to {2} are those of head {3}. Both keep outputs by "
        "inputs, so a plain copy is right, head by head. Largest difference now: {4}.",
        {names, std::to_string(band->r0), std::to_string(band->r1 - 1), std::to_string(pair.head + 1),
         largest(r)});
  if (from.stored_transposed == to.stored_transposed)
    return filled(
        "{0} Both keep it the same way, {1}, so a plain copy is right. Largest difference now: {2}.",
        {names, shape(pair.from, from), largest(r)});
  const bool linear_left = from.stored_transposed;
  return filled(
      "{0} nn.Linear computes x @ W.T and keeps outputs by inputs, {1}; x @ W needs inputs by outputs, {2}. "
      "A "
      "transpose is right. Largest difference now: {3}.",
      {names, linear_left ? shape(pair.from, from) : shape(pair.to, to),
       linear_left ? shape(pair.to, to) : shape(pair.from, from), largest(r)});
}

bool is_filled(const Results& r, Slot slot) { return weights_of(r, slot, true).empty(); }

// Every head's attention weights agree.
bool same_shares(const Results& r) {
  const auto shares = [&](int side) {
    const Run& run = r.runs.runs[std::size_t(side)];
    std::vector<const Matrix*> all;
    for (const Run& head : run.parts) all.push_back(&head.trace.attn_weights);
    if (all.empty()) all.push_back(&run.trace.attn_weights);
    return all;
  };
  const auto a = shares(0), b = shares(1);
  for (std::size_t h = 0; h < a.size(); ++h)
    if (!compared(*b[h], *a[h], r.inputs.rtol, r.inputs.atol).all_close) return false;
  return true;
}

std::string query_text(const Results& r) { return drag_text(r, Slot::query); }

std::string key_text(const Results& r) {
  std::string text = drag_text(r, Slot::key);
  if (same_shares(r) && r.runs.words.size() > 1 && is_filled(r, Slot::query) && is_filled(r, Slot::key) &&
      !r.runs.comparison.all_close && !r.inputs.fault)
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
         "the outputs agree. That is the whole test, and the only one this transfer needs.";
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
           "error. Here the outputs agree.";
  return filled(
      "Now d_in = d_out = {0}. Every plain copy fits: no error, no warning. Row {1} should read {2}. It "
      "reads {3}. A shape that fits proves nothing.",
      {std::to_string(r.inputs.d_in), told_word(r), output_row(r, 0, told_row(r)),
       output_row(r, 1, told_row(r))});
}

std::string slip_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  if (!is_square(r)) return kChooseAgain;
  const bool slips = std::any_of(bench(r).moves.begin(), bench(r).moves.end(), [&](const Move& m) {
    const auto pair = pair_into(bench(r).source, bench(r).target, text_of(to_piece(m)));
    return pair && !m.from.empty() &&
           m.op != right_move(bench(r).source, bench(r).target, text_of(pair->to)).op;
  });
  if (r.runs.comparison.all_close && slips)
    return "A matrix is still copied plain, and the outputs agree all the same: with one word, or with equal "
           "ones, the shares are equal whatever query and key are. Type words that differ.";
  if (r.runs.comparison.all_close) return "The outputs agree now, and only allclose could tell you so.";
  int same = 0;
  const Matrix &a = output_of(r.runs.runs[0]), &b = output_of(r.runs.runs[1]);
  for (int i = 0; i < a.size(); ++i) same += decimals(a.data()[i], 2) == decimals(b.data()[i], 2);
  return filled(
      "Something was left plain. The outputs are off by {0} at most: {1} of {2} cells agree to two decimals. "
      "Your eyes may say yes. allclose says False.",
      {largest(r), std::to_string(same), std::to_string(a.size())});
}

std::string blame_text(const Results& r) {
  const int tried = r.search ? r.search->tried() : 0;
  if (r.inputs.fault)
    return "One thing is wrong, and you say which: click the slot. The verdict finds it by trying every slot "
           "again, transposed, copied, from another source, and running both modules each time.";
  if (tried == 0)
    return "Press Break it: one thing goes wrong, and you say which. To find it, the verdict tries every "
           "slot again, transposed, copied, from another source, and runs both modules each time.";
  return filled(
      "Which matrix is wrong? The verdict tries every slot again: transposed, copied, from another source, "
      "left alone. After {0} tries the smallest repair that makes the outputs match is the culprit.",
      {std::to_string(tried)});
}

std::string freedom_text(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  const bool turned = std::any_of(r.inputs.edits.begin(), r.inputs.edits.end(),
                                  [](const Edit& e) { return e.cell.name.starts_with(kTarget); });
  if (!turned || !r.runs.comparison.all_close || any_slot_empty(r)) return kChooseAgain;
  return filled(
      "Query and key space of {0} are turned by the same 30 degrees. Its weights changed, its outputs {1}. "
      "Many weights behave alike: that is why outputs are the judge.",
      {sides(r).target,
       r.runs.comparison.max_difference == 0 ? "did not" : "by " + largest(r) + ", which is rounding"});
}

}  // namespace

const LessonText lesson = {"Transfer weights",
                           "Make one attention module behave like another. Drag a matrix onto its partner; "
                           "the outputs tell you when you are done."};
const StepText pair = {"Two classes, one job", pair_text};
const StepText draws = {"Same dice, other recipe", draws_text};
const StepText W_query = {"First the query", query_text};
const StepText W_key = {"Then the key", key_text};
const StepText W_value = {"Then the value", value_text};
const StepText match = {"Same input, same output", match_text};
const StepText square = {"The square trap", square_text};
const StepText slip = {"One slip that hides", slip_text};
const StepText blame = {"Find the culprit", blame_text};
const StepText freedom = {"Other weights, same outputs", freedom_text};

}  // namespace lab::transfer_texts
