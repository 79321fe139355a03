#include "lessons/texts/multi_head_texts.hpp"

#include <algorithm>
#include <cmath>

#include "core/example_heads.hpp"
#include "core/ops.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_said.hpp"
#include "lessons/told.hpp"

namespace lab::multi_head_texts {
namespace {

constexpr SplitText kSplits[] = {
    {HeadRoute::right, "In bands", "Right. Each head owns neighbouring columns, as it wrote them."},
    {HeadRoute::interleaved, "Interleaved",
     "Neighbouring columns go to different heads: each mixes the others' numbers."},
    {HeadRoute::no_transpose, "No transpose",
     "Read as it lies in memory, head 1 gets the first words cut in pieces."},
    {HeadRoute::no_transpose_back, "No transpose back",
     "The heads' tables are laid out one after the other, and words get other words' numbers."},
    {HeadRoute::whole_scale, "Scale by √d_out",
     "Scores are divided by the root of the whole width. No shape complains; the weights are too even."},
};

std::string row_of(const MatrixView& m, int row, int from, int to) {
  constexpr int kMost = 4;
  std::string text;
  for (int c = from; c < std::min(to, from + kMost); ++c) text += (c > from ? " " : "") + number(m, row, c);
  return text + (to - from > kMost ? " …" : "");
}
bool has_edits(const Results& r) { return !r.inputs.edits.empty(); }

// "rows 0 and 1", "row 0", "rows 0 to 3".
std::string range(const char* what, int from, int width) {
  if (width == 1) return filled("{0} {1}", {what, std::to_string(from)});
  return filled(width == 2 ? "{0}s {1} and {2}" : "{0}s {1} to {2}",
                {what, std::to_string(from), std::to_string(from + width - 1)});
}

std::string heads_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto stacked = cells_of(r, "wrapper.out"), fused = cells_of(r, "mha.out");
  if (r.inputs.example)
    return filled(
        "Here stand {0} that were built by hand, so that each looks at something else. Stacked, they "
        "return {1} columns: {2} of each.",
        {counted_heads(heads_of(r)), std::to_string(stacked->cols()), std::to_string(width_of(r))});
  if (!fused)
    return cannot_share(r.inputs.d_out, r.inputs.heads) +
           filled(" Stacked heads do not share: each has {0} of its own.",
                  {counted(r.inputs.d_out, "column")});
  return filled(
      "Ask both classes for d_out = {0} and {1}. The stacked one returns {2}, the fused one {3}. Stacked "
      "reads d_out per head; fused reads it as the total and gives each head its part.",
      {std::to_string(r.inputs.d_out), counted_heads(r.inputs.heads), counted(int(stacked->cols()), "column"),
       std::to_string(fused->cols())});
}

// No share of the row is half as much again as an even one.
bool is_mild(const MatrixView& weights, int row) {
  constexpr float kMild = 1.5f;
  return weights.row(row).maxCoeff() * float(row + 1) < kMild;
}

std::string maps_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  for (const Run& head : r.runs.runs[0].parts)
    if (const auto row = row_of_no_shares(head.trace.attn_weights)) {
      const std::string name = head.prefix + "attn_weights";
      if (head.trace.attn_weights.row(*row).array().isNaN().any()) return not_numbers(name);
      return filled(
          "In head {0}, row {1} sums to {2}, not 1, for a cell was set by hand after softmax: its numbers "
          "are no shares any more, and entropy, a measure of shares, says nothing there.",
          {std::to_string(head.head + 1), word(r, *row),
           decimals(double(row_sums(head.trace.attn_weights)(*row, 0)))});
    }
  if (r.inputs.example) {
    std::string all;
    for (int h = 0; h < heads_of(r); ++h)
      all += filled("{0}head {1} at {2}", {h ? ", " : "", std::to_string(h + 1), head_name(r, h)});
    return filled(
        "Look at where each row is strong: {0}. Their weights were chosen by hand, which no training would "
        "do so neatly.",
        {all});
  }
  const int last = int(r.runs.words.size()) - 1;
  const auto a = cells_of(r, "wrapper.heads.0.attn_weights"), b = cells_of(r, "wrapper.heads.1.attn_weights");
  const auto leans = [&](const MatrixView& m) {
    const int to = largest_in_row(m, last);
    return filled("{0} with {1}", {word(r, to), number(m, last, to)});
  };
  if (!b || last == 0)
    return "Each head owns a W_query, a W_key and a W_value. With another head, or another word, there "
           "would be something to compare.";
  return filled(
      "Each head owns a W_query, a W_key and a W_value. Row {0}: head 1 leans to {1}, head 2 to {2}. Even "
      "would be {3}.{4}",
      {word(r, last), leans(*a), leans(*b), decimals(1.0 / (last + 1)),
       is_mild(*a, last) && is_mild(*b, last) ? " Untrained heads have mild opinions." : ""});
}

