// The lesson of several heads as Python: stacked, packed into one module, and the book's module with its
// out_proj.
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

using multi_head_texts::fault_of;

std::string text(int n) { return std::to_string(n); }
std::string truth(bool is) { return is ? "True" : "False"; }

struct Sizes {
  int words, d_in, heads, width;  // width of one head
  bool bias, drops, some_off;
  int all() const { return heads * width; }
};

Sizes sizes_of(const Results& r) {
  const AttentionParams& m = r.runs.runs[0].module;
  const Run& head = r.runs.runs[0].parts[0];
  return {int(r.runs.words.size()),
          m.d_in,
          m.num_heads,
          m.d_out,
          r.inputs.bias && !r.inputs.example,
          head.pass.dropout_mask.size() != 0,
          !r.inputs.off.empty()};
}

Lines attend_lines(const Sizes& s) {
  const char* drop = s.drops ? ", drop" : "";
  Lines lines = {"future = torch.triu(torch.ones(T, T), diagonal=1).bool()",
                 filled("def attend(q, k, v{0}):", {drop}),
                 "    scores = (q @ k.transpose(-2, -1)).masked_fill(future, -torch.inf)",
                 "    weights = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1)"};
  lines.push_back(s.drops ? "    return (weights * drop) @ v" : "    return weights @ v");
  return lines;
}

// Two builds of PyTorch drop different cells from one seed, so the masks are written out.
Lines drop_lines(const Results& r, const Sizes& s) {
  Lines lines;
  if (!s.drops) return lines;
  lines.push_back("drop = torch.tensor([");
  for (const Run& head : r.runs.runs[0].parts) {
    lines.push_back("    [");
    for (int row = 0; row < s.words; ++row)
      lines.push_back("        " + row_literal(head.pass.dropout_mask, row) + ",");
    lines.push_back("    ],");
  }
  lines.push_back("])");
  return lines;
}

// Numbers that were built by hand are written out.
Lines made_heads(const Results& r, const Sizes& s) {
  Lines lines;
  lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  lines.push_back(filled("heads = [[nn.Linear({0}, {1}, bias={2}) for _ in range(3)] for _ in range({3})]",
                         {text(s.d_in), text(s.width), truth(s.bias), text(s.heads)}));
  const AttentionParams& m = r.runs.runs[0].module;
  if (r.inputs.example)
    for (int h = 0; h < s.heads; ++h)
      for (int i = 0; i < 3; ++i) {
        const Matrix& w = projection(m.heads[std::size_t(h)], kSlots[std::size_t(i)]).weight.stored;
        std::string rows;
        for (int row = 0; row < int(w.rows()); ++row) rows += (row ? ", " : "") + row_literal(w, row);
        lines.push_back(
            filled("heads[{0}][{1}].weight.data = torch.tensor([{2}])", {text(h), text(i), rows}));
      }
  return lines;
}

// A head's parameter in Python: "heads[1][0].weight.data".
std::string python_of(const std::string& name) {
  for (int h = 0; h < kMaxHeads; ++h)
    for (int i = 0; i < 3; ++i)
      for (const char* part : {".weight", ".bias"}) {
        constexpr const char* kNames[] = {"W_query", "W_key", "W_value"};
        if (name == "wrapper.heads." + text(h) + "." + kNames[i] + part)
          return "heads[" + text(h) + "][" + text(i) + "]" + part + ".data";
      }
  return "";
}

void add_parameter_edits(Lines& lines, const Results& r) {
  int others = 0;
  for (const Edit& e : r.inputs.edits) {
    const std::string python = python_of(e.cell.name);
    const auto found = find(r.runs, e.cell.name);
    if (!python.empty() && value_of(r.runs, e.cell))
      lines.push_back(assignment(python, e, found->parameter->one_dimensional));
    else if (e.cell.name != "inputs")
      ++others;
  }
  if (others > 0) lines.push_back("# edited in the lab alone: " + counted(others, "cell"));
}

std::string on_literal(const Results& r, const Sizes& s) {
  std::string all;
  for (int h = 0; h < s.heads; ++h) {
    const bool off = r.runs.runs[0].parts[std::size_t(h)].pass.off;
    all += (h ? ", " : "") + std::string(off ? "0.0" : "1.0");
  }
  return "[" + all + "]";
}

Lines stacked_lines(const Sizes& s) {
  const std::string drop = s.drops ? ", drop[i]" : "", off = s.some_off ? " * on[i]" : "";
  return {filled(
      "stacked_out = torch.cat([attend(*(f(inputs) for f in h){0}){1} for i, h in enumerate(heads)], dim=-1)",
      {drop, off})};
}

