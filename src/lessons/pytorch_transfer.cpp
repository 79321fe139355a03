// The bench as Python: both classes, the moves, and the comparison of their outputs.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/number_text.hpp"
#include "lessons/pieces.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"
#include "lessons/verdict.hpp"

namespace lab {
namespace {

Lines wrapper_lines() {
  return {
      "class MultiHeadAttentionWrapper(nn.Module):",
      "    def __init__(self, d_in, d_out, num_heads, qkv_bias=False):",
      "        super().__init__()",
      "        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, qkv_bias) for _ in range(num_heads))",
      "    def forward(self, x):",
      "        return torch.cat([head(x) for head in self.heads], dim=-1)",
      ""};
}

Lines mha_lines() {
  Lines lines = {"class MultiHeadAttention(nn.Module):",
                 "    def __init__(self, d_in, d_out, num_heads, qkv_bias=False):",
                 "        super().__init__()", "        self.num_heads = num_heads"};
  for (const char* name : {"W_query", "W_key", "W_value"})
    lines.push_back(filled("        self.{0} = nn.Linear(d_in, d_out, bias=qkv_bias)", {name}));
  append(lines, {"        self.out_proj = nn.Linear(d_out, d_out)", "    def forward(self, x):",
                 "        q, k, v = (W(x).view(len(x), self.num_heads, -1).transpose(0, 1)",
                 "                   for W in (self.W_query, self.W_key, self.W_value))",
                 "        scores = q @ k.transpose(1, 2)",
                 "        future = torch.triu(torch.ones_like(scores), diagonal=1).bool()",
                 "        scores = scores.masked_fill(future, -torch.inf)",
                 "        context = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1) @ v",
                 "        return self.out_proj(context.transpose(0, 1).reshape(len(x), -1))", ""});
  return lines;
}

Lines class_lines(AttentionKind kind, bool masked) {
  if (kind == AttentionKind::wrapper) return wrapper_lines();
  if (kind == AttentionKind::mha) return mha_lines();
  const bool linear = kind != AttentionKind::v1;
  Lines lines = {std::string("class ") + class_name(kind) + "(nn.Module):",
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
  const std::string bias = has_bias(m) ? ", qkv_bias=True" : "";
  const std::string heads = has_heads(m.kind) ? ", num_heads=" + std::to_string(m.num_heads) : "";
  return {"torch.manual_seed(" + std::to_string(seed) + ")",
          name + " = " + class_name(m.kind) + "(" + std::to_string(m.d_in) + ", " + std::to_string(m.d_out) +
              heads + bias + ")"};
}

// A parameter by its name in state_dict: "wrapper.heads[0].W_query.weight".
std::string member(const std::string& variable, const std::string& name) {
  constexpr std::string_view kHeads = "heads.";
  if (!name.starts_with(kHeads)) return variable + "." + name;
  const std::size_t dot = name.find('.', kHeads.size());
  return variable + ".heads[" + name.substr(kHeads.size(), dot - kHeads.size()) + "]" + name.substr(dot);
}

std::string move_line(const Move& m, const Names& names, const Bench& b) {
  return "    " + member(names.target, sliced(to_piece(m), b.target)) + ".copy_(" +
         member(names.source, sliced(from_piece(m), b.source)) + (m.op == MoveOp::transpose ? ".T" : "") +
         ")";
}

// Where the module beside it has no out_proj.
Lines passing_on_lines(const Bench& b, const Names& names) {
  if (!passes_on(b)) return {};
  const std::string& name = b.source.out_proj.weight.empty() ? names.target : names.source;
  return {"    nn.init.eye_(" + name + ".out_proj.weight)", "    nn.init.zeros_(" + name + ".out_proj.bias)"};
}

// Edits of one side's parameters, as assignments.
Lines edit_lines(const Results& r, const AttentionParams& m, const char* prefix,
                 const std::string& variable) {
  Lines lines;
  for (const Parameter* p : parameters(m))
    for (const Edit& e : r.inputs.edits)
      if (e.cell.name == prefix + p->name && value_of(r.runs, e.cell))
        lines.push_back("    " + assignment(member(variable, p->name), e, p->one_dimensional));
  return lines;
}

Lines transfer_lines(const Results& r, const Names& names, bool hidden) {
  const Bench& b = *r.runs.bench;
  if (hidden) {
    Lines lines = passing_on_lines(b, names);
    if (!lines.empty()) lines.insert(lines.begin(), "with torch.no_grad():");
    lines.push_back("# moves hidden: name a matrix");
    return lines;
  }
  Lines before = passing_on_lines(b, names);
  append(before, edit_lines(r, b.source, kSource, names.source));
  const Lines after = edit_lines(r, b.target, kTarget, names.target);
  Lines moves;
  bool any = !before.empty() || !after.empty();
  const std::vector<Move> standing = standing_moves(b.moves, b.source, b.target);
  std::vector<bool> told(standing.size(), false);
  for (const Pair& pair : pairs(b.source, b.target)) {
    if (!pair.is_slot()) continue;
    bool filled_slot = false;
    for (std::size_t i = 0; i < standing.size(); ++i) {
      if (!writes_into(standing[i], pair.to, b.target)) continue;
      if (!told[i]) moves.push_back(move_line(standing[i], names, b));
      told[i] = filled_slot = any = true;
    }
    if (!filled_slot) moves.push_back("    # " + sliced(pair.to, b.target) + ": not transferred yet");
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

Code transfer_code(const Results& r, const std::string& guess) {
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
  const AttentionKind kinds[] = {b.source.kind, b.target.kind};
  const bool stacks = std::count(kinds, kinds + 2, AttentionKind::wrapper) > 0;
  if (stacks && std::count(kinds, kinds + 2, AttentionKind::causal) == 0)
    append(program, class_lines(AttentionKind::causal, true));
  append(program, class_lines(b.source.kind, source_masked));
  if (b.target.kind != b.source.kind) append(program, class_lines(b.target.kind, target_masked));
  append(program, code.lines);
  code.program = joined(program);
  return code;
}

}  // namespace lab
