// PyTorch's own numbers, through the command that recomputes them.
#include <doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/fixtures.hpp"
#include "core/multi_head.hpp"

using namespace lab;

namespace {

// How near is near enough: |a − b| ≤ absolute, plus so many ulps of the reference.
struct Tolerance {
  double absolute = 0;
  int ulps = 0;
};

// What a case's "compare" asks for. None: a text that nobody taught us.
struct Compare {
  Tolerance tolerance;
  bool times_std = false;           // absolute is in units of the case's std
  bool randn_big_as_randn = false;  // in a sequence these entries are as near as the file's randn cases
};

std::optional<Compare> compare_of(std::string text) {
  if (const auto remark = text.find(" ("); remark != std::string::npos) text.resize(remark);
  if (text == "exact") return Compare{};
  if (text == "exact; entries of randn_big as for randn") return Compare{{}, false, true};
  const std::string start = "abs<=";
  if (text.substr(0, start.size()) != start) return std::nullopt;
  char* rest = nullptr;
  const double absolute = std::strtod(text.c_str() + start.size(), &rest);
  if (!(absolute > 0)) return std::nullopt;
  if (std::string(rest).empty()) return Compare{{absolute, 0}};
  if (std::string(rest) == "*std plus 1 ulp") return Compare{{absolute, 1}, true};
  return std::nullopt;
}

float number_at(const Json& list, std::size_t i) {
  const Json& j = list[i];
  if (j.is_number()) return float(j.get<double>());
  const auto text = j.get<std::string>();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<float>::quiet_NaN();
}

double largest_entry(const Json& tensor) {
  const Json& data = tensor.contains("data") ? tensor["data"] : tensor["val"];
  double largest = 0;
  for (std::size_t i = 0; i < data.size(); ++i)
    if (const float x = number_at(data, i); std::isfinite(x))
      largest = std::max(largest, std::abs(double(x)));
  return largest;
}

bool near(float ours, float theirs, Tolerance t) {
  if (std::isnan(theirs) || std::isnan(ours)) return std::isnan(theirs) && std::isnan(ours);
  if (ours == theirs) return true;
  if (!std::isfinite(ours) || !std::isfinite(theirs)) return false;
  const double ulp = double(std::nextafter(std::abs(theirs), 1e38f)) - std::abs(double(theirs));
  return std::abs(double(ours) - double(theirs)) <= t.absolute + t.ulps * ulp;
}

// Empty: the tensors agree. A large one of the fixture is known at its idx only.
std::string disagreement(const Json& ours, const Json& theirs, Tolerance tolerance) {
  if (!ours.is_object() || ours["shape"] != theirs["shape"]) return "another shape";
  if (ours.contains("dtype") != theirs.contains("dtype")) return "another type";
  const bool sampled = !theirs.contains("data");
  const Json& values = sampled ? theirs["val"] : theirs["data"];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = sampled ? theirs["idx"][i].get<std::size_t>() : i;
    const float a = number_at(ours["data"], at), b = number_at(values, i);
    if (!near(a, b, tolerance))
      return "cell " + std::to_string(at) + ": " + std::to_string(a) + ", not " + std::to_string(b);
  }
  return "";
}

struct Fixture {
  Json theirs, ours;
  explicit Fixture(const std::string& name) {
    const std::string text = fixture_text(name);
    const Evaluation e = evaluation(text);
    REQUIRE(e.status == 0);
    theirs = Json::parse(text, nullptr, false)["cases"];
    const Json printed = Json::parse(e.text, nullptr, false);
    for (const Json& c : printed["cases"]) ours[c["id"].get<std::string>()] = c;
  }
  const Json& of(const Json& their_case) { return ours[their_case["id"].get<std::string>()]; }
};

std::string op(const Json& one) { return one["op"].get<std::string>(); }

