// Two small GPTs, as torch computes them: forward, loss, generation, training mode with dropout.
#include <doctest.h>

#include <cmath>

#include "core/fixtures.hpp"
#include "core/gpt.hpp"

using namespace lab;

namespace {

GptConfig config_of(const Json& c) {
  return {.vocab_size = c["vocab_size"].get<int>(),
          .context_length = c["context_length"].get<int>(),
          .emb_dim = c["emb_dim"].get<int>(),
          .n_heads = c["n_heads"].get<int>(),
          .n_layers = c["n_layers"].get<int>(),
          .qkv_bias = c["qkv_bias"].get<bool>()};
}

struct TinyGpt {
  Json file;
  GptParams model;     // with the file's weights
  TorchRandom random;  // behind the model's construction
  int sequences, words;
  explicit TinyGpt(const char* name)
      : file(Json::parse(fixture_text(name), nullptr, false)),
        random(file["init_seed"].get<std::uint64_t>()) {
    model = made_gpt(config_of(file["config"]), random, file["init_seed"].get<std::uint64_t>());
    sequences = file["inputs"]["shape"][0].get<int>();
    words = file["inputs"]["shape"][1].get<int>();
  }
  std::vector<int> ids(const char* of, int sequence) const {
    std::vector<int> all;
    for (int t = 0; t < words; ++t)
      all.push_back(file[of]["data"][std::size_t(sequence * words + t)].get<int>());
    return all;
  }
  // How far the rows of all sequences are from the file's, in units of its largest number where that is
  // over 1.
  double apart(const std::vector<GptTrace>& traces, const Json& theirs, auto get) const {
    double most = 0, size = 1;
    std::size_t i = 0;
    for (const GptTrace& t : traces) {
      const Matrix& m = get(t);
      for (Eigen::Index k = 0; k < m.size(); ++k, ++i) {
        const double they = theirs["data"][i].get<double>();
        most = std::max(most, std::abs(double(m.data()[k]) - they));
        size = std::max(size, std::abs(they));
      }
    }
    CHECK(i == theirs["data"].size());
    return most / size;
  }
  std::vector<GptTrace> traces(const std::vector<GptPass>& passes) const {
    std::vector<GptTrace> all;
    for (int b = 0; b < sequences; ++b)
      all.push_back(run_gpt(model, ids("inputs", b), passes[std::size_t(b)]));
    return all;
  }
};

constexpr double kNear = 1e-5, kNearDraws = 3e-6;  // normals of another build's vector instructions
constexpr const char* kFiles[] = {"tiny_gpt_0.json", "tiny_gpt_1.json"};

}  // namespace

TEST_CASE("a small GPT is drawn from its seed, parameter by parameter in torch's order") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    TinyGpt t(name);
    const std::vector<Parameter*> all = parameters(t.model);
    CHECK(all.size() == t.file["weights"].size());
    std::int64_t count = 0;
    for (const Parameter* p : all) {
      CAPTURE(p->name);
      const Json& data = t.file["weights"][p->name]["data"];
      REQUIRE(data.size() == std::size_t(p->stored.size()));
      double most = 0;
      for (std::size_t i = 0; i < data.size(); ++i)
        most = std::max(most, std::abs(double(p->stored.data()[i]) - double(float(data[i].get<double>()))));
      CHECK(most <= (p->name.find("emb") != std::string::npos ? kNearDraws : 0));
      count += p->stored.size();
    }
    CHECK(count == ledger_of(t.model.config, 1, 1).parameters);
  }
}

TEST_CASE("its logits, its loss and what lies between come out as torch computes them") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    TinyGpt t(name);
    const std::vector<GptTrace> traces =
        t.traces(std::vector<GptPass>(std::size_t(t.sequences), gpt_pass(t.model.config, t.words)));
    const auto near = [&](const Json& theirs, auto get) { return t.apart(traces, theirs, get) <= kNear; };
    const Json& between = t.file["intermediates"];
    CHECK(near(t.file["logits"], [](const GptTrace& x) -> const Matrix& { return x.logits; }));
    CHECK(near(between["embedded"], [](const GptTrace& x) -> const Matrix& { return x.embedded; }));
    CHECK(near(between["trf_blocks.0.att.out"],
               [](const GptTrace& x) -> const Matrix& { return x.blocks[0].parts[0].trace.out; }));
    CHECK(near(between["trf_blocks.0.after_attention"],
               [](const GptTrace& x) -> const Matrix& { return x.blocks[0].trace.resid_mid; }));
    CHECK(near(between["trf_blocks.0.out"],
               [](const GptTrace& x) -> const Matrix& { return x.blocks[0].trace.resid_post; }));
    CHECK(near(between["final_norm.out"], [](const GptTrace& x) -> const Matrix& { return x.final_norm; }));
    double loss = 0;
    for (int b = 0; b < t.sequences; ++b)
      loss += cross_entropy(traces[std::size_t(b)].logits, t.ids("targets", b)).loss / t.sequences;
    CHECK(std::abs(loss - t.file["loss"].get<double>()) <= 2e-6);
  }
}

