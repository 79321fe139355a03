// The lesson of several heads as Python: stacked, packed into one module, and the book's module with its
// out_proj.
#include <algorithm>

#include "core/swap_heads.hpp"
#include "lessons/multi_head_runs.hpp"
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
  int batch;
  bool fused_drops_otherwise;  // the module's masks are not the stack's
  int all() const { return heads * width; }
  bool batched() const { return batch > 1; }
  const char* x() const { return batched() ? "batch" : "inputs"; }
};

std::vector<Matrix> masks_of(const Run& run) {
  std::vector<Matrix> masks;
  for (const Run& head : run.parts) masks.push_back(head.pass.dropout_mask);
  return masks;
}

Sizes sizes_of(const Results& r) {
  const AttentionParams& m = r.runs.runs[0].module;
  const Run& head = r.runs.runs[0].parts[0];
  return {int(r.runs.words.size()),
          m.d_in,
          m.num_heads,
          m.d_out,
          r.inputs.bias && !r.inputs.example,
          head.pass.dropout_mask.size() != 0,
          std::any_of(r.runs.runs[0].parts.begin(), r.runs.runs[0].parts.end(),
                      [](const Run& part) { return part.pass.off; }),
          r.inputs.batch,
          r.inputs.batch > 1 || masks_of(r.runs.runs[0]) != masks_of(r.runs.runs[1])};
}

Lines attend_lines(const Results& r, const Sizes& s) {
  const char* drop = s.drops ? ", drop" : "";
  const auto buffer = r.inputs.context_length;
  const std::string rows = buffer ? text(*buffer) + ", " + text(*buffer) : "T, T";
  Lines lines = {
      filled("future = torch.triu(torch.ones({0}), diagonal=1).bool(){1}", {rows, buffer ? "[:T, :T]" : ""}),
      filled("def attend(q, k, v{0}):", {drop}),
      "    scores = (q @ k.transpose(-2, -1)).masked_fill(future, -torch.inf)",
      "    weights = torch.softmax(scores / k.shape[-1] ** 0.5, dim=-1)"};
  lines.push_back(s.drops ? "    return (weights * drop) @ v" : "    return weights @ v");
  return lines;
}

// Two builds of PyTorch drop different cells from one seed, so the masks are written out: of a stack heads ×
// batch × T × T, of one module batch × heads × T × T.
Lines literal_of(const std::string& name, const std::vector<std::vector<Matrix>>& masks, bool nested) {
  Lines lines = {name + " = torch.tensor(["};
  const std::string indent(nested ? 4 : 0, ' ');
  for (const auto& group : masks) {
    if (nested) lines.push_back("    [");
    for (const Matrix& mask : group) {
      lines.push_back(indent + "    [");
      for (int row = 0; row < int(mask.rows()); ++row)
        lines.push_back(indent + "        " + row_literal(mask, row) + ",");
      lines.push_back(indent + "    ],");
    }
    if (nested) lines.push_back("    ],");
  }
  lines.push_back("])");
  return lines;
}

