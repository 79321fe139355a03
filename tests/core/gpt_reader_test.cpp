// The GPT that is drawn in slices and read block by block, beside the one that is made and run at once; and
// GPT-2 small, whole, as torch makes it from its seed.
#include <doctest.h>

#include <cmath>

#include "core/fixtures.hpp"
#include "core/gpt_builder.hpp"
#include "core/gpt_reader.hpp"
#include "core/ops.hpp"

using namespace lab;

namespace {

constexpr GptConfig kSmall{
    .vocab_size = 37, .context_length = 9, .emb_dim = 12, .n_heads = 3, .n_layers = 2, .qkv_bias = true};

GptParams small_model(std::uint64_t seed = 7) {
  TorchRandom random(seed);
  return made_gpt(kSmall, random, seed);
}
void read_all(GptReader& reader) {
  while (!reader.done()) reader.step();
}
double apart(const Matrix& a, const Matrix& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return double((a - b).cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("a GPT that is drawn in slices of any size is the same to the last bit") {
  for (const bool tied : {false, true}) {
    GptConfig c = kSmall;
    c.tied = tied;
    c.emb_dim = 15;  // embeddings whose last sixteen numbers torch draws anew
    TorchRandom random(5);
    GptParams whole = made_gpt(c, random, 5);
    for (const std::int64_t slice : {1, 16, 33, 1000, 1 << 20}) {
      GptBuilder builder(c, TorchRandom(5), 5);
      double progress = 0;
      while (!builder.done()) {
        builder.draw(slice);
        CHECK(builder.progress() > progress);
        progress = builder.progress();
      }
      CHECK(progress == 1);
      CHECK(builder.blocks_done() == 2);
      CHECK(builder.random().draws() == random.draws());
      GptParams sliced = builder.take();
      const auto a = parameters(whole), b = parameters(sliced);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(a[i]->name == b[i]->name);
        CHECK(a[i]->stored == b[i]->stored);
      }
    }
  }
}

TEST_CASE("block by block a GPT reads what it reads at once, and keeps every head's map") {
  const GptParams model = small_model();
  const std::vector<int> ids = {3, 30, 7, 7, 21};
  const GptTrace whole = run_gpt(model, ids, gpt_pass(kSmall, 5));
  GptReader reader(model, ids);
  read_all(reader);
  CHECK(apart(reader.logits(), Matrix(whole.logits.bottomRows(1))) < 2e-6);
  CHECK(apart(reader.resid_post(), whole.blocks.back().trace.resid_post) < 2e-6);
  for (std::size_t i = 0; i < 2; ++i) {
    const GptBlockReading& b = reader.blocks()[i];
    CHECK(apart(b.resid_pre, whole.blocks[i].trace.resid_pre) < 2e-6);
    CHECK(apart(b.resid_mid, whole.blocks[i].trace.resid_mid) < 2e-6);
    for (std::size_t h = 0; h < 3; ++h)
      CHECK(apart(b.attn_weights[h], whole.blocks[i].parts[0].parts[h].trace.attn_weights) < 1e-6);
  }
}

TEST_CASE("a token that is appended costs its row, and gives what reading all of it gives") {
  const GptParams model = small_model();
  GptReader grown(model, {3, 30});
  read_all(grown);
  for (const int id : {7, 7, 21}) {
    grown.append(id);
    read_all(grown);
  }
  GptReader whole(model, {3, 30, 7, 7, 21});
  read_all(whole);
  CHECK(apart(grown.logits(), whole.logits()) < 2e-6);
  CHECK(apart(grown.resid_post(), whole.resid_post()) < 2e-6);
  for (std::size_t h = 0; h < 3; ++h)
    CHECK(apart(grown.blocks()[1].attn_weights[h], whole.blocks()[1].attn_weights[h]) < 1e-6);
}

TEST_CASE("without shortcuts, without scaling, with heads off and a tied head it reads otherwise, as asked") {
  const GptParams model = small_model();
  const std::vector<int> ids = {1, 2, 3, 4};
  GptReader plain(model, ids);
  read_all(plain);
  GptReader silent(model, ids, {.off = {0, 1, 2, 3, 4, 5}});
  read_all(silent);
  CHECK(apart(silent.blocks()[0].attn_weights[0], plain.blocks()[0].attn_weights[0]) == 0);
  CHECK(apart(silent.logits(), plain.logits()) > 1e-4);
  GptReader bare(model, ids, {.shortcuts = false});
  read_all(bare);
  CHECK(likeness_of_rows(bare.resid_post()) > likeness_of_rows(plain.resid_post()));
  GptReader sharp(model, ids, {.scaled = false}), gained(model, ids, {.gain = 2});  // √4 = 2
  read_all(sharp), read_all(gained);
  CHECK(apart(sharp.logits(), gained.logits()) < 1e-6);
  GptReader tied(model, ids, {.tied = true});
  read_all(tied);
  CHECK(apart(tied.logits(), product(view(tied.final_norm()), transposed_view(model.tok_emb.stored))) < 2e-6);
}

TEST_CASE("a share beside an even one: 0 is even, 1 is twice as much or more, what is hidden is 0") {
  Matrix weights(3, 3);
  weights << 1, 0, 0, .5f, .5f, 0, .9f, 1 / 6.f, .01f;
  Matrix expected(3, 3);
  expected << 0, 0, 0, 0, 0, 0, 1, -1, -1;
  CHECK((relative_weights(weights) - expected).cwiseAbs().maxCoeff() < 1e-6f);
  CHECK(boldness_of(weights) == 1);
  CHECK(boldness_of(Matrix::Constant(4, 4, .25f)) == 0);
}

TEST_CASE("shares of the next token add up, temperature sharpens them, and ties go to the lower id") {
  Matrix logits(1, 4);
  logits << 1, 3, 3, -2;
  const NextTokens next = next_tokens(logits, 4);
  double total = 0;
  for (const NextToken& t : next.top) total += t.share;
  CHECK(std::abs(total - 1) < 1e-12);
  CHECK(next.top[0].id == 1);
  CHECK(next.top[1].id == 2);
  CHECK(next_tokens(logits, 2, .1).entropy < next.entropy);
  CHECK(std::abs(next_tokens(Matrix::Zero(1, 50), 1).entropy - std::log(50.)) < 1e-12);
}

TEST_CASE("GPT-2 small from its seed has torch's numbers, and goes on as torch goes on") {
  const Json file = Json::parse(fixture_text("gpt2_small_by_seed.json"), nullptr, false);
  const Json& c = file["cases"][0];
  const auto seed = c["init_seed"].get<std::uint64_t>();
  GptBuilder builder({}, TorchRandom(seed), seed);
  while (!builder.done()) builder.draw(1 << 22);
  GptParams model = builder.take();
  const auto all = parameters(model);
  CHECK(all.size() == c["tensors"].size());
  for (const Parameter* p : all) {
    CAPTURE(p->name);
    const Json& theirs = c["tensors"][p->name];
    const Sums ours = sums({p->stored.data(), std::size_t(p->stored.size())});
    if (p->name.find("emb") == std::string::npos) {
      CHECK(std::to_string(ours.of_bits) == theirs["bits_sum_u64"].get<std::string>());
      continue;
    }
    CHECK(std::abs(ours.sum - theirs["sum_f64"].get<double>()) <
          1);  // of 38.6 million, drawn with another build’s sines
    for (std::size_t i = 0; i < theirs["idx"].size(); ++i)
      CHECK(std::abs(double(p->stored.data()[theirs["idx"][i].get<std::size_t>()]) -
                     theirs["val"][i].get<double>()) < 3e-6);
  }
  const Json& greedy = c["greedy"]["ids"]["data"];
  const auto prompt = c["greedy"]["prompt_len"].get<std::size_t>();
  std::vector<int> ids;
  for (std::size_t i = 0; i < prompt; ++i) ids.push_back(greedy[i].get<int>());
  GptReader reader(model, ids);
  read_all(reader);
  const NextTokens next = next_tokens(reader.logits(), 1);
  CHECK(std::abs(next.top[0].share - .000205) < 1e-6);
  CHECK(std::abs(next.entropy - 10.6602) < 1e-4);
  CHECK(std::abs(likeness_of_rows(reader.blocks()[11].resid_pre) - .1869) < 1e-4);
  CHECK(std::abs(mean_length(reader.resid_post()) - 49.60) < .01);
  for (std::size_t i = prompt; i < greedy.size(); ++i) {
    const int id = next_tokens(reader.logits(), 1).top[0].id;
    CHECK(id == greedy[i].get<int>());
    reader.append(id);
    if (i + 1 < greedy.size()) read_all(reader);
  }
}
