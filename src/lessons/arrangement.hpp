// Where the matrices of a lesson stand: columns from left to right, each from top to bottom. Sizes and arrows
// are the picture's business; arrows are the atlas' sources between matrices that stand here.
#pragma once
#include <vector>

namespace lab {

enum class Bars {  // to the right of a matrix, one a row
  none,
  row_sums,
  leak,
  length,  // of the row as a vector
};

// What stands in an arrangement besides matrices, above them.
enum class Figure {
  none,
  bend,       // GELU's curve beside ReLU's, with the numbers of the selected row on it
  gradients,  // of the deep network, layer by layer, with shortcuts and without
  eps,        // what it does to the variance of the selected row
  level,      // the selected row on its way through LayerNorm
  stack,      // what becomes of the stream behind twelve blocks, with shortcuts and without
};

struct Place {
  const char*
      name;  // as atlas and links say it: "attn_scores", "simple.attn_weights", "W_query"; * is every head,
             // @ the one that is opened
  float scale = 1;  // of its cells, beside those of the others
  Bars bars = Bars::none;
  int stage = 0;                         // a number in a circle before its title; 0: none
  const char *from = "", *by = "";       // an arrow besides the atlas': what lies between is not shown here
  const char* title = "";                // where the matrix' own would not tell it from another
  bool across = false;                   // the heads' stand side by side, as long as there is room
  bool wide = false;                     // cells with room for all digits
  bool opens = false;                    // a head's: a button opens the head
  bool cut = false;                      // of all heads together: its bands stand apart, as view cuts them
  const char *with = "", *without = "";  // it stands only where there is such a matrix, or is none
};

struct Arrangement {
  std::vector<std::vector<Place>> columns;
  float gap = 40;  // CSS pixels between columns, at least: words on arrows need more
  Figure figure = Figure::none;
  bool by_head = false;    // the columns come head by head
  bool sums_only = false;  // numbers beside the rows, and no bars
  int most_heads = 99;     // of more, only the one that is looked at
  bool one_scale = false;  // equal numbers have equal colours in all its matrices
};

}  // namespace lab
