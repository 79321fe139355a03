// The lessons of one head as Python: a line a matrix, and after it the user's edits of that matrix.
#include <algorithm>
#include <span>

#include "core/number_text.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

struct Made {
  const char* name;  // in the lab
  const char* line;  // in Python
};

std::string variable(const char* line) { return std::string(line).substr(0, std::string(line).find(' ')); }

void add_edits(Lines& lines, const Results& r, const std::string& name, const std::string& python) {
  for (const Edit& e : r.inputs.edits) {
    const auto found = find(r.runs, e.cell.name);
    if (e.cell.name == name && value_of(r.runs, e.cell))
      lines.push_back(assignment(python, e, found->parameter && found->parameter->one_dimensional));
  }
}

void add(Lines& lines, const Results& r, const Made& made) {
  lines.emplace_back(made.line);
  add_edits(lines, r, made.name, variable(made.line));
}

// A parameter is a leaf of the graph: its cells are set through .data.
void add_parameter(Lines& lines, const Results& r, const std::string& name, const std::string& made) {
  lines.push_back(name + " = " + made);
  for (const char* part : {"", ".weight", ".bias"}) add_edits(lines, r, name + part, name + part + ".data");
}

std::string size_text(const Inputs& in) { return std::to_string(in.d_in) + ", " + std::to_string(in.d_out); }

// What the masked lesson makes whatever the route.
constexpr Made kBothRoutes[] = {
    {"queries", "queries = W_query(inputs)"},
    {"keys", "keys = W_key(inputs)"},
    {"values", "values = W_value(inputs)"},
    {"attn_scores", "attn_scores = queries @ keys.T"},
    {"scaled_scores", "scaled_scores = attn_scores / d_k ** 0.5"},
    {"keep", "keep = torch.tril(torch.ones_like(attn_scores))"},
    {"softmax_unmasked", "softmax_unmasked = torch.softmax(scaled_scores, dim=-1)"},
    {"masked_zeroed", "masked_zeroed = softmax_unmasked * keep"},
    {"row_sums", "row_sums = masked_zeroed.sum(dim=-1, keepdim=True)"},
    {"masked_renormalized", "masked_renormalized = (masked_zeroed / row_sums)"},
    {"masked_scores", "masked_scores = attn_scores.masked_fill(keep == 0, -torch.inf)"},
    {"masked_softmax", "masked_softmax = torch.softmax(masked_scores / d_k ** 0.5, dim=-1)"},
    {"route_difference", "route_difference = (masked_renormalized - masked_softmax)"},
};

constexpr const char* kSums = "route_sums = route_zeroed.sum(dim=-1, keepdim=True)";
constexpr const char* kDivided = "attn_weights = route_zeroed / route_sums";

std::vector<Made> route_lines(MaskRoute route, bool drops) {
  switch (route) {
    case MaskRoute::none: return {{"attn_weights", "attn_weights = softmax_unmasked.clone()"}};
    case MaskRoute::zero_renorm: return {{"attn_weights", "attn_weights = masked_renormalized.clone()"}};
    case MaskRoute::neginf: return {{"attn_weights", "attn_weights = masked_softmax.clone()"}};
    case MaskRoute::zero_scores:
      return {{"route_scores", "route_scores = attn_scores * keep"},
              {"attn_weights", "attn_weights = torch.softmax(route_scores / d_k ** 0.5, dim=-1)"}};
    case MaskRoute::no_renorm: return {{"attn_weights", "attn_weights = masked_zeroed.clone()"}};
    case MaskRoute::renorm_first:
      return {{"route_sums", "route_sums = softmax_unmasked.sum(dim=-1, keepdim=True)"},
              {"route_renormalized", "route_renormalized = (softmax_unmasked / route_sums)"},
              {"attn_weights", "attn_weights = route_renormalized * keep"}};
    case MaskRoute::off_by_one:
      return {{"route_keep", "route_keep = torch.tril(torch.ones_like(attn_scores), diagonal=1)"},
              {"route_zeroed", "route_zeroed = softmax_unmasked * route_keep"},
              {"route_sums", kSums},
              {"attn_weights", kDivided}};
    case MaskRoute::transposed:
      return {{"route_keep", "route_keep = torch.triu(torch.ones_like(attn_scores))"},
              {"route_zeroed", "route_zeroed = softmax_unmasked * route_keep"},
              {"route_sums", kSums},
              {"attn_weights", kDivided}};
    case MaskRoute::after_dropout:
      if (drops)
        return {{"route_dropped", "route_dropped = softmax_unmasked * dropout_mask"},
                {"route_keep", "route_keep = keep.clone()"},
                {"route_zeroed", "route_zeroed = route_dropped * route_keep"},
                {"route_sums", kSums},
                {"attn_weights", kDivided}};
      return {{"route_keep", "route_keep = keep.clone()"},
              {"route_zeroed", "route_zeroed = softmax_unmasked * route_keep"},
              {"route_sums", kSums},
              {"attn_weights", kDivided}};
  }
  return {};
}