// Every case whose op is in ops, at its own compare; returns how many there were.
int check_random_file(const std::string& name, const std::set<std::string>& ops,
                      const std::set<std::string>& skipped_steps) {
  Fixture file(name);
  Tolerance randn;  // the widest that the file's own randn cases allow
  for (const Json& c : file.theirs)
    if (const auto k = compare_of(c.value("compare", "exact")); k && op(c) == "randn")
      randn.absolute = std::max(randn.absolute, k->tolerance.absolute);
  int checked = 0;
  for (const Json& c : file.theirs) {
    if (!ops.count(op(c))) continue;
    CAPTURE(c["id"]);
    auto compare = compare_of(c.value("compare", "exact"));
    CHECK_MESSAGE(compare, "unknown compare: ", c["compare"]);
    if (!compare) continue;
    if (compare->times_std) compare->tolerance.absolute *= c["args"]["std"].get<double>();
    const Json& ours = file.of(c);
    if (c.contains("out_list")) {
      CHECK(ours["out_list"].size() == c["out_list"].size());
      for (std::size_t i = 0; i < c["out_list"].size(); ++i) {
        const auto step = c["args"]["program"][i][0].get<std::string>();
        if (skipped_steps.count(step)) continue;
        CAPTURE(step);
        const bool big = compare->randn_big_as_randn && step == "randn_big";
        CHECK(disagreement(ours["out_list"][i], c["out_list"][i], big ? randn : compare->tolerance) == "");
      }
    } else if (c["out"].contains("shape")) {
      CHECK(disagreement(ours["out"], c["out"], compare->tolerance) == "");
    } else {
      for (const auto& [part, tensor] : c["out"].items())
        CHECK(disagreement(ours["out"][part], tensor, compare->tolerance) == "");
    }
    if (c.contains("rand_2_after")) CHECK(disagreement(ours["rand_2_after"], c["rand_2_after"], {}) == "");
    ++checked;
  }
  return checked;
}

// The tolerances of attention: sums within 1e-5 of their size, shares within 5e-6.
Tolerance tolerance_of(std::string tensor, const Json& theirs) {
  if (const auto dot = tensor.rfind('.'); dot != std::string::npos) tensor.erase(0, dot + 1);  // of a head
  const std::set<std::string> shares = {"weights",  "softmax_unmasked", "masked_zeroed",
                                        "row_sums", "weights_dropped",  "masked_renormalized"};
  return {shares.count(tensor) ? 5e-6 : 1e-5 * std::max(1.0, largest_entry(theirs)), 0};
}

}  // namespace

TEST_CASE("a compare that nobody taught us is no compare") {
  CHECK(compare_of("exact (fused multiply-add)"));
  CHECK(compare_of("abs<=3e-6*std plus 1 ulp")->times_std);
  CHECK(compare_of("exact; entries of randn_big as for randn")->randn_big_as_randn);
  CHECK_FALSE(compare_of("rel<=1e-6"));
  CHECK_FALSE(compare_of("abs<=1e-6 of the largest"));
  CHECK_FALSE(compare_of("abs<=1e-6*mean"));
  CHECK_FALSE(compare_of("exactly"));
  CHECK_FALSE(compare_of(""));
}

TEST_CASE("the random stream gives the numbers of torch's AVX2 build") {
  CHECK(check_random_file(
            "rng.json",
            {"rand", "randn", "uniform_", "normal_", "Linear", "Embedding", "dropout", "sequence"},
            {}) == 63);
}

TEST_CASE(
    "the random stream gives the numbers of torch's scalar build, but for its uniforms of two roundings") {
  CHECK(check_random_file("rng_scalar_build.json",
                          {"rand", "randn", "normal_", "Embedding", "dropout", "sequence"},
                          {"linear"}) == 52);
}

TEST_CASE("the dropout masks of Linux and Windows come out exactly, and cost one draw") {
  CHECK(check_random_file("rng_mkl_dropout.json", {"dropout_mkl"}, {}) == 5);
}

TEST_CASE("attention comes out as torch computes it, every intermediate") {
  Fixture file("attention.json");
  int checked = 0;
  for (const Json& c : file.theirs) {
    CAPTURE(c["id"]);
    const Json& ours = file.of(c)["tensors"];
    CHECK(ours.size() >= c["tensors"].size());
    for (const auto& [name, tensor] : c["tensors"].items()) {
      CAPTURE(name);
      CHECK(disagreement(ours.value(name, Json()), tensor, tolerance_of(name, tensor)) == "");
    }
    ++checked;
  }
  CHECK(checked == 58);
}

TEST_CASE("the weights of every case are the draws of its seed, to the last bit") {
  const Json file = Json::parse(fixture_text("attention.json"), nullptr, false);
  const std::map<std::string, AttentionKind> kinds = {{"sa_v1", AttentionKind::v1},
                                                      {"sa_v2", AttentionKind::v2},
                                                      {"causal", AttentionKind::causal},
                                                      {"wrapper", AttentionKind::wrapper},
                                                      {"mha", AttentionKind::mha}};
  for (const Json& c : file["cases"]) {
    const auto name = c["kind"].get<std::string>();
    if (name == "simple") continue;
    CAPTURE(c["id"]);
    const auto seed = c["init_seed"].get<std::uint64_t>();
    TorchRandom random(seed);
    const int d_in = c["d_in"].get<int>(), d_out = c["d_out"].get<int>();
    const bool bias = c["qkv_bias"].get<bool>();
    const int heads = c.contains("heads") ? c["heads"].get<int>() : 1;
    const AttentionParams m = made_module(kinds.at(name), {d_in, d_out, heads, bias}, random, seed);
    CHECK(parameters(m).size() == c["weights"].size());
    for (const Parameter* p : parameters(m)) {
      const Json& data = c["weights"][p->name]["data"];
      REQUIRE(data.size() == std::size_t(p->stored.size()));
      for (std::size_t i = 0; i < data.size(); ++i) CHECK(p->stored.data()[i] == number_at(data, i));
    }
  }
}

