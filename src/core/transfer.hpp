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

// A parameter, or a rectangle of it, written as a move names it: "W_query.weight[2:4,0:3]".
struct Piece {
  std::string name;
  std::optional<Rect> cells;  // none: all of it
  bool operator==(const Piece&) const = default;
};
std::string text_of(const Piece& piece);
inline Piece from_piece(const Move& m) { return {m.from, m.from_cells}; }
inline Piece to_piece(const Move& m) { return {m.to, m.to_cells}; }
inline Move move_between(const Piece& from, MoveOp op, const Piece& to) {
  return {from.name, op, to.name, from.cells, to.cells};
}

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

// What belongs together in two modules of equally many heads: a head's weights and biases, which are bands of
// a module that holds several heads in one, and out_proj where both have one.
struct Pair {
  std::optional<Slot> slot;  // none: out_proj
  int head = 0;
  bool bias = false;
  Piece from, to;                                                          // no name: that module has none
  bool is_slot() const { return !from.name.empty() && !to.name.empty(); }  // moves go there
};
std::vector<Pair> pairs(const AttentionParams& source, const AttentionParams& target);  // head by head
// By the text of the one piece or of the other; none: no pair has it.
std::optional<Pair> pair_into(const AttentionParams& source, const AttentionParams& target,
                              const std::string& slot);
std::optional<Pair> pair_from(const AttentionParams& source, const AttentionParams& target,
                              const std::string& from);

// The slots by their texts: pieces of the target that the source has partners for. A bias is a slot only
// where both modules have one.
std::vector<std::string> slots(const AttentionParams& source, const AttentionParams& target);
bool writes_into(const Move& move, const Piece& slot, const AttentionParams& target);  // into a cell of it

// The move that makes a slot behave as its partner does: transposed exactly where the two store differently.
Move right_move(const AttentionParams& source, const AttentionParams& target, const std::string& slot);

}  // namespace lab
