// The panel of pairs: which there are, where they lie, and what connects them.
#pragma once
#include <algorithm>

#include "draw/view.hpp"

namespace lab {

// CSS pixels: the panel's head, a title above its cells, a row of biases, air below a row, and between heads.
constexpr float kPairsHead = 66, kTitle = 24, kBiasRow = 54, kBelow = 14, kBetweenHeads = 10;

// What stands at one end of a row: a parameter, or a head's part of it.
struct RowEnd {
  const Parameter* parameter = nullptr;  // null: that module has none
  Piece piece{};
  std::string id{}, title{};  // "W_query.weight[2:4,0:3]", "W_query.weight[2:4]"
  std::string shape{};        // "[2, 3]"
  Rect cells{};

  explicit operator bool() const { return parameter != nullptr; }
  float rows() const { return float(cells.rows()); }
  float cols() const { return float(cells.cols()); }
  FloatView numbers() const { return heat_view(view(parameter->stored, cells)); }
};

// One pair of the bench: a weight or a bias on the left, its partner's place on the right.
struct PairRow {
  std::optional<Slot> slot;  // none: out_proj
  int head = -1;             // of several
  RowEnd source, target;     // the target's as it is now, moves made
  bool bias = false;
  Box box{};            // the row across the panel
  bool takes = false;   // a slot: moves go there
  bool begins = false;  // another head begins here

  float tallest() const { return std::max(source ? source.rows() : 0, target ? target.rows() : 0); }
};

std::vector<PairRow> pair_rows(const Shown& shown);
// A matrix of all heads takes the height of as many rows as it has heads.
float weight_rows(const std::vector<PairRow>& rows, const PairRow& row);
// 1 for the pair that the step is about; less for the others while the lesson looks at one.
float attention_of(const Shown& shown, const PairRow& row);
const Move* move_into(const Shown& shown, const Piece& slot);  // null: untouched
bool is_filled(const Shown& shown, const Piece& slot);

// Where things lie in the panel of pairs.
struct PairsPlan {
  Box panel;
  float source_x = 0, slot_x = 0, cell = 0;  // x: of the cells
  // Words over a slot begin at its cells; where it stands too far right for them, they end at the panel's
  // edge.
  float words_x(float width) const { return std::min(slot_x, panel.right() - 12 - width); }
  float title = kTitle;  // the height that titles take above the cells
  bool narrow = false;
  bool beside = false;     // titles outside of the cells, on the left and on the right …
  float title_beside = 0;  // … so wide
};

// In a low window, and where there are many rows.
bool titles_beside(const Ui& ui, const std::vector<PairRow>& rows, float panel_width);

// Gives each row its box.
PairsPlan plan_pairs(const Ui& ui, const Shown& shown, Box panel, std::vector<PairRow>& rows);
// Both matrices of a pair are centred on one line, so that their wire runs level. x: of the cells.
Box cells_box(const PairsPlan& plan, const PairRow& row, const RowEnd& end, float x);

// Wires and guides of all rows that take moves, drawn before what they cross; then the switches on them.
void draw_wires(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows);
void draw_switch(Ui& ui, const Shown& shown, const PairsPlan& plan, const std::vector<PairRow>& rows,
                 const PairRow& row);

}  // namespace lab
