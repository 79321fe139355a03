// The PyTorch lines of the inspector, the one lit that the step is about.
#include <algorithm>

#include "draw/screen.hpp"
#include "lessons/lesson.hpp"

namespace lab {
namespace {

constexpr float kCodeLine = 20;

// The line that the step is about: where its slot is filled, or will be.
int lit_line(const Shown& shown) {
  const Step& step = step_of(shown.state);
  for (const char* begin : {step.code, shown.code.lit})
    if (*begin)
      for (std::size_t i = 0; i < shown.code.lines.size(); ++i)
        if (shown.code.lines[i].starts_with(begin)) return int(i);
  if (!step.lit || !shown.runs().bench) return -1;
  const std::string slot = projection(shown.runs().bench->target, *step.lit).weight.name;
  const auto& lines = shown.code.lines;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const std::string& sign : {"." + slot + ".copy_(", "# " + slot + ":"})
      if (lines[i].find(sign) != std::string::npos) return int(i);
  return -1;
}

// A statement that was folded goes on in lines that stand further in.
int statement_end(const std::vector<std::string>& lines, int begin) {
  if (begin < 0) return begin;
  const auto indent = [&](int i) { return lines[std::size_t(i)].find_first_not_of(' '); };
  int end = begin + 1;
  while (end < int(lines.size()) && indent(end) != std::string::npos && indent(end) > indent(begin)) ++end;
  return end;
}

}  // namespace

float code_height(const Shown& shown) { return float(shown.code.lines.size()) * kCodeLine + 16; }

void draw_code(Ui& ui, const Shown& shown, Box box) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  pen.fill(box, c.sunken, radius::button);
  const int fit = std::max(1, int((box.h - 16) / kCodeLine)), lines = int(shown.code.lines.size());
  const int lit = lit_line(shown);
  // Where not all fit, those around the lit line; without one the end, with its results.
  const int first = std::clamp(lit >= 0 ? lit - fit / 2 : lines, 0, std::max(0, lines - fit));
  float y = box.y + 22;
  const int lit_end = statement_end(shown.code.lines, lit);
  for (int i = first; i < std::min(lines, first + fit); ++i) {
    const std::string& line = shown.code.lines[std::size_t(i)];
    const std::size_t indent = line.find_first_not_of(' ');
    const bool remark = indent != std::string::npos && line[indent] == '#';
    if ((i >= lit && i < lit_end)) pen.fill({box.x, y - 14, box.w, kCodeLine}, c.weights.soft);
    pen.text_fit((i >= lit && i < lit_end) ? MonoBold : Mono, type::tiny, box.x + 10, y,
                 (i >= lit && i < lit_end) ? c.weights.text
                 : remark                  ? c.faint
                                           : c.ink,
                 line, box.w - 20);
    y += kCodeLine;
  }
  ui.registry.add({.id = "code",
                   .role = "region",
                   .label = "The same in PyTorch",
                   .value = shown.code.program,
                   .box = box,
                   .passive = true});
}

}  // namespace lab
