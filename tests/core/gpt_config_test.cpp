// What the sizes of GPT-2 cost, as the book prints it.
#include <doctest.h>

#include <cmath>

#include "core/gpt_config.hpp"

using namespace lab;

namespace {

struct Printed {
  std::int64_t parameters, tied;
  double mb, tied_mb, kv_mb, linear, attention;  // of 1024 tokens; operations of 2 × 1024
};
constexpr Printed kPrinted[] = {
    {163'009'536, 124'412'160, 621.83, 474.59, 72, 5.06e11, 7.73e10},
    {406'212'608, 354'749'440, 1549.58, 1353.26, 192, 1.448e12, 2.062e11},
    {838'220'800, 773'891'840, 3197.56, 2952.16, 360, 3.163e12, 3.865e11},
    {1'637'792'000, 1'557'380'800, 6247.68, 5940.94, 600, 6.369e12, 6.442e11},
};

bool prints_as(double value, double printed, double rounding) {
  return std::abs(value - printed) <= rounding;
}

}  // namespace

TEST_CASE("the four sizes have the parameters, bytes and operations that the book prints") {
  const auto sizes = gpt_sizes();
  REQUIRE(sizes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(sizes[i].id);
    GptConfig config = sizes[i].config;
    const GptLedger whole = ledger_of(config, 1024, 2);
    CHECK(whole.parameters == kPrinted[i].parameters);
    CHECK(prints_as(mebibytes(whole.bytes), kPrinted[i].mb, .005));
    CHECK(prints_as(double(whole.flops_linear), kPrinted[i].linear, kPrinted[i].linear * 1e-3));
    CHECK(prints_as(double(whole.flops - whole.flops_linear), kPrinted[i].attention,
                    kPrinted[i].attention * 1e-3));
    CHECK(mebibytes(ledger_of(config, 1024, 1).kv_cache_bytes) == kPrinted[i].kv_mb);
    config.tied = true;
    const GptLedger tied = ledger_of(config, 1024, 2);
    CHECK(tied.parameters == kPrinted[i].tied);
    CHECK(prints_as(mebibytes(tied.bytes), kPrinted[i].tied_mb, .005));
    CHECK(tied.flops == whole.flops);
  }
}

TEST_CASE("the parts of GPT-2 small are as large as the book says") {
  const GptLedger small = ledger_of(gpt_sizes()[0].config, 1024, 1);
  const auto parameters = [&](const std::string& name) {
    for (const GptPart& part : small.parts)
      if (part.name == name) return part.parameters;
    return std::int64_t(-1);
  };
  CHECK(parameters("tok_emb") == 38'597'376);
  CHECK(parameters("pos_emb") == 786'432);
  CHECK(parameters("qkv") == 21'233'664);
  CHECK(parameters("out_proj") == 7'087'104);
  CHECK(parameters("ff") == 56'669'184);
  CHECK(parameters("norms") == 36'864);
  CHECK(parameters("final_norm") == 1'536);
  CHECK(parameters("out_head") == 38'597'376);
}

TEST_CASE("the parts of a model add up to it, biases of queries, keys and values included") {
  GptConfig c{.vocab_size = 101, .context_length = 16, .emb_dim = 32, .n_heads = 4, .n_layers = 2};
  const std::int64_t without = ledger_of(c, 16, 1).parameters;
  c.qkv_bias = true;
  const GptLedger with = ledger_of(c, 16, 1);
  CHECK(with.parameters == without + 2 * 3 * 32);
  std::int64_t sum = 0, flops = 0, bytes = 0, kept = 0;
  for (const GptPart& part : with.parts) {
    sum += part.parameters;
    flops += part.flops;
    bytes += part.bytes();
    kept += part.kv_cache_bytes;
  }
  CHECK(sum == with.parameters);
  CHECK(flops == with.flops);
  CHECK(bytes == with.bytes);
  CHECK(kept == with.kv_cache_bytes);
}