// The largest |Δ| of the two routes, over all heads of both modules.
double routes_apart(const Results& r) {
  double most = 0;
  for (const Run& run : r.runs.runs)
    for (const Run& head : run.parts)
      if (!run.prefix.starts_with(kUnedited) && !run.prefix.starts_with(kBefore))
        if (const double apart = largest_size(head.trace.route_difference); !(apart <= most)) most = apart;
  return most;
}

std::string stages_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  for (const Run& run : r.runs.runs)
    for (const Run& head : run.parts) {
      const std::string name = head.prefix + "masked_zeroed";
      if (head.trace.masked_zeroed.array().isNaN().any()) return not_numbers(name);
      if (head.trace.masked_renormalized.array().isNaN().any())
        return filled(
            "In head {0} a row is 0 ÷ 0, and that is NaN: softmax had rounded its past to 0 before the "
            "future was hidden. The −∞ route never hears the future.",
            {std::to_string(head.head + 1)});
    }
  const double apart = routes_apart(r);
  const std::string dropped = drops(r) ? " Dropout comes after either." : "";
  constexpr double kRounding = 1e-6;
  return filled(
             "One head by itself, and nothing in it is new: softmax, zero above the diagonal, divide each "
             "row by what is left of it. By the other route −∞ goes in before softmax. In no head do the "
             "routes differ by more than {0}{1}.",
             {difference_text(apart), apart == 0           ? ""
                                      : apart <= kRounding ? ", rounding"
                                                           : ": something was changed by hand"}) +
         dropped;
}

// Weight and bias of the two heads' W_query, W_key or W_value are the same numbers.
bool same_bands(const Results& r, Slot slot, int a, int b) {
  const auto of = [&](int head) -> const Projection& {
    return projection(wrapper(r).heads[std::size_t(head)], slot);
  };
  return of(a).weight.stored == of(b).weight.stored && of(a).bias.stored == of(b).bias.stored;
}
bool same_values(const Results& r, int a, int b) { return same_bands(r, Slot::value, a, b); }

std::string carry_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto looks = cells_of(r, "map_difference"), carried = cells_of(r, "context_difference");
  if (!looks || !carried) return "One head has nobody to be compared with. Take two.";
  for (const char* head : {"wrapper.heads.0.", "wrapper.heads.1."})
    for (const char* matrix : {"attn_weights", "context_vec"})
      if (const std::string name = std::string(head) + matrix; cells_of(r, name)->array().isNaN().any())
        return not_numbers(name);
  constexpr double kNear = .1;  // of a share
  const bool near = most(*looks) < kNear;
  const std::string measured = filled(
      "Subtract the first head's map from the second's: {0} at most. Subtract their outputs: up to {1}. ",
      {decimals(most(*looks)), decimals(most(*carried))});
  if (same_values(r, 0, 1))
    return measured + (near
                           ? "The heads look in nearly the same places, and both have the same W_value: what "
                             "they carry away is nearly the same."
                           : "The heads look in different places. Both have the same W_value: from one word "
                             "they would carry the same, so what differs comes of where they look.");
  return measured + filled(near ? "The heads look in nearly the same places and carry different things away, "
                                  "for each has its own W_value{0}."
                                : "The heads look in different places, and each has its own W_value{0}: they "
                                  "differ in both.",
                           {drops(r) ? " and drops other words" : ""});
}

std::string concat_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto out = cells_of(r, "wrapper.out");
  const int row = told_row(r, 1), w = width_of(r);
  if (heads_of(r) == 1) return "One head fills all columns. With two, each gets a band of its own.";
  return filled(
      "The heads' results stand side by side: head 1 fills {0}, head 2 {1}. Nothing is added or averaged. "
      "Row {2} reads {3}.",
      {range("column", 0, w), range("column", w, w), word(r, row), row_of(*out, row, 0, int(out->cols()))});
}

