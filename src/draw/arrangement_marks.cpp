// What stands at a matrix besides its cells: its title and note, the way into a head, bands that are wrong.
#include <algorithm>
#include <cmath>

#include "core/ops.hpp"
#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/inspect.hpp"

namespace lab {
namespace {

bool is_of_opened(const Standing& s) { return s.only_head || s.place->name[0] == '@'; }

}  // namespace

std::string title_of(const Standing& s) {
  constexpr const char* kCircled[] = {"", "① ", "② ", "③ ", "④ "};
  if (*s.place->title && s.note != s.place->title) return s.place->title;
  const std::string head =
      s.found.run && s.found.run->head >= 0 ? "Head " + std::to_string(s.found.run->head + 1) : "";
  if (!head.empty() && !is_of_opened(s)) return head;
  const std::string title = s.found.row                           ? s.found.row->title
                            : s.found.parameter->name == "inputs" ? "Inputs"
                                                                  : s.found.parameter->name;
  return kCircled[s.place->stage] + title;
}

std::string note_of(const Standing& s) {
  if (s.place->bars == Bars::none && !s.note.empty()) return s.note;
  if (s.found.run && s.found.run->head >= 0 && !is_of_opened(s))
    return s.found.row ? s.found.row->name : s.found.parameter->name;
  if (s.place->bars == Bars::leak) return "row moves with column";
  if (s.place->bars == Bars::row_sums)
    return rows_sum_to_one(s.found.cells) ? "rows sum to 1" : "rows do not sum to 1";
  const bool asks = s.found.row && (s.found.row->tensor == &Trace::attn_scores ||
                                    s.found.row->tensor == &Trace::scaled_scores);
  return asks && s.cols() > 2 ? "row asks, column is asked"
                              : std::to_string(s.rows()) + " × " + std::to_string(s.cols());
}

// Where stacked and fused differ: the columns name the head.
void draw_wrong_bands(Ui& ui, const Shown& shown, const Standing& s) {
  const auto difference = find(shown.runs(), "difference");
  const bool packed = difference && difference->row == &packed_difference_row();
  if (!packed || (s.name != "difference" && s.name != "out")) return;
  const AttentionParams& stacked = shown.runs().runs.front().module;
  constexpr float kRounding = 1e-4f;  // does not look like a fault
  const int width = head_dim(stacked);
  if (s.cols() != width * stacked.num_heads || difference->cells.cols() != s.cols()) return;
  for (int h = 0; h < stacked.num_heads; ++h) {
    float most = 0;
    for (int r = 0; r < s.rows(); ++r)
      for (int c = h * width; c < (h + 1) * width; ++c)
        most = std::max(most, std::abs(difference->cells(r, c)));
    if (!(most < kRounding)) {
      const Box band{s.x_of(h * width), s.cells.y, float(width) * s.cell_w, s.cells.h};
      ui.pen.outline(band.grown(3), ui.theme->bad.mark, radius::small, 2);
      const std::string name = "head " + std::to_string(h + 1);
      const bool room = ui.pen.width(Bold, type::tiny, name) <= band.w;
      ui.pen.text(Bold, type::tiny, band.mid_x(), band.bottom() + 15, ui.theme->bad.text,
                  room ? name : std::to_string(h + 1), Align::Center);
    }
  }
}

// A head's map has a button that opens the head, or where there is no room for one its title does; the one
// that is looked at has a frame.
void draw_opener(Ui& ui, const Shown& shown, const Standing& s) {
  const std::string head = head_prefix_in(s.name);
  const std::string id = "open-head." + head.substr(0, head.size() - 1);
  const std::string label = "Open " + title_of(s) + ", its three stages";
  const bool touch = is_narrow(ui) || is_lying(ui);
  const float w = button_width(ui, "Open", true) - 8, h = touch ? 32 : 24;
  const float title = s.cells.y - s.lift(s.cell) - (s.close ? 22.f : 40.f);
  // All of them alike: as the longest.
  const std::string longest =
      s.only_head ? title_of(s) : "Head " + std::to_string(shown.runs().runs.front().module.num_heads);
  const float words = ui.pen.width(Bold, s.close ? type::lead : type::heading, title_of(s));
  if (const Box beside{s.cells.right() - w, title - h / 2, w, h};
      beside.x >= s.cells.x + std::max(words, ui.pen.width(Bold, type::heading, longest)) + 8) {
    button(ui, beside, id, "Open", {.small = true, .mirror_label = label});
  } else {
    constexpr float kChevron = 18, kLower = 4;
    const Box box{s.cells.x - 4, title - h / 2, words + kChevron + 4, h};
    const float x = s.cells.x + words + 9, mid = title + kLower;
    const ImU32 ink = ui.theme->weights.text;
    ui.pen.polyline({{x - 2, mid - 4}, {x + 2, mid}, {x - 2, mid + 4}}, ink, 1.5f);
    if (ui.hovered(id)) ui.pen.hline(s.cells.x, s.cells.x + words, mid + 9, ink);
    ui.registry.add({.id = id, .role = "button", .label = label, .box = box, .disabled = ui.locked(id)});
  }
  if (head_prefix_in(shown_cell(shown).name) == head)
    ui.pen.outline(s.cells.grown(4), ui.theme->weights.mark, 5, 2);
}

void draw_refused(Ui& ui, const Shown& shown, const Columns& columns, float floor) {
  if (shown.runs().problems.empty() || columns.empty()) return;
  const Standing& above = columns.back().back();
  for (const auto& column : arrangement_of(shown.state).columns)
    for (const Place& p : column) {
      const bool refused = *p.title && *p.from && !find(shown.runs(), p.name) &&
                           std::string_view(p.name).find('*') == std::string_view::npos;
      constexpr float kWidth = 240, kHeight = 84, kPad = 12;
      const Box box{above.cells.x, above.cells.bottom() + kHead + kBandName, kWidth, kHeight};
      if (!refused || box.bottom() > floor) continue;
      ui.pen.text(Bold, type::heading, box.x, box.y - 12, ui.theme->faint, p.title);
      ui.pen.dashed(box, ui.theme->rail, 1);
      ui.pen.text_block(Sans, type::body, {box.x + kPad, box.y + kPad, box.w - 2 * kPad, 0}, ui.theme->mute,
                        shown.runs().problems.front(), 18);
    }
}

}  // namespace lab
