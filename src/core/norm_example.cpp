#include "core/norm_example.hpp"

#include "core/maker.hpp"
#include "core/run.hpp"

namespace lab {

NormExample made_norm_example(std::uint64_t seed) {
  constexpr int rows = 2, reads = 5, width = 6;
  TorchRandom random(seed);
  const Matrix batch = drawn_embedding(rows, reads, random);  // torch.randn: normal_(0, 1) as well
  const Projection layer = drawn_linear("layer", reads, width, true, random, seed);
  Parameter out{.name = "out", .stored = relu(projected(batch, layer))};
  out.origins = {{.kind = Origin::Kind::chosen,
                  .cells = whole(out.stored),
                  .from = "relu of nn.Linear(5, 6) over torch.randn(2, 5), seed " + std::to_string(seed)}};
  return {.out = std::move(out), .norm = made_layer_norm("", width)};
}

Run run_norm_example(std::string prefix, NormExample example) {
  Run run{.prefix = std::move(prefix), .norm_example = std::move(example)};
  const NormExample& e = *run.norm_example;
  Trace& t = run.trace;
  const Maker make{t, e.edits};
  make(&Trace::mean1, row_means(e.out.stored));
  make(&Trace::var1, row_variances(e.out.stored, t.mean1, e.unbiased));
  make(&Trace::norm1, scaled_and_shifted(e.norm, levelled(e.out.stored, t.mean1, t.var1, e.eps)));
  make(&Trace::mean2, row_means(t.norm1));
  make(&Trace::var2, row_variances(t.norm1, t.mean2, e.unbiased));
  return run;
}

}  // namespace lab