Lines drop_lines(const Results& r, const Sizes& s) {
  if (!s.drops) return {};
  const HeadMasks stacked = dropout_masks(r.inputs, AttentionKind::wrapper, s.heads, s.words);
  HeadMasks by_head(std::size_t(s.heads));
  for (const auto& sentence : stacked)
    for (std::size_t h = 0; h < sentence.size(); ++h) by_head[h].push_back(sentence[h]);
  const HeadMasks fused = dropout_masks(r.inputs, AttentionKind::mha, s.heads, s.words);
  Lines lines = literal_of("drop", s.batched() ? by_head : stacked, s.batched());
  if (s.fused_drops_otherwise) append(lines, literal_of("fused_drop", fused, s.batched()));
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
        const int stands = r.inputs.swap ? r.inputs.swap->other(h) : h;
        const Matrix& w = projection(m.heads[std::size_t(stands)], kSlots[std::size_t(i)]).weight.stored;
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

std::string order_literal(const std::vector<int>& order) {
  std::string all;
  for (const int i : order) all += (all.empty() ? "" : ", ") + text(i);
  return "[" + all + "]";
}

// heads: a list of them, by their places' masks.
std::string stacked_line(const Sizes& s, const std::string& name, const std::string& heads, bool some_off) {
  return filled("{0} = torch.cat([attend(*(f({1}) for f in h){2}){3} for i, h in enumerate({4})], dim=-1)",
                {name, s.x(), s.drops ? ", drop[i]" : "", some_off ? " * on[i]" : "", heads});
}

// As it is, and as it was before heads were swapped or switched off.
Lines stacked_lines(const Results& r, const Sizes& s) {
  Lines lines = {stacked_line(s, "stacked_out", "heads", s.some_off)};
  if (!r.inputs.swap && !s.some_off) return lines;
  std::string before = "heads";
  if (r.inputs.swap)
    before = "[heads[j] for j in " + order_literal(swapped_order(s.heads, 1, *r.inputs.swap)) + "]";
  lines.push_back(stacked_line(s, "stacked_before", before, false));
  lines.push_back("stacked_change = stacked_out - stacked_before");
  return lines;
}

// T × d_out → heads × T × head_dim, by the chosen way, and back.
std::string split_of(HeadRoute route, const Sizes& s) {
  const std::string h = text(s.heads), w = text(s.width), b = s.batched() ? text(s.batch) + ", " : "";
  switch (route) {
    case HeadRoute::interleaved:
      return filled("y.view({0}T, {1}, {2}).permute({3})", {b, w, h, s.batched() ? "0, 3, 1, 2" : "2, 0, 1"});
    case HeadRoute::no_transpose: return filled("y.reshape({0}{1}, T, {2})", {b, h, w});
    default: return filled("y.view({0}T, {1}, {2}).transpose({3})", {b, h, w, s.batched() ? "1, 2" : "0, 1"});
  }
}
std::string joined_back(HeadRoute route, const std::string& context, const Sizes& s) {
  const std::string all = text(s.all()), b = s.batched() ? text(s.batch) + ", " : "";
  switch (route) {
    case HeadRoute::interleaved:
      return filled("{0}.permute({1}).reshape({2}T, {3})",
                    {context, s.batched() ? "0, 2, 3, 1" : "1, 2, 0", b, all});
    case HeadRoute::no_transpose:
    case HeadRoute::no_transpose_back: return filled("{0}.reshape({1}T, {2})", {context, b, all});
    default:
      return filled("{0}.transpose({1}).reshape({2}T, {3})",
                    {context, s.batched() ? "1, 2" : "0, 1", b, all});
  }
}

// name: of the module, before its variables.
Lines fused_lines(const Results& r, const Sizes& s, const std::string& name, const std::string& projected,
                  bool some_off) {
  const HeadRoute route = r.inputs.split;
  const std::string split = name + "split", weights = name + "weights", context = name + "context";
  const std::string root = text(route == HeadRoute::whole_scale ? s.all() : s.width);
  const char *drop = s.fused_drops_otherwise ? " * fused_drop)" : " * drop)",
             *turned = s.batched() ? "2, 3" : "1, 2";
  Lines lines = {filled("{0} = [{1} for y in ({2})]", {split, split_of(route, s), projected}),
                 filled("{0} = {1}[0] @ {1}[1].transpose({2})", {name + "scores", split, turned}),
                 filled("{0} = torch.softmax({1}.masked_fill(future, -torch.inf) / {2} ** 0.5, dim=-1)",
                        {weights, name + "scores", root}),
                 filled("{0} = {1} @ {2}[2]", {context, s.drops ? "(" + weights + drop : weights, split})};
  if (some_off) lines.push_back(filled("{0} = {0} * on.view(-1, 1, 1)", {context}));
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
                            filled(s.bias ? "{0} @ w.T + b for w, b in zip(packed, biases)"
                                          : "{0} @ w.T for w in packed",
                                   {s.x()}),
                            s.some_off));
  lines.push_back(filled("out_weight, out_bias = torch.eye({0}), torch.zeros({0})", {text(s.all())}));
  lines.push_back("fused_out = concat @ out_weight.T + out_bias");
  lines.push_back("difference = stacked_out - fused_out");
  return lines;
}

