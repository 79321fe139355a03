// What the screen shows, read-only: the draw functions get this and Ui, and nothing else.
#pragma once
#include "core/atlas.hpp"
#include "draw/matrix_view.hpp"
#include "draw/ui.hpp"
#include "lessons/hand.hpp"
#include "lessons/lesson.hpp"
#include "lessons/pytorch.hpp"
#include "lessons/verdict.hpp"

namespace lab {

struct Shown {
  const State& state;
  const Results& results;
  const Hand& hand;
  const Verdict& verdict;
  const Code& code;
  bool can_undo = false, can_redo = false;
  double compute_ms = 0;
  std::span<const std::string> done{};  // ids of the questions that were answered

  const Runs& runs() const { return results.runs; }
  const Inputs& inputs() const { return results.inputs; }
};

inline FloatView heat_view(const MatrixView& m) {
  return {m.data(), int(m.rows()), int(m.cols()), m.outerStride(), m.innerStride()};
}

// A question waits for its answer, and nothing may tell it. What is to be set hides nothing.
bool is_asking(const Shown& shown);

// The selected cell; where a shorter sentence or a smaller size has lost it, the nearest that there is.
CellName shown_cell(const Shown& shown);

// The cell under the pointer, else the selected one.
CellName looked_at(const Ui& ui, const Shown& shown);

// All runs of a lesson read the same inputs, which stand on the screen once: "simple.inputs" is "inputs".
std::string_view name_on_stage(std::string_view matrix);

const Hue& hue_of(const Ui& ui, Role role);
const Hue& hue_of(const Ui& ui, std::optional<Slot> slot);  // none: out_proj

// The selected cell and, in hover or selection, the cells that it is made from: the marks of a matrix.
void mark_cells(const Ui& ui, const Shown& shown, const std::string& name, MatrixLook& look);

}  // namespace lab
