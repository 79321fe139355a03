// The search behind the verdict: which smallest change of the plan makes the outputs match.
#include <algorithm>

#include "core/bench.hpp"

namespace lab {
namespace {

constexpr int kFarthest = 3;       // changes at once
constexpr int kMostTries = 20000;  // a bench of six slots has about 3,000 plans within three changes

void drop_biases(AttentionParams& m) {
  for (const Slot s : kSlots) projection(m, s).bias = {};
}

Bench without_biases(Bench b) {
  drop_biases(b.source);
  drop_biases(b.target);
  return b;
}

// What a slot can hold: every matrix of the source that fits, each way, or its own numbers.
std::vector<Move> options_for(const Bench& bench, const std::string& slot) {
  std::vector<Move> options;
  for (const Parameter* p : parameters(bench.source))
    for (const MoveOp op : {MoveOp::copy, MoveOp::transpose}) {
      const Move m{p->name, op, slot, {}, {}};
      const bool same_either_way = op == MoveOp::transpose && p->stored.size() == 1;
      if (!same_either_way && !refusal(m, bench.source, bench.target)) options.push_back(m);
    }
  options.push_back({"", MoveOp::copy, slot, {}, {}});
  return options;
}

bool is_whole(const std::vector<Move>& moves) {
  return moves.size() == 1 && !moves.front().from_cells && !moves.front().to_cells;
}

bool same_content(const std::vector<Move>& moves, const Move& m) {
  if (moves.empty()) return m.from.empty();
  return is_whole(moves) && moves.front().from == m.from && (m.from.empty() || moves.front().op == m.op);
}

}  // namespace

BlameSearch::BlameSearch(const Bench& bench) : bench_(bench) {
  for (const std::string& slot : slots(bench.source, bench.target)) {
    Dimension d{.slot = slot, .options = {{}}};
    for (const Move& m : bench.moves)
      if (m.to == slot && !m.from.empty() && !refusal(m, bench.source, bench.target))
        d.options.front().push_back(m);
    const std::vector<Move> present = d.options.front();
    for (const Move& m : options_for(bench, slot))
      if (!same_content(present, m)) d.options.push_back({m});
    dimensions_.push_back(std::move(d));
  }
  const auto add = [&](Fault::Kind kind) { dimensions_.push_back({.options = {{}, {}}, .kind = kind}); };
  if (biases_differ(bench)) add(Fault::Kind::bias);
  if (masks_differ(bench)) add(Fault::Kind::mask);
  if (!bench.edits.empty()) add(Fault::Kind::edited);
  if (output_of(run_source(bench)).hasNaN()) {
    done_ = true;  // nothing equals NaN
  } else {
    next_distance();
  }
}

void BlameSearch::add_plans(Plan plan, std::size_t from, int changes_left) {
  if (changes_left == 0) return plans_.push_back(std::move(plan));
  for (std::size_t d = from; d < dimensions_.size(); ++d)
    for (int option = 1; option < int(dimensions_[d].options.size()); ++option) {
      Plan with_change = plan;
      with_change[d] = option;
      add_plans(std::move(with_change), d + 1, changes_left - 1);
    }
}

// Every slot from its partner the right way, and everything else that stands in the way taken away.
BlameSearch::Plan BlameSearch::right_plan() const {
  Plan plan(dimensions_.size(), 1);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].slot.empty()) continue;
    const Move right = right_move(bench_.source, bench_.target, dimensions_[d].slot);
    for (int option = 0; option < int(dimensions_[d].options.size()); ++option)
      if (same_content(dimensions_[d].options[std::size_t(option)], right)) plan[d] = option;
  }
  return plan;
}

void BlameSearch::next_distance() {
  ++distance_;
  plans_.clear();
  next_ = 0;
  const int farthest = std::min(kFarthest, int(dimensions_.size()));
  if (blame_ || distance_ > farthest + 1) {
    done_ = true;
  } else if (distance_ > farthest) {
    plans_.push_back(right_plan());
  } else {
    add_plans(Plan(dimensions_.size(), 0), 0, distance_);
  }
}

Bench BlameSearch::changed(const Plan& plan) const {
  Bench b = bench_;
  b.moves.clear();
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const std::vector<Move>& moves = dimensions_[d].options[std::size_t(plan[d])];
    b.moves.insert(b.moves.end(), moves.begin(), moves.end());
    if (!dimensions_[d].slot.empty() || plan[d] == 0) continue;
    switch (dimensions_[d].kind) {
      case Fault::Kind::mask: b.as_is = false; break;
      case Fault::Kind::edited: b.edits.clear(); break;
      default: b = without_biases(std::move(b)); break;
    }
  }
  return b;
}

