#include "lessons/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "lessons/pieces.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

std::string side_name(const AttentionParams& m) { return class_name(m.kind); }

std::vector<std::string> slot_words(const Bench& bench, const std::vector<std::string>& slots) {
  std::vector<std::string> words;
  for (const std::string& slot : slots) words.push_back(slot_words(bench, slot));
  return words;
}

// What one fault is and what mends it, without the figures.
std::string told(const Fault& fault, const Bench& bench) {
  using enum Fault::Kind;
  const std::string slot = listed(slot_words(bench, fault.slots)), held = source_words(bench, fault.held),
                    belongs = source_words(bench, fault.belongs);
  const bool several = fault.slots.size() > 1;
  switch (fault.kind) {
    case untransposed:
      return filled(several ? "{0} were copied, not transposed. Transpose them."
                            : "{0} was copied, not transposed. Transpose it.",
                    {slot});
    case transposed:
      return filled(several ? "{0} were transposed; both modules store them the same way. Copy them."
                            : "{0} was transposed; both modules store it the same way. Copy it.",
                    {slot});
    case swapped: return filled("{0} changed places. Swap their wires.", {slot});
    case wrong_source:
      return fault.belongs.empty()
                 ? filled("The slot {0} holds {1}; its own numbers would do.", {slot, held})
                 : filled("The slot {0} holds {1}, where {2} belongs.", {slot, held, belongs});
    case pieces:
      return filled("{0} was filled piece by piece, and the pieces do not add up to {1}. Move it whole.",
                    {slot, belongs.empty() ? "its partner" : belongs});
    case not_transferred: return filled("{0} still holds its own random numbers.", {slot});
    case bias:
      return has_bias(bench.source)
                 ? filled(
                       "{0} adds a bias to queries, keys and values, and {1} has no place for it. Build it "
                       "with "
                       "bias off.",
                       {side_name(bench.source), side_name(bench.target)})
                 : filled("{1} adds biases that {0} has no numbers for. Build it with bias off.",
                          {side_name(bench.source), side_name(bench.target)});
    case mask: {
      const bool source_masks = is_causal(bench.source.kind);
      return filled("The mask: {0} hides later words, {1} does not. Only the last row can agree.",
                    {side_name(source_masks ? bench.source : bench.target),
                     side_name(source_masks ? bench.target : bench.source)});
    }
    case edited: return "Cells were edited by hand. Undo the edits.";
  }
  return "";
}

// Faults of one kind that are told in one sentence.
std::vector<Fault> grouped(const std::vector<Fault>& faults) {
  std::vector<Fault> groups;
  for (const Fault& f : faults) {
    const bool joins = f.kind == Fault::Kind::untransposed || f.kind == Fault::Kind::transposed;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const Fault& g) { return joins && g.kind == f.kind; });
    if (same == groups.end()) {
      groups.push_back(f);
    } else {
      same->slots.insert(same->slots.end(), f.slots.begin(), f.slots.end());
    }
  }
  return groups;
}

bool contains_nan(const Parameter& p, std::string& where) {
  for (int r = 0; r < p.stored.rows(); ++r)
    for (int c = 0; c < p.stored.cols(); ++c)
      if (std::isnan(p.stored(r, c))) {
        where = filled("{0}[{1}, {2}]", {p.name, std::to_string(r), std::to_string(c)});
        return true;
      }
  return false;
}

bool holds_right(const Bench& bench, const std::string& slot) {
  if (!pair_into(bench.source, bench.target, slot)) return true;
  const Move right = right_move(bench.source, bench.target, slot);
  return std::find(bench.moves.begin(), bench.moves.end(), right) != bench.moves.end();
}

// What the outputs cannot show, said with a match as well as with a difference.
void add_what_cannot_be_seen(Verdict& v, const Results& r) {
  const Bench& bench = *r.runs.bench;
  if (r.runs.words.size() == 1)
    v.lines.push_back(
        "With one word its only weight is 1, so query and key cannot be seen. Add a word to test them.");
  if (v.kind == Verdict::Kind::match)
    for (const Pair& pair : pairs(bench.source, bench.target))
      if (pair.slot == Slot::key && pair.bias && !holds_right(bench, text_of(pair.to)))
        v.lines.push_back(
            slot_words(bench, text_of(pair.to)) +
            " does not hold its partner, and it cannot be seen: it shifts every score of a row alike.");
  if (v.kind == Verdict::Kind::match && has_bias(bench.source) && biases_differ(bench))
    v.lines.push_back("The biases of " + side_name(bench.source) +
                      " were not moved and make no difference here.");
  if (passes_on(bench) && v.kind != Verdict::Kind::differ)
    v.lines.push_back(
        "out_proj of MultiHeadAttention is the identity here, its bias 0: it passes on what the heads "
        "found.");
}

void tell_match(Verdict& v, const Results& r) {
  v.kind = Verdict::Kind::match;
  v.headline = "They match";
  const Comparison& c = r.runs.comparison;
  if (std::isnan(c.max_difference)) {
    v.lines.push_back(
        "Equal wherever it can be told: ∞ − ∞ is NaN, and allclose takes equal infinities as equal.");
    return;
  }
  v.lines.push_back(c.max_difference == 0 ? "Same input, same output, in every one of the " +
                                                std::to_string(c.cells) + " numbers."
                    : c.max_difference < 1e-5f ? "Same input, same output: what is left is rounding."
                                               : "The outputs differ, but within your tolerance.");
  v.lines.push_back("You never compared two weights. Equal outputs are the test, and the only one.");
}

