#include <algorithm>
#include <cmath>

#include "draw/curves.hpp"
#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab {
namespace {

constexpr float kPad = 24, kHead = 44;
constexpr int kNumbersShown = 48;  // of a row that is hundreds wide

void draw_heading(Ui& ui, Box box, const std::string& words, const std::string& note) {
  ui.pen.text(Bold, type::heading, box.x + kPad, box.y + 28, ui.theme->ink, words);
  const float taken = ui.pen.width(Bold, type::heading, words) + 14;
  ui.pen.text_fit(Sans, type::small, box.x + kPad + taken, box.y + 28, ui.theme->mute, note,
                  box.w - 2 * kPad - taken);
}

const std::vector<std::string>& tokens_of(const Shown& shown) { return shown.results.gpt->tokens(); }

}  // namespace

// ---- tokens
// -------------------------------------------------------------------------------------------------

namespace {

// From single bytes to the token, merge by merge.
void draw_merges(Ui& ui, const GptWork& work, int token, Box box) {
  const Palette& c = *ui.theme;
  const auto merges = work.merges(token);
  constexpr float kLine = 34;
  if (merges.size() < 2 || box.h < kHead + kLine * float(merges.size())) return;
  draw_heading(ui, {box.x, box.y, box.w, box.h}, "How it is put together",
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
  draw_heading(ui, box, "Pieces and their ids", "· is a blank");
  const int chosen = looked_at_token(shown.results, shown.state);
  float x = box.x + kPad, y = box.y + kHead + 12;
  for (std::size_t i = 0; i < work.ids().size(); ++i) {
    const std::string id = std::to_string(work.ids()[i]);
    const float w =
        std::max(ui.pen.width(Mono, type::large, work.tokens()[i]), ui.pen.width(MonoBold, type::body, id)) +
        24;
    if (x > box.x + kPad && x + w > box.right() - kPad) x = box.x + kPad, y += 92;
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

// ---- embeddings
// ---------------------------------------------------------------------------------------------

void draw_embeddings(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const int all = int(work.ids().size()), width = std::min(kNumbersShown, work.config().emb_dim);
  Matrix tok(all, width), pos(all, width);
  for (int t = 0; t < all; ++t) {
    tok.row(t) = work.model()->tok_emb.stored.row(work.ids()[std::size_t(t)]).leftCols(width);
    pos.row(t) = work.model()->pos_emb.stored.row(t).leftCols(width);
  }
  const Matrix sum = work.reading()->blocks()[0].resid_pre.leftCols(width);
  draw_heading(
      ui, box, "Two rows added",
      filled("the first {0} of {1} numbers", {std::to_string(width), std::to_string(work.config().emb_dim)}));
  float label = 0;
  for (const std::string& token : tokens_of(shown))
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
    look.row_labels = &tokens_of(shown);
    draw_matrix(ui, heat_view(view(*m)), box.x + kPad + label, y, cell, look);
    y += cell * float(all) + 58;
  }
}

// ---- lengths and likeness
// -----------------------------------------------------------------------------------

namespace {

void draw_line(Ui& ui, Box box, const std::vector<double>& values, double most, const Hue& hue,
               const std::string& name) {
  draw_curves(
      ui, box,
      {.id = "curve." + std::to_string(int(box.y)), .title = name, .most = most, .digits = most > 2 ? 2 : 4},
      {{name, values, hue.mark, hue.text}});
}

}  // namespace

void draw_lengths(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  std::vector<double> lengths, likeness;
  for (const GptBlockReading& b : reading.blocks()) {
    lengths.push_back(mean_length(b.resid_pre));
    likeness.push_back(likeness_of_rows(b.resid_pre));
  }
  lengths.push_back(mean_length(reading.resid_post()));
  likeness.push_back(likeness_of_rows(reading.resid_post()));
  draw_heading(ui, box, "The stream from block to block",
               filled("{0} rows", {std::to_string(reading.ids().size())}));
  const float h = (box.h - kHead - 130) / 2, w = box.w - 2 * kPad;
  const double longest = *std::max_element(lengths.begin(), lengths.end());
  draw_line(ui, {box.x + kPad, box.y + kHead + 44, w, h}, lengths, longest * 1.1, ui.theme->weights,
            "mean length of the rows");
  const double most = std::max(.25, *std::max_element(likeness.begin(), likeness.end()) * 1.1);
  draw_line(ui, {box.x + kPad, box.y + kHead + 44 + h + 64, w, h}, likeness, most, ui.theme->context,
            "how alike the rows are");
}

// ---- maps
// ---------------------------------------------------------------------------------------------------

namespace {

// For who cannot see the maps.
GridContent heads_content(const GptReader& reading, HeadPlace chosen) {
  constexpr int kReadable = 12;  // as of a matrix: beyond it a row is told by its largest
  GridContent content{.row = chosen.block, .col = chosen.head};
  const auto& blocks = reading.blocks();
  const bool whole = blocks.size() <= kReadable && blocks[0].attn_weights.size() <= kReadable;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    content.row_labels.push_back("block " + std::to_string(b + 1));
    std::vector<float> row;
    for (const Matrix& weights : blocks[b].attn_weights)
      row.push_back(weights.row(weights.rows() - 1).maxCoeff());
    if (whole) content.cells.insert(content.cells.end(), row.begin(), row.end());
    const auto most = std::max_element(row.begin(), row.end());
    if (!whole) content.peak_cols.push_back(int(most - row.begin()));
    if (!whole) content.peaks.push_back(*most);
    if (!whole && int(b) == chosen.block) content.selected_row = row;
  }
  for (std::size_t h = 0; h < blocks[0].attn_weights.size(); ++h)
    content.col_labels.push_back("head " + std::to_string(h + 1));
  return content;
}

}  // namespace

void draw_maps(Ui& ui, const Shown& shown, Box box) {
  const GptReader& reading = *shown.results.gpt->reading();
  const int layers = int(reading.blocks().size()), heads = int(reading.blocks()[0].attn_weights.size());
  const int all = int(reading.ids().size());
  const HeadPlace chosen = looked_at_head(shown.results, shown.state);
  const Palette& c = *ui.theme;
  const bool stacked = is_narrow(ui);
  draw_heading(ui, box, "Every head in every block",
               stacked ? "" : "white: an even share, red: more, blue: less");
  const float large = stacked ? 0 : std::clamp(box.w - 2 * kPad - 28 - (box.h - kHead - kPad), 190.f, 300.f);
  const float room_w = box.w - 2 * kPad - (large > 0 ? large + 28 : 0),
              room_h = stacked ? room_w : box.h - kHead - kPad;
  const float pitch = std::floor(std::min(room_w / float(heads), room_h / float(layers)));
  const float spare = stacked ? 0 : std::max(0.f, room_h - pitch * float(layers)) / 2;
  const Box grid{box.x + kPad, box.y + kHead + spare, pitch * float(heads), pitch * float(layers)};
  for (int b = 0; b < layers; ++b)
    for (int h = 0; h < heads; ++h) {
      const Matrix relative = relative_weights(reading.blocks()[std::size_t(b)].attn_weights[std::size_t(h)]);
      const Box place{grid.x + pitch * float(h), grid.y + pitch * float(b), pitch, pitch};
      const float side = std::max(2.f, pitch - std::max(2.f, pitch * .12f)), cell = side / float(all);
      const std::string name = "map." + std::to_string(b) + "." + std::to_string(h);
      MatrixLook look{.name = name, .is_signed = true, .max = 1, .numbers = false, .passive = true};
      look.cell_width = cell;
      draw_matrix(ui, heat_view(view(relative)), place.x, place.y, cell, look);
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
  const Matrix& weights = reading.blocks()[std::size_t(chosen.block)].attn_weights[std::size_t(chosen.head)];
  float label = 0;
  for (const std::string& token : tokens_of(shown))
    label = std::max(label, ui.pen.width(Sans, type::small, token));
  label = std::min(label + 12, 84.f);
  const float x = stacked ? box.x + kPad + label : box.right() - kPad - large + label,
              y = stacked ? grid.bottom() + 76 : grid.y + 46;
  const float room = stacked ? box.w - 2 * kPad - label : large - label;
  MatrixLook look{.name = "attn_weights",
                  .title = filled("Block {0}, head {1}",
                                  {std::to_string(chosen.block + 1), std::to_string(chosen.head + 1)}),
                  .note = "attn_weights",
                  .title_color = c.weights.text,
                  .is_signed = false,
                  .max = 1};
  look.row_labels = look.mirror_rows = look.mirror_cols = &tokens_of(shown);
  look.digits = shown.state.view.digits;
  look.passive = true;
  draw_matrix(ui, heat_view(view(weights)), x, y, std::clamp(std::floor(room / float(all)), 1.f, 52.f), look);
}

// ---- the next token
// -----------------------------------------------------------------------------------------

void draw_next(Ui& ui, const Shown& shown, Box box) {
  const GptWork& work = *shown.results.gpt;
  const Palette& c = *ui.theme;
  constexpr int kTop = 10;
  const NextTokens next = next_tokens(work.reading()->logits(), kTop, shown.inputs().temperature);
  draw_heading(ui, box, "Next token", "the likeliest ten; the line is an even share");
  const double even = 1.0 / work.config().vocab_size, most = next.top[0].share;
  const float text_h = 96, pitch = std::clamp((box.h - kHead - text_h - 12) / kTop, 20.f, 40.f);
  float label = 0;
  for (const NextToken& t : next.top)
    label = std::max(label, ui.pen.width(Mono, type::body, shown_token(work.text_of(t.id))));
  label = std::min(label, box.w * .3f);
  const float x = box.x + kPad + label + 12, room = box.right() - kPad - 86 - x, t = ui.motion(300);
  std::string told;
  for (int i = 0; i < int(next.top.size()); ++i) {
    const NextToken& n = next.top[std::size_t(i)];
    const float mid = box.y + kHead + 8 + pitch * (float(i) + .5f), h = std::min(20.f, pitch - 8);
    const std::string token = shown_token(work.text_of(n.id)), percent = decimals(100 * n.share) + " %";
    ui.pen.text_mid(Mono, type::body, x - 12, mid, c.ink, ui.pen.fitted(Mono, type::body, token, label),
                    Align::Right);
    const float w = std::max(2.f, room * float(n.share / most) * t);
    ui.pen.fill({x, mid - h / 2, w, h}, i == 0 ? c.weights.mark : mix(c.panel, c.weights.mark, .45f), 3);
    ui.pen.text_mid(Mono, type::small, x + w + 8, mid, i == 0 ? c.weights.text : c.mute, percent);
    told += (i ? ", " : "") + token + " " + percent;
  }
  const float line = x + room * float(std::min(1.0, even / most));
  ui.pen.vline(line, box.y + kHead + 4, box.y + kHead + 12 + pitch * kTop, c.cell, 1.5f);
  ui.registry.add({.id = "likeliest",
                   .role = "status",
                   .label = "Next token: " + told,
                   .value = told,
                   .box = {box.x + kPad, box.y + kHead, box.w - 2 * kPad, pitch * kTop},
                   .passive = true});
  std::string before, after;
  for (const int id : work.ids()) before += work.text_of(id);
  for (const int id : work.written()) after += work.text_of(id);
  const float y = box.y + kHead + 24 + pitch * kTop;
  const float begin = ui.pen.width(Mono, type::body, before) + ui.pen.width(MonoBold, type::body, after);
  const std::string all = before + after;
  if (begin <= box.w - 2 * kPad) {
    const float taken = ui.pen.text(Mono, type::body, box.x + kPad, y + 16, c.mute, before);
    ui.pen.text(MonoBold, type::body, box.x + kPad + taken, y + 16, c.weights.text, after);
  } else {
    ui.pen.text_block(Mono, type::body, {box.x + kPad, y, box.w - 2 * kPad, 0}, c.weights.text, all, 20);
  }
  ui.registry.add({.id = "written",
                   .role = "status",
                   .label = "Written so far",
                   .value = all,
                   .box = {box.x + kPad, y, box.w - 2 * kPad, 40},
                   .passive = true});
}

// ---- the ledger
// ---------------------------------------------------------------------------------------------

void draw_ledger(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  const bool few = box.w < 620 || step_of(shown.state).asks;  // the chosen one alone
  draw_heading(ui, box, "Where the parameters sit", few ? "counted" : "the figures of four sizes, counted");
  struct Line {
    const char* name;
    std::string (*value)(const GptConfig&, const GptLedger&);
    bool bold = false;
  };
  static constexpr auto part = [](const GptLedger& l, std::string_view name) {
    return gpt_texts::grouped(l.parameters_of(name));
  };
  static const Line kLines[] = {
      {"width, layers, heads",
       [](const GptConfig& k, const GptLedger&) {
         return std::to_string(k.emb_dim) + " / " + std::to_string(k.n_layers) + " / " +
                std::to_string(k.n_heads);
       }},
      {"token embedding", [](const GptConfig&, const GptLedger& l) { return part(l, "tok_emb"); }},
      {"position embedding", [](const GptConfig&, const GptLedger& l) { return part(l, "pos_emb"); }},
      {"query, key, value", [](const GptConfig&, const GptLedger& l) { return part(l, "qkv"); }},
      {"attention’s out_proj", [](const GptConfig&, const GptLedger& l) { return part(l, "out_proj"); }},
      {"feed-forward", [](const GptConfig&, const GptLedger& l) { return part(l, "ff"); }},
      {"norms of the blocks", [](const GptConfig&, const GptLedger& l) { return part(l, "norms"); }},
      {"final norm", [](const GptConfig&, const GptLedger& l) { return part(l, "final_norm"); }},
      {"output head", [](const GptConfig&, const GptLedger& l) { return part(l, "out_head"); }},
      {"total", [](const GptConfig&, const GptLedger& l) { return gpt_texts::grouped(l.parameters); }, true},
      {"with a tied head",
       [](const GptConfig& k, const GptLedger&) {
         GptConfig t = k;
         t.tied = true;
         return gpt_texts::grouped(ledger_of(t, 1, 1).parameters);
       },
       true},
      {"MiB (the book: MB)",
       [](const GptConfig&, const GptLedger& l) { return decimals(mebibytes(l.bytes), 2); }},
      {"KV cache, 1024 tokens",
       [](const GptConfig& k, const GptLedger&) {
         return decimals(mebibytes(ledger_of(k, 1024, 1).kv_cache_bytes), 0) + " MiB";
       }},
  };
  constexpr int kCount = int(std::size(kLines));
  std::vector<std::pair<std::string, GptConfig>> sizes;
  for (const GptSize& s : gpt_sizes())
    if (!few || shown.inputs().gpt_size == s.id) sizes.push_back({s.id, s.config});
  if (shown.inputs().gpt_size == "custom") sizes.push_back({"custom", shown.results.gpt->config()});
  for (auto& [id, config] : sizes) config.qkv_bias = shown.inputs().bias;
  const float x = box.x + kPad, label = few ? box.w * .42f : 160,
              w = (box.w - 2 * kPad - label) / float(sizes.size());
  const float pitch = std::clamp((box.h - kHead - 60) / kCount, 19.f, 36.f), top = box.y + kHead + 40;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto& [id, config] = sizes[s];
    const bool on = id == shown.inputs().gpt_size;
    const float right = x + label + w * float(s + 1);
    const Box column{right - w + 6, box.y + kHead, w - 2, 44 + pitch * kCount};
    const std::string target = "ledger." + id;
    if (on || ui.hovered(target)) ui.pen.fill(column, on ? c.weights.soft : c.chip, radius::button);
    ui.pen.text(on ? Bold : Medium, type::body, right - 8, box.y + kHead + 24, on ? c.weights.text : c.ink,
                id, Align::Right);
    const GptLedger ledger = ledger_of(config, 1, 1);
    std::string told;
    for (int i = 0; i < kCount; ++i) {
      const std::string value = kLines[i].value(config, ledger);
      ui.pen.text_mid(kLines[i].bold ? MonoBold : Mono,
                      ui.pen.width(Mono, type::small, value) > w - 14 ? type::tiny : type::small, right - 8,
                      top + pitch * (float(i) + .5f), kLines[i].bold ? c.ink : c.mute, value, Align::Right);
      told += (i ? ", " : "") + std::string(kLines[i].name) + " " + value;
    }
    ui.registry.add({.id = target,
                     .role = "button",
                     .label = "Size " + id + ": " + told,
                     .value = on ? "current" : "",
                     .box = column});
  }
  for (int i = 0; i < kCount; ++i) {
    if (kLines[i].bold && (i == 0 || !kLines[i - 1].bold))
      ui.pen.hline(x, box.right() - kPad, top + pitch * float(i), c.line);
    ui.pen.text_mid(kLines[i].bold ? Bold : Sans, type::small, x, top + pitch * (float(i) + .5f), c.ink,
                    kLines[i].name);
  }
}

std::string_view pictured_step(const Shown& shown) {
  const Step& step = step_of(shown.state);
  return step.asks ? step.asks->pictured : step.id;
}

float gpt_view_height(const Ui& ui, const Shown& shown, float width) {
  const std::string_view step = pictured_step(shown);
  const float all = float(shown.results.gpt ? shown.results.gpt->ids().size() : 1);
  if (step == "maps" && is_narrow(ui)) return kHead + 2 * (width - 2 * kPad) + 110;
  if (step == "embed") return kHead + 3 * (58 + std::min(all, 24.f) * 6) + 24;
  if (step == "sizes") return kHead + 60 + 13 * 22;
  return 360;
}

}  // namespace lab
