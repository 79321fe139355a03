#include "lessons/pytorch.hpp"

#include <cmath>
#include <cstdio>

#include "core/number_text.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/verdict.hpp"

namespace lab {
namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void append(Lines& lines, const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

constexpr std::size_t kPanelColumns = 42;

// Lines that are too long for the panel go on below, inside their last bracket.
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

std::string row_literal(const Matrix& m, int row) {
  std::string text = "[";
  for (int c = 0; c < m.cols(); ++c) text += (c ? ", " : "") + literal(m(row, c));
  return text + "]";
}

// "name[0, 1] = 2", or "name[1] = 2" of a bias.
std::string assignment(const std::string& name, const Edit& e, bool one_dimensional) {
  const std::string column = std::to_string(e.cell.col), row = std::to_string(e.cell.row);
  return name + "[" + (one_dimensional ? column : row + ", " + column) + "] = " + literal(e.value);
}

// A word's vector is written out where the book prints it and drawn where the lab draws it.
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

Lines class_lines(const AttentionParams& m, bool masked) {
  const bool linear = m.kind != AttentionKind::v1;
  Lines lines = {std::string("class ") + class_name(m.kind) + "(nn.Module):",
                 linear ? "    def __init__(self, d_in, d_out, qkv_bias=False):"
                        : "    def __init__(self, d_in, d_out):",
                 "        super().__init__()"};
  for (const char* name : {"W_query", "W_key", "W_value"})
    lines.push_back(
        "        self." + std::string(name) +
        (linear ? " = nn.Linear(d_in, d_out, bias=qkv_bias)" : " = nn.Parameter(torch.rand(d_in, d_out))"));
  lines.push_back("    def forward(self, x):");
  lines.push_back(linear ? "        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)"
                         : "        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value");
  lines.push_back("        scores = q @ k.T");
  if (masked) {
    lines.push_back("        future = torch.triu(torch.ones_like(scores), diagonal=1).bool()");
    lines.push_back("        scores = scores.masked_fill(future, -torch.inf)");
  }
  lines.push_back("        return torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1) @ v");
  lines.push_back("");
  return lines;
}

struct Names {
  std::string source, target;
};
Names variable_names(const Bench& b) {
  if (b.source.kind == b.target.kind) return {"source", "target"};
  return {name_of(b.source.kind), name_of(b.target.kind)};
}

Lines made_line(const std::string& name, const AttentionParams& m, std::uint64_t seed) {
  const std::string bias = m.W_query.bias.empty() ? "" : ", qkv_bias=True";
  return {"torch.manual_seed(" + std::to_string(seed) + ")", name + " = " + class_name(m.kind) + "(" +
                                                                 std::to_string(m.d_in) + ", " +
                                                                 std::to_string(m.d_out) + bias + ")"};
}

std::string rect_text(const std::optional<Rect>& r) {
  if (!r) return "";
  return "[" + std::to_string(r->r0) + ":" + std::to_string(r->r1) + ", " + std::to_string(r->c0) + ":" +
         std::to_string(r->c1) + "]";
}

std::string move_line(const Move& m, const Names& names, bool one_dimensional) {
  const auto cells = [&](const std::optional<Rect>& r) {
    if (r && one_dimensional) return "[" + std::to_string(r->c0) + ":" + std::to_string(r->c1) + "]";
    return rect_text(r);
  };
  return "    " + names.target + "." + m.to + cells(m.to_cells) + ".copy_(" + names.source + "." + m.from +
         cells(m.from_cells) + (m.op == MoveOp::transpose ? ".T" : "") + ")";
}

// Edits of one side's parameters, as assignments.
Lines edit_lines(const Results& r, const AttentionParams& m, const char* prefix,
                 const std::string& variable) {
  Lines lines;
  for (const Parameter* p : parameters(m))
    for (const Edit& e : r.inputs.edits)
      if (e.cell.name == prefix + p->name && value_of(r.runs, e.cell))
        lines.push_back("    " + assignment(variable + "." + p->name, e, p->one_dimensional));
  return lines;
}

Lines transfer_lines(const Results& r, const Names& names, bool hidden) {
  const Bench& b = *r.runs.bench;
  if (hidden) return {"# moves hidden: name a matrix"};
  const Lines before = edit_lines(r, b.source, kSource, names.source);
  const Lines after = edit_lines(r, b.target, kTarget, names.target);
  Lines moves;
  bool any = !before.empty() || !after.empty();
  const std::vector<Move> standing = standing_moves(b.moves, b.source, b.target);
  for (const std::string& slot : slots(b.source, b.target)) {
    bool filled_slot = false;
    for (const Move& m : standing) {
      if (m.to != slot) continue;
      moves.push_back(move_line(m, names, find_parameter(b.target, slot)->one_dimensional));
      filled_slot = any = true;
    }
    if (!filled_slot) moves.push_back("    # " + slot + ": not transferred yet");
  }
  Lines lines;
  if (any) lines.push_back("with torch.no_grad():");
  append(lines, before);
  append(lines, moves);
  append(lines, after);
  if (!any)
    for (std::string& line : lines) line.erase(0, 4);
  return lines;
}

// Edits inside the pass have no line of their own in these classes; say so rather than print other numbers.
Lines unsayable_edits(const Results& r) {
  Lines lines;
  for (const Edit& e : r.inputs.edits) {
    const auto found = find(r.runs, e.cell.name);
    if (found && found->row && found->run && value_of(r.runs, e.cell))
      lines.push_back("# " + e.cell.name + "[" + std::to_string(e.cell.row) + ", " +
                      std::to_string(e.cell.col) + "] was edited by hand; these lines do not do that");
  }
  return lines;
}

}  // namespace

Code pytorch_of(const Results& r, const std::string& guess) {
  if (!r.runs.bench || r.runs.words.empty()) return {};
  const Bench& b = *r.runs.bench;
  const Names names = variable_names(b);
  const Run &source = r.runs.runs[0], &target = r.runs.runs[1];
  Code code;
  append(code.lines, made_line(names.source, b.source, r.inputs.seed));
  append(code.lines, made_line(names.target, b.target, r.inputs.target_seed.value_or(r.inputs.seed)));
  append(code.lines, transfer_lines(r, names, hides_fault(r.inputs, guess)));
  const Lines unsayable = unsayable_edits(r);
  append(code.lines, unsayable);
  const std::string a = names.source + "(inputs)", o = names.target + "(inputs)";
  code.lines.push_back("a, b = " + a + ", " + o);
  // What the moves would give would give the moves away.
  const bool hidden = hides_fault(r.inputs, guess) || !unsayable.empty();
  code.lines.push_back("print((a - b).abs().max())" +
                       (hidden ? "" : "  # " + difference_text(r.runs.comparison.max_difference)));
  code.lines.push_back("print(torch.allclose(b, a, rtol=" + number_text(r.inputs.rtol) + ",");
  code.lines.push_back("                     atol=" + number_text(r.inputs.atol) + "))" +
                       (hidden                        ? ""
                        : r.runs.comparison.all_close ? "  # True"
                                                      : "  # False"));

  code.lines = folded(code.lines);
  Lines program = {"import torch, torch.nn as nn", ""};
  append(program, input_lines(r));
  program.push_back("");
  const bool source_masked = source.trace.keep.size() != 0, target_masked = target.trace.keep.size() != 0;
  append(program, class_lines(b.source, source_masked));
  if (b.target.kind != b.source.kind) append(program, class_lines(b.target, target_masked));
  append(program, code.lines);
  code.program = joined(program);
  return code;
}

}  // namespace lab
