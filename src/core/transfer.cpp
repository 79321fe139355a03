#include "core/transfer.hpp"

#include <algorithm>
#include <cassert>

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
  if (slot.one_dimensional)
    return "A bias holds one number per output, " + std::to_string(target.d_out) + " here.";
  if (slot.stored_transposed)
    return "x @ W.T needs " + counted(target.d_out, "row") + ", one per output number.";
  return "x @ W needs " + counted(target.d_in, "row") + ", one per input number.";
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
  return Refusal{from->name + (turned ? " transposed is " : " is ") +
                     (turned ? shape_text(a.cols(), a.rows()) : shape_text(a.rows(), a.cols())) +
                     ", the slot " + to->name + " is " + shape_text(b.rows(), b.cols()) + ".",
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

std::vector<std::string> slots(const AttentionParams& source, const AttentionParams& target) {
  std::vector<std::string> names;
  for (const Slot s : kSlots) {
    names.push_back(projection(target, s).weight.name);
    if (!projection(source, s).bias.empty() && !projection(target, s).bias.empty())
      names.push_back(projection(target, s).bias.name);
  }
  return names;
}

Move right_move(const AttentionParams& source, const AttentionParams& target, const std::string& slot) {
  for (const Slot s : kSlots) {
    const Projection &from = projection(source, s), &to = projection(target, s);
    if (to.bias.name == slot) return {from.bias.name, MoveOp::copy, slot, {}, {}};
    if (to.weight.name != slot) continue;
    const bool turned = from.weight.stored_transposed != to.weight.stored_transposed;
    return {from.weight.name, turned ? MoveOp::transpose : MoveOp::copy, slot, {}, {}};
  }
  assert(!"a slot of the target");
  return {};
}

}  // namespace lab
