// The lessons of one head as Python: a line a matrix, and after it the user's edits of that matrix.
#include "lessons/pytorch_lines.hpp"

namespace lab {
namespace {

struct Made {
  const char* name;  // in the lab
  const char* line;  // in Python
};

std::string variable(const char* line) { return std::string(line).substr(0, std::string(line).find(' ')); }

// A parameter is a leaf of the graph: its cells are set through .data.
void add(Lines& lines, const Results& r, const Made& made, const std::string& data = "") {
  lines.emplace_back(made.line);
  for (const Edit& e : r.inputs.edits)
    if (e.cell.name == made.name && value_of(r.runs, e.cell))
      lines.push_back(assignment(variable(made.line) + data, e, false));
}

constexpr Made kSimple[] = {
    {"simple.attn_scores", "simple_scores = inputs @ inputs.T"},
    {"simple.attn_weights", "simple_weights = torch.softmax(simple_scores, dim=-1)"},
    {"simple.context_vec", "simple_context = simple_weights @ inputs"},
};

constexpr Made kWithWeights[] = {
    {"queries", "queries = inputs @ W_query"},
    {"keys", "keys = inputs @ W_key"},
    {"values", "values = inputs @ W_value"},
    {"attn_scores", "attn_scores = queries @ keys.T"},
    {"scaled_scores", "scaled_scores = (attn_scores / keys.shape[-1] ** 0.5)"},
    {"attn_weights", "attn_weights = torch.softmax(scaled_scores, dim=-1)"},
    {"context_vec", "context_vec = attn_weights @ values"},
};

}  // namespace

Code self_attention_code(const Results& r) {
  Code code;
  Lines& lines = code.lines;
  for (const Made& m : kSimple) add(lines, r, m);
  lines.push_back("");
  lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  const std::string shape =
      "(" + std::to_string(r.inputs.d_in) + ", " + std::to_string(r.inputs.d_out) + "))";
  for (const char* name : {"W_query", "W_key", "W_value"})
    add(lines, r, {name, (std::string(name) + " = nn.Parameter(torch.rand" + shape).c_str()}, ".data");
  for (const Made& m : kWithWeights) add(lines, r, m);
  lines.push_back("print(context_vec)");
  lines = folded(lines);
  Lines program = {"import torch, torch.nn as nn", ""};
  append(program, input_lines(r));
  program.push_back("");
  append(program, lines);
  code.program = joined(program);
  return code;
}

}  // namespace lab
