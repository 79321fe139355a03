// What is on the screen and can be named, read or operated. The list is made anew in each frame by what is
// drawn; hit-testing, the keyboard's focus order and the HTML mirror all read it, so none can drift from the
// picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/box.hpp"

namespace lab {

struct Cell {
  int row = -1, col = -1;
  bool valid() const { return row >= 0; }
  bool operator==(const Cell&) const = default;
};

// The content of a matrix, for the mirror's table: every cell, or of a large matrix the largest entry (by
// magnitude) of each row and the cells of the selected row.
struct GridContent {
  std::vector<std::string> row_labels, col_labels;
  std::vector<float> cells;           // rows × cols, row by row; empty for a large matrix
  std::vector<unsigned char> masked;  // rows × cols, or empty
  std::vector<int> peak_cols;         // one a row, of a large matrix: where its largest entry is
  std::vector<float> peaks;           // … and the entry
  std::vector<float> selected_row;    // cols, of a large matrix
  bool unknown = false;               // what stands in the cells is not to be told
  int digits = 4;
  int row = -1, col = -1;  // the selected cell

  // Bit by bit, so that NaN equals NaN.
  bool operator==(const GridContent& other) const;
};

struct Target {
  std::string id{};     // stable and unique in a frame: "slot.W_query"
  std::string role{};   // ARIA's: button, switch, textbox, grid, region, status, heading, img …
  std::string label{};  // its name for a screen reader
  std::string value{};  // its state: "true", "transpose", the text of a field
  Box box{};            // CSS pixels; of a grid exactly its cells
  int rows = 0, cols = 0;
  Cell first{0, 0};  // of a grid that is part of a matrix: where it begins there
  bool disabled = false;
  bool draggable = false;    // a press that moves becomes a drag
  std::string drag_as{};     // … of this target instead (a matrix inside a card that is carried as a whole)
  bool drop_zone = false;    // may lie under what is dropped
  bool passive = false;      // only read: the pointer goes through, the keyboard skips it
  bool wants_focus = false;  // takes the keyboard when it first appears
  Box edit_box{};            // of a text field: where its <input> lies while it is edited; empty = box
  std::string placeholder{};
  bool multiline = false, numeric = false;
  bool in_menu = false;                                      // the arrows go to its neighbours in the menu
  enum class Menu { none, closed, open } menu = Menu::none;  // that it opens
  float radius = 8;                                          // of the focus ring, CSS pixels
  GridContent grid{};
  Box seen{};             // set by finish(): the part of box that is not cut off; empty = all of it
  bool reachable = true;  // set by finish(): on the screen, and the topmost at its centre

  bool operator==(const Target&) const = default;
};

class Registry {
 public:
  void clear();
  // Boxes added from here on can only be hit inside this box. Empty = everywhere. Returns the one before.
  Box clip_to(Box clip);
  const Box& clip() const { return clip_; }
  // In reading order. The id must not be in the list yet. The reference holds until the next add().
  Target& add(Target target);
  // The list is complete: finds out what can be reached on a screen of this size (CSS pixels).
  void finish(float width, float height);

  const std::vector<Target>& targets() const { return targets_; }
  const Target* find(std::string_view id) const;
  // The topmost target at this place, or null. A later target lies above an earlier one.
  const Target* hit(float x, float y) const;
  const Target* drop_zone_at(float x, float y, std::string_view except) const;
  // The next target that takes the keyboard after `id` ("" = before the first), going round.
  const Target* next_focus(std::string_view id, bool backwards) const;
  // Of a menu: the next after `id`, going round; the first for Home, the last for End. Null: not in a menu.
  const Target* next_in_menu(std::string_view id, std::string_view key) const;
  // What takes the keyboard when the target that stood at this place of the list has gone: what stands there
  // now, or before it.
  const Target* heir_of(std::size_t place) const;

 private:
  std::vector<Target> targets_;
  std::vector<Box> clips_;  // as many as targets
  Box clip_;
};

// The cell of a grid at a place; {-1, -1} outside. Of a part counted from the whole's first.
Cell cell_at(const Target& grid, float x, float y);

// The list as the mirror reads it (web/page.js). zoom: CSS pixels of the page per CSS pixel of the picture.
std::string mirror_json(const std::vector<Target>& targets, float zoom = 1);

}  // namespace lab