void tell_blame(Verdict& v, const Results& r) {
  const Bench& bench = *r.runs.bench;
  std::string where;
  for (const Parameter* p : parameters(bench.source))
    if (contains_nan(*p, where)) {
      v.lines.push_back(filled("NaN in {0}: nothing can match.", {where}));
      return;
    }
  if (!r.search || !r.search->done()) {
    v.searching = true;
    v.lines.push_back(filled("Looking for the smallest change that makes them match … {0} tried.",
                             {r.search ? std::to_string(r.search->tried()) : "0"}));
    return;
  }
  if (r.search->stopped()) {
    v.lines.push_back(filled("Stopped after {0} plans; none of them made the outputs equal.",
                             {std::to_string(r.search->tried())}));
    return;
  }
  if (r.search->tried() == 0) {
    v.lines.push_back("The left module's own output holds NaN: nothing can match it.");
    return;
  }
  if (!r.search->blame()) {
    v.lines.push_back(
        filled("None of {0} other plans makes the outputs equal. Look at the inputs, the scale or the "
               "tolerance.",
               {std::to_string(r.search->tried())}));
    return;
  }
  const Blame& blame = *r.search->blame();
  for (const Fault& fault : grouped(blame.faults)) {
    v.lines.push_back(told(fault, bench));
    v.to_blame.insert(v.to_blame.end(), fault.slots.begin(), fault.slots.end());
  }
  v.lines.push_back(
      filled("Mended, max |Δ| falls from {0} to {1}.",
             {difference_text(r.runs.comparison.max_difference), difference_text(blame.remaining)}));
}

void tell_empty_slots(Verdict& v, const Results& r) {
  const auto all = slots(r.runs.bench->source, r.runs.bench->target);
  const auto empty = empty_slots(*r.runs.bench);
  const bool several = r.runs.bench->target.num_heads > 1;  // their names would fill the card
  v.headline = r.runs.comparison.all_close ? "Equal so far" : "Not yet";
  if (!r.runs.problems.empty()) v.lines.push_back(r.runs.problems.front());
  if (empty.size() == all.size()) {
    const Move first = right_move(r.runs.bench->source, r.runs.bench->target, all.front());
    v.lines.push_back(filled(
        "Drag {0} onto its partner, {1}.",
        {sliced(from_piece(first), r.runs.bench->source), sliced(to_piece(first), r.runs.bench->target)}));
    v.lines.push_back("The outputs tell you when you are done.");
    return;
  }
  v.lines.push_back(filled(
      "{0} of {1} matrices transferred; {2} still {3} random numbers.",
      {std::to_string(all.size() - empty.size()), std::to_string(all.size()),
       several && empty.size() > 2 ? std::to_string(empty.size()) : listed(slot_words(*r.runs.bench, empty)),
       empty.size() == 1 ? "holds its own" : "hold their own"}));
}

void tell_hidden_fault(Verdict& v, const Results& r) {
  v.headline = "One thing is wrong";
  v.lines.push_back("Wires and switches are hidden. Which matrix is it? Click its slot.");
  v.lines.push_back(r.runs.comparison.max_difference > 0.1
                        ? "A hint: faults of the value are usually large."
                        : "A hint: query and key only shift the shares, so their faults are usually small.");
}

}  // namespace

bool hides_fault(const Inputs& inputs, const std::string& guess) { return inputs.fault && guess.empty(); }

Verdict verdict_of(const Results& r, const std::string& guess) {
  Verdict v;
  if (!r.runs.bench) return v;
  v.figures = "max |Δ| = " + difference_text(r.runs.comparison.max_difference);
  if (r.runs.words.empty()) {
    v.headline = "No words yet";
    v.figures.clear();
    v.lines.push_back("Type a sentence; six words make a good start.");
    return v;
  }
  if (any_slot_empty(r)) {
    tell_empty_slots(v, r);
  } else if (r.runs.comparison.all_close && hides_fault(r.inputs, guess)) {
    v.kind = Verdict::Kind::match;
    v.headline = "Equal within the tolerance";
    v.lines.push_back("One matrix is wrong all the same: the tolerance hides it.");
  } else if (r.runs.comparison.all_close) {
    tell_match(v, r);
  } else {
    v.kind = Verdict::Kind::differ;
    if (hides_fault(r.inputs, guess)) {
      tell_hidden_fault(v, r);
    } else {
      v.headline = "They differ";
      tell_blame(v, r);
    }
  }
  if (r.inputs.fault && !guess.empty() && !v.searching) {
    // Of two that changed places the outputs may show only one; the other was wrong all the same.
    const bool found = std::find(v.to_blame.begin(), v.to_blame.end(), guess) != v.to_blame.end() ||
                       !holds_right(*r.runs.bench, guess);
    v.guessed_right = found;
    v.headline = found ? "You found it" : "Not " + slot_words(*r.runs.bench, guess);
  }
  add_what_cannot_be_seen(v, r);
  return v;
}

const char* name_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::incomplete: return "incomplete";
    case Verdict::Kind::match: return "match";
    case Verdict::Kind::differ: return "differ";
  }
  return "";
}

}  // namespace lab