namespace {

// LayerNorm of rows that are constant, or far from zero beside how they vary, has few digits left.
Tolerance layer_tolerance(const Json& c, const std::string& tensor, const Json& theirs) {
  const double size = std::max(1.0, largest_entry(theirs));
  if (op(c) != "LayerNorm" || tensor != "out") return {(tensor.ends_with("weights") ? 5e-6 : 1e-5) * size, 0};
  const auto mode = c["mode"].get<std::string>();
  return {mode == "const" ? 1e-4 : mode == "offset1000" ? 3e-4 : 2e-6 * size, 0};
}

// Every result of a layer's case; returns how many tensors there were.
int check_layer(const Json& ours, const Json& c) {
  int checked = 0;
  const auto check = [&](const std::string& name, const Json& mine, const Json& theirs) {
    CAPTURE(name);
    CHECK(disagreement(mine, theirs, layer_tolerance(c, name, theirs)) == "");
    ++checked;
  };
  for (const char* part : {"out", "derivative", "relu", "log_softmax", "grad"})
    if (c.contains(part)) check(part, ours.value(part, Json()), c[part]);
  for (const char* part : {"tensors", "grads"})
    if (c.contains(part))
      for (const auto& [name, tensor] : c[part].items()) check(name, ours[part].value(name, Json()), tensor);
  if (c.contains("activations"))
    for (std::size_t i = 0; i < c["activations"].size(); ++i)
      check("activation", ours["activations"][i], c["activations"][i]);
  if (c.contains("loss")) CHECK(std::abs(ours["loss"].get<double>() - c["loss"].get<double>()) <= 2e-6);
  if (c.contains("grad_abs_mean"))
    for (const auto& [name, mean] : c["grad_abs_mean"].items())
      CHECK(std::abs(ours["grad_abs_mean"][name].get<double>() - mean.get<double>()) <= 3e-7);
  return checked;
}

}  // namespace

TEST_CASE("the layers of a transformer block, and the block, come out as torch computes them") {
  Fixture file("layers.json");
  int tensors = 0;
  for (const Json& c : file.theirs) {
    CAPTURE(c["id"]);
    tensors += check_layer(file.of(c), c);
  }
  CHECK(file.theirs.size() == 24);
  CHECK(tensors == 168);
}

TEST_CASE("without their weights blocks and feed-forward layers are those that their seeds draw") {
  Json file = Json::parse(fixture_text("layers.json"), nullptr, false);
  Fixture given("layers.json");
  for (Json& c : file["cases"]) c.erase("weights");
  const Evaluation drawn = evaluation(file.dump());
  CHECK(drawn.status == 0);
  const Json printed = Json::parse(drawn.text, nullptr, false);
  for (const Json& ours : printed["cases"]) {
    CAPTURE(ours["id"]);
    CHECK(ours == given.ours[ours["id"].get<std::string>()]);
  }
}

TEST_CASE("without its weights a case is computed with those that its seed draws") {
  Json file = Json::parse(fixture_text("attention.json"), nullptr, false);
  const Evaluation given = evaluation(file.dump());
  for (Json& c : file["cases"]) {
    c.erase("weights");
    c.erase("tensors");
  }
  const Evaluation drawn = evaluation(file.dump());
  CHECK(drawn.status == 0);
  CHECK(drawn.text.size() > 100000);
  CHECK(drawn.text == given.text);
}

TEST_CASE(
    "softmax, zero, renormalize ends in NaN where all visible weights underflow, the -inf route does not") {
  Fixture file("attention.json");
  const Json& ours = file.ours["shared-attn-107"]["tensors"];
  const auto nans = [&](const char* name) {
    int n = 0;
    for (const Json& x : ours[name]["data"]) n += x == "nan";
    return n;
  };
  CHECK(nans("masked_renormalized") == 40);
  CHECK(nans("weights") == 0);
  CHECK(nans("output") == 0);
  int rows_that_sum_to_zero = 0;
  for (const Json& x : ours["row_sums"]["data"]) rows_that_sum_to_zero += x == 0;
  CHECK(rows_that_sum_to_zero == 4);
}
