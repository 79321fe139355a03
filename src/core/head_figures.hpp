// A few numbers that say where a head looks.
#pragma once
#include "core/run.hpp"

namespace lab {

struct HeadFigures {
  double entropy = 0;           // nats, mean of all rows but the first, which has no choice; 0 of one row
  double last_entropy = 0;      // of the last row ÷ ln of how many words it may look at: 1 is even
  double distance = 0;          // words looked back, on average, mean of all rows
  int most_attended = 0;        // the column with the largest mean
  double most_attended_by = 0;  // that mean; NaN where a share is
};
// weights: T × T, causal; T is at least 1.
HeadFigures figures_of(const Matrix& weights);
// The same of a head that spreads its attention evenly over what it may look at: T × T.
Matrix even_weights(int words);

// module: of several heads. How far its output moves, at most, when what this head found is left out; edits
// of the output aside.
float effect_of(const Run& module, int head);

}  // namespace lab