// Its bands change places, and out_proj's columns where they go along. The example's were packed from heads
// that had changed places already.
Lines swapped_lines(const Results& r, const Sizes& s) {
  if (!r.inputs.swap) return {};
  Lines lines = {"order = " + order_literal(swapped_order(s.heads, s.width, *r.inputs.swap))};
  if (!r.inputs.example) {
    lines.push_back("for W in (W_query, W_key, W_value):");
    lines.push_back("    W.weight.data = W.weight.data[order]");
    if (s.bias) lines.push_back("    W.bias.data = W.bias.data[order]");
  }
  if (r.inputs.swap_out_proj) lines.push_back("out_proj.weight.data = out_proj.weight.data[:, order]");
  return lines;
}

// The same module before: swapped once more, its bands stand where they stood.
Lines before_lines(const Results& r, const Sizes& s, const std::string& projected) {
  if (!r.inputs.swap && !s.some_off) return {};
  const bool swapped = r.inputs.swap.has_value();
  const std::string bands = swapped ? "y[..., order] for y in (" + projected + ")" : projected;
  Lines lines = fused_lines(r, s, "before_", bands, false);
  if (swapped && r.inputs.swap_out_proj)
    lines.push_back("mha_before = before_concat @ out_proj.weight[:, order].T + out_proj.bias");
  else
    lines.push_back("mha_before = out_proj(before_concat)");
  lines.push_back("mha_change = mha_out - mha_before");
  return lines;
}

// The book's own module, and after it the example's with an out_proj that mixes.
Lines mixing_lines(const Results& r) {
  if (r.runs.runs.size() < 3 || r.runs.runs[2].prefix != "mha.") return {};
  const AttentionParams& m = r.runs.runs[2].module;
  Sizes s = sizes_of(r);
  s.width = head_dim(m);
  Lines lines = {"", "torch.manual_seed(" + std::to_string(r.inputs.seed) + ")"};
  std::string projected = filled("W({0}) for W in (W_query, W_key, W_value)", {s.x()});
  if (r.inputs.example)
    projected = filled("{0} @ w.T for w in packed", {s.x()});
  else
    lines.push_back(filled("W_query, W_key, W_value = (nn.Linear({0}, {1}, bias={2}) for _ in range(3))",
                           {text(s.d_in), text(s.all()), truth(s.bias)}));
  lines.push_back(filled("out_proj = nn.Linear({0}, {0})", {text(s.all())}));
  append(lines, swapped_lines(r, s));
  append(lines, fused_lines(r, s, "mha_", projected, s.some_off));
  lines.push_back("mha_out = out_proj(mha_concat)");
  append(lines, before_lines(r, s, projected));
  return lines;
}

// Of the batch the sentence that the lab shows.
Lines shown_lines(const Results& r, const Sizes& s, const Lines& made) {
  if (!s.batched()) return {};
  Lines lines = {
      filled("# sentence {0} of {1}, as the lab shows it", {text(r.inputs.sample + 1), text(s.batch)})};
  for (const char* name :
       {"stacked_out", "stacked_before", "stacked_change", "weights", "concat", "fused_out", "difference",
        "mha_weights", "mha_concat", "mha_out", "mha_before", "mha_change"})
    if (std::any_of(made.begin(), made.end(),
                    [&](const std::string& line) { return line.starts_with(std::string(name) + " ="); }))
      lines.push_back(filled("{0} = {0}[{1}]", {name, text(r.inputs.sample)}));
  return lines;
}

}  // namespace

Code multi_head_code(const Results& r, const std::string&) {
  if (r.runs.words.empty()) return program_of(r, {});
  const Sizes s = sizes_of(r);
  Lines lines = {"T = inputs.shape[0]"};
  if (s.batched()) lines.push_back(filled("batch = torch.stack([inputs] * {0})", {text(s.batch)}));
  append(lines, attend_lines(r, s));
  append(lines, drop_lines(r, s));
  if (s.some_off) lines.push_back("on = torch.tensor(" + on_literal(r, s) + ")");
  append(lines, made_heads(r, s));
  if (const auto swap = r.inputs.swap)
    lines.push_back(
        filled("heads[{0}], heads[{1}] = heads[{1}], heads[{0}]", {text(swap->a), text(swap->b)}));
  add_parameter_edits(lines, r);
  append(lines, stacked_lines(r, s));
  append(lines, packed_lines(r, s));
  append(lines, mixing_lines(r));
  append(lines, shown_lines(r, s, lines));
  lines.push_back("print(fused_out)");
  return program_of(r, lines);
}

}  // namespace lab
