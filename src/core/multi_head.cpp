#include "core/multi_head.hpp"

#include "core/maker.hpp"

namespace lab {
namespace {

using T = Trace;

// A head's numbers into band h of the parameter of all heads.
void write_band(const AttentionParams& all, Parameter& to, const Parameter& from, int h,
                const std::string& source) {
  if (from.empty()) return;
  if (to.empty()) {
    to.stored.resize(from.one_dimensional ? 1 : all.d_out,
                     from.one_dimensional ? all.d_out : from.stored.cols());
    to.stored_transposed = from.stored_transposed;
    to.one_dimensional = from.one_dimensional;
  }
  const Rect band = band_of(all, to, h);
  to.stored.block(band.r0, band.c0, band.rows(), band.cols()) = from.stored;
  to.origins.push_back({.kind = Origin::Kind::moved,
                        .cells = band,
                        .from = source + from.name,
                        .from_cells = whole(from.stored)});
}

// What comes in goes out: nn.Linear with the identity for its weight and a bias of zeros.
Projection passing_on(int width) {
  Projection p;
  p.weight.name = "out_proj.weight";
  p.weight.stored = Matrix::Identity(width, width);
  p.weight.stored_transposed = true;
  p.bias.name = "out_proj.bias";
  p.bias.stored = Matrix::Zero(1, width);
  p.bias.one_dimensional = true;
  for (Parameter* q : {&p.weight, &p.bias})
    q->origins = {{.kind = Origin::Kind::chosen,
                   .cells = whole(q->stored),
                   .from = "the identity, so that out_proj passes on what comes in"}};
  return p;
}

// A module of its own, its parameters without "heads.0.".
AttentionParams head_module(const AttentionParams& wrapper, int h) {
  AttentionParams head = wrapper.heads[std::size_t(h)];
  for (Parameter* p : parameters(head)) p->name = p->name.substr(head_prefix(h).size());
  return head;
}

// What head h reads of a matrix of all heads: T × head_dim.
Matrix read_by_head(const Run& run, const Matrix& all, int h) {
  const HeadShape shape = head_shape(run);
  Matrix own(shape.words, shape.head_dim);
  for (int r = 0; r < shape.words; ++r)
    for (int c = 0; c < shape.head_dim; ++c) {
      const AllCell from = read_from(run.pass.head_route, shape, {h, r, c});
      own(r, c) = all(from.row, from.col);
    }
  return own;
}

Matrix side_by_side(const Run& run) {
  const HeadShape shape = head_shape(run);
  Matrix all(shape.words, shape.num_heads * shape.head_dim);
  for (int r = 0; r < int(all.rows()); ++r)
    for (int c = 0; c < int(all.cols()); ++c) {
      const HeadCell by = written_by(run.pass.head_route, shape, {r, c});
      const Run& head = run.parts[std::size_t(by.head)];
      all(r, c) = head.pass.off ? 0 : head.trace.context_vec(by.row, by.col);
    }
  return all;
}

void add_head(Run& run, Run head) {
  head.head = int(run.parts.size());
  head.module_prefix = run.prefix;
  head.inputs_name = run.prefix + "inputs";
  run.parts.push_back(std::move(head));
}

void run_wrapper(Run& run, const Maker& make) {
  for (int h = 0; h < run.module.num_heads; ++h)
    add_head(run, run_of(run.prefix + head_prefix(h), head_module(run.module, h), run.trace.inputs,
                         run.pass.heads.at(std::size_t(h))));
  make(&T::out, side_by_side(run));
}

void run_mha(Run& run, const Maker& make) {
  Trace& t = run.trace;
  const AttentionParams& m = run.module;
  make(&T::queries, projected(t.inputs, m.W_query));
  make(&T::keys, projected(t.inputs, m.W_key));
  make(&T::values, projected(t.inputs, m.W_value));
  for (int h = 0; h < m.num_heads; ++h) {
    Run head{.prefix = run.prefix + head_prefix(h),
             .module = {.kind = AttentionKind::head, .d_in = m.d_in, .d_out = head_dim(m)},
             .pass = run.pass.heads.at(std::size_t(h))};
    head.pass.head_route = run.pass.head_route;
    if (run.pass.head_route == HeadRoute::whole_scale) head.pass.scale_by = m.d_out;
    head.trace = attend({.queries = read_by_head(run, t.queries, h),
                         .keys = read_by_head(run, t.keys, h),
                         .values = read_by_head(run, t.values, h)},
                        head.pass);
    add_head(run, std::move(head));
  }
  make(&T::concat, side_by_side(run));
  make(&T::out, projected(t.concat, m.out_proj));
}

}  // namespace

AttentionParams made_wrapper(int num_heads, int d_in, int head_dim, bool bias, TorchRandom& random,
                             std::uint64_t seed) {
  AttentionParams m{.kind = AttentionKind::wrapper, .d_in = d_in, .d_out = head_dim, .num_heads = num_heads};
  for (int h = 0; h < num_heads; ++h) {
    m.heads.push_back(made_attention(AttentionKind::causal, d_in, head_dim, bias, random, seed));
    for (Parameter* p : parameters(m.heads.back())) p->name = head_prefix(h) + p->name;
  }
  return m;
}

AttentionParams made_mha(int num_heads, int d_in, int d_out, bool bias, TorchRandom& random,
                         std::uint64_t seed) {
  AttentionParams m{.kind = AttentionKind::mha, .d_in = d_in, .d_out = d_out, .num_heads = num_heads};
  m.W_query = drawn_linear("W_query", d_in, d_out, bias, random, seed);
  m.W_key = drawn_linear("W_key", d_in, d_out, bias, random, seed);
  m.W_value = drawn_linear("W_value", d_in, d_out, bias, random, seed);
  m.out_proj = drawn_linear("out_proj", d_out, d_out, true, random, seed);
  return m;
}

AttentionParams made_module(AttentionKind kind, ModuleSizes s, TorchRandom& random, std::uint64_t seed) {
  switch (kind) {
    case AttentionKind::wrapper: return made_wrapper(s.num_heads, s.d_in, s.d_out, s.bias, random, seed);
    case AttentionKind::mha: return made_mha(s.num_heads, s.d_in, s.d_out, s.bias, random, seed);
    default: return made_attention(kind, s.d_in, s.d_out, s.bias, random, seed);
  }
}

AttentionParams packed(const AttentionParams& wrapper, const std::string& source) {
  AttentionParams all{.kind = AttentionKind::mha,
                      .d_in = wrapper.d_in,
                      .d_out = output_width(wrapper),
                      .num_heads = wrapper.num_heads};
  for (const Slot s : kSlots) {
    Projection& to = projection(all, s);
    for (int h = 0; h < wrapper.num_heads; ++h) {
      const Projection& from = projection(wrapper, s, h);
      write_band(all, to.weight, from.weight, h, source);
      write_band(all, to.bias, from.bias, h, source);
    }
    const auto named = [](Parameter& p, const Parameter& like) {
      if (!p.empty()) p.name = like.name.substr(head_prefix(0).size());
    };
    named(to.weight, projection(wrapper, s).weight);
    named(to.bias, projection(wrapper, s).bias);
  }
  pass_on(all);
  return all;
}

void pass_on(AttentionParams& mha) { mha.out_proj = passing_on(output_width(mha)); }

std::vector<WrongBand> wrong_bands(int num_heads) {
  std::vector<WrongBand> all;
  for (const Slot s : {Slot::key, Slot::query, Slot::value})
    for (int to = 0; to < num_heads; ++to)
      for (int by = 1; by < num_heads; ++by) all.push_back({s, to, (to + by) % num_heads});
  return all;
}

void put_wrong_band(AttentionParams& all, const AttentionParams& wrapper, WrongBand wrong,
                    const std::string& source) {
  const Projection& from = projection(wrapper, wrong.slot, wrong.from);
  write_band(all, projection(all, wrong.slot).weight, from.weight, wrong.to, source);
  write_band(all, projection(all, wrong.slot).bias, from.bias, wrong.to, source);
}

Rect band_of(const AttentionParams& mha, const Parameter& p, int head) {
  if (p.name.starts_with("out_proj")) return whole(p.stored);
  const int width = head_dim(mha), from = head * width;
  if (p.one_dimensional) return {0, 1, from, from + width};
  return {from, from + width, 0, int(p.stored.cols())};
}

HeadMasks head_masks(AttentionKind kind, BatchShape shape, double dropout, DropoutStream stream,
                     TorchRandom& random) {
  const int words = shape.words;
  HeadMasks masks(std::size_t(shape.sentences), std::vector<Matrix>(std::size_t(shape.heads)));
  const auto take = [&](const Matrix& drawn, int at, int sentence, int head) {
    masks[std::size_t(sentence)][std::size_t(head)] = drawn.middleRows(at * words, words);
  };
  if (kind == AttentionKind::mha) {
    const Matrix drawn = drawn_mask(shape.sentences * shape.heads * words, words, dropout, stream, random);
    for (int s = 0; s < shape.sentences; ++s)
      for (int h = 0; h < shape.heads; ++h) take(drawn, s * shape.heads + h, s, h);
    return masks;
  }
  for (int h = 0; h < shape.heads; ++h) {
    const Matrix drawn = drawn_mask(shape.sentences * words, words, dropout, stream, random);
    for (int s = 0; s < shape.sentences; ++s) take(drawn, s, s, h);
  }
  return masks;
}

std::string head_prefix(int head) { return "heads." + std::to_string(head) + "."; }

void run_heads(Run& run, const Matrix& inputs) {
  run.parts.clear();
  const Maker make{run.trace, run.pass.edits};
  make(&T::inputs, inputs);
  if (run.module.kind == AttentionKind::wrapper)
    run_wrapper(run, make);
  else
    run_mha(run, make);
}

}  // namespace lab
