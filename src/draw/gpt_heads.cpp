// Every head of every block at a glance, and one of them enlarged.
#include <algorithm>
#include <cmath>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

namespace {

constexpr int kMostEnlarged = 128;  // tokens whose cells can still be told apart

// For who cannot see the maps.
GridContent heads_content(const GptReader& reading, HeadPlace chosen) {
  constexpr int kReadable = 12;  // as of a matrix: beyond it a row is told by its largest
  GridContent content{.row = chosen.block, .col = chosen.head};
  const auto& blocks = reading.blocks();
  const bool whole = blocks.size() <= kReadable && blocks[0].heads.size() <= kReadable;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    content.row_labels.push_back("block " + std::to_string(b + 1));
    std::vector<float> row;
    for (const HeadGlance& head : blocks[b].heads) row.push_back(head.last_row.maxCoeff());
    if (whole) content.cells.insert(content.cells.end(), row.begin(), row.end());
    const auto most = std::max_element(row.begin(), row.end());
    if (!whole) content.peak_cols.push_back(int(most - row.begin()));
    if (!whole) content.peaks.push_back(*most);
    if (!whole && int(b) == chosen.block) content.selected_row = row;
  }
  for (std::size_t h = 0; h < blocks[0].heads.size(); ++h)
    content.col_labels.push_back("head " + std::to_string(h + 1));
  return content;
}

// Its weights as they are; of a long text the picture of rectangles, beside an even share.
void draw_enlarged(Ui& ui, const Shown& shown, HeadPlace chosen, Box box) {
  const auto& tokens = shown.results.gpt->tokens();
  const std::string name = head_name(chosen) + "attn_weights";
  const auto weights = find(shown.runs(), name);
  const bool as_it_is = weights && int(tokens.size()) <= kMostEnlarged;
  const Matrix& glance =
      shown.results.gpt->reading()->blocks()[std::size_t(chosen.block)].heads[std::size_t(chosen.head)].map;
  const MatrixView cells = as_it_is ? weights->cells : view(glance);
  float label = 0;
  if (as_it_is)
    for (const std::string& token : tokens) label = std::max(label, ui.pen.width(Sans, type::small, token));
  label = label > 0 && box.w / float(cells.rows()) > 8 ? std::min(label + 12, 84.f) : 0;
  MatrixLook look{.name = name,
                  .title = filled("Block {0}, head {1}",
                                  {std::to_string(chosen.block + 1), std::to_string(chosen.head + 1)}),
                  .note = as_it_is ? "attn_weights" : "beside an even share",
                  .title_color = ui.theme->weights.text,
                  .is_signed = !as_it_is,
                  .max = 1};
  if (label > 0) look.row_labels = &tokens;
  if (as_it_is) {
    look.mirror_rows = look.mirror_cols = &tokens;
    const CellName cell = selected_cell(shown.state);
    if (cell.name == name) look.row = cell.row, look.col = cell.col;
  }
  look.digits = shown.state.view.digits;
  look.passive = !as_it_is;
  const float cell = std::min({(box.w - label) / float(cells.cols()), 52.f});
  const float side = cell > 2 ? std::floor(cell) : cell;
  draw_matrix(ui, heat_view(cells), box.x + label, box.y, side, look);
  const char* words = "Open its stages";
  const float below = box.y + side * float(cells.rows()) + 14;
  if (as_it_is && below + 30 < box.bottom() + (is_narrow(ui) ? 60 : 0))
    button(ui, {box.x + label, below, button_width(ui, words), 30}, "part.inside", words);
}

}  // namespace

void draw_maps(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  const int layers = int(reading.blocks().size()), heads = int(reading.blocks()[0].heads.size());
  const int side_cells = int(reading.blocks()[0].heads[0].map.rows());
  const HeadPlace chosen = looked_at_head(shown.results, shown.state);
  const Palette& c = *ui.theme;
  const bool stacked = is_narrow(ui);
  heading(ui, box, "Every head in every block", stacked ? "" : "white: an even share, red: more, blue: less");
  const float large = stacked ? 0 : std::clamp(box.w - 2 * kPad - 28 - (box.h - kHead - kPad), 190.f, 300.f);
  const float room_w = box.w - 2 * kPad - (large > 0 ? large + 28 : 0),
              room_h = stacked ? room_w : box.h - kHead - kPad;
  const float pitch = std::floor(std::min(room_w / float(heads), room_h / float(layers)));
  const float spare = stacked ? 0 : std::max(0.f, room_h - pitch * float(layers)) / 2;
  const Box grid{box.x + kPad, box.y + kHead + spare, pitch * float(heads), pitch * float(layers)};
  for (int b = 0; b < layers; ++b)
    for (int h = 0; h < heads; ++h) {
      const Matrix& map = reading.blocks()[std::size_t(b)].heads[std::size_t(h)].map;
      const Box place{grid.x + pitch * float(h), grid.y + pitch * float(b), pitch, pitch};
      const float side = std::max(2.f, pitch - std::max(2.f, pitch * .12f)), cell = side / float(side_cells);
      const std::string name = "map." + std::to_string(b) + "." + std::to_string(h);
      MatrixLook look{.name = name, .is_signed = true, .max = 1, .numbers = false, .passive = true};
      look.cell_width = cell;
      draw_matrix(ui, heat_view(view(map)), place.x, place.y, cell, look);
      if (b == chosen.block && h == chosen.head)
        ui.pen.outline({place.x - 2, place.y - 2, side + 4, side + 4}, c.weights.mark, 3, 2);
    }
  Target& t =
      ui.registry.add({.id = "matrix.heads",
                       .role = "grid",
                       .label = filled("Heads: {0} blocks by {1} heads, the largest share in each one’s last "
                                       "row; chosen: block {2}, head {3}",
                                       {std::to_string(layers), std::to_string(heads),
                                        std::to_string(chosen.block + 1), std::to_string(chosen.head + 1)}),
                       .box = grid,
                       .rows = layers,
                       .cols = heads});
  t.grid = heads_content(reading, chosen);
  const float x = stacked ? box.x + kPad : box.right() - kPad - large,
              y = stacked ? grid.bottom() + 76 : grid.y + 46;
  draw_enlarged(ui, shown, chosen, {x, y, stacked ? box.w - 2 * kPad : large, box.bottom() - kPad - y});
}

}  // namespace lab
