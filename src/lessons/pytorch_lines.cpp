#include "lessons/pytorch_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lab {
namespace {

constexpr std::size_t kPanelColumns = 42;

// A float32 that Python reads back to the same bits.
std::string literal(float value) {
  if (std::isnan(value)) return "float('nan')";
  if (std::isinf(value)) return value > 0 ? "float('inf')" : "-float('inf')";
  char text[40];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, double(value));
    float back = 0;
    if (std::sscanf(text, "%f", &back) == 1 && back == value) break;
  }
  return text;
}

}  // namespace

// With a point in each number: of whole ones torch would make a tensor of integers, and cut down what is
// written into it.
std::string row_literal(const Matrix& m, int row) {
  std::string text = "[";
  for (int c = 0; c < m.cols(); ++c) {
    const std::string number = literal(m(row, c));
    text += (c ? ", " : "") + number + (number.find_first_not_of("-0123456789") == number.npos ? ".0" : "");
  }
  return text + "]";
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void append(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

Lines folded(const Lines& lines) {
  Lines out;
  for (const std::string& line : lines) {
    const std::size_t bracket = line.substr(0, kPanelColumns).rfind('(');
    const std::size_t indent = line.find_first_not_of(' ');
    if (line.size() <= kPanelColumns || bracket == std::string::npos || line[indent] == '#') {
      out.push_back(line);
    } else {
      out.push_back(line.substr(0, bracket + 1));
      out.push_back(std::string(indent + 4, ' ') + line.substr(bracket + 1));
    }
  }
  return out;
}

std::string assignment(const std::string& name, const Edit& e, bool one_dimensional) {
  const std::string column = std::to_string(e.cell.col), row = std::to_string(e.cell.row);
  return name + "[" + (one_dimensional ? column : row + ", " + column) + "] = " + literal(e.value);
}

Lines input_lines(const Results& r) {
  const Parameter& inputs = r.runs.inputs;
  const int words = int(inputs.stored.rows()), width = r.inputs.d_in;
  Lines lines;
  Matrix unedited = inputs.stored;
  for (auto o = inputs.origins.rbegin(); o != inputs.origins.rend(); ++o)
    if (o->kind == Origin::Kind::edited) unedited(o->cells.r0, o->cells.c0) = o->was;
  std::int64_t drawn = 0;
  std::string rows;
  for (int i = 0; i < words; ++i) {
    const Origin* base = nullptr;
    for (const Origin& o : inputs.origins)
      if (o.kind != Origin::Kind::edited && o.cells.contains(i, 0)) base = &o;
    const std::string& word = r.runs.words[std::size_t(i)];
    if (base->kind == Origin::Kind::drawn) {
      const std::int64_t row = (base->first_draw - 1) / width;
      drawn = std::max(drawn, row + 1);
      rows += "    drawn[" + std::to_string(row) + "],  # " + word + "\n";
    } else {
      rows += "    torch.tensor(" + row_literal(unedited, i) + "),  # " + word + "\n";
    }
  }
  if (drawn > 0) {
    lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.word_seed) + ")");
    lines.push_back("drawn = torch.rand(" + std::to_string(drawn) + ", " + std::to_string(width) + ")");
  }
  lines.push_back("inputs = torch.stack([\n" + rows + "])");
  for (const Edit& e : r.inputs.edits)
    if (e.cell.name == "inputs" && value_of(r.runs, e.cell)) lines.push_back(assignment("inputs", e, false));
  return lines;
}

Code program_without_inputs(const Lines& lines, const Lines& before) {
  Code code;
  code.lines = folded(lines);
  Lines program = {"import torch, torch.nn as nn", "torch.set_printoptions(precision=8)", ""};
  append(program, before);
  append(program, code.lines);
  code.program = joined(program);
  return code;
}

Code program_of(const Results& r, const Lines& lines) {
  Lines before = input_lines(r);
  before.push_back("");
  return program_without_inputs(lines, before);
}

}  // namespace lab
