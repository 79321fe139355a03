#include "lessons/trace_json.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/gpt_head.hpp"
#include "core/json_text.hpp"
#include "lessons/gpt_lesson.hpp"
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

std::vector<int> heads_told(const GptReader& reading, HeadPlace looked_at, int block) {
  constexpr double kMost = 4e6;  // numbers, of about fourteen matrices a head
  const GptConfig& c = reading.config();
  const double words = reading.given(), heads = double(c.n_heads) * c.n_layers;
  if (heads * 14 * words * words > kMost)
    return looked_at.block == block ? std::vector<int>{looked_at.head} : std::vector<int>{};
  std::vector<int> all(std::size_t(c.n_heads));
  std::iota(all.begin(), all.end(), 0);
  return all;
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
  if (r.gpt->has_read()) {
    const GptReader& reading = *r.gpt->reading();
    for (int b = 0; b < int(reading.blocks().size()); ++b) {
      Runs runs;
      runs.runs.push_back(run_of_block(reading, b, heads_told(reading, looked_at_head(r, state), b)));
      add_matrices(json, runs);
    }
    const bool all = state.view.full;
    const Matrix logits = all ? reading.all_logits() : r.gpt->logits();
    add_tensor(json, "final_norm", all ? reading.all_final_norms() : reading.given_final_norm());
    add_tensor(json, "logits", logits);
    add_tensor(json, "probas", shares_of(logits, state.inputs.temperature, state.inputs.top_k));
  }
  return json.end('}').end('}').str();
}

}  // namespace lab