TEST_CASE("in training mode it drops what torch drops") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    TinyGpt t(name);
    const double dropout = t.file["training_mode"]["drop_rate"].get<double>();
    const std::vector<GptTrace> traces = t.traces(gpt_training_passes(
        t.model.config, t.words, t.sequences, one_rate(dropout), DropoutStream::mac, t.random));
    CHECK(t.apart(traces, t.file["training_mode"]["logits"],
                  [](const GptTrace& x) -> const Matrix& { return x.logits; }) <= kNear);
  }
}

TEST_CASE("each of the three dropout rates draws its own masks, and none at 0") {
  const GptConfig config{.vocab_size = 7, .context_length = 8, .emb_dim = 6, .n_heads = 2, .n_layers = 3};
  constexpr int kWords = 4, kTexts = 2;
  for (int choice = 0; choice < 8; ++choice) {
    const auto rate = [&](int bit) { return (choice >> bit & 1) != 0 ? .5 : 0; };
    const DropoutRates rates{rate(0), rate(1), rate(2)};
    TorchRandom random(5);
    const auto passes = gpt_training_passes(config, kWords, kTexts, rates, DropoutStream::mac, random);
    std::int64_t drawn = 0;
    for (const GptPass& pass : passes) {
      CHECK((pass.embedding_drop.size() != 0) == (rates.embedding > 0));
      drawn += pass.embedding_drop.size();
      for (const BlockPass& block : pass.blocks) {
        CHECK((block.shortcut_drop2.size() != 0) == (rates.shortcut > 0));
        drawn += block.shortcut_drop1.size() + block.shortcut_drop2.size();
        for (const Pass& head : block.attention.heads) {
          CHECK((head.dropout_mask.size() != 0) == (rates.attention > 0));
          drawn += head.dropout_mask.size();
        }
      }
    }
    CHECK(drawn == training_draws(config, kWords, kTexts, rates));
  }
  const GptConfig& small = gpt_sizes().front().config;  // as the book calls it
  CHECK(training_draws(small, 4, 2, one_rate(.1)) == 158208);
  CHECK(training_draws(small, 4, 2, {.embedding = .1, .attention = .1}) == 10752);
  CHECK(training_draws(small, 4, 2, {.attention = .1}) == 4608);
}

TEST_CASE("a block's ledger counts what a block has") {
  for (const bool bias : {false, true}) {
    const GptConfig config{.emb_dim = 12, .n_heads = 3, .qkv_bias = bias};
    TorchRandom random(1);
    TransformerBlockParams block = made_transformer_block(config.emb_dim, config.n_heads, bias, random, 1);
    const auto size = [](const auto& parameters) {
      std::int64_t sum = 0;
      for (const Parameter* p : parameters) sum += p->stored.size();
      return sum;
    };
    const BlockLedger ledger = block_ledger(config);
    CHECK(size(parameters(block.att)) == ledger.attention);
    CHECK(size(parameters(block)) == ledger.attention + ledger.ff + ledger.norms);
    CHECK(block.ff.expand.weight.stored.size() + block.ff.expand.bias.stored.size() +
              block.ff.contract.weight.stored.size() + block.ff.contract.bias.stored.size() ==
          ledger.ff);
  }
}

TEST_CASE("it writes on, token by token, as torch does, past its context length too") {
  for (const char* name : kFiles) {
    CAPTURE(name);
    TinyGpt t(name);
    const Json& greedy = t.file["greedy"];
    std::vector<int> prompt;
    for (const Json& id : greedy["prompt"]["data"]) prompt.push_back(id.get<int>());
    const std::vector<int> ours = generated_greedily(t.model, prompt, greedy["max_new_tokens"].get<int>());
    REQUIRE(ours.size() == greedy["ids"]["data"].size());
    for (std::size_t i = 0; i < ours.size(); ++i) CHECK(ours[i] == greedy["ids"]["data"][i].get<int>());
  }
}

TEST_CASE("a tied head is the token embedding") {
  TorchRandom random(1), again(1);
  const GptConfig c{.vocab_size = 11, .context_length = 4, .emb_dim = 6, .n_heads = 2, .n_layers = 1};
  GptConfig tied = c;
  tied.tied = true;
  GptParams own = made_gpt(c, random, 1), shared = made_gpt(tied, again, 1);
  own.out_head.stored = own.tok_emb.stored;
  const std::vector<int> ids = {3, 1, 7};
  CHECK(run_gpt(own, ids, gpt_pass(c, 3)).logits == run_gpt(shared, ids, gpt_pass(tied, 3)).logits);
}