Comparison BlameSearch::outcome(const Plan& plan) {
  const Bench b = changed(plan);
  Plan taken_away;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (dimensions_[d].slot.empty()) taken_away.push_back(plan[d]);
  auto known = std::find_if(source_outputs_.begin(), source_outputs_.end(),
                            [&](const auto& o) { return o.first == taken_away; });
  if (known == source_outputs_.end())
    known = source_outputs_.insert(known, {taken_away, output_of(run_source(b))});
  return compared(output_of(run_target(b)), known->second, b.rtol, b.atol);
}

// Among repairs of the same size, the one that puts most slots right.
int BlameSearch::right_choices(const Plan& plan) const {
  int right = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (!dimensions_[d].slot.empty())
      right += same_content(dimensions_[d].options[std::size_t(plan[d])],
                            right_move(bench_.source, bench_.target, dimensions_[d].slot));
  return right;
}

void BlameSearch::try_next() {
  if (done_) return;
  const Plan& plan = plans_[next_++];
  const Comparison c = outcome(plan);
  ++tried_;
  if (distance_ == 1) {
    const auto at =
        std::size_t(std::find_if(plan.begin(), plan.end(), [](int o) { return o != 0; }) - plan.begin());
    const Dimension& d = dimensions_[at];
    if (!d.slot.empty())
      singles_.push_back({d.slot, d.options[std::size_t(plan[at])].front(), c.max_difference, c.all_close});
  }
  if (c.all_close && right_choices(plan) > best_right_choices_) {
    best_right_choices_ = right_choices(plan);
    blame_ = Blame{faults_of(plan), c.max_difference, changed(plan).moves};
  }
  if (tried_ >= kMostTries) {
    done_ = true;
  } else if (next_ == plans_.size()) {
    next_distance();
  }
}

std::vector<Fault> BlameSearch::faults_of(const Plan& plan) const {
  using enum Fault::Kind;
  std::vector<Fault> faults;
  std::vector<bool> told(dimensions_.size(), false);
  const auto as_it_is = [&](std::size_t d) -> const std::vector<Move>& { return dimensions_[d].options[0]; };
  const auto as_mended = [&](std::size_t d) -> const Move& {
    return dimensions_[d].options[std::size_t(plan[d])].front();
  };
  // The right source the wrong way round, and the wrong source that would be the wrong way round too.
  const auto tell_orientation = [&](std::size_t d) {
    const Move &is = as_it_is(d).front(), &should = as_mended(d);
    const Parameter* from = find_parameter(bench_.source, should.from);
    if (is.op == should.op || !from || from->one_dimensional) return;
    faults.push_back({.kind = is.op == MoveOp::copy ? untransposed : transposed, .slots = {is.to}});
  };
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (plan[d] == 0 || told[d]) continue;
    const std::string& slot = dimensions_[d].slot;
    if (slot.empty()) {
      faults.push_back({.kind = dimensions_[d].kind});
    } else if (as_it_is(d).empty()) {
      faults.push_back({.kind = not_transferred, .slots = {slot}});
    } else if (!is_whole(as_it_is(d))) {
      faults.push_back({.kind = pieces, .slots = {slot}, .belongs = as_mended(d).from});
    } else if (as_it_is(d).front().from == as_mended(d).from) {
      tell_orientation(d);
    } else {
      Fault fault{wrong_source, {slot}, as_it_is(d).front().from, as_mended(d).from};
      std::size_t partner = dimensions_.size();
      for (std::size_t e = d + 1; e < dimensions_.size(); ++e)
        if (plan[e] != 0 && !dimensions_[e].slot.empty() && is_whole(as_it_is(e)) &&
            as_it_is(e).front().from == fault.belongs && as_mended(e).from == fault.held)
          partner = e;
      if (partner != dimensions_.size()) {
        fault.kind = swapped;
        fault.slots.push_back(dimensions_[partner].slot);
        told[partner] = true;
      }
      faults.push_back(std::move(fault));
      tell_orientation(d);
      if (partner != dimensions_.size()) tell_orientation(partner);
    }
  }
  return faults;
}

}  // namespace lab
