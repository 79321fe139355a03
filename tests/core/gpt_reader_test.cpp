// The GPT that is drawn in slices and read block by block, beside the one that is made and run at once; and
// GPT-2 small, whole, as torch makes it from its seed.
#include <doctest.h>

#include <cmath>

#include "core/atlas_check.hpp"
#include "core/fixtures.hpp"
#include "core/gpt_builder.hpp"
#include "core/gpt_head.hpp"
#include "core/gpt_reader.hpp"
#include "core/ops.hpp"
#include "core/runs.hpp"

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

TEST_CASE("block by block a GPT reads what it reads at once, and the stages of every head are made again") {
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
    const Run block = run_of_block(reader, int(i), {0, 1, 2});
    REQUIRE(block.parts.size() == 3);
    for (std::size_t h = 0; h < 3; ++h) {
      const Trace &made = block.parts[h].trace, &kept = whole.blocks[i].parts[0].parts[h].trace;
      for (const Tensor t :
           {&Trace::queries, &Trace::keys, &Trace::values, &Trace::attn_scores, &Trace::scaled_scores,
            &Trace::softmax_unmasked, &Trace::masked_zeroed, &Trace::row_sums, &Trace::masked_renormalized,
            &Trace::masked_softmax, &Trace::attn_weights, &Trace::context_vec})
        CHECK(apart(made.*t, kept.*t) < 1e-6);
      CHECK(apart(b.heads[h].last_row, Matrix(kept.attn_weights.bottomRows(1))) < 1e-6);
      for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
          const float beside_even = std::log2(kept.attn_weights(r, c) * float(r + 1));
          CHECK(std::abs(b.heads[h].map(r, c) - (c > r ? 0 : std::clamp(beside_even, -1.f, 1.f))) < 1e-5f);
        }
    }
  }
}

TEST_CASE("every cell of a head that is opened is explained, and what is kept says so") {
  const GptParams model = small_model();
  GptReader reader(model, {3, 30, 7, 7, 21});
  read_all(reader);
  Runs runs;
  runs.words = {"a", "b", "c", "d", "e"};
  for (int b = 0; b < 2; ++b) runs.runs.push_back(run_of_block(reader, b, {0, 2}));
  CHECK(first_wrong_cell(runs) == "");
  const auto all = names(runs);
  for (const char* name : {"blocks.0.resid_pre", "blocks.1.queries", "blocks.1.heads.2.masked_zeroed",
                           "blocks.1.heads.2.context_vec", "blocks.1.resid_mid"})
    CHECK(std::count(all.begin(), all.end(), name) == 1);
  CHECK(explain(runs, {"blocks.1.keys", 0, 0})->rule == Rule::kept);
  CHECK(explain(runs, {"blocks.1.heads.2.keys", 1, 3})->terms[0].a.cell == CellName{"blocks.1.keys", 1, 11});
}

TEST_CASE("a long text is read a few rows at a time, and its maps become small pictures of rectangles") {
  GptConfig wide = kSmall;
  wide.context_length = 80;
  TorchRandom random(3);
  const GptParams model = made_gpt(wide, random, 3);
  std::vector<int> ids;
  for (int i = 0; i < 70; ++i) ids.push_back((i * i) % 37);
  GptReader reader(model, ids, {.more = 2});
  int steps = 0;
  for (double last = -1; !reader.done(); ++steps) {
    CHECK(reader.progress() > last);
    last = reader.progress();
    reader.step();
  }
  CHECK(steps == 5);  // 64 rows and 6, twice; the head
  const GptTrace whole = run_gpt(model, ids, gpt_pass(wide, 70));
  CHECK(apart(reader.logits(), Matrix(whole.logits.bottomRows(1))) < 5e-6);
  const HeadGlance& head = reader.blocks()[1].heads[2];
  const Matrix& weights = whole.blocks[1].parts[0].parts[2].trace.attn_weights;
  REQUIRE(head.map.rows() == kGlance);
  double sum = 0;  // of tokens 35 and 36 with 13 … 15: rectangle 16, 6
  int cells = 0;
  for (int t = 0; t < 70; ++t)
    for (int s = 0; s <= t; ++s)
      if (t * kGlance / 70 == 16 && s * kGlance / 70 == 6) sum += double(weights(t, s)) * (t + 1), ++cells;
  CHECK(cells > 1);
  CHECK(double(head.map(16, 6)) == doctest::Approx(std::log2(sum / cells)).epsilon(1e-4));
  CHECK(apart(run_of_block(reader, 1, {2}).parts[0].trace.attn_weights, weights) < 1e-6);
  GptReader bare(model, ids, {.keep_stream = false});
  read_all(bare);
  CHECK(bare.blocks()[0].resid_pre.size() == 0);
  CHECK(apart(bare.logits(), reader.logits()) == 0);
  CHECK(bare.blocks()[1].figures.post == doctest::Approx(bare.length()));
  CHECK(bare.blocks()[1].figures.likeness ==
        doctest::Approx(likeness_of_rows(reader.blocks()[1].resid_pre)).epsilon(1e-9));
}

