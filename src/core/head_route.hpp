// Which number of a matrix of all heads belongs to which head: view and transpose, and the ways to get them
// wrong.
#pragma once

namespace lab {

enum class HeadRoute {
  right,              // head h owns columns h × head_dim …
  interleaved,        // head h owns every num_heads-th column from h on
  no_transpose,       // view(num_heads, T, head_dim) alone, there and back
  no_transpose_back,  // split rightly; the heads' tables are read as they lie in memory
  whole_scale,        // split rightly; scores divided by √d_out, not by √head_dim
};

// T words, each with num_heads × head_dim numbers.
struct HeadShape {
  int words, num_heads, head_dim;
};
struct HeadCell {
  int head, row, col;  // of that head's T × head_dim
  bool operator==(const HeadCell&) const = default;
};
struct AllCell {
  int row, col;  // of T × (num_heads × head_dim)
  bool operator==(const AllCell&) const = default;
};

// Two heads that change places; a is the first of them.
struct HeadPair {
  int a = 0, b = 1;
  int other(int head) const { return head == a ? b : head == b ? a : head; }
  bool operator==(const HeadPair&) const = default;
};

// Where a head reads the cell of its queries, keys or values.
AllCell read_from(HeadRoute route, HeadShape shape, HeadCell cell);
// Whose number stands in a cell of concat.
HeadCell written_by(HeadRoute route, HeadShape shape, AllCell cell);

}  // namespace lab
