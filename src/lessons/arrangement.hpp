// Where the matrices of a lesson stand: columns from left to right, each from top to bottom. Sizes and arrows
// are the picture's business; arrows are the atlas' sources between matrices that stand here.
#pragma once
#include <vector>

namespace lab {

struct Place {
  const char* name;       // as atlas and links say it: "attn_scores", "simple.attn_weights", "W_query"
  float scale = 1;        // of its cells, beside those of the others
  bool row_sums = false;  // bars to the right, with the row's sum
};

struct Arrangement {
  std::vector<std::vector<Place>> columns;
};

}  // namespace lab
