// What a GPT takes: four sizes beside each other, and the chosen one part by part.
#include <algorithm>

#include "draw/gpt.hpp"
#include "draw/matrix_view.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"
#include "lessons/told.hpp"

namespace lab {
using namespace gpt_look;
using gpt_texts::grouped;

namespace {

constexpr std::int64_t kLongText = 1024;  // tokens
constexpr float kSizeHead = 34, kPartHead = 24;
constexpr int kSizeLines = 7;

// A size of the four, or one's own.
struct Sized {
  std::string id;
  GptConfig config;
  GptLedger ledger;  // for the text that stands there
};

std::int64_t tokens_of(const Shown& shown) {
  return std::max<std::int64_t>(1, std::int64_t(shown.results.gpt->ids().size()));
}

std::vector<Sized> sizes_shown(const Shown& shown) {
  std::vector<Sized> sizes;
  for (const GptSize& s : gpt_sizes()) sizes.push_back({s.id, s.config, {}});
  if (shown.inputs().gpt_size == "custom") sizes.push_back({"custom", shown.results.gpt->config(), {}});
  for (Sized& s : sizes) {
    s.config.qkv_bias = shown.inputs().bias;
    s.config.tied = shown.inputs().tied;
    s.ledger = ledger_of(s.config, tokens_of(shown), 1);
  }
  return sizes;
}

// A table of figures: names at the left, columns of equal cells. All of it is set in one size of type.
struct Figure {
  std::string exact, brief;  // the brief one where the exact one has no room
};
struct Line {
  std::string name, short_name;
  std::vector<Figure> figures;
  bool bold = false, ruled = false;
};

std::string brief(std::int64_t n) {
  static constexpr std::pair<double, const char*> kUnits[] = {
      {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, name] : kUnits)
    if (double(n) >= unit) return decimals(double(n) / unit, double(n) >= 100 * unit ? 0 : 1) + name;
  return std::to_string(n);
}
Figure count_of(std::int64_t n) { return n ? Figure{grouped(n), brief(n)} : Figure{"–", "–"}; }
Figure same(const std::string& value) { return {value, value}; }
Figure mib_of(std::int64_t bytes, int digits) {
  return same(bytes ? decimals(mebibytes(bytes), digits) : "–");
}

// Left edge of the first column, and every column's right one.
struct Columns {
  float left = 0;
  std::vector<float> right;
  float width(std::size_t i) const { return right[i] - (i ? right[i - 1] : left); }
};

void draw_figures(Ui& ui, const std::vector<Line>& lines, const Columns& columns, float x, float top,
                  float pitch) {
  const Palette& c = *ui.theme;
  constexpr float kLeast = 10, kGap = 14;
  const auto width = [&](const Line& line, const std::string& value, float size) {
    return ui.pen.width(line.bold ? MonoBold : Mono, size, value);
  };
  const auto fits = [&](std::size_t column, float size, bool exact) {
    return std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
      const Figure& figure = line.figures[column];
      return width(line, exact ? figure.exact : figure.brief, size) <= columns.width(column) - kGap;
    });
  };
  std::vector<bool> exact;
  for (std::size_t i = 0; i < columns.right.size(); ++i) exact.push_back(fits(i, kLeast, true));
  float size = type::small;
  const auto all_fit = [&] {
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (!fits(i, size, exact[i])) return false;
    return true;
  };
  while (size > kLeast && !all_fit()) size -= 1;
  float mid = top + pitch / 2;
  for (const Line& line : lines) {
    if (line.ruled) ui.pen.hline(x, columns.right.back(), mid - pitch / 2, c.line);
    const Face face = line.bold ? Bold : Sans;
    const bool spelled = ui.pen.width(face, type::small, line.name) <= columns.left - x;
    ui.pen.text_mid(face, type::small, x, mid, c.ink, spelled ? line.name : line.short_name);
    for (std::size_t i = 0; i < exact.size(); ++i)
      ui.pen.text_mid(line.bold ? MonoBold : Mono, size, columns.right[i] - 8, mid,
                      line.bold ? c.ink : c.mute, exact[i] ? line.figures[i].exact : line.figures[i].brief,
                      Align::Right);
    mid += pitch;
  }
}

std::int64_t parameters_with(GptConfig config, bool tied) {
  config.tied = tied;
  return ledger_of(config, 1, 1).parameters;
}

std::vector<Line> size_lines(const std::vector<Sized>& sizes) {
  std::vector<Line> lines = {{"width", "width", {}},
                             {"blocks × heads", "heads", {}},
                             {"parameters", "parameters", {}, true},
                             {"with a tied head", "tied head", {}},
                             {"MiB (the book: MB)", "MiB", {}},
                             {"operations, this text", "operations", {}},
                             {"KV cache of 1024 tokens", "KV, 1024", {}}};
  for (const Sized& s : sizes) {
    const GptConfig& c = s.config;
    const std::string blocks = std::to_string(c.n_layers), heads = std::to_string(c.n_heads);
    const std::string cache = decimals(mebibytes(ledger_of(c, kLongText, 1).kv_cache_bytes), 0);
    const Figure column[] = {same(std::to_string(c.emb_dim)),
                             {blocks + " × " + heads, blocks + "×" + heads},
                             count_of(parameters_with(c, false)),
                             count_of(parameters_with(c, true)),
                             mib_of(s.ledger.bytes, 2),
                             count_of(s.ledger.flops),
                             same(cache + " MiB")};
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].figures.push_back(column[i]);
  }
  return lines;
}

