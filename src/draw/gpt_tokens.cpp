// A text cut into tokens, and the rows of numbers that they become.
#include <algorithm>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
using namespace gpt_look;

void gpt_look::heading(Ui& ui, Box box, const std::string& words, const std::string& note) {
  ui.pen.text(Bold, type::heading, box.x + kPad, box.y + 28, ui.theme->ink, words);
  const float taken = ui.pen.width(Bold, type::heading, words) + 14;
  ui.pen.text_fit(Sans, type::small, box.x + kPad + taken, box.y + 28, ui.theme->mute, note,
                  box.w - 2 * kPad - taken);
}

namespace {

constexpr int kNumbersShown = 48,
              kRowsShown = 24;  // of rows that are hundreds wide, of a text of hundreds of words

// From single bytes to the token, merge by merge.
void draw_merges(Ui& ui, const GptWork& work, int token, Box box) {
  const Palette& c = *ui.theme;
  const auto merges = work.merges(token);
  constexpr float kLine = 34;
  if (merges.size() < 2 || box.h < kHead + kLine * float(merges.size())) return;
  heading(ui, {box.x, box.y, box.w, box.h}, "How it is put together",
          "the pair that was learned first becomes one, again and again");
  float y = box.y + kHead + 6;
  for (std::size_t i = 0; i < merges.size(); ++i, y += kLine) {
    float x = box.x + kPad;
    for (const std::string& part : merges[i]) {
      const float w = ui.pen.width(Mono, type::body, part) + 16;
      const bool whole = merges[i].size() == 1;
      ui.pen.panel({x, y, w, 26}, whole ? c.token : c.chip, whole ? c.token_edge : 0, radius::chip);
      ui.pen.text_mid(Mono, type::body, x + w / 2, y + 13, c.ink, part, Align::Center);
      x += w + 6;
    }
  }
}

}  // namespace

void draw_token_ids(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  heading(ui, box, "Pieces and their ids", "· is a blank");
  const int chosen = looked_at_token(shown.results, shown.state);
  float x = box.x + kPad, y = box.y + kHead + 12;
  const std::size_t all = work.ids().size();
  for (std::size_t i = 0; i < all; ++i) {
    const std::string id = std::to_string(work.ids()[i]);
    const float w =
        std::max(ui.pen.width(Mono, type::large, work.tokens()[i]), ui.pen.width(MonoBold, type::body, id)) +
        24;
    if (x > box.x + kPad && x + w > box.right() - kPad) x = box.x + kPad, y += 92;
    if (y + 92 > box.bottom()) {
      ui.pen.text(Sans, type::small, box.x + kPad, box.bottom() - 12, c.mute,
                  filled("and {0} more", {std::to_string(all - i)}));
      break;
    }
    const bool on = int(i) == chosen;
    ui.pen.panel({x, y, w, 36}, on ? c.token : c.chip, on ? c.token_edge : 0, radius::chip, 1.5f);
    ui.pen.text_mid(Mono, type::large, x + w / 2, y + 18, c.ink, work.tokens()[i], Align::Center);
    ui.pen.vline(x + w / 2, y + 40, y + 52, c.deco, 1.5f);
    ui.pen.text_mid(MonoBold, type::body, x + w / 2, y + 64, c.weights.text, id, Align::Center);
    x += w + 10;
  }
  if (chosen >= 0) draw_merges(ui, work, chosen, {box.x, y + 104, box.w, box.bottom() - y - 104});
  if (work.ids().empty())
    ui.pen.text_mid(Sans, type::lead, box.mid_x(), box.mid_y(), c.mute, "Give it at least one token.",
                    Align::Center);
}

void draw_embeddings(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const int all = std::min(kRowsShown, int(work.ids().size())),
            width = std::min(kNumbersShown, work.config().emb_dim);
  Matrix tok(all, width), pos(all, width);
  for (int t = 0; t < all; ++t) {
    tok.row(t) = work.model()->tok_emb.stored.row(work.ids()[std::size_t(t)]).leftCols(width);
    pos.row(t) = work.model()->pos_emb.stored.row(t).leftCols(width);
  }
  const std::span<const int> ids(work.ids().data(), std::size_t(all));
  const Matrix sum = embedded(*work.model(), ids).leftCols(width);
  const bool cut = all < int(work.ids().size());
  heading(ui, box, "Two rows added",
          filled("the first {0} of {1} numbers{2}",
                 {std::to_string(width), std::to_string(work.config().emb_dim),
                  cut ? filled(", the first {0} of {1} tokens",
                               {std::to_string(all), std::to_string(work.ids().size())})
                      : std::string()}));
  float label = 0;
  for (const std::string& token : shown.results.gpt->tokens())
    label = std::max(label, ui.pen.width(Sans, type::small, token));
  label = std::min(label + 14, 110.f);
  const float room = (box.h - kHead - 24) / 3 - 58;
  const float cell = std::clamp(
      std::floor(std::min((box.w - 2 * kPad - label) / float(width), room / float(all))), 2.f, 26.f);
  float y = box.y + kHead + 46;
  const std::pair<const char*, const Matrix*> rows[] = {
      {"tok_emb[ids]", &tok}, {"pos_emb[places]", &pos}, {"resid_pre, their sum", &sum}};
  for (const auto& [name, m] : rows) {
    MatrixLook look{.name = name, .title = name, .numbers = false, .passive = true};
    look.row_labels = &shown.results.gpt->tokens();
    draw_matrix(ui, heat_view(view(*m)), box.x + kPad + label, y, cell, look);
    y += cell * float(all) + 58;
  }
}

}  // namespace lab
