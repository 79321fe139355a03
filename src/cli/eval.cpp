#include "cli/eval.hpp"

#include <algorithm>
#include <map>

#include "cli/eval_case.hpp"

namespace lab {
namespace {

// Parsed, JSON takes up to twenty times its size, and eighty for every bracket that stays open.
constexpr std::size_t kMaxFile = std::size_t(16) << 20;
constexpr int kMaxDepth = 64;

int depth_of(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      i += c == '\\';  // the next one is escaped
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

// What a stranger wrote, fit for a terminal.
std::string printable(std::string text) {
  if (text.size() > 200) text = text.substr(0, 200) + "...";
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

// Says where a text stops being JSON.
struct SyntaxError : Json::json_sax_t {
  std::string what;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    what = "The file is not JSON: something is wrong at byte " + std::to_string(position) + ".\n";
    return false;
  }
};

std::string syntax_error(std::string_view text) {
  SyntaxError error;
  Json::sax_parse(text.begin(), text.end(), &error);
  return error.what.empty() ? "The file is not JSON.\n" : error.what;
}

const Json::string_t* text_at(const Json& object, const char* key) {
  const Json* j = member(&object, key);
  return j ? j->get_ptr<const Json::string_t*>() : nullptr;
}

// kind, else op, else what the config tells; empty: no case.
std::string kind_of(const Json& one) {
  for (const char* key : {"kind", "op"})
    if (const auto* name = text_at(one, key)) return *name;
  return member(&one, "config") ? "GPTModel" : "";
}

const EvalKind* kind_named(const std::string& name) {
  for (const auto kinds : {random_kinds(), attention_kinds(), layer_kinds(), gpt_kinds()})
    for (const EvalKind& kind : kinds)
      if (kind.name == name) return &kind;
  return nullptr;
}

// The cases of a file; empty: it has none.
std::span<const Json> cases_of(const Json& file) {
  if (const Json* list = member(&file, "cases")) {
    const auto* cases = list->get_ptr<const Json::array_t*>();
    return cases ? std::span<const Json>(*cases) : std::span<const Json>();
  }
  return kind_of(file).empty() ? std::span<const Json>() : std::span(&file, 1);
}

}  // namespace

int evaluate(std::string_view text, const Print& print, std::string& notes) {
  if (text.size() > kMaxFile) {
    notes += "The file is larger than the 16 MB allowed.\n";
    return 2;
  }
  if (depth_of(text) > kMaxDepth) {
    notes += "The file is nested more than " + std::to_string(kMaxDepth) + " deep.\n";
    return 2;
  }
  const Json file = Json::parse(text.begin(), text.end(), nullptr, false);
  if (file.is_discarded()) {
    notes += syntax_error(text);
    return 2;
  }
  const std::span<const Json> cases = cases_of(file);
  if (cases.empty()) {
    notes += R"(The file holds no cases: neither {"cases":[…]} with at least one, nor a case itself.)"
             "\n";
    return 2;
  }

  int status = 0;
  std::map<std::string, int> left_out;
  bool first = true;
  print("{\"cases\":[");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string kind = kind_of(cases[i]);
    const auto* id = text_at(cases[i], "id");
    const EvalKind* known = kind_named(kind);
    if (!known && !kind.empty()) {
      ++left_out[kind];
      continue;
    }
    std::string problem;
    JsonText out;
    if (!known) {
      problem = "has neither kind nor op nor config";
    } else if (!id) {
      problem = "has no id";
    } else {
      out.object().key("id").text(*id);
      known->compute(Fields(cases[i], "", problem), out);
      out.end('}');
    }
    if (problem.empty()) {
      print(first ? "\n" : ",\n");
      print(out.str());
      first = false;
    } else {
      notes += "Case " + std::to_string(i) + (id ? " (" + printable(*id) + ")" : "") + ": " +
               printable(problem) + ".\n";
      status = 1;
    }
  }
  print("\n]}\n");
  for (const auto& [kind, n] : left_out)
    notes += "Left out: " + std::to_string(n) + (n == 1 ? " case" : " cases") + " of the kind " +
             printable(kind) + ", which is not built yet.\n";
  return status;
}

}  // namespace lab
