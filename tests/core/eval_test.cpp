// What eval makes of files that are not as they should be.
#include <doctest.h>

#include "core/fixtures.hpp"

using namespace lab;

namespace {

// A case that can be computed, for tests to spoil.
Json good_attention() {
  return Json::parse(R"({"id":"a","kind":"causal","init_seed":1,"batch":1,"T":2,"d_in":1,"d_out":1,
    "context_length":4,"qkv_bias":false,"dropout":0.5,"dropout_seed":3,
    "input":{"shape":[1,2,1],"data":[1,2]},
    "weights":{"W_query.weight":{"shape":[1,1],"data":[1]},"W_key.weight":{"shape":[1,1],"data":[1]},
               "W_value.weight":{"shape":[1,1],"data":[1]}}})",
                     nullptr, false);
}

Evaluation of_case(const Json& one) { return evaluation(Json{{"cases", {one}}}.dump()); }

void check_complaint(const Json& one, const std::string& complaint) {
  const Evaluation e = of_case(one);
  CAPTURE(one.dump().substr(0, 300));
  CAPTURE(e.notes);
  CHECK(e.status == 1);
  CHECK(e.notes.find(complaint) != std::string::npos);
  CHECK(Json::parse(e.text, nullptr, false)["cases"].empty());
}

}  // namespace

TEST_CASE("a text that is no list of cases is refused, and nothing is printed") {
  const std::string deep(100000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("17"), std::string("null"),
        std::string("{}"), std::string(R"({"cases":[]})"), std::string(R"({"cases":{}})"),
        std::string(R"({"cases":"rand"})"), std::string("{\"cases\":[\"\xff\"]}"),
        std::string(R"({"x":1e999})"), std::string(3, '\0'), deep,
        std::string(R"({"note":"no case","values":[]})"), std::string(std::size_t(17) << 20, ' ')}) {
    const Evaluation e = evaluation(text);
    CAPTURE(text.substr(0, 40));
    CHECK(e.status == 2);
    CHECK(e.text.empty());
    CHECK(e.notes.size() > 10);
  }
}

TEST_CASE("where JSON ends to be JSON is said") {
  CHECK(evaluation(R"({"cases":[}})").notes.find("byte 11") != std::string::npos);
}

TEST_CASE("a kind that is not built is left out and named") {
  const Evaluation e =
      evaluation(R"({"cases":[{"id":"b","kind":"warp","x":1},{"id":"c","op":"rand","seed":"0",
    "args":{"n":1}},{"id":"d","kind":"warp"}]})");
  CHECK(e.status == 0);
  CHECK(e.notes == "Left out: 2 cases of the kind warp, which is not built yet.\n");
  CHECK(Json::parse(e.text, nullptr, false)["cases"].size() == 1);
}

TEST_CASE("a file may be one case") {
  const Evaluation e = evaluation(R"({"id":"c","op":"rand","seed":0,"args":{"n":2}})");
  CHECK(e.status == 0);
  CHECK(e.text.find(R"("out":{"out":{"shape":[2],"data":[0.49625659,0.768221796]}})") != std::string::npos);
}

TEST_CASE("every field of an attention case that is missing or wrong is named") {
  REQUIRE(of_case(good_attention()).status == 0);
  REQUIRE(of_case(good_attention()).notes.empty());
  for (const char* key : {"init_seed", "batch", "T", "d_in", "d_out", "qkv_bias", "dropout", "input"}) {
    Json missing = good_attention();
    missing.erase(key);
    check_complaint(missing, std::string(key) + " is missing");
    for (const Json& wrong : {Json(nullptr), Json("x"), Json(-1), Json(1.5), Json::array(), Json::object()}) {
      Json spoilt = good_attention();
      spoilt[key] = wrong;
      check_complaint(spoilt, key);
    }
  }
  const auto spoilt = [](const char* pointer, const Json& value) {
    Json j = good_attention();
    j[Json::json_pointer(pointer)] = value;
    return j;
  };
  check_complaint(spoilt("/input/shape", {1, 3, 1}), "input has the shape [1, 3, 1], not [1, 2, 1]");
  check_complaint(spoilt("/input/data", {1}), "input.data is not a list of 2 numbers");
  check_complaint(spoilt("/input/data", {1, "NaN"}), "input.data[1]");
  check_complaint(spoilt("/input/data", {1, nullptr}), "input.data[1]");
  check_complaint(spoilt("/T", 5), "context_length");
  check_complaint(spoilt("/T", 1u << 26), "T");
  check_complaint(spoilt("/batch", 1u << 26), "memory");
  check_complaint(spoilt("/d_out", 1u << 26), "memory");
  check_complaint(spoilt("/dropout", 1), "dropout is not from 0 to below 1");
  check_complaint(spoilt("/dropout_seed", "18446744073709551616"), "dropout_seed");
  check_complaint(spoilt("/weights/W_key", {{"shape", {1, 1}}, {"data", {1}}}),
                  "weights.W_key is no parameter");
  check_complaint(spoilt("/weights/W_key.weight/shape", {1}), "weights.W_key.weight has the shape [1]");
  check_complaint(spoilt("/weights", {{"W_query.weight", 1}}), "weights.W_query.weight is not an object");
  check_complaint(spoilt("/weights", Json::object()), "weights.W_query.weight is missing");
  check_complaint(spoilt("/id", 3), "has no id");
  check_complaint(spoilt("/kind", 3), "has neither kind nor op");
}

