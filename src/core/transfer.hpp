// Moving weights from one module into another: a list of moves, checked in words before anything is written.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/attention.hpp"

namespace lab {

// The two sides of a transfer are runs of these names.
constexpr const char* kSource = "source.";
constexpr const char* kTarget = "target.";

enum class MoveOp { copy, transpose };

// "The cells of FROM, as they are or transposed, become the cells of TO." Names as the two modules store
// them.
struct Move {
  std::string from;  // parameter of the source; empty: nothing dropped yet, the slot's switch stands at op
  MoveOp op = MoveOp::copy;
  std::string to;                            // parameter of the target
  std::optional<Rect> from_cells, to_cells;  // none: the whole matrix
  bool operator==(const Move&) const = default;
};

// Why a move cannot be made, for people.
struct Refusal {
  std::string what;             // "W_query.weight is 2 × 3, the slot W_query is 3 × 2."
  std::string why;              // "x @ W needs 3 rows, one per input number."
  bool other_way_fits = false;  // the other MoveOp would be taken
};

std::optional<Refusal> refusal(const Move& move, const AttentionParams& source,
                               const AttentionParams& target);

// The moves that write: they name a source, are not refused, and no earlier move writes the same cells. Of
// the others, those that name a source are described in problems.
std::vector<Move> standing_moves(const std::vector<Move>& moves, const AttentionParams& source,
                                 const AttentionParams& target, std::vector<std::string>* problems = nullptr);

// target with the standing moves made.
AttentionParams with_moves(AttentionParams target, const AttentionParams& source,
                           const std::vector<Move>& moves, std::vector<std::string>* problems = nullptr);

// The parameters of the target that the source has partners for, in state_dict order. A bias is a slot only
// where both modules have one.
std::vector<std::string> slots(const AttentionParams& source, const AttentionParams& target);

// The move that makes a slot behave as its partner does: transposed exactly where the two store differently.
Move right_move(const AttentionParams& source, const AttentionParams& target, const std::string& slot);

}  // namespace lab
