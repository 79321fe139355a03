// The panel of pairs: which there are, where they lie, and what connects them.
#pragma once
#include <algorithm>

#include "draw/view.hpp"

namespace lab {

// CSS pixels: the panel's head, a title above its cells or beside them, a row of biases, air below a row.
constexpr float kPairsHead = 66, kTitle = 24, kTitleBeside = 128, kBiasRow = 54, kBelow = 14;

// One pair of the bench: a weight or a bias on the left, its partner's place on the right.
struct PairRow {
  Slot slot;
  const Parameter* source = nullptr;  // null: the source has none
  const Parameter* target = nullptr;  // as it is now, moves made
  bool bias = false;
  Box box;             // the row across the panel
  bool takes = false;  // a slot: moves go there
};

std::vector<PairRow> pair_rows(const Shown& shown);
// 1 for the pair that the step is about; less for the others while the lesson looks at one.
float attention_of(const Shown& shown, const PairRow& row);
const Move* move_into(const Shown& shown, const std::string& slot);  // null: untouched
bool is_filled(const Shown& shown, const std::string& slot);

// Where things lie in the panel of pairs.
struct PairsPlan {
  Box panel;
  float source_x = 0, slot_x = 0, cell = 0;  // x: of the cells
  // Words over a slot begin at its cells; where it stands too far right for them, they end at the panel's
  // edge.
  float words_x(float width) const { return std::min(slot_x, panel.right() - 12 - width); }
  float title = kTitle;  // the height that titles take above the cells
  bool narrow = false;
  bool beside = false;  // a low window: titles outside of the cells, on the left and on the right
};

// Gives each row its box.
PairsPlan plan_pairs(const Ui& ui, const Shown& shown, Box panel, std::vector<PairRow>& rows);
// Both matrices of a pair are centred on one line, so that their wire runs level. x: of the cells.
Box cells_box(const PairsPlan& plan, const PairRow& row, const Parameter& p, float x);

// Wires and guides of all rows that take moves, drawn before what they cross; then the switches on them.
void draw_wires(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows);
void draw_switch(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                 const PairRow& row);

}  // namespace lab
