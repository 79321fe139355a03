#include "core/run.hpp"

#include "core/atlas.hpp"
#include "core/multi_head.hpp"

namespace lab {
namespace {

std::vector<CellEdit> edits_of_run(const std::vector<Edit>& edits, std::string_view prefix) {
  std::vector<CellEdit> of_run;
  for (const Edit& e : edits) {
    if (!e.cell.name.starts_with(prefix)) continue;
    const std::string_view name = std::string_view(e.cell.name).substr(prefix.size());
    // The inputs themselves are edited before any run.
    if (prefix.empty() && (name == "inputs" || name == "resid_pre")) continue;
    for (const AtlasRow& row : whole_atlas()) {
      if (row.name != name) continue;
      of_run.push_back({row.tensor, e.cell.row, e.cell.col, e.value});
      break;
    }
  }
  return of_run;
}

}  // namespace

Pass with_edits(Pass pass, const std::vector<Edit>& edits, std::string_view prefix) {
  pass.edits = edits_of_run(edits, prefix);
  for (std::size_t h = 0; h < pass.heads.size(); ++h)
    pass.heads[h] = with_edits(std::move(pass.heads[h]), edits, std::string(prefix) + head_prefix(int(h)));
  return pass;
}

BlockPass with_edits(BlockPass pass, const std::vector<Edit>& edits, std::string_view prefix) {
  pass.edits = edits_of_run(edits, prefix);
  pass.attention = with_edits(std::move(pass.attention), edits, std::string(prefix) + "att.");
  return pass;
}

NormExample with_edits(NormExample example, const std::vector<Edit>& edits, std::string_view prefix) {
  example.edits = edits_of_run(edits, prefix);
  for (Parameter* p : {&example.out, &example.norm.scale, &example.norm.shift})
    apply_edits(*p, prefix, edits);
  return example;
}

const std::vector<CellEdit>& edits_of(const Run& run) {
  return run.block ? run.block->pass.edits : run.norm_example ? run.norm_example->edits : run.pass.edits;
}

std::vector<const Parameter*> parameters(const Run& run) {
  if (run.norm_example)
    return {&run.norm_example->out, &run.norm_example->norm.scale, &run.norm_example->norm.shift};
  if (run.block) return parameters_besides_attention(run.block->params);
  if (!run.parts.empty() && !run.module.heads.empty()) return {};
  return parameters(run.module);
}

const Parameter* find_parameter(const Run& run, std::string_view name) {
  for (const Parameter* p : parameters(run))
    if (p->name == name) return p;
  return nullptr;
}

std::vector<const Projection*> projections(const Run& run) {
  if (run.block) return {&run.block->params.ff.expand, &run.block->params.ff.contract};
  if (run.norm_example) return {};
  return {&run.module.W_query, &run.module.W_key, &run.module.W_value, &run.module.out_proj};
}

Run run_of(std::string prefix, AttentionParams module, const Matrix& inputs, Pass pass) {
  Run run{.prefix = std::move(prefix), .module = std::move(module), .pass = std::move(pass)};
  if (has_heads(run.module.kind))
    run_heads(run, inputs);
  else
    run.trace = forward(run.module, inputs, run.pass);
  return run;
}

const char* output_name(const AttentionParams& module) {
  return has_heads(module.kind) ? "out" : "context_vec";
}
const Matrix& output_of(const Run& run) {
  return has_heads(run.module.kind) ? run.trace.out : run.trace.context_vec;
}

HeadShape head_shape(const Run& run) {
  return {int(run.trace.queries.rows() ? run.trace.queries.rows() : run.trace.inputs.rows()),
          run.module.num_heads, head_dim(run.module)};
}

void apply_edits(Parameter& p, std::string_view prefix, const std::vector<Edit>& edits) {
  for (const Edit& e : edits) {
    if (e.cell.name != std::string(prefix) + p.name) continue;
    const int r = e.cell.row, c = e.cell.col;
    if (r < 0 || c < 0 || r >= p.stored.rows() || c >= p.stored.cols()) continue;
    const Origin& before = p.origin_of(r, c);
    const float was = before.kind == Origin::Kind::edited ? before.was : p.stored(r, c);
    p.origins.push_back({.kind = Origin::Kind::edited, .cells = {r, r + 1, c, c + 1}, .was = was});
    p.stored(r, c) = e.value;
  }
}

}  // namespace lab
