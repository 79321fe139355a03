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

const Move* move_into(const std::vector<Move>& moves, const std::string& slot) {
  for (const Move& m : moves)
    if (m.to == slot) return &m;
  return nullptr;
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

bool same_content(const Move& a, const Move& b) {
  return a.from == b.from && (a.from.empty() || a.op == b.op);
}

}  // namespace

BlameSearch::BlameSearch(const Bench& bench) : bench_(bench) {
  for (const std::string& slot : slots(bench.source, bench.target)) {
    const Move* present = move_into(bench.moves, slot);
    const bool made = present && !present->from.empty() && !refusal(*present, bench.source, bench.target);
    Dimension d{.slot = slot, .options = {made ? *present : Move{"", MoveOp::copy, slot, {}, {}}}};
    for (const Move& m : options_for(bench, slot))
      if (!same_content(m, d.options.front())) d.options.push_back(m);
    dimensions_.push_back(std::move(d));
  }
  const auto add = [&](Fault::Kind kind) { dimensions_.push_back({.options = {{}, {}}, .kind = kind}); };
  if (biases_differ(bench)) add(Fault::Kind::bias);
  if (masks_differ(bench)) add(Fault::Kind::mask);
  if (!bench.edits.empty()) add(Fault::Kind::edited);
  next_distance();
}

void BlameSearch::add_plans(Plan plan, std::size_t from, int changes_left) {
  if (changes_left == 0) return plans_.push_back(std::move(plan));
  for (std::size_t d = from; d < dimensions_.size(); ++d)
    for (int option = 1; option < int(dimensions_[d].options.size()); ++option) {
      Plan changed = plan;
      changed[d] = option;
      add_plans(std::move(changed), d + 1, changes_left - 1);
    }
}

void BlameSearch::next_distance() {
  ++distance_;
  plans_.clear();
  next_ = 0;
  if (blame_ || distance_ > kFarthest || distance_ > int(dimensions_.size())) {
    done_ = true;
    return;
  }
  add_plans(Plan(dimensions_.size(), 0), 0, distance_);
}

std::vector<Move> BlameSearch::moves_of(const Plan& plan) const {
  std::vector<Move> moves;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (!dimensions_[d].slot.empty()) moves.push_back(dimensions_[d].options[std::size_t(plan[d])]);
  return moves;
}

Comparison BlameSearch::outcome(const Plan& plan) const {
  Bench b = bench_;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (!dimensions_[d].slot.empty() || plan[d] == 0) continue;
    switch (dimensions_[d].kind) {
      case Fault::Kind::mask: b.as_is = false; break;
      case Fault::Kind::edited: b.edits.clear(); break;
      default: b = without_biases(std::move(b)); break;
    }
  }
  b.moves = moves_of(plan);
  return run_both(b).comparison;
}

// Among repairs of the same size, the one that puts most slots right.
int BlameSearch::right_choices(const Plan& plan) const {
  int right = 0;
  for (const Move& m : moves_of(plan))
    right += same_content(m, right_move(bench_.source, bench_.target, m.to));
  return right;
}

void BlameSearch::try_next() {
  if (done_) return;
  const Plan& plan = plans_[next_++];
  const Comparison c = outcome(plan);
  ++tried_;
  if (distance_ == 1) {
    const auto changed =
        std::size_t(std::find_if(plan.begin(), plan.end(), [](int o) { return o != 0; }) - plan.begin());
    const Dimension& d = dimensions_[changed];
    if (!d.slot.empty())
      singles_.push_back({d.slot, d.options[std::size_t(plan[changed])], c.max_difference});
  }
  if (c.all_close && right_choices(plan) > best_right_choices_) {
    best_right_choices_ = right_choices(plan);
    blame_ = Blame{faults_of(plan), c.max_difference, moves_of(plan)};
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
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (plan[d] == 0 || told[d]) continue;
    if (dimensions_[d].slot.empty()) {
      faults.push_back({.kind = dimensions_[d].kind});
      continue;
    }
    const Move &is = dimensions_[d].options[0], &should = dimensions_[d].options[std::size_t(plan[d])];
    Fault fault{.slots = {is.to}, .held = is.from, .belongs = should.from};
    if (is.from.empty()) {
      fault.kind = not_transferred;
    } else if (is.from == should.from) {
      fault.kind = is.op == MoveOp::copy ? untransposed : transposed;
    } else {
      fault.kind = wrong_source;
      for (std::size_t e = d + 1; e < dimensions_.size() && fault.kind != swapped; ++e) {
        if (plan[e] == 0 || dimensions_[e].slot.empty()) continue;
        const Move &other_is = dimensions_[e].options[0],
                   &other_should = dimensions_[e].options[std::size_t(plan[e])];
        if (other_is.from != should.from || other_should.from != is.from) continue;
        fault.kind = swapped;
        fault.slots.push_back(other_is.to);
        told[e] = true;
      }
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace lab
