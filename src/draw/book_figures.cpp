#include <algorithm>
#include <cmath>

#include "draw/book.hpp"
#include "draw/widgets.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/book_texts.hpp"

namespace lab {
namespace {

constexpr float kRuler = 150, kMaskCell = 22, kMaskHead = 72, kMasks = kMaskHead + 6 * kMaskCell + 18;
constexpr float kPad = 20;

bool is_step(const Shown& shown, std::string_view id) { return step_of(shown.state).id == id; }

const BookCheck& magnified(const Shown& shown) {
  return shown.results.book->checks().all()[std::size_t(magnified_row(shown.state))];
}

// The ruler is about the number that has the least room left, of those that are printed with digits to round.
const BookNumber* measured(const Shown& shown) {
  const BookCheck& check = magnified(shown);
  const BookNumber* n = is_run(check) ? furthest(check) : nullptr;
  return n && n->limit > 0 && std::isfinite(n->printed) ? n : nullptr;
}

// From one last digit below the printed number to one above it, and the stretch that counts as the same.
void draw_ruler(Ui& ui, const Shown& shown, const BookNumber& n, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  const double reach = n.limit * 2;
  const float x0 = box.x + 60, x1 = box.right() - 60, y = box.y + 92;
  const auto x_of = [&](double value) {
    const double t = std::clamp((value - n.printed) / reach, -1., 1.);
    return float(x0 + (x1 - x0) * (t + 1) / 2);
  };
  const float low = x_of(n.printed - n.limit), high = x_of(n.printed + n.limit), grown = ui.motion();
  const float mid = x_of(n.printed), half = (high - low) / 2 * grown;
  pen.text(Sans, type::small, box.x + kPad, box.y + 28, c.mute,
           pen.fitted(Sans, type::small, magnified(shown).row->what, box.w - 2 * kPad));
  pen.fill({mid - half, y - 16, 2 * half, 32}, c.ok.soft, radius::small);
  pen.hline(x0, x1, y, c.deco, 1.5f);
  for (const float x : {low, high}) pen.vline(x, y - 16, y + 16, c.ok.mark, 1.5f);
  pen.vline(mid, y - 10, y + 10, c.ink, 2);
  pen.text(MonoBold, type::small, mid, y + 38, c.ink, "printed " + n.text, Align::Center);
  const float at = x_of(n.computed);
  pen.disc(at, y, 6, n.within ? c.ok.mark : c.bad.mark);
  const std::string computed = "computed " + computed_text(n);
  const float wide = pen.width(MonoBold, type::small, computed) / 2;
  pen.text(MonoBold, type::small, std::clamp(at, box.x + kPad + wide, box.right() - kPad - wide), y - 26,
           n.within ? c.ok.text : c.bad.text, computed, Align::Center);
  if (box.w < 520) return;
  pen.text(Sans, type::tiny, low, y + 38, c.mute, "− " + difference_text(n.limit), Align::Center);
  pen.text(Sans, type::tiny, high, y + 38, c.mute, "+ " + difference_text(n.limit), Align::Center);
}

void draw_mask(Ui& ui, const std::vector<double>& mask, const char* system, bool in_use, float x, float y) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  pen.text(in_use ? Bold : Sans, type::small, x, y, in_use ? c.weights.text : c.mute, system);
  for (int i = 0; i < 36 && i < int(mask.size()); ++i) {
    const Box cell{x + kMaskCell * float(i % 6), y + 12 + kMaskCell * float(i / 6), kMaskCell - 2,
                   kMaskCell - 2};
    const bool kept = mask[std::size_t(i)] != 0;
    const float turned = in_use ? ui.motion_after(6. * i, 180) : 1;  // those that are thrown turn over
    if (turned < .5f) continue;
    pen.fill({cell.mid_x() - cell.w / 2 * (2 * turned - 1), cell.y, cell.w * (2 * turned - 1), cell.h},
             kept ? c.weights.soft : c.masked, radius::small);
    pen.text_mid(MonoBold, type::tiny, cell.mid_x(), cell.mid_y(), kept ? c.weights.text : c.masked_ink,
                 kept ? "2" : "0", Align::Center);
  }
}

// The mask of dropout(0.5) over ones, seed 123, as each system draws it.
void draw_masks(Ui& ui, const Shown& shown, Box box) {
  State opening = shown.state;
  opening.view.row.reset();
  const BookRow& row = *shown.results.book->checks().all()[std::size_t(magnified_row(opening))].row;
  const bool mac = shown.results.book->checks().stream() == DropoutStream::mac;
  const float side = 6 * kMaskCell, apart = std::min(120.f, box.w - 2 * kPad - 2 * side);
  const float x = box.x + std::max(kPad, (box.w - 2 * side - apart) / 2);
  const float y = box.y + kMaskHead - 12;
  ui.pen.text(Sans, type::small, box.x + kPad, box.y + 28, ui.theme->mute,
              filled("{0}, seed {1}", {row.what, std::to_string(row.seed)}));
  draw_mask(ui, row.computed(DropoutStream::mac), "macOS", mac, x, y);
  draw_mask(ui, row.computed(DropoutStream::mkl), "Linux, Windows", !mac, x + side + apart, y);
}

}  // namespace

float book_figure_height(const Shown& shown, float) {
  const float h = is_step(shown, "dice") ? kMasks : is_step(shown, "rule") && measured(shown) ? kRuler : 0;
  return h > 0 ? h + gap::close : 0;
}

void draw_book_figure(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  if (is_step(shown, "dice"))
    draw_masks(ui, shown, box);
  else if (const BookNumber* n = measured(shown))
    draw_ruler(ui, shown, *n, box);
}

}  // namespace lab
