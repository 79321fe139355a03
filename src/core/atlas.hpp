// How each cell is made from which cells of which matrices: one table, a row per matrix. Hover outlines,
// arrows, the inspector, JSON names and the tests all read it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runs.hpp"

namespace lab {

enum class Role { neutral, query, key, value, weights, context };  // a hue with a meaning

// How cell [r, c] is made from the matrices a and b.
enum class Rule {
  row_times_column,     // Σₖ a[r, k] × b[k, c], plus a bias where b is a projection that has one
  row_times_row,        // Σₖ a[r, k] × b[c, k]
  over_root_d,          // a[r, c] ÷ √d_k
  softmax,              // exp(a[r, c] − max) ÷ Σₖ exp(a[r, k] − max)
  softmax_over_root_d,  // the same of a ÷ √d_k
  times,                // a[r, c] × b[r, c]
  row_sum,              // Σₖ a[r, k]
  over_row,             // a[r, c] ÷ b[r, 0]
  hide,                 // a[r, c] where b[r, c] is not 0, else −∞
  same,                 // a[r, c]
  read_by_head,         // a[r', c'], a: of all heads; head_route.hpp says where
  side_by_side,         // a[r', c'] of one of the heads; 0 where it is switched off
  minus,                // a[r, c] − b[r, c]
  plus,                 // a[r, c] + b[r, c]
  row_mean,             // Σₖ a[r, k] ÷ n
  row_variance,         // Σₖ (a[r, k] − b[r, 0])² ÷ n, or ÷ (n − 1)
  level,  // (a[r, c] − mean[r, 0]) ÷ √(var[r, 0] + eps) × scale[c] + shift[c]; b names those four
  gelu,   // ½ a (1 + tanh(√(2/π) (a + 0.044715 a³)))
  relu,   // a[r, c], 0 where it is negative
  largest_change,  // max over k of |a[r, k] − b[r, k]|, b: the same pass with word c nudged (leak.hpp)
  largest_later,   // max over k > r of a[r, k]; 0 where nothing comes later
  mask,            // 1 or 0 by position; made from nothing
  drawn,           // from a seed, or given; made from nothing
  kept,            // of a large pass that kept this and not what it was made from
};

struct AtlasRow {
  Tensor tensor;        // null: "difference", "influence" and "leak", which belong to no run
  const char* name;     // as in the book's code; sources are such names too, looked up in the same run first,
                        // read_by_head's in the module of all heads, side_by_side's in each head
  const char* title;    // for people
  const char* formula;  // as PyTorch says it
  Role role;
  Rule rule;
  const char* a = "";
  const char* b = "";                     // or several, with a space between
  bool (*applies)(const Run&) = nullptr;  // null: always
};

// The row that made this tensor in this run; null: the run has no such matrix.
const AtlasRow* atlas_row(const Run& run, Tensor tensor);
const AtlasRow* atlas_row(const Run& run, std::string_view name);
// Rows of all matrices that the run has, in the order in which they are made.
std::vector<const AtlasRow*> atlas_rows(const Run& run);
std::span<const AtlasRow> whole_atlas();
const AtlasRow& difference_row();         // of a source's output and a target's
const AtlasRow& packed_difference_row();  // of the stacked heads' output and the fused module's: "difference"
const AtlasRow& map_difference_row();     // of two heads: their attention weights
const AtlasRow& context_difference_row();  // and what they carry away
const AtlasRow& stacked_change_row();      // of what a stack returns, to before heads were swapped or off
const AtlasRow& fused_change_row();        // the same of one module with its out_proj
const AtlasRow& influence_row();
const AtlasRow& leak_row();
bool is_share(const AtlasRow& row);  // entries are shares or masks, 0…1 and up, drawn with the sequential map

struct Operand {
  CellName cell;  // a parameter's as it is stored
  float value = 0;
};

// Where one number came from.
struct Explanation {
  Rule rule = Rule::drawn;
  const AtlasRow* row = nullptr;  // null: a parameter or the inputs
  struct Term {
    Operand a;
    std::optional<Operand> b;  // a × b, a ÷ b, a − b as the rule says
    double value = 0;          // of the term
  };
  std::vector<Term> terms;  // in the order in which they are added; for softmax the whole row
  std::optional<Operand> bias;
  int d_k = 0;                     // where the rule divides by its root
  double max = 0, total = 0;       // softmax: the row's maximum (after ÷ √d_k), the sum below the line
  int divisor = 0;                 // row_mean, row_variance: n, or n − 1
  double eps = 0;                  // level
  bool switched_off = false;       // the numbers of the head, or of the block's box, are not passed on
  double value = 0;                // what the rule gives, summed in double
  double magnitude = 0;            // Σ |terms|: how far rounding may carry
  const Origin* origin = nullptr;  // the end of the chain: a parameter's or an input's cell
  std::int64_t draw = 0;           // origin drawn: which 32-bit draw after manual_seed, from 1
  std::optional<float> was;        // the cell was edited; the rule explains this number
};

// None: no such cell.
std::optional<Explanation> explain(const Runs& runs, const CellName& cell);
// The cells that this one is made from, for outlines.
std::vector<CellName> sources(const Explanation& e);

}  // namespace lab
