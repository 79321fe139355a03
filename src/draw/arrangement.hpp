// A lesson's matrices in columns: what stands where, the arrows between, and what can be chosen beside them.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "draw/view.hpp"

namespace lab {

// CSS pixels: title and note above the cells, bars beside them, air between matrices.
constexpr float kHead = 50, kTitleHead = 30, kColumnWords = 18, kBars = 84, kSums = 46;
constexpr float kBandName = 16;  // below the cells
constexpr float kGapY = 34, kCloseGapY = 12, kRoomForZero = 34;

struct Standing {
  enum Which { all, lit, in_one_column };  // of an arrangement; lit: what the step shows
  const Place* place;
  std::string name;  // of the matrix; the place's, with a head's number for *
  Found found;
  int step = 0;            // the first that shows it
  Box cells{};             // where it stands
  float cell = 0;          // how high a cell is
  float cell_w = 0;        // and how wide
  float words_room = 0;    // a cell with room for the names of the columns; 0: they have none
  float beside_room = 0;   // the same of a matrix that stands beside it
  float title_room = 0;    // 0: as much as it wants
  bool sums_only = false;  // numbers beside the rows, and no bars
  bool wide = false;       // cells wider than high
  std::string note{};      // below the title; empty: its own
  int pieces = 1;          // that stand apart, of equally many columns
  bool only_head = false;  // the others' stand elsewhere: titled by what it is, not by whose
  bool close = false;      // little room: no note below the title, less air between matrices
  int rows() const { return int(found.cells.rows()); }
  int cols() const { return int(found.cells.cols()); }
  bool names_columns(float size) const { return words_room > 0 && words_room <= size; }
  // So that cells and titles beside one another stand on one line.
  float lift(float size) const {
    const bool lifted = names_columns(size) || (beside_room > 0 && beside_room <= size);
    return lifted ? kColumnWords : 0;
  }
  // Above cells of this size: title, note and, where they fit, the words of the columns.
  float head(float size) const { return (close ? kTitleHead : kHead) + lift(size); }
  float width_for(float size) const {  // of cells of this height
    constexpr float kWide = 1.7f;
    return wide ? std::floor(kWide * size) : size;
  }
  float cut() const { return std::floor(.5f * cell_w); }  // between two pieces
  float x_of(int col) const {
    return cells.x + float(col) * cell_w + cut() * float(col / std::max(1, cols() / pieces));
  }
  Box cell_box(int row, int col) const { return {x_of(col), cells.y + float(row) * cell, cell_w, cell}; }
  float gap() const { return close ? kCloseGapY : kGapY; }  // to the matrix below
};
using Columns = std::vector<std::vector<Standing>>;
float gaps_of(const std::vector<Standing>& column);  // between its matrices, all together

// What stands where; in a narrow window only what the step shows, one below the other. few: of what the step
// shows, only so many, those that it names first.
Columns standing(const Ui& ui, const Shown& shown, Standing::Which which, int few = 99);
// The same in as little height as titles and numbers need.
Columns close_together(Columns columns);
// All matrices of the arrangement where their numbers can be read in this area, else what the step is about,
// else what it names first.
Columns scene_for(const Ui& ui, const Shown& shown, Box area);
// How large its cells can be in this area.
float least_cell(const Ui& ui, const Columns& columns, Box area);
// One below the other, from y on; gives the end. A narrow window scrolls, so height is no limit.
float lay_out_one_column(const Ui& ui, const Shown& shown, Columns& columns, float x, float y, float width);
// The largest cells with which all columns fit, and where they stand then.
void lay_out(const Ui& ui, Columns& columns, Box area, float gap_x);
bool has_bands(const Standing& s);  // each of its columns is one head's
std::string title_of(const Standing& s);
std::string note_of(const Standing& s);
void draw_wrong_bands(Ui& ui, const Shown& shown, const Standing& s);
// The dashed place of what the sizes do not allow, with the reason; where it fits below the last matrix.
void draw_refused(Ui& ui, const Shown& shown, const Columns& columns, float floor);
void draw_opener(Ui& ui, const Shown& shown, const Standing& s);
float bars_width(const Standing& s);
bool has_bars(const Shown& shown, const Standing& s);  // they are of the numbers, not of what changed in them
bool is_asked_for(const Shown& shown, const Standing& s);  // it would tell the answer to the step's question
bool is_aside(const Shown& shown, const Standing& s);  // the step's question is about others: an empty frame
float height_of(const Standing& s, float cell);
float labels_width(const Ui& ui, const Shown& shown);  // 0 where no row is a word

const Standing* find_standing(const Columns& columns, std::string_view matrix);  // null: not here

// The atlas' sources between matrices that stand here, up to this step of the lesson.
struct Margins {
  float left = 0;   // words stand that wide at the left of the first column
  float floor = 0;  // no arrow goes below
};
void draw_arrows(Ui& ui, const Shown& shown, const Columns& columns, int step, const Margins& room);

// The numbers that the selected cell is made from, on their way to it while the step begins.
void draw_flight(Ui& ui, const Shown& shown, const Columns& columns);

// A matrix of all heads, its bands apart as view cuts them.
void draw_cut(Ui& ui, const Shown& shown, const Standing& s, bool labels);
// Which of its numbers goes where. The one that is looked at, by a line, under the matrices, and its
// addresses, at the top of the box; and while the step begins all of them on their way.
void draw_paths(Ui& ui, const Shown& shown, const Columns& columns, Box box);
void draw_flights(Ui& ui, const Shown& shown, const Columns& columns);
void draw_band_name(Ui& ui, Box band, const std::string& name, bool chosen);  // below; "head 2", or "2"
bool has_split(const Shown& shown);  // the arrangement has such a matrix
void draw_flying(Ui& ui, const Hue& hue, Box box, float value);
Box on_the_way(Box from, Box to, float t, float rise);

// What stands above the matrices, or in their place.
void draw_figure(Ui& ui, const Shown& shown, Box box);
float figure_height(const Ui& ui, const Shown& shown);              // at least
float figure_room(const Ui& ui, const Shown& shown, float height);  // of so much, where matrices stand below

// Word by word, changes, the mask's routes. Height: of the narrow column, where they stand above the
// matrices; width: of a wide stage, where the routes stand at its left.
// Returns where in their row the buttons at the right begin.
float draw_choices(Ui& ui, const Shown& shown, Box box, bool stacked);
float choices_height(const Shown& shown);
float choices_width(const Shown& shown);
float choices_room(const Shown& shown, float height);  // above the matrices of a wide but low stage

}  // namespace lab