TEST_CASE("infinite and missing numbers of an input are computed with") {
  Json one = good_attention();
  one["dropout"] = 0;
  one["input"]["data"] = {"inf", "nan"};
  const Evaluation e = of_case(one);
  CHECK(e.status == 0);
  CHECK(e.text.find(R"("keys":{"shape":[1,2,1],"data":["inf","nan"]})") != std::string::npos);
  one["input"]["data"] = {1e300, -1e39};
  CHECK(of_case(one).text.find(R"("keys":{"shape":[1,2,1],"data":["inf","-inf"]})") != std::string::npos);
}

TEST_CASE("every argument of a random case that is missing or wrong is named") {
  const auto random = [](const char* op, const Json& args) {
    return Json{{"id", "r"}, {"op", op}, {"seed", "5"}, {"args", args}};
  };
  const std::int64_t huge = std::int64_t(1) << 40;
  check_complaint(random("rand", Json::object()), "args.n is missing");
  check_complaint(random("rand", {{"n", huge}}), "args.n is not a whole number from 0");
  check_complaint(random("rand", {{"n", -1}}), "args.n");
  check_complaint(random("rand", 7), "args is not an object");
  check_complaint(random("uniform_", {{"n", 1}, {"a", 2}, {"b", 1}}), "args.a is larger than b");
  check_complaint(random("uniform_", {{"n", 1}, {"a", 2}, {"b", 1e300}}), "args.b");
  check_complaint(random("normal_", {{"n", 1}, {"mean", 2}, {"std", -1}}), "args.std is negative");
  check_complaint(random("Linear", {{"in_features", 1 << 20}, {"out_features", 1 << 20}, {"bias", true}}),
                  "too large");
  check_complaint(random("Linear", {{"in_features", 0}, {"out_features", 1}, {"bias", true}}), "in_features");
  check_complaint(random("Embedding", {{"num", 1 << 20}, {"dim", 1 << 20}}), "too large");
  check_complaint(random("dropout", {{"shape", {huge, huge, huge, huge}}, {"p", 0.5}, {"input", "ones"}}),
                  "larger");
  check_complaint(random("dropout", {{"shape", {-1}}, {"p", 0.5}, {"input", "ones"}}), "args.shape");
  check_complaint(random("dropout", {{"shape", {1}}, {"p", 0.5}, {"input", "twos"}}), "args.input");
  check_complaint(random("dropout_mkl", {{"shape", {1}}, {"p", "nan"}, {"input", "ones"}}), "args.p");
  for (const char* program : {R"([["rand"]])", R"([["rand",-1]])", R"([["warp",1]])", R"([["linear",0]])",
                              "[7]", "{}", R"([["rand",99999999]])", R"([["rand",1e30]])"})
    check_complaint(random("sequence", {{"program", Json::parse(program)}}), "args.program");
  Json seedless = random("rand", {{"n", 1}});
  for (const Json& seed :
       {Json(-1), Json("-1"), Json("0x10"), Json(""), Json(1.0), Json("99999999999999999999")}) {
    seedless["seed"] = seed;
    check_complaint(seedless, "seed is not a seed");
  }
}

TEST_CASE("a dropout may be given what it drops from") {
  const Evaluation e = evaluation(R"({"id":"d","op":"dropout","seed":"123","args":{"shape":[3],"p":0.5,
    "input":{"shape":[3],"data":[1.5,-2,"nan"]}}})");
  CHECK(e.text.find(R"("data":[3,-4,"nan"])") != std::string::npos);
}

TEST_CASE("a tensor above a million elements is printed as a summary at the fixture's indices") {
  const Evaluation e = evaluation(R"({"id":"l","op":"Linear","seed":"1046",
    "args":{"in_features":1001,"out_features":1000,"bias":true},
    "out":{"weight":{"idx":[0,1000999,1001000,-3,"x"]}}})");
  const Json out = Json::parse(e.text, nullptr, false)["cases"][0]["out"];
  CHECK(out["weight"]["shape"] == Json({1000, 1001}));
  CHECK(out["weight"]["idx"] == Json({0, 1000999}));
  CHECK(out["weight"]["val"].size() == 2);
  CHECK(out["weight"]["sumabs_f64"].get<double>() > 1000);
  CHECK(out["weight"]["bits_sum_u64"].is_string());
  CHECK_FALSE(out["weight"].contains("data"));
  CHECK(out["bias"]["data"].size() == 1000);
}

TEST_CASE("a stranger's control characters do not reach the terminal") {
  CHECK(evaluation(R"({"id":"\u001b[2J","op":"rand"})").notes.find('\x1b') == std::string::npos);
  CHECK(evaluation(R"({"id":"x","op":"\u001b[2J"})").notes.find('\x1b') == std::string::npos);
}
