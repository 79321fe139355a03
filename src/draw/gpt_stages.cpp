// The stages of one head over a text too long for cells that can be told apart.
#include <algorithm>
#include <cmath>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"

namespace lab {
using namespace gpt_look;

namespace {

struct Title {
  const char *stage, *title;
};
constexpr Title kTitles[] = {
    {"attn_scores", "Scores"},
    {"scaled_scores", "Scaled"},
    {"softmax_unmasked", "① Softmax"},
    {"masked_zeroed", "② Zeroed"},
    {"masked_renormalized", "③ Renormalized"},
    {"masked_softmax", "Softmax of −∞"},
};

constexpr float kTitleRoom = 44, kBetween = 28;

}  // namespace

void draw_long_stages(Ui& ui, const Shown& shown, Box box) {
  const HeadPlace place = looked_at_head(shown.results, shown.state);
  const int words = shown.results.gpt->reading()->given();
  const auto& glances = shown.results.glances;
  const int side_cells = int(glances.front().cells.rows()), columns = is_narrow(ui) ? 2 : 3,
            rows = int(glances.size()) / columns;
  heading(ui, box,
          filled("Block {0}, head {1}", {std::to_string(place.block + 1), std::to_string(place.head + 1)}),
          filled("means of {0} × {0} cells; red: more than an even share",
                 {decimals(double(words) / side_cells, 1)}));
  const float room_w = (box.w - 2 * kPad - kBetween * float(columns - 1)) / float(columns),
              room_h = (box.h - kHead - kPad) / float(rows) - kTitleRoom;
  const float cell = cell_size_for(side_cells, side_cells, room_w, room_h, 8, ui.pen.scale),
              side = cell * float(side_cells);
  const float spare = std::max(0.f, (room_h - side) * float(rows) / float(rows + 1));
  const float left = box.mid_x() - (side * float(columns) + kBetween * float(columns - 1)) / 2;
  for (std::size_t i = 0; i < glances.size(); ++i) {
    const StageGlance& glance = glances[i];
    const Title& title = *std::find_if(std::begin(kTitles), std::end(kTitles),
                                       [&](const Title& t) { return t.stage == glance.name; });
    const float x = left + (side + kBetween) * float(int(i) % columns),
                y = box.y + kHead + spare + kTitleRoom - 6 +
                    (side + kTitleRoom + spare) * float(int(i) / columns);
    MatrixLook look{.name = "stage." + glance.name,
                    .title = title.title,
                    .title_color = ui.theme->weights.text,
                    .title_room = side + kBetween - 4,
                    .max = glance.beside_even ? 1.f : 0.f,
                    .numbers = false,
                    .mask = {glance.masked.data(), side_cells, 1},
                    .passive = true};
    draw_matrix(ui, heat_view(view(glance.cells)), x, y, cell, look);
    ui.registry.add({.id = "stage." + glance.name,
                     .role = "text",
                     .label = title.title,
                     .value = filled("{0} × {0} shares", {std::to_string(words)}),
                     .box = {x, y - 24, side, side + 24},
                     .passive = true});
  }
}

float long_stages_height(const Ui& ui, float width) {
  const int columns = is_narrow(ui) ? 2 : 3;
  const float side = (width - 2 * kPad - kBetween * float(columns - 1)) / float(columns);
  return kHead + kPad + 6 / float(columns) * (std::min(side, 150.f) + kTitleRoom);
}

}  // namespace lab
