// The PyTorch lines of the inspector, the one lit that the step is about.
#include "draw/code_panel.hpp"

#include <algorithm>

#include "draw/code_panel_lines.hpp"
#include "draw/screen.hpp"
#include "lessons/lesson.hpp"

namespace lab {
namespace {

using Lines = std::vector<std::string>;

// Between two rows, and above and below all; closer where few have room.
constexpr float kPitch = 20, kPad = 8, kClosePitch = 14, kClosePad = 3;
constexpr int kFewRows = 4;

// The line that the step is about: where its slot is filled, or will be.
int lit_line(const Shown& shown, const Lines& lines) {
  const Step& step = step_of(shown.state);
  for (const char* begin : {step.code, shown.code.lit})
    if (*begin)
      for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].starts_with(begin)) return int(i);
  if (!step.lit || !shown.runs().bench) return -1;
  const std::string slot = projection(shown.runs().bench->target, *step.lit).weight.name;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const std::string& sign : {"." + slot + ".copy_(", "# " + slot + ":"})
      if (lines[i].find(sign) != std::string::npos) return int(i);
  return -1;
}

// A block goes on in lines that stand further in.
int statement_end(const Lines& lines, int begin) {
  if (begin < 0) return begin;
  const auto indent = [&](int i) { return lines[std::size_t(i)].find_first_not_of(' '); };
  int end = begin + 1;
  while (end < int(lines.size()) && indent(end) != std::string::npos && indent(end) > indent(begin)) ++end;
  return end;
}

bool is_remark(const std::string& line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at != std::string::npos && line[at] == '#';
}

struct Range {
  int begin = 0, end = 0;
};

Range lit_rows(const std::vector<CodeRow>& rows) {
  Range r;
  while (r.begin < int(rows.size()) && !rows[std::size_t(r.begin)].is_lit) ++r.begin;
  r.end = r.begin;
  while (r.end < int(rows.size()) && rows[std::size_t(r.end)].is_lit) ++r.end;
  return r;
}

// The first of so many rows: all lit ones are among them, if there is room in the middle, and the panel
// begins with the begin of a line, if that leaves them in sight. Without lit ones the end, with its results.
int first_row(const std::vector<CodeRow>& rows, int fit) {
  const int last = std::max(0, int(rows.size()) - fit);
  const Range lit = lit_rows(rows);
  if (lit.begin == lit.end) return last;
  const int before = std::max(0, fit - (lit.end - lit.begin)) / 2;
  const int first = std::clamp(lit.begin - before, 0, last);
  int begin = first;
  while (begin > 0 && rows[std::size_t(begin)].goes_on) --begin;
  return begin == first || lit.end > begin + fit ? first : begin;
}

}  // namespace

std::vector<CodeRow> code_rows(const Pen& pen, const Shown& shown, float width) {
  const float letter = std::max(pen.width(Mono, type::tiny, "0"), pen.width(MonoBold, type::tiny, "0"));
  const int columns = int(width / letter + .001f);
  const Lines lines = unfolded(shown.code.lines);
  const int lit = lit_line(shown, lines), lit_end = statement_end(lines, lit);
  std::vector<CodeRow> rows;
  for (int i = 0; i < int(lines.size()); ++i) {
    const std::string& line = lines[std::size_t(i)];
    bool goes_on = false;
    for (std::string& row : wrapped_lines(columns, line)) {
      rows.push_back({std::move(row), i >= lit && i < lit_end, is_remark(line), goes_on});
      goes_on = true;
    }
  }
  return rows;
}

CodeView code_view(const Pen& pen, const Shown& shown, Box box) {
  const std::vector<CodeRow> all = code_rows(pen, shown, box.w - 2 * kCodeInset);
  const Range lit = lit_rows(all);
  const int wanted = std::min(int(all.size()), std::max(kFewRows, lit.end - lit.begin));
  const bool close = float(wanted) * kPitch + 2 * kPad > box.h + .5f;
  CodeView view{{}, close ? kClosePitch : kPitch, close ? kClosePad : kPad};
  const int fit = std::max(1, int((box.h + .5f - 2 * view.pad) / view.pitch)), first = first_row(all, fit);
  view.rows.assign(all.begin() + first, all.begin() + std::min(int(all.size()), first + fit));
  return view;
}

float code_height(const Shown& shown) { return float(shown.code.lines.size()) * kPitch + 2 * kPad; }

float code_height(const Pen& pen, const Shown& shown, float width) {
  return float(code_rows(pen, shown, width - 2 * kCodeInset).size()) * kPitch + 2 * kPad;
}

float least_code_height(const Pen& pen, const Shown& shown, float width) {
  const auto rows = code_rows(pen, shown, width - 2 * kCodeInset);
  const Range lit = lit_rows(rows);
  const int least = std::min(int(rows.size()), std::clamp(lit.end - lit.begin, 2, kFewRows));
  return float(least) * kClosePitch + 2 * kClosePad;
}

void draw_code(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  pen.fill(box, c.sunken, radius::button);
  const CodeView view = code_view(pen, shown, box);
  float y = box.y + view.pad;
  for (const CodeRow& row : view.rows) {
    if (row.is_lit) pen.fill({box.x, y, box.w, view.pitch}, c.weights.soft);
    const ImU32 ink = row.is_lit ? c.weights.text : row.is_remark ? c.faint : c.ink;
    pen.text_mid(row.is_lit ? MonoBold : Mono, type::tiny, box.x + kCodeInset, y + view.pitch / 2, ink,
                 row.text);
    y += view.pitch;
  }
  ui.registry.add({.id = "code",
                   .role = "region",
                   .label = "The same in PyTorch",
                   .value = shown.code.program,
                   .box = box,
                   .passive = true});
}

}  // namespace lab
