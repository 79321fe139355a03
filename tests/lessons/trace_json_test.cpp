#include "lessons/trace_json.hpp"

#include <doctest.h>

#include <limits>

#include <nlohmann/json.hpp>

#include "core/atlas_check.hpp"
#include "core/json_text.hpp"
#include "lessons/compute.hpp"
#include "lessons/csv.hpp"
#include "lessons/query.hpp"
#include "vocabulary.hpp"

using namespace lab;

TEST_CASE("JSON text sets its own commas and escapes what must be") {
  JsonText j;
  j.object().key("a\"\\\n").array().number(1.5f).text("√").number(std::int64_t(-3)).end(']');
  j.key("b").object().end('}').key("c").number(0.1).end('}');
  CHECK(j.str() == "{\"a\\\"\\\\\\u000a\":[1.5,\"√\",-3],\"b\":{},\"c\":0.10000000000000001}");
}

TEST_CASE("numbers have nine digits, and those that JSON lacks are strings") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  JsonText j;
  const std::int64_t shape[] = {7};
  const float data[] = {0.1f, -0.0f, 1e-45f, 3.4028235e38f, infinity, -infinity, -std::nanf("")};
  j.tensor(shape, data);
  CHECK(j.str() ==
        R"({"shape":[7],"data":[0.100000001,-0,1.40129846e-45,3.40282347e+38,"inf","-inf","nan"]})");
}

TEST_CASE("the trace names every matrix once, with its shape and its numbers") {
  const ReadQuery read = state_of("lesson=transfer&bias=1&from=v2&to=causal&d_in=3&d_out=2");
  const Runs runs = compute(read.state.inputs);
  const auto trace = nlohmann::ordered_json::parse(trace_json(runs, query_of(read.state)), nullptr, false);
  REQUIRE(trace.is_object());
  CHECK(trace["state"] == query_of(read.state));
  std::vector<std::string> printed;
  for (const auto& [name, tensor] : trace["tensors"].items()) {
    printed.push_back(name);
    const auto found = find(runs, name);
    REQUIRE(found);
    CHECK(tensor["data"].size() == std::size_t(found->cells.size()));
  }
  CHECK(printed == names(runs));
  CHECK(trace["tensors"]["source.W_query.bias"]["shape"] == nlohmann::ordered_json({2}));
  CHECK(trace["tensors"]["source.W_query.weight"]["shape"] == nlohmann::ordered_json({2, 3}));
  CHECK(trace["tensors"]["target.masked_scores"]["data"][1] == "-inf");
}

TEST_CASE("every cell of the lesson is made as the atlas says, in every state that a link can open") {
  for (const char* query :
       {"lesson=self-attention",
        "lesson=self-attention&seed=789&edit=simple.attn_scores.1.3:3&edit=W_key.0.0:nan",
        "lesson=self-attention&d_in=5&d_out=64&text=a+b&edit=scaled_scores.1.0:-inf", "lesson=transfer",
        "lesson=transfer&d_in=3&d_out=3&seed=789&move=W_query.weight,copy,W_query",
        "lesson=transfer&from=v1&to=v2&bias=1&move=W_query,transpose,W_query.weight&edit=source.W_query.0.1:"
        "5",
        "lesson=transfer&from=v2&to=causal&bias=1&edit=target.W_key.bias.0.1:nan&edit=source.keys.2.1:inf",
        "lesson=transfer&from=v2&to=causal&as_is=1&text=one&edit=inputs.0.0:7", "lesson=transfer&fault=3",
        "lesson=transfer&text=", "lesson=transfer&d_in=64&d_out=64&text=a+b+c+d+e+f+g+h"}) {
    const Inputs inputs = state_of(query).state.inputs;
    CHECK_MESSAGE(first_wrong_cell(compute(inputs)) == "", query);
  }
}

