// What a hand is doing and no link should hold.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cell.hpp"
#include "core/transfer.hpp"

namespace lab {

struct Hand {
  std::string held;             // parameter of the source, picked up by key or click, or being dragged
  std::optional<Move> refused;  // the last drop that did not fit, until something else is done
  std::string open;  // the target whose menu is open: "menu", "export", "input.mask" …; empty: none
  std::optional<CellName> editing;  // the cell that is being typed into
  struct Answering {
    std::string given;     // the last answer, as is_right takes it
    bool checked = false;  // … and it was checked
    bool right = false, revealed = false;
    std::string told;                // what was said to that: why not, or the answer with its reason
    std::vector<std::string> hints;  // given so far
  };
  Answering answering;  // of the question that is asked
  struct Zoom {
    float scale = 1, x = 0, y = 0;  // the stage's picture is that much larger, and moved, CSS pixels
  };
  Zoom zoom;
  bool settings = false;  // a phone's controls are unfolded
  bool sheet = false;     // a phone's inspector is drawn up
  bool playing = false;
  float sheet_scroll = 0;          // by how much that sheet is moved, CSS pixels
  std::optional<int> picked_head;  // the first of two that are to change places
  double replayed = -1e9;          // ms, when the step's motion was asked for once more
  double step_began = -1e9;        // ms; motion is a function of the time since
  double matched_at = -1e9;        // ms, when the outputs last came to match
  // Training and dropout as they were, while a mask route that needs dropout has set them.
  std::optional<std::pair<bool, double>> before_route;
  std::string trouble;  // what could not be done, on the screen until something else is done
  std::string copied;   // "share" or "copy": on the clipboard, told by its button until the next act
  std::string said;     // for the live region: what the last action did
};

}  // namespace lab