std::string project_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto weight = cells_of(r, "W_query.weight"), queries = cells_of(r, "queries");
  const int row = told_row(r, 1), w = width_of(r);
  const std::string stacked =
      filled("Stack the query weights of all heads by rows: {0} × {1}. One multiplication gives {2} a word.",
             {std::to_string(weight->rows()), std::to_string(weight->cols()),
              counted(int(weight->rows()), "number")});
  if (heads_of(r) == 1) return stacked;
  return stacked + filled(" For {0}: {1}, head 1's query, then {2}, head 2's.",
                          {word(r, row), row_of(*queries, row, 0, w), row_of(*queries, row, w, 2 * w)});
}

// Ways to split that come to the same where a head is alone, or one column wide.
std::string split_is_idle(const Results& r) {
  if (heads_of(r) == 1)
    return r.inputs.split == HeadRoute::whole_scale
               ? "One head is as wide as all: its √head_dim is √d_out, and this scale is the right one."
               : "One head owns all columns: there is nothing to cut, interleave or transpose, and this "
                 "split "
                 "does what the right one does. Take two.";
  if (width_of(r) == 1 && r.inputs.split == HeadRoute::interleaved)
    return "Each head is one column wide: interleaved or in bands, it is the same column.";
  return "";
}

std::string split_says(const Results& r) {
  if (const std::string idle = split_is_idle(r); !idle.empty()) return idle;
  for (const SplitText& s : kSplits)
    if (s.route == r.inputs.split)
      return filled("{0} The outputs are off by up to {1}.",
                    {s.says, difference_text(double(r.runs.comparison.max_difference))});
  return "";
}

std::string view_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  if (r.inputs.split == HeadRoute::interleaved || r.inputs.split == HeadRoute::no_transpose)
    return split_says(r);
  const int last = output_width(wrapper(r)) - 1, w = width_of(r);
  return filled(
      "view cuts each row of {0} into {1} of {2}. No number moves in memory; it is only addressed in "
      "another way. [word, {3}] becomes [word, {4}, {5}]: word, head, place in the head.",
      {std::to_string(last + 1), counted_heads(heads_of(r)), std::to_string(w), std::to_string(last),
       std::to_string(last / w), std::to_string(last % w)});
}

std::string transpose_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  if (r.inputs.split != HeadRoute::right) return split_says(r);
  return filled(
      "transpose puts the head first, so that each head holds a table of its own: {0} by {1}. Forget it, "
      "and head 1 would get the first words cut in pieces: choose \"No transpose\" and see.",
      {counted(int(r.runs.words.size()), "word"), std::to_string(width_of(r))});
}

std::string inside_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  if (r.inputs.split != HeadRoute::right) return split_says(r);
  const std::string w = std::to_string(width_of(r)), all = std::to_string(output_width(wrapper(r)));
  const char* chain =
      drops(r) ? "scores, scale, mask, softmax, dropout, values" : "scores, scale, mask, softmax, values";
  if (heads_of(r) == 1) return filled("In the head: {1}, as before. Its width is {0}, so √{0}.", {w, chain});
  return filled(
      "In each head: {2}, as before. Scaled by the width of one head: √{0} here, not √{1}. With the wrong "
      "root no shape would complain.",
      {w, all, chain});
}

// The same dice fall in another order: a stack asks for a head's masks for the whole batch, one module for
// all heads' of a sentence, and what Linux and Windows throw begins anew with each asking.
bool masks_differ(const Results& r) {
  const auto &stacked = r.runs.runs[0].parts, &fused = r.runs.runs[1].parts;
  for (std::size_t h = 0; h < stacked.size(); ++h)
    if (stacked[h].pass.dropout_mask != fused[h].pass.dropout_mask) return true;
  return false;
}

std::string why_apart(const Results& r) {
  std::string why;
  if (const auto fault = fault_of(r.inputs, heads_of(r));
      fault && !same_bands(r, fault->slot, fault->from, fault->to))
    why = "a band is wrong";
  if (masks_differ(r))
    why +=
        std::string(why.empty() ? "" : ", and ") +
        "the stack drops head by head, the module for all heads at once, so the dice fall in another order";
  if (has_edits(r)) why += std::string(why.empty() ? "" : ", and ") + "something was changed by hand";
  return why;
}

std::string pack_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  if (r.inputs.split != HeadRoute::right) return split_says(r);
  const std::string difference = difference_text(double(r.runs.comparison.max_difference));
  if (r.runs.comparison.max_difference != 0)
    return filled("Each head's weights stand in their rows, and still the outputs differ by up to {0}: {1}.",
                  {difference, why_apart(r)});
  return filled(
      "Head 1 into {0}, head 2 into the next, and so on, for query, key and value; out_proj the identity, "
      "its bias 0. Run both: the largest difference is {1}. One module, two ways to write it.",
      {range("row", 0, width_of(r)), difference});
}