TEST_CASE(
    "a GPT of very many numbers tells the block that is looked at, says what it left out, and so does the "
    "file for a spreadsheet") {
  using nlohmann::json;
  static const auto tokenizer = Tokenizer::from(kVocabulary);
  const auto told = [](const std::string& query, const auto& tell) {
    const State state = opened(query).state;
    Results r = results_of(state.inputs, &*tokenizer);
    r.gpt->advance([] { return true; });
    return tell(r, state);
  };
  const auto traced = [](const Results& r, const State& s) { return gpt_trace_json(r, s); };
  const auto listed = [](const Results& r, const State& s) { return csv(r, s); };
  std::string query =
      "lesson=gpt&size=custom&custom_dim=24&custom_layers=48&custom_heads=2&step=maps&block=4&text=";
  const json few = json::parse(told(query + "a+b", traced), nullptr, false);
  CHECK_FALSE(few.contains("left_out"));
  const std::string table = told(query + "a+b", listed);
  for (const auto& [name, tensor] : few["tensors"].items()) {
    CAPTURE(name);
    CHECK(("\n" + table).find("\n" + name + ",") != std::string::npos);
  }
  for (int i = 0; i < 750; ++i) query += "a+";
  const std::string text = told(query, traced);
  CHECK(text.size() < 60e6);
  const json many = json::parse(text, nullptr, false);
  CHECK(many["left_out"] == "All blocks but number 5: together they are more than 4000000 numbers.");
  CHECK(many["tensors"].contains("blocks.4.queries"));
  CHECK_FALSE(many["tensors"].contains("blocks.3.queries"));
  CHECK(many["tensors"].contains("logits"));
}

TEST_CASE("A GPT's trace has ids, every block's stream and every head's stages, and no parameters") {
  using nlohmann::json;
  const std::string small = "lesson=gpt&size=custom&custom_dim=12&custom_layers=2&custom_heads=3";
  const auto tensors_of = [](const std::string& query) {
    static const auto tokenizer = Tokenizer::from(kVocabulary);
    const State state = opened(query).state;
    Results r = results_of(state.inputs, &*tokenizer);
    r.gpt->advance([] { return true; });
    return json::parse(gpt_trace_json(r, state), nullptr, false)["tensors"];
  };
  const json all = tensors_of(small);
  const std::pair<const char*, std::vector<int>> shapes[] = {
      {"ids", {4}},
      {"blocks.0.resid_pre", {4, 12}},
      {"blocks.1.keys", {4, 12}},
      {"blocks.1.resid_mid", {4, 12}},
      {"blocks.1.heads.2.attn_scores", {4, 4}},
      {"blocks.1.heads.2.masked_renormalized", {4, 4}},
      {"blocks.1.heads.2.context_vec", {4, 4}},
      {"final_norm", {1, 12}},
      {"logits", {1, 50257}},
      {"probas", {1, 50257}},
  };
  for (const auto& [name, shape] : shapes) {
    CAPTURE(name);
    REQUIRE(all.contains(name));
    CHECK(all[name]["shape"] == json(shape));
  }
  for (const auto& [name, tensor] : all.items()) CHECK(name.find("W_") == std::string::npos);
  double total = 0;
  for (const json& share : all["probas"]["data"]) total += share.get<double>();
  CHECK(total == doctest::Approx(1));
  const json full = tensors_of(small + "&full=1");
  CHECK(full["logits"]["shape"] == json(std::vector<int>{4, 50257}));
  for (int i = 0; i < 50257; i += 5025)
    CHECK(full["logits"]["data"][std::size_t(3 * 50257 + i)] == all["logits"]["data"][std::size_t(i)]);
  std::string longer = small + "&block=1&head=2&text=";
  for (int i = 0; i < 300; ++i) longer += "a+";
  const json one = tensors_of(longer);  // of all heads they would be millions
  CHECK(one.contains("blocks.1.heads.2.attn_weights"));
  CHECK(!one.contains("blocks.1.heads.1.attn_weights"));
  CHECK(one["blocks.0.values"]["shape"][0] == one["ids"]["shape"][0]);
}
