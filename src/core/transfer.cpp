#include "core/transfer.hpp"

#include <algorithm>
#include <cassert>

#include "core/multi_head.hpp"

namespace lab {
namespace {

std::string rect_text(const Rect& r) {
  return "[" + std::to_string(r.r0) + ":" + std::to_string(r.r1) + "," + std::to_string(r.c0) + ":" +
         std::to_string(r.c1) + "]";
}

bool lies_in(const Rect& r, const Matrix& m) {
  return r.r0 >= 0 && r.r0 < r.r1 && r.r1 <= m.rows() && r.c0 >= 0 && r.c0 < r.c1 && r.c1 <= m.cols();
}

bool fits(const Rect& from, MoveOp op, const Rect& to) {
  const bool turned = op == MoveOp::transpose;
  return (turned ? from.cols() : from.rows()) == to.rows() &&
         (turned ? from.rows() : from.cols()) == to.cols();
}

MoveOp other(MoveOp op) { return op == MoveOp::copy ? MoveOp::transpose : MoveOp::copy; }

std::string counted(int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// Why the target needs the shape that its slot has.
std::string shape_reason(const AttentionParams& target, const Parameter& slot) {
  const bool of_head = target.num_heads > 1 && !slot.name.starts_with("out_proj");
  const int outputs = of_head ? head_dim(target) : output_width(target);
  const std::string output = of_head ? "output of the head" : "output";
  if (slot.one_dimensional)
    return "A bias holds one number per " + output + ", " + std::to_string(outputs) + " here.";
  if (slot.stored_transposed)
    return "x @ W.T needs " + counted(outputs, "row") + ", one per output number" +
           (of_head ? " of the head." : ".");
  return "x @ W needs " + counted(target.d_in, "row") + ", one per input number.";
}

// Where several heads share a matrix each has a band of it.
Piece piece_of_head(const AttentionParams& m, Slot slot, bool bias, int head) {
  const Projection& of = projection(m, slot, head);
  const Parameter& p = bias ? of.bias : of.weight;
  const bool shared = m.kind == AttentionKind::mha && m.num_heads > 1;
  if (p.empty() || !shared) return {p.empty() ? "" : p.name, {}};
  return {p.name, band_of(m, p, head)};
}

void write(const Parameter& source, const Rect& from, MoveOp op, Parameter& target, const Rect& to) {
  const auto cells = source.stored.block(from.r0, from.c0, from.rows(), from.cols());
  auto place = target.stored.block(to.r0, to.c0, to.rows(), to.cols());
  if (op == MoveOp::transpose) {
    place = cells.transpose();
  } else {
    place = cells;
  }
  target.origins.push_back({.kind = Origin::Kind::moved,
                            .cells = to,
                            .from = kSource + source.name,
                            .from_cells = from,
                            .transposed = op == MoveOp::transpose});
}

}  // namespace

std::optional<Refusal> refusal(const Move& move, const AttentionParams& source,
                               const AttentionParams& target) {
  const Parameter* from = find_parameter(source, move.from);
  const Parameter* to = find_parameter(target, move.to);
  if (!from) return Refusal{std::string(class_name(source.kind)) + " has no " + move.from + ".", ""};
  if (!to) return Refusal{std::string(class_name(target.kind)) + " has no " + move.to + ".", ""};
  const Rect a = move.from_cells.value_or(whole(from->stored)), b = move.to_cells.value_or(whole(to->stored));
  if (!lies_in(a, from->stored))
    return Refusal{rect_text(a) + " lies outside " + from->name + ", which is " +
                       shape_text(int(from->stored.rows()), int(from->stored.cols())) + ".",
                   ""};
  if (!lies_in(b, to->stored))
    return Refusal{rect_text(b) + " lies outside " + to->name + ", which is " +
                       shape_text(int(to->stored.rows()), int(to->stored.cols())) + ".",
                   ""};
  if (from->one_dimensional != to->one_dimensional)
    return Refusal{from->name +
                       (from->one_dimensional ? " is a bias, the slot " : " is a weight, the slot ") +
                       to->name + (to->one_dimensional ? " is a bias." : " is a weight."),
                   shape_reason(target, *to)};
  if (from->one_dimensional && move.op == MoveOp::transpose)
    return Refusal{"A bias is a single row of numbers: there is nothing to transpose.", "Copy it.", true};
  if (fits(a, move.op, b)) return std::nullopt;
  const bool turned = move.op == MoveOp::transpose;
  return Refusal{text_of(from_piece(move)) + (turned ? " transposed is " : " is ") +
                     (turned ? shape_text(a.cols(), a.rows()) : shape_text(a.rows(), a.cols())) +
                     ", the slot " + text_of(to_piece(move)) + " is " + shape_text(b.rows(), b.cols()) + ".",
                 shape_reason(target, *to), fits(a, other(move.op), b)};
}

std::vector<Move> standing_moves(const std::vector<Move>& moves, const AttentionParams& source,
                                 const AttentionParams& target, std::vector<std::string>* problems) {
  const auto complain = [&](std::string text) {
    if (problems) problems->push_back(std::move(text));
  };
  const auto cells = [&](const Move& m) {
    return m.to_cells.value_or(whole(find_parameter(target, m.to)->stored));
  };
  std::vector<Move> standing;
  for (const Move& m : moves) {
    if (m.from.empty()) continue;
    if (const auto no = refusal(m, source, target)) {
      complain(no->why.empty() ? no->what : no->what + " " + no->why);
      continue;
    }
    const bool taken = std::any_of(standing.begin(), standing.end(), [&](const Move& earlier) {
      return earlier.to == m.to && cells(earlier).overlaps(cells(m));
    });
    if (taken) {
      complain("Two moves write the same cells of " + m.to + "; the first one stands.");
      continue;
    }
    standing.push_back(m);
  }
  return standing;
}

AttentionParams with_moves(AttentionParams target, const AttentionParams& source,
                           const std::vector<Move>& moves, std::vector<std::string>* problems) {
  for (const Move& m : standing_moves(moves, source, target, problems)) {
    const Parameter& from = *find_parameter(source, m.from);
    Parameter& to = *find_parameter(target, m.to);
    write(from, m.from_cells.value_or(whole(from.stored)), m.op, to, m.to_cells.value_or(whole(to.stored)));
  }
  return target;
}

std::string text_of(const Piece& piece) { return piece.name + (piece.cells ? rect_text(*piece.cells) : ""); }

std::vector<Pair> pairs(const AttentionParams& source, const AttentionParams& target) {
  assert(source.num_heads == target.num_heads);
  std::vector<Pair> all;
  const auto add = [&](Pair pair) {
    if (!pair.from.name.empty() || !pair.to.name.empty()) all.push_back(std::move(pair));
  };
  for (int h = 0; h < source.num_heads; ++h)
    for (const Slot s : kSlots)
      for (const bool bias : {false, true})
        add({s, h, bias, piece_of_head(source, s, bias, h), piece_of_head(target, s, bias, h)});
  if (source.out_proj.weight.empty() || target.out_proj.weight.empty()) return all;
  for (const bool bias : {false, true}) {
    const auto whole_of = [&](const AttentionParams& m) {
      return Piece{bias ? m.out_proj.bias.name : m.out_proj.weight.name, {}};
    };
    add({{}, 0, bias, whole_of(source), whole_of(target)});
  }
  return all;
}

std::optional<Pair> pair_into(const AttentionParams& source, const AttentionParams& target,
                              const std::string& slot) {
  for (const Pair& p : pairs(source, target))
    if (p.is_slot() && text_of(p.to) == slot) return p;
  return std::nullopt;
}

std::optional<Pair> pair_from(const AttentionParams& source, const AttentionParams& target,
                              const std::string& from) {
  for (const Pair& p : pairs(source, target))
    if (!p.from.name.empty() && text_of(p.from) == from) return p;
  return std::nullopt;
}

std::vector<std::string> slots(const AttentionParams& source, const AttentionParams& target) {
  std::vector<std::string> names;
  for (const Pair& p : pairs(source, target))
    if (p.is_slot()) names.push_back(text_of(p.to));
  return names;
}

bool writes_into(const Move& move, const Piece& slot, const AttentionParams& target) {
  const Parameter* p = move.to == slot.name ? find_parameter(target, slot.name) : nullptr;
  return p && move.to_cells.value_or(whole(p->stored)).overlaps(slot.cells.value_or(whole(p->stored)));
}

Move right_move(const AttentionParams& source, const AttentionParams& target, const std::string& slot) {
  const auto pair = pair_into(source, target, slot);
  assert(pair && "a slot of the target");
  const bool turned = !pair->bias && find_parameter(source, pair->from.name)->stored_transposed !=
                                         find_parameter(target, pair->to.name)->stored_transposed;
  return move_between(pair->from, turned ? MoveOp::transpose : MoveOp::copy, pair->to);
}

}  // namespace lab