std::string split_or_why(const Results& r) {
  return r.inputs.split != HeadRoute::right ? "the split is wrong as well" : why_apart(r);
}

std::string break_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto fault = fault_of(r.inputs, heads_of(r));
  const auto difference = cells_of(r, "difference");
  if (!fault || !difference) return "With one head there is no band to mistake. Take two heads.";
  constexpr const char* kNames[] = {"query", "key", "value"};
  const int w = width_of(r);
  const std::string wrong =
      filled("Head {0}'s {1} band stands where head {2}'s belongs.",
             {std::to_string(fault->from + 1), kNames[int(fault->slot)], std::to_string(fault->to + 1)});
  if (same_bands(r, fault->slot, fault->from, fault->to))
    return wrong +
           " But the two bands hold the same numbers, so nothing is wrong and nothing moves. Break "
           "another." +
           (most(*difference) == 0 ? ""
                                   : filled(" What the outputs differ by, {0}, comes of this: {1}.",
                                            {difference_text(most(*difference)), split_or_why(r)}));
  Matrix others = *difference;
  others.middleCols(fault->to * w, w).setZero();
  if (most(view(others)) != 0)
    return wrong + filled(" The outputs differ by up to {0}, in other columns too: {1}.",
                          {difference_text(most(*difference)), split_or_why(r)});
  if (most(*difference) == 0) return wrong + " And yet nothing moves: no number of that band matters here.";
  return wrong + filled(
                     " Only {0} {2}, by up to {1}. The columns name the head; how far they move hints at "
                     "the matrix: a wrong query or key moves the shares alone, a wrong value what is shared.",
                     {range("column", fault->to * w, w), difference_text(most(*difference)),
                      w == 1 ? "moves" : "move"});
}

std::string out_proj_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  const auto concat = cells_of(r, "mha.concat"), out = cells_of(r, "mha.out");
  if (!concat || !out) return cannot_share(r.inputs.d_out, r.inputs.heads);
  const int row = told_row(r, 1), all = int(out->cols());
  return filled(
      "One last matrix mixes the heads, and adds a bias. {0}: {1} become {2}. Where one column was one "
      "head's, every column now hears them all.",
      {word(r, row), row_of(*concat, row, 0, all), row_of(*out, row, 0, all)});
}

}  // namespace

const LessonText lesson = {
    "Multi-head",
    "Several causal heads side by side, each with its own weights; then one module that holds them all."};
const StepText heads = {"One call, two answers", heads_text};
const StepText maps = {"Several heads, several maps", maps_text};
const StepText carry = {"Same look, other luggage", carry_text};
const StepText concat = {"Side by side", concat_text};
const StepText project = {"One projection for all", project_text};
const StepText view_step = {"Cut into bands", view_text};
const StepText transpose = {"Heads to the front", transpose_text};
const StepText inside = {"Inside a head nothing new", inside_text};
const StepText pack = {"Stacked equals fused", pack_text};
const StepText break_band = {"Break one band", break_text};
const StepText stages = {"One head, opened", stages_text};
const StepText out_proj = {"Mix the heads", out_proj_text, "out_proj"};

std::span<const SplitText> splits() { return kSplits; }

std::string head_name(const Results& r, int head) {
  if (!r.inputs.example) return filled("drawn, seed {0}", {std::to_string(r.inputs.seed)});
  const auto all = example_heads();
  return head < int(all.size()) ? all[std::size_t(head)].looks_at : "";
}

std::string cannot_share(int width, int num_heads, const char* name) {
  const int widest = width > kMaxWidth ? kMaxGptWidth : kMaxWidth;  // only what can be typed in
  const int below = width / num_heads * num_heads, first = below > 0 ? below : num_heads;
  const std::string two = first + num_heads <= widest ? " or " + std::to_string(first + num_heads) : "";
  return filled("{0} cannot be shared by {1}. Try {2} {3}{4}.",
                {counted(width, "column"), counted_heads(num_heads), name, std::to_string(first), two});
}

std::optional<WrongBand> fault_of(const Inputs& in, int num_heads) {
  const auto all = wrong_bands(num_heads);
  if (!in.fault || all.empty()) return std::nullopt;
  return all[*in.fault % all.size()];
}

}  // namespace lab::multi_head_texts
