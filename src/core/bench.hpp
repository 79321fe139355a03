// Two modules side by side: weights are moved from the source into the target, both run on the same inputs,
// and if their outputs differ, the smallest change that would make them match is found by trying.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/compare.hpp"
#include "core/run.hpp"
#include "core/transfer.hpp"

namespace lab {

struct Bench {
  AttentionParams source;
  AttentionParams target;  // as it was made, before any move
  std::vector<Move> moves;
  Matrix inputs;       // T × d_in
  bool as_is = false;  // each module under its own mask; else both under the mask if either has one
  double rtol = 1e-5, atol = 1e-6;
  std::vector<Edit> edits;  // of the target after its moves, and of both traces
};

struct Sides {
  Run source, target;
  Comparison comparison;  // allclose(target's, source's)
};
Sides run_both(const Bench& bench);
Run run_source(const Bench& bench);
Run run_target(const Bench& bench);

// Of two modules where one has an out_proj and the other has not, that one passes on what its heads found.
void match_out_proj(AttentionParams& source, AttentionParams& target);
bool passes_on(const Bench& bench);

// One of the two has a causal mask and the other does not: as they are, only the last row can agree.
bool masks_differ(const Bench& bench);
// The source's biases have no slot in the target, or the other way round.
bool biases_differ(const Bench& bench);
std::vector<std::string> empty_slots(const Bench& bench);  // no move fills them

// One thing that is wrong with a bench whose outputs differ.
struct Fault {
  enum class Kind {
    untransposed,     // copied where the partner's transpose belongs
    transposed,       // transposed where a copy belongs
    swapped,          // two slots hold each other's source
    wrong_source,     // the slot holds another matrix of the source
    not_transferred,  // the slot still holds its own numbers
    pieces,           // the slot was filled by rectangles that do not add up to its partner
    bias,             // one module adds biases that the other has no place for
    mask,             // one module is causal, the other is not
    edited,           // cells were edited by hand
  };
  Kind kind = Kind::untransposed;
  std::vector<std::string> slots;  // by their texts; two where swapped, none for bias and mask
  std::string held, belongs;       // wrong_source: which piece of the source is there, which belongs there
  bool operator==(const Fault&) const = default;
};

struct Blame {
  std::vector<Fault> faults;  // all of them mended, the outputs match
  float remaining = 0;        // max |Δ| then
  std::vector<Move> mended;   // the moves that do it
};

// Tries every plan one change away from the bench's, then two, then three, and stops at the first distance
// where the outputs match; last, the one plan in which everything is right. Of many heads there are too many
// plans: then those alone in which what is changed is put right. One call of try_next() is one forward pass,
// so that a frame can spend what it has.
class BlameSearch {
 public:
  explicit BlameSearch(const Bench& bench);
  bool done() const { return done_; }
  void try_next();
  void stop() { done_ = stopped_ = true; }  // the user has waited long enough
  bool stopped() const { return stopped_; }
  int tried() const { return tried_; }
  const std::optional<Blame>& blame() const { return blame_; }  // none: no choice makes them match

  // What was tried for one slot, everything else as on the bench: "copy of W_key.weight" with its max |Δ|.
  struct Tried {
    std::string slot;
    Move move;  // from empty: left alone
    float max_difference = 0;
    bool all_close = false;
  };
  const std::vector<Tried>& single_changes() const { return singles_; }

 private:
  struct Dimension {                               // one thing that can be changed
    std::string slot;                              // empty: not a slot, but what kind says
    Piece piece{};                                 // the slot's
    std::vector<std::vector<Move>> options;        // of a slot; the first is what the bench has
    Fault::Kind kind = Fault::Kind::wrong_source;  // bias, mask, edited: taken away by option 1
    int right = 1;                                 // the option that is right
  };
  using Plan = std::vector<int>;  // per dimension the option taken, 0 as it is
  double count_plans(int changes, bool only_right) const;
  void add_plans(Plan plan, std::size_t from, int changes_left, bool only_right);
  Plan right_plan() const;
  Bench changed(const Plan& plan) const;
  Comparison outcome(const Plan& plan);
  std::vector<Fault> faults_of(const Plan& plan) const;
  bool is_one_piece(std::size_t dimension) const;  // one move has filled it
  int right_choices(const Plan& plan) const;
  void next_distance();

  Bench bench_;
  std::vector<std::pair<Plan, Matrix>>
      source_outputs_;  // by what is taken away: slots do not change the source
  std::vector<Dimension> dimensions_;
  std::vector<Plan> plans_;
  std::size_t next_ = 0;
  int distance_ = 0, tried_ = 0;
  bool done_ = false, stopped_ = false;
  std::optional<Blame> blame_;
  int best_right_choices_ = -1;
  std::vector<Tried> singles_;
};

// "Break it": plans that are right but for one fault, in a fixed order that depends on the modules alone.
std::vector<std::vector<Move>> faulty_plans(const Bench& bench);
// The n-th of them, or the next whose fault shows in the outputs. None: no fault would show.
std::optional<std::vector<Move>> broken_plan(const Bench& bench, std::uint32_t n);

}  // namespace lab