TEST_CASE("a model whose blocks are let go of and drawn again is the same, block by block") {
  const GptParams whole = small_model();
  GptBuilder builder(kSmall, TorchRandom(7), 7);
  for (int round = 0; round < 3; ++round) {
    if (round > 0) builder.draw_blocks_again();
    CHECK(builder.has_embeddings() == (round > 0));
    for (int i = 0; i < 2; ++i) {
      while (!builder.has_block(i)) builder.draw(50);
      CHECK(builder.params().trf_blocks[std::size_t(i)].ff.expand.weight.stored ==
            whole.trf_blocks[std::size_t(i)].ff.expand.weight.stored);
      builder.let_go(i);
      CHECK(!builder.has_block(i));
      if (round == 1 && i == 0) break;  // somebody types another text
    }
    if (round == 1) continue;
    while (!builder.done()) builder.draw(50);
    CHECK(builder.progress() == 1);
    CHECK(builder.params().out_head.stored == whole.out_head.stored);
  }
}

TEST_CASE("DummyGPTModel hands its embeddings to the head, and draws its numbers without blocks between") {
  GptConfig dummy = kSmall;
  dummy.dummy = true;
  TorchRandom random(7);
  const GptParams model = made_gpt(dummy, random, 7);
  GptReader reader(model, {3, 30});
  read_all(reader);
  const Matrix x = model.tok_emb.stored.row(30) + model.pos_emb.stored.row(1);
  CHECK(apart(reader.logits(), product(view(x), transposed_view(model.out_head.stored))) < 1e-6);
  std::int64_t numbers = 0;
  for (const Parameter* p : {&model.tok_emb, &model.pos_emb, &model.out_head}) numbers += p->stored.size();
  CHECK(ledger_of(dummy, 1, 1).parameters == numbers);
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
  CHECK(apart(grown.blocks()[1].keys.topRows(5), whole.blocks()[1].keys) < 2e-6);
  CHECK(grown.blocks()[1].heads[0].last_row.cols() == 2);  // of the text that was given
}

TEST_CASE("without shortcuts, without scaling, with heads off and a tied head it reads otherwise, as asked") {
  const GptParams model = small_model();
  const std::vector<int> ids = {1, 2, 3, 4};
  GptReader plain(model, ids);
  read_all(plain);
  GptReader silent(model, ids, {.off = {0, 1, 2, 3, 4, 5}});
  read_all(silent);
  CHECK(apart(silent.blocks()[0].heads[0].map, plain.blocks()[0].heads[0].map) == 0);
  CHECK(apart(silent.logits(), plain.logits()) > 1e-4);
  GptReader bare(model, ids, {.shortcuts = false});
  read_all(bare);
  CHECK(likeness_of_rows(bare.resid_post()) > likeness_of_rows(plain.resid_post()));
  GptReader sharp(model, ids, {.scaled = false});
  read_all(sharp);
  const Run opened = run_of_block(sharp, 1, {0});
  CHECK(apart(opened.parts[0].trace.scaled_scores, opened.parts[0].trace.attn_scores) == 0);
  CHECK(apart(sharp.blocks()[1].heads[0].last_row, Matrix(opened.parts[0].trace.attn_weights.bottomRows(1))) <
        1e-6);
  GptReader tied(model, ids, {.tied = true});
  read_all(tied);
  CHECK(apart(tied.logits(), product(view(tied.final_norm()), transposed_view(model.tok_emb.stored))) < 2e-6);
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
  const NextTokens two = next_tokens(logits, 4, 1, 2);  // top-k: the others have no share
  REQUIRE(two.top.size() == 2);
  CHECK(two.top[0].share == .5);
  CHECK(two.entropy == doctest::Approx(std::log(2.)));
  CHECK(next_tokens(logits, 4, 1, 9).top.size() == 4);
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
  CHECK(std::abs(reader.length() - 49.60) < .01);
  for (std::size_t i = prompt; i < greedy.size(); ++i) {
    const int id = next_tokens(reader.logits(), 1).top[0].id;
    CHECK(id == greedy[i].get<int>());
    reader.append(id);
    if (i + 1 < greedy.size()) read_all(reader);
  }
}
