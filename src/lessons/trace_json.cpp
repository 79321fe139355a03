#include "lessons/trace_json.hpp"

#include <array>
#include <cstdint>
#include <span>

#include "core/json_text.hpp"

namespace lab {

std::string trace_json(const Runs& runs, std::string_view canonical_query) {
  JsonText json;
  json.object().key("state").text(canonical_query).key("tensors").object();
  for (const std::string& name : names(runs)) {
    const auto found = find(runs, name);
    if (!found) continue;
    const Matrix m = found->cells;
    const std::array<std::int64_t, 2> shape{m.rows(), m.cols()};
    const bool is_vector = found->parameter && found->parameter->one_dimensional;
    json.key(name).tensor(std::span(shape).last(is_vector ? 1 : 2),
                          std::span(m.data(), std::size_t(m.size())));
  }
  return json.end('}').end('}').str();
}

}  // namespace lab