// Two builds of PyTorch drop different cells from one seed, so the mask is written out.
void add_dropout_mask(Lines& lines, const Results& r, const Matrix& mask) {
  lines.push_back(filled("# nn.Dropout({0}) after torch.manual_seed({1}), as torch draws it on {2}:",
                         {number_text(r.inputs.dropout), std::to_string(r.inputs.dropout_seed),
                          r.inputs.stream == DropoutStream::mac ? "macOS" : "Linux and Windows"}));
  lines.push_back("dropout_mask = torch.tensor([");
  const Run& run = r.runs.runs.front();
  for (int row = 0; row < mask.rows(); ++row)
    lines.push_back("    " + row_literal(run.pass.dropout_mask, row) + ",");
  lines.push_back("])");
  add_edits(lines, r, "dropout_mask", "dropout_mask");
}

constexpr Made kSimple[] = {
    {"simple.attn_scores", "simple_scores = inputs @ inputs.T"},
    {"simple.attn_weights", "simple_weights = torch.softmax(simple_scores, dim=-1)"},
    {"simple.context_vec", "simple_context = simple_weights @ inputs"},
};

// A link may edit the inputs of this part alone.
constexpr Made kSimpleOfItsOwn[] = {
    {"simple.inputs", "simple_inputs = inputs.clone()"},
    {"simple.attn_scores", "simple_scores = simple_inputs @ simple_inputs.T"},
    {"simple.attn_weights", "simple_weights = torch.softmax(simple_scores, dim=-1)"},
    {"simple.context_vec", "simple_context = simple_weights @ simple_inputs"},
};

constexpr Made kWithWeights[] = {
    {"queries", "queries = inputs @ W_query"},
    {"keys", "keys = inputs @ W_key"},
    {"values", "values = inputs @ W_value"},
    {"attn_scores", "attn_scores = queries @ keys.T"},
    {"scaled_scores", "scaled_scores = attn_scores / d_k ** 0.5"},
    {"attn_weights", "attn_weights = torch.softmax(scaled_scores, dim=-1)"},
    {"context_vec", "context_vec = attn_weights @ values"},
};

}  // namespace

Code self_attention_code(const Results& r, const std::string&) {
  Lines lines;
  const auto is_of_its_own = [](const Edit& e) { return e.cell.name == kSimpleOfItsOwn[0].name; };
  const bool of_its_own = std::any_of(r.inputs.edits.begin(), r.inputs.edits.end(), is_of_its_own);
  for (const Made& m : of_its_own ? std::span<const Made>(kSimpleOfItsOwn) : kSimple) add(lines, r, m);
  lines.push_back("");
  lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  for (const char* name : {"W_query", "W_key", "W_value"})
    add_parameter(lines, r, name, "nn.Parameter(torch.rand(" + size_text(r.inputs) + "))");
  lines.push_back("d_k = " + std::to_string(r.inputs.d_out));
  for (const Made& m : kWithWeights) add(lines, r, m);
  lines.push_back("print(context_vec)");
  return program_of(r, lines);
}

Code causal_mask_code(const Results& r, const std::string&) {
  Lines lines;
  lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  for (const char* name : {"W_query", "W_key", "W_value"})
    add_parameter(lines, r, name,
                  "nn.Linear(" + size_text(r.inputs) + ", bias=" + (r.inputs.bias ? "True)" : "False)"));
  lines.push_back("d_k = " + std::to_string(r.inputs.d_out));
  for (const Made& m : kBothRoutes) add(lines, r, m);
  const Matrix& mask = r.runs.runs.front().trace.dropout_mask;
  const bool drops = mask.size() != 0, drops_last = drops && r.inputs.mask != MaskRoute::after_dropout;
  if (drops) add_dropout_mask(lines, r, mask);
  for (const Made& m : route_lines(r.inputs.mask, drops)) add(lines, r, m);
  if (drops_last)
    add(lines, r, {"attn_weights_dropped", "attn_weights_dropped = (attn_weights * dropout_mask)"});
  add(lines, r,
      {"context_vec",
       drops_last ? "context_vec = (attn_weights_dropped @ values)" : "context_vec = attn_weights @ values"});
  lines.push_back("print(context_vec)");
  return program_of(r, lines);
}

}  // namespace lab
