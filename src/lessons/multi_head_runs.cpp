#include "lessons/multi_head_runs.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/atlas.hpp"
#include "core/example_heads.hpp"
#include "core/swap_heads.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {
namespace {

using multi_head_texts::cannot_share;
using multi_head_texts::fault_of;

// Of the sentence that is shown; what its masks are depends on all that stand before it in the batch.
Pass pass_of(const Inputs& in, const AttentionParams& module, int words) {
  Pass pass{.route = in.mask, .keep = causal_mask(words)};
  std::vector<Pass> heads(std::size_t(module.num_heads), pass);
  std::vector<Matrix> masks;
  if (drops_out(in) && words > 0)
    masks = dropout_masks(in, module.kind, module.num_heads, words)[std::size_t(in.sample)];
  for (int h = 0; h < module.num_heads; ++h) {
    Pass& head = heads[std::size_t(h)];
    head.off = std::count(in.off.begin(), in.off.end(), std::to_string(h)) > 0;
    if (!masks.empty()) head.dropout_mask = masks[std::size_t(h)];
  }
  pass.heads = std::move(heads);
  if (module.kind == AttentionKind::mha) pass.head_route = in.split;
  return pass;
}

AttentionParams wrapper_of(const Runs& runs, const Inputs& in) {
  AttentionParams m =
      in.example ? example_wrapper(runs.words) : fresh_module(AttentionKind::wrapper, in, in.seed);
  if (in.swap) swap_heads(m, *in.swap);
  return m;
}

// The book's own fused module; beside the example heads theirs, with an out_proj that mixes.
std::optional<AttentionParams> mixing_module(const Inputs& in, const AttentionParams& packed) {
  if (!in.example && !can_split(in.d_out, in.heads)) return std::nullopt;
  AttentionParams m = in.example ? packed : fresh_module(AttentionKind::mha, in, in.seed);
  if (in.example) {
    TorchRandom random(in.seed);
    m.out_proj = drawn_linear("out_proj", m.d_out, m.d_out, true, random, in.seed);
  } else if (in.swap) {
    swap_heads(m, *in.swap);
  }
  if (in.swap && in.swap_out_proj) swap_columns(m, *in.swap);
  return m;
}

// The stack and the two modules that hold all its heads: as packed, and with an out_proj that mixes. Edits
// are those of the names without the prefix.
void add_modules(Runs& runs, const Inputs& in, const std::string& prefix,
                 const std::vector<CellEdit>& inputs = {}) {
  const int words = int(runs.words.size());
  const auto add = [&](const std::string& name, AttentionParams module) -> Run& {
    Pass pass = pass_of(in, module, words);
    for (Parameter* p : parameters(module)) apply_edits(*p, name, in.edits);
    pass = with_edits(std::move(pass), in.edits, name);
    pass.edits.insert(pass.edits.begin(), inputs.begin(), inputs.end());
    runs.runs.push_back(run_of(prefix + name, std::move(module), runs.inputs.stored, std::move(pass)));
    runs.runs.back().dropout_seed = in.dropout_seed;
    return runs.runs.back();
  };
  const AttentionParams wrapper = add("wrapper.", wrapper_of(runs, in)).module;
  AttentionParams all = packed(wrapper, prefix + "wrapper.");
  auto mixing = mixing_module(in, all);
  if (const auto wrong = fault_of(in, wrapper.num_heads))
    put_wrong_band(all, wrapper, *wrong, prefix + "wrapper.");
  if (prefix != kBefore) add("", all);
  if (mixing) add("mha.", std::move(*mixing));
}

// The same heads where they stood before, all of them taking part; what was edited in them goes along.
Inputs before_changes(const Inputs& in, const Runs& runs) {
  Inputs before = in;
  if (in.swap) carry_through_swap(before, runs, *in.swap);
  before.swap.reset();
  before.swap_out_proj = false;
  before.off.clear();
  return before;
}

}  // namespace

void make_multi_head_runs(Runs& runs, const Inputs& in) {
  add_modules(runs, in, "");
  const Run &wrapper = runs.runs[0], &fused = runs.runs[1];
  if (!runs.words.empty()) runs.comparison = compared(output_of(fused), output_of(wrapper), in.rtol, in.atol);
  if (runs.runs.size() == 2) runs.problems.push_back(cannot_share(in.d_out, in.heads));
  if (wrapper.module.num_heads > 1) {
    add_difference(runs, map_difference_row(), "wrapper.heads.1.attn_weights",
                   "wrapper.heads.0.attn_weights");
    add_difference(runs, context_difference_row(), "wrapper.heads.1.context_vec",
                   "wrapper.heads.0.context_vec");
  }
  add_difference(runs, packed_difference_row(), "wrapper.out", "out");
  const bool some_off = std::any_of(runs.runs[0].parts.begin(), runs.runs[0].parts.end(),
                                    [](const Run& head) { return head.pass.off; });
  if (in.swap || some_off) {
    add_modules(runs, before_changes(in, runs), kBefore);
    add_difference(runs, stacked_change_row(), "wrapper.out", "before.wrapper.out");
    add_difference(runs, fused_change_row(), "mha.out", "before.mha.out");
  }
  if (in.edits.empty()) return;
  Inputs unedited = in;
  unedited.edits.clear();
  add_modules(runs, unedited, kUnedited, inputs_taken_back(runs));
}

void carry_through_swap(Inputs& in, const Runs& runs, HeadPair pair) {
  const auto run_with = [&](std::string_view prefix) -> const Run* {
    for (const Run& run : runs.runs)
      if (run.prefix == prefix) return &run;
    return nullptr;
  };
  for (Edit& e : in.edits) {
    const std::string prefix = e.cell.name.starts_with("wrapper.") ? "wrapper."
                               : e.cell.name.starts_with("mha.")   ? "mha."
                                                                   : "";
    const Run* run = run_with(prefix);
    if (!run) continue;
    const bool columns = prefix == "mha." && in.swap_out_proj;
    CellName own = e.cell;
    own.name = own.name.substr(prefix.size());
    own = place_after_swap(own, run->module, pair, columns);
    e.cell = {prefix + own.name, own.row, own.col};
  }
  for (std::string& part : in.off)
    for (const int head : {pair.a, pair.b})
      if (part == std::to_string(head)) {
        part = std::to_string(pair.other(head));
        break;
      }
  std::sort(in.off.begin(), in.off.end(), [](const std::string& a, const std::string& b) {
    return std::atoi(a.c_str()) < std::atoi(b.c_str());
  });
}

bool drops_out(const Inputs& in) { return in.training && in.dropout > 0; }

HeadMasks dropout_masks(const Inputs& in, AttentionKind kind, int heads, int words) {
  TorchRandom random(in.dropout_seed);
  return head_masks(kind, {in.batch, heads, words}, in.dropout, in.stream, random);
}

}  // namespace lab
