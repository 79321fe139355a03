#include "lessons/trace_json.hpp"

#include <array>
#include <cstdint>
#include <span>

#include "core/json_text.hpp"
#include "lessons/gpt_told.hpp"
#include "lessons/query.hpp"

namespace lab {

namespace {

JsonText begun(std::string_view canonical_query) {
  JsonText json;
  json.object().key("state").text(canonical_query).key("tensors").object();
  return json;
}

void add_tensor(JsonText& json, std::string_view name, const Matrix& m) {
  json.key(name).tensor(std::array<std::int64_t, 2>{m.rows(), m.cols()},
                        std::span(m.data(), std::size_t(m.size())));
}

void add_matrices(JsonText& json, const Runs& runs) {
  for (const std::string& name : names(runs)) {
    const auto found = find(runs, name);
    if (!found) continue;
    const Matrix m = found->cells;
    const bool is_vector = found->parameter && found->parameter->one_dimensional;
    if (is_vector)
      json.key(name).tensor(std::array<std::int64_t, 1>{m.size()},
                            std::span(m.data(), std::size_t(m.size())));
    else
      add_tensor(json, name, m);
  }
}

}  // namespace

std::string trace_json(const Runs& runs, std::string_view canonical_query) {
  JsonText json = begun(canonical_query);
  add_matrices(json, runs);
  return json.end('}').end('}').str();
}

std::string gpt_trace_json(const Results& r, const State& state) {
  JsonText json = begun(query_of(state));
  const std::vector<std::int64_t> ids(r.gpt->ids().begin(), r.gpt->ids().end());
  json.key("ids").tensor(std::array<std::int64_t, 1>{std::int64_t(ids.size())}, std::span(ids));
  std::string left_out;
  if (r.gpt->has_read()) {
    left_out = tell_gpt(r, state,
                        [&](const std::string& name, const Matrix& cells) { add_tensor(json, name, cells); });
  }
  json.end('}');
  if (!left_out.empty()) json.key("left_out").text(left_out);
  return json.end('}').str();
}

}  // namespace lab