// T × d_out → heads × T × head_dim, by the chosen way, and back.
std::string split_of(HeadRoute route, const Sizes& s) {
  const std::string h = text(s.heads), w = text(s.width);
  switch (route) {
    case HeadRoute::interleaved: return filled("y.view(T, {0}, {1}).permute(2, 0, 1)", {w, h});
    case HeadRoute::no_transpose: return filled("y.reshape({0}, T, {1})", {h, w});
    default: return filled("y.view(T, {0}, {1}).transpose(0, 1)", {h, w});
  }
}
std::string joined_back(HeadRoute route, const std::string& context, const Sizes& s) {
  const std::string all = text(s.all());
  switch (route) {
    case HeadRoute::interleaved: return filled("{0}.permute(1, 2, 0).reshape(T, {1})", {context, all});
    case HeadRoute::no_transpose:
    case HeadRoute::no_transpose_back: return filled("{0}.reshape(T, {1})", {context, all});
    default: return filled("{0}.transpose(0, 1).reshape(T, {1})", {context, all});
  }
}

// name: of the module, before its variables.
Lines fused_lines(const Results& r, const Sizes& s, const std::string& name, const std::string& projected) {
  const HeadRoute route = r.inputs.split;
  const std::string split = name + "split", weights = name + "weights", context = name + "context";
  const std::string root = text(route == HeadRoute::whole_scale ? s.all() : s.width);
  Lines lines = {
      filled("{0} = [{1} for y in ({2})]", {split, split_of(route, s), projected}),
      filled("{0} = {1}[0] @ {1}[1].transpose(1, 2)", {name + "scores", split}),
      filled("{0} = torch.softmax({1}.masked_fill(future, -torch.inf) / {2} ** 0.5, dim=-1)",
             {weights, name + "scores", root}),
      filled("{0} = {1} @ {2}[2]", {context, s.drops ? "(" + weights + " * drop)" : weights, split})};
  if (s.some_off) lines.push_back(filled("{0} = {0} * on.view(-1, 1, 1)", {context}));
  lines.push_back(filled("{0} = {1}", {name + "concat", joined_back(route, context, s)}));
  return lines;
}

Lines packed_lines(const Results& r, const Sizes& s) {
  Lines lines = {"packed = [torch.cat([h[i].weight for h in heads], dim=0) for i in range(3)]"};
  if (s.bias) lines.push_back("biases = [torch.cat([h[i].bias for h in heads], dim=0) for i in range(3)]");
  if (const auto wrong = fault_of(r.inputs, s.heads)) {
    const std::string band = text(wrong->to * s.width) + ":" + text((wrong->to + 1) * s.width);
    const std::string to = text(int(wrong->slot)), from = text(wrong->from);
    lines.push_back("with torch.no_grad():");
    lines.push_back(
        filled("    packed[{0}][{1}] = heads[{2}][{0}].weight  # the wrong band", {to, band, from}));
    if (s.bias) lines.push_back(filled("    biases[{0}][{1}] = heads[{2}][{0}].bias", {to, band, from}));
  }
  append(lines, fused_lines(r, s, "",
                            s.bias ? "inputs @ w.T + b for w, b in zip(packed, biases)"
                                   : "inputs @ w.T for w in packed"));
  lines.push_back(filled("out_weight, out_bias = torch.eye({0}), torch.zeros({0})", {text(s.all())}));
  lines.push_back("fused_out = concat @ out_weight.T + out_bias");
  lines.push_back("difference = stacked_out - fused_out");
  return lines;
}

// The book's own module, and after it the example's with an out_proj that mixes.
Lines mixing_lines(const Results& r) {
  if (r.runs.runs.size() < 3 || r.runs.runs[2].prefix != "mha.") return {};
  const AttentionParams& m = r.runs.runs[2].module;
  Sizes s = sizes_of(r);
  s.width = head_dim(m);
  Lines lines = {"", "torch.manual_seed(" + std::to_string(r.inputs.seed) + ")"};
  std::string projected = "W(inputs) for W in (W_query, W_key, W_value)";
  if (r.inputs.example)
    projected = "inputs @ w.T for w in packed";
  else
    lines.push_back(filled("W_query, W_key, W_value = (nn.Linear({0}, {1}, bias={2}) for _ in range(3))",
                           {text(s.d_in), text(s.all()), truth(s.bias)}));
  lines.push_back(filled("out_proj = nn.Linear({0}, {0})", {text(s.all())}));
  append(lines, fused_lines(r, s, "mha_", projected));
  lines.push_back("mha_out = out_proj(mha_concat)");
  return lines;
}

}  // namespace

Code multi_head_code(const Results& r, const std::string&) {
  if (r.runs.words.empty()) return program_of(r, {});
  const Sizes s = sizes_of(r);
  Lines lines = {"T = inputs.shape[0]"};
  append(lines, attend_lines(s));
  append(lines, drop_lines(r, s));
  if (s.some_off) lines.push_back("on = torch.tensor(" + on_literal(r, s) + ")");
  append(lines, made_heads(r, s));
  add_parameter_edits(lines, r);
  append(lines, stacked_lines(s));
  append(lines, packed_lines(r, s));
  append(lines, mixing_lines(r));
  lines.push_back("print(fused_out)");
  return program_of(r, lines);
}

}  // namespace lab
