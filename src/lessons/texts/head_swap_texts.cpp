// What the lesson of several heads says when they change places, or when one is switched off.
#include "core/swap_heads.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_said.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab::multi_head_texts {
namespace {

// "1", "1 and 3", "1, 2 and 4", counted from 1.
std::string listed(const std::vector<int>& heads) {
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i)
    text += (i == 0 ? "" : i + 1 == heads.size() ? " and " : ", ") + std::to_string(heads[i] + 1);
  return text;
}

std::vector<int> heads_off(const Results& r) {
  std::vector<int> off;
  for (const Run& head : r.runs.runs[0].parts)
    if (head.pass.off) off.push_back(head.head);
  return off;
}

// Bit by bit what stood there before, in the other order.
bool only_columns_moved(const Results& r, HeadPair pair) {
  const auto now = cells_of(r, "wrapper.out"), before = cells_of(r, "before.wrapper.out");
  if (!now || !before) return false;
  const std::vector<int> order = swapped_order(heads_of(r), width_of(r), pair);
  for (std::size_t c = 0; c < order.size(); ++c)
    if (now->col(Eigen::Index(c)) != before->col(order[c])) return false;
  return true;
}

std::string moved_stack(const Results& r, HeadPair pair) {
  if (only_columns_moved(r, pair)) return " Stacked, their columns change places, and no number is new.";
  return filled(" Stacked, columns move by up to {0}{1}.",
                {difference_text(most(*cells_of(r, "stacked_change"))),
                 drops(r) ? ": dropout's masks stayed where they were" : ""});
}

std::string moved_module(const Results& r) {
  const auto change = cells_of(r, "fused_change");
  if (!change) return " " + cannot_share(r.inputs.d_out, r.inputs.heads);
  const std::string moves = difference_text(most(*change));
  constexpr double kRounding = 1e-6;
  if (!r.inputs.swap_out_proj)
    return filled(" Fused, out_proj still reads the old places: the output moves by up to {0}.", {moves});
  if (most(*change) == 0)
    return " Fused, out_proj's columns go along: not a bit changes. Heads have no order of their own.";
  if (most(*change) <= kRounding)
    return filled(
        " Fused, out_proj's columns go along: what moves is rounding, {0}, for sums run in another order. "
        "Heads have no order of their own.",
        {moves});
  return filled(" Fused, out_proj's columns go along, and still the output moves by up to {0}{1}.",
                {moves, drops(r) ? ": dropout's masks stayed where they were" : ""});
}

// Columns of the mixed output that are other than with all heads.
int columns_moved(const MatrixView& change) {
  int moved = 0;
  for (Eigen::Index c = 0; c < change.cols(); ++c) moved += (change.col(c).array() != 0).any();
  return moved;
}

std::string off_text(const Results& r, const std::vector<int>& off) {
  std::string text = filled(off.size() == 1 ? "Head {0} is off. Stacked, its columns are 0."
                                            : "Heads {0} are off. Stacked, their columns are 0.",
                            {listed(off)});
  const auto change = cells_of(r, "fused_change");
  if (!change) return text + " " + cannot_share(r.inputs.d_out, r.inputs.heads);
  return text + filled(" Fused, {0} of {1} move, by up to {2}: after out_proj every column hears every head.",
                       {std::to_string(columns_moved(*change)), counted(int(change->cols()), "column"),
                        difference_text(most(*change))});
}

std::string swap_text(const Results& r) {
  if (no_words_here(r)) return no_words();
  if (heads_of(r) == 1) return "One head has nobody to change places with. Take two.";
  const auto swap = r.inputs.swap;
  const std::vector<int> off = heads_off(r);
  if (!swap && off.empty())
    return "Choose two heads above: their W_query, W_key and W_value change places. Or switch one off. "
           "What the outputs were before then stands beside them.";
  if (!swap) return off_text(r, off);
  const std::string pair = filled("Heads {0} and {1} changed places, with all their weights{2}.",
                                  {std::to_string(swap->a + 1), std::to_string(swap->b + 1),
                                   off.empty() ? "" : ", and head " + listed(off) + " is off"});
  if (off.empty()) return pair + moved_stack(r, *swap) + moved_module(r);
  const auto change = cells_of(r, "fused_change");
  return pair +
         filled(" Stacked, columns move by up to {0}",
                {difference_text(most(*cells_of(r, "stacked_change")))}) +
         (change ? filled(", fused by up to {0}.", {difference_text(most(*change))}) : ".");
}

}  // namespace

const StepText swap_step = {"Swap two heads", swap_text};

}  // namespace lab::multi_head_texts
