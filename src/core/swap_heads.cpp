#include "core/swap_heads.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/multi_head.hpp"

namespace lab {
namespace {

Rect shared(const Rect& a, const Rect& b) {
  return {std::max(a.r0, b.r0), std::min(a.r1, b.r1), std::max(a.c0, b.c0), std::min(a.c1, b.c1)};
}

// Row r of what both have, as an origin of its own: draws are counted row by row of the whole.
Origin of_row(const Origin& o, const Rect& part, int r) {
  Origin row = o;
  row.cells = {r, r + 1, part.c0, part.c1};
  const int i = r - o.cells.r0, j = part.c0 - o.cells.c0, n = part.cols();
  row.first_draw = o.first_draw + std::int64_t(i) * o.cells.cols() + j;
  const Rect& from = o.from_cells;
  row.from_cells = o.transposed ? Rect{from.r0 + j, from.r0 + j + n, from.c0 + i, from.c0 + i + 1}
                                : Rect{from.r0 + i, from.r0 + i + 1, from.c0 + j, from.c0 + j + n};
  return row;
}

// The numbers of two rectangles of one shape, and what is known of where they came from.
void exchange(Parameter& p, const Rect& a, const Rect& b) {
  if (p.empty()) return;
  const Matrix of_a = view(p.stored, a), of_b = view(p.stored, b);
  p.stored.block(a.r0, a.c0, a.rows(), a.cols()) = of_b;
  p.stored.block(b.r0, b.c0, b.rows(), b.cols()) = of_a;
  const std::vector<Origin> before = p.origins;
  for (const Origin& o : before)
    for (const auto& [from, to] : {std::pair{a, b}, {b, a}}) {
      const Rect part = shared(o.cells, from);
      for (int r = part.r0; r < part.r1 && part.cols() > 0; ++r) {
        Origin row = of_row(o, part, r);
        row.cells = {r - from.r0 + to.r0, r - from.r0 + to.r0 + 1, part.c0 - from.c0 + to.c0,
                     part.c1 - from.c0 + to.c0};
        p.origins.push_back(std::move(row));
      }
    }
}

int swapped_column(int col, int width, HeadPair pair) {
  return pair.other(col / width) * width + col % width;
}

}  // namespace

void swap_heads(AttentionParams& m, HeadPair pair) {
  if (m.kind == AttentionKind::wrapper) {
    AttentionParams &a = m.heads[std::size_t(pair.a)], &b = m.heads[std::size_t(pair.b)];
    std::swap(a, b);
    for (const int h : {pair.a, pair.b})  // a name says where a head stands
      for (Parameter* p : parameters(m.heads[std::size_t(h)]))
        p->name = head_prefix(h) + p->name.substr(head_prefix(pair.other(h)).size());
    return;
  }
  for (const Slot s : kSlots)
    for (Parameter* p : {&projection(m, s).weight, &projection(m, s).bias})
      if (!p->empty()) exchange(*p, band_of(m, *p, pair.a), band_of(m, *p, pair.b));
}

void swap_columns(AttentionParams& mha, HeadPair pair) {
  const int width = head_dim(mha), rows = int(mha.out_proj.weight.stored.rows());
  const auto band = [&](int head) { return Rect{0, rows, head * width, (head + 1) * width}; };
  exchange(mha.out_proj.weight, band(pair.a), band(pair.b));
}

CellName place_after_swap(CellName own, const AttentionParams& m, HeadPair pair, bool columns) {
  const int width = head_dim(m);
  const auto swap_col = [&] { own.col = swapped_column(own.col, width, pair); };
  for (const int head : {pair.a, pair.b})
    if (const std::string prefix = head_prefix(head); own.name.starts_with(prefix)) {
      own.name = head_prefix(pair.other(head)) + own.name.substr(prefix.size());
      return own;
    }
  const bool projects = own.name.starts_with("W_");
  if (projects && own.name.ends_with(".bias")) {
    swap_col();
  } else if (projects) {
    own.row = swapped_column(own.row, width, pair);
  } else if (own.name == "queries" || own.name == "keys" || own.name == "values" || own.name == "concat" ||
             (own.name == "out" && m.kind == AttentionKind::wrapper) ||
             (own.name == "out_proj.weight" && columns)) {
    swap_col();
  }
  return own;
}

std::vector<int> swapped_order(int num_heads, int width, HeadPair pair) {
  std::vector<int> order(std::size_t(num_heads * width));
  std::iota(order.begin(), order.end(), 0);
  for (int& col : order) col = swapped_column(col, width, pair);
  return order;
}

}  // namespace lab
