// Two heads change places.
#pragma once
#include <vector>

#include "core/attention.hpp"
#include "core/cell.hpp"
#include "core/head_route.hpp"

namespace lab {

// What queries, keys and values are made with: of a stack the heads themselves, of one module their bands.
void swap_heads(AttentionParams& module, HeadPair pair);
// mha: the columns of out_proj that read what these heads found.
void swap_columns(AttentionParams& mha, HeadPair pair);

// Where a cell goes that is one of these heads', its name without the run's prefix; a cell of nobody's stays.
CellName place_after_swap(CellName own, const AttentionParams& module, HeadPair pair, bool columns);
// Which column of all heads stands where, after the swap: width of one head.
std::vector<int> swapped_order(int num_heads, int width, HeadPair pair);

}  // namespace lab
