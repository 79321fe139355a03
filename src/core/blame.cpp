// The search behind the verdict: which smallest change of the plan makes the outputs match.
#include <algorithm>

#include "core/bench.hpp"

namespace lab {
namespace {

constexpr int kFarthest = 3;       // changes at once
constexpr int kMostTries = 20000;  // a bench of six slots has about 3,000 plans within three changes

void drop_biases(AttentionParams& m) {
  for (int h = 0; h < m.num_heads; ++h)
    for (const Slot s : kSlots) projection(m, s, h).bias = {};
}

Bench without_biases(Bench b) {
  drop_biases(b.source);
  drop_biases(b.target);
  return b;
}

int cells_of(const Piece& piece, const Parameter& p) {
  const Rect cells = piece.cells.value_or(whole(p.stored));
  return cells.rows() * cells.cols();
}

// The rectangle that is all of a parameter is not told, nor which way a single number was moved.
Move tidy(Move m, const Bench& bench) {
  const Parameter *from = find_parameter(bench.source, m.from), *to = find_parameter(bench.target, m.to);
  if (from && m.from_cells == whole(from->stored)) m.from_cells.reset();
  if (to && m.to_cells == whole(to->stored)) m.to_cells.reset();
  if (from && cells_of(from_piece(m), *from) == 1) m.op = MoveOp::copy;
  return m;
}

// What a slot can hold: every piece of the source that fits, each way, or its own numbers.
std::vector<Move> options_for(const Bench& bench, const Piece& slot) {
  std::vector<Move> options;
  for (const Pair& pair : pairs(bench.source, bench.target))
    for (const MoveOp op : {MoveOp::copy, MoveOp::transpose}) {
      if (pair.from.name.empty()) continue;
      const Move m = move_between(pair.from, op, slot);
      const bool same_either_way =
          op == MoveOp::transpose && cells_of(pair.from, *find_parameter(bench.source, m.from)) == 1;
      if (!same_either_way && !refusal(m, bench.source, bench.target)) options.push_back(m);
    }
  options.push_back(move_between({}, MoveOp::copy, slot));
  return options;
}

bool same_content(const std::vector<Move>& moves, const Move& m) {
  if (moves.empty()) return m.from.empty();
  const Move& is = moves.front();
  return moves.size() == 1 && from_piece(is) == from_piece(m) && to_piece(is) == to_piece(m) &&
         (m.from.empty() || is.op == m.op);
}

}  // namespace

BlameSearch::BlameSearch(const Bench& bench) : bench_(bench) {
  std::vector<Move> moves;
  for (const Move& m : bench.moves)
    if (!m.from.empty() && !refusal(m, bench.source, bench.target)) moves.push_back(tidy(m, bench));
  for (const Pair& pair : pairs(bench.source, bench.target)) {
    if (!pair.is_slot()) continue;
    Dimension d{.slot = text_of(pair.to), .piece = pair.to, .options = {{}}};
    // A move over several slots counts with the first.
    std::erase_if(moves, [&](const Move& m) {
      if (!writes_into(m, pair.to, bench.target)) return false;
      d.options.front().push_back(m);
      return true;
    });
    const std::vector<Move> present = d.options.front();
    for (const Move& m : options_for(bench, pair.to))
      if (!same_content(present, m)) d.options.push_back({m});
    const Move right = tidy(right_move(bench.source, bench.target, d.slot), bench);
    d.right = int(std::find_if(d.options.begin(), d.options.end(),
                               [&](const auto& option) { return same_content(option, right); }) -
                  d.options.begin());
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

double BlameSearch::count_plans(int changes, bool only_right) const {
  std::vector<double> ways(std::size_t(changes) + 1, 0);  // by how many changes
  ways[0] = 1;
  for (const Dimension& d : dimensions_)
    for (std::size_t n = ways.size() - 1; n > 0; --n)
      ways[n] += ways[n - 1] * (only_right ? double(d.right != 0) : double(d.options.size() - 1));
  return ways.back();
}

void BlameSearch::add_plans(Plan plan, std::size_t from, int changes_left, bool only_right) {
  if (changes_left == 0) return plans_.push_back(std::move(plan));
  for (std::size_t d = from; d < dimensions_.size(); ++d)
    for (int option = 1; option < int(dimensions_[d].options.size()); ++option) {
      if (only_right && option != dimensions_[d].right) continue;
      Plan with_change = plan;
      with_change[d] = option;
      add_plans(std::move(with_change), d + 1, changes_left - 1, only_right);
    }
}

// Every slot from its partner the right way, and everything else that stands in the way taken away.
BlameSearch::Plan BlameSearch::right_plan() const {
  Plan plan;
  for (const Dimension& d : dimensions_) plan.push_back(d.right);
  return plan;
}

void BlameSearch::next_distance() {
  ++distance_;
  plans_.clear();
  next_ = 0;
  const int farthest = std::min(kFarthest, int(dimensions_.size()));
  if (blame_ || distance_ > farthest + 1) {
    done_ = true;
    return;
  }
  const double left = kMostTries - tried_;
  for (const bool only_right : {false, true})
    if (distance_ <= farthest && plans_.empty() && count_plans(distance_, only_right) < left)
      add_plans(Plan(dimensions_.size(), 0), 0, distance_, only_right);
  if (plans_.empty()) {  // too far, too many, or nothing is wrong that could be put right
    distance_ = farthest + 1;
    plans_.push_back(right_plan());
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
    right += !dimensions_[d].slot.empty() && plan[d] == dimensions_[d].right;
  return right;
}

bool BlameSearch::is_one_piece(std::size_t d) const {
  const std::vector<Move>& moves = dimensions_[d].options.front();
  return moves.size() == 1 && to_piece(moves.front()) == dimensions_[d].piece;
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
  const auto held = [&](std::size_t d) { return text_of(from_piece(as_it_is(d).front())); };
  // The right source the wrong way round, and the wrong source that would be the wrong way round too.
  const auto tell_orientation = [&](std::size_t d) {
    const Move &is = as_it_is(d).front(), &should = as_mended(d);
    const Parameter* from = find_parameter(bench_.source, should.from);
    if (is.op == should.op || !from || from->one_dimensional) return;
    faults.push_back(
        {.kind = is.op == MoveOp::copy ? untransposed : transposed, .slots = {dimensions_[d].slot}});
  };
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (plan[d] == 0 || told[d]) continue;
    const std::string& slot = dimensions_[d].slot;
    if (slot.empty()) {
      faults.push_back({.kind = dimensions_[d].kind});
    } else if (as_it_is(d).empty()) {
      faults.push_back({.kind = not_transferred, .slots = {slot}});
    } else if (!is_one_piece(d)) {
      faults.push_back({.kind = pieces, .slots = {slot}, .belongs = text_of(from_piece(as_mended(d)))});
    } else if (held(d) == text_of(from_piece(as_mended(d)))) {
      tell_orientation(d);
    } else {
      Fault fault{wrong_source, {slot}, held(d), text_of(from_piece(as_mended(d)))};
      std::size_t partner = dimensions_.size();
      for (std::size_t e = d + 1; e < dimensions_.size(); ++e)
        if (plan[e] != 0 && !dimensions_[e].slot.empty() && is_one_piece(e) && held(e) == fault.belongs &&
            text_of(from_piece(as_mended(e))) == fault.held)
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