// One column a size; a click takes it.
void draw_sizes(Ui& ui, const Shown& shown, Box box, float pitch) {
  const Palette& c = *ui.theme;
  const std::vector<Sized> sizes = sizes_shown(shown);
  const std::vector<Line> lines = size_lines(sizes);
  const float label = is_narrow(ui) ? 70 : 164, w = (box.w - label) / float(sizes.size());
  Columns columns{box.x + label, {}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const float right = columns.left + w * float(i + 1);
    columns.right.push_back(right);
    const Box column{right - w + 3, box.y, w - 3, box.h};
    const std::string target = "ledger." + sizes[i].id;
    const bool on = sizes[i].id == shown.inputs().gpt_size;
    if (on || ui.hovered(target)) ui.pen.fill(column, on ? c.weights.soft : c.chip, radius::button);
    ui.pen.text(on ? Bold : Medium, type::body, right - 8, box.y + 22, on ? c.weights.text : c.ink,
                sizes[i].id, Align::Right);
    std::string told;
    for (const Line& line : lines)
      told += (told.empty() ? "" : ", ") + line.name + " " + line.figures[i].exact;
    ui.registry.add({.id = target,
                     .role = "button",
                     .label = "Size " + sizes[i].id + ": " + told,
                     .value = on ? "current" : "",
                     .box = column});
  }
  draw_figures(ui, lines, columns, box.x, box.y + kSizeHead, pitch);
}

std::vector<Line> part_lines(const GptLedger& ledger, bool tied) {
  static const std::pair<std::string_view, const char*> kNames[] = {
      {"tok_emb", "token embedding"}, {"pos_emb", "position embedding"},
      {"qkv", "query, key, value"},   {"out_proj", "attention’s out_proj"},
      {"ff", "feed-forward"},         {"norms", "norms of the blocks"},
      {"final_norm", "final norm"},   {"out_head", "output head"},
  };
  std::vector<Line> lines;
  for (const GptPart& part : ledger.parts) {
    Line line{part.name,
              part.name,
              {count_of(part.parameters), mib_of(part.bytes(), 2), count_of(part.flops),
               count_of(part.kv_cache_bytes)}};
    for (const auto& [name, words] : kNames)
      if (name == part.name) line.name = words;
    if (tied && line.short_name == "out_head") line.name = "head = tok_emb";
    if (line.short_name == "scores and context") line.short_name = "scores …";
    lines.push_back(line);
  }
  lines.push_back({"in all",
                   "in all",
                   {count_of(ledger.parameters), mib_of(ledger.bytes, 2), count_of(ledger.flops),
                    count_of(ledger.kv_cache_bytes)},
                   true,
                   true});
  lines.push_back(
      {"as the book counts", "the book", {same(""), same(""), count_of(ledger.flops_linear), same("")}});
  return lines;
}

void draw_parts(Ui& ui, const std::vector<Line>& lines, Box box, float pitch) {
  struct Column {
    const char* name;
    float share;  // of the width
  };
  static constexpr Column kColumns[] = {
      {"parameters", .27f}, {"MiB", .17f}, {"operations", .3f}, {"KV bytes", .26f}};
  Columns columns{box.x + (is_narrow(ui) ? 70 : 164), {}};
  const float room = box.right() - columns.left;
  float right = columns.left;
  for (const Column& column : kColumns) {
    columns.right.push_back(right += room * column.share);
    ui.pen.text(Medium, type::small, right - 8, box.y + 14, ui.theme->mute, column.name, Align::Right);
  }
  draw_figures(ui, lines, columns, box.x, box.y + kPartHead, pitch);
  float y = box.y + kPartHead;
  for (const Line& line : lines) {
    std::string told;
    for (std::size_t i = 0; i < std::size(kColumns); ++i)
      if (const std::string& value = line.figures[i].exact; !value.empty() && value != "–")
        told += (told.empty() ? "" : ", ") + value + " " + kColumns[i].name;
    ui.registry.add({.id = "ledger-part." + line.short_name,
                     .role = "text",
                     .label = line.name,
                     .value = told,
                     .box = {box.x, y, box.w, pitch},
                     .passive = true});
    y += pitch;
  }
}

}  // namespace

void draw_ledger(Ui& ui, const Shown& shown, Box box) {
  const bool asked = step_of(shown.state).asks != nullptr;  // the chosen one alone
  GptConfig config = shown.results.gpt->config();
  config.tied = shown.inputs().tied;
  const std::vector<Line> lines = part_lines(ledger_of(config, tokens_of(shown), 1), config.tied);
  const float heads = asked ? kHead + kPartHead : 2 * kHead + kSizeHead + kPartHead + 6;
  const float rows = float(lines.size() + (asked ? 0 : kSizeLines));
  const float pitch = std::clamp((box.h - heads - 12) / rows, 16.f, 32.f);
  Box inside{box.x + kPad, box.y + kHead, box.w - 2 * kPad, 0};
  if (!asked) {
    heading(ui, box, "Four sizes", "the same block, wider and more often");
    inside.h = kSizeHead + pitch * float(kSizeLines) + 4;
    draw_sizes(ui, shown, inside, pitch);
    box.y = inside.bottom() + 2;
    inside.y = box.y + kHead;
  }
  heading(ui, box, shown.inputs().gpt_size + ", part by part",
          counted(int(tokens_of(shown)), "token") + (is_narrow(ui) ? "" : ", 2 operations a multiply-add"));
  draw_parts(ui, lines, inside, pitch);
}

float ledger_height(const Shown& shown) {
  constexpr float kParts = 11, kPitch = 16;
  return step_of(shown.state).asks ? kHead + kPartHead + kParts * kPitch + 12
                                   : 2 * kHead + kSizeHead + kPartHead + (kParts + kSizeLines) * kPitch + 18;
}

}  // namespace lab
