// Benches by the letters of their plans, searched to the end.
#pragma once
#include <string>
#include <vector>

#include "core/bench.hpp"
#include "lessons/query.hpp"
#include "lessons/results.hpp"
#include "lessons/verdict.hpp"

namespace lab::test {

inline Results searched(const Inputs& inputs) {
  Results r = results_of(inputs);
  while (r.search && !r.search->done()) r.search->try_next();
  return r;
}
inline Results searched(const std::string& query) { return searched(state_of(query).state.inputs); }

inline std::string all_lines(const Verdict& v) {
  std::string text = v.headline + "\n";
  for (const std::string& line : v.lines) text += line + "\n";
  return text;
}

// A plan by letters for query, key and value: q, k, v is that source transposed, Q, K, V that source copied,
// - is the slot's own numbers.
inline std::vector<Move> plan(const std::string& letters) {
  const std::string slots[] = {"W_query", "W_key", "W_value"};
  std::vector<Move> moves;
  for (int i = 0; i < 3; ++i) {
    const char c = letters[std::size_t(i)];
    const bool copied = c >= 'A' && c <= 'Z';
    const auto which = std::string("qkv").find(copied ? char(c - 'A' + 'a') : c);
    moves.push_back({c == '-' ? "" : slots[which] + ".weight",
                     copied ? MoveOp::copy : MoveOp::transpose,
                     slots[i],
                     {},
                     {}});
  }
  return moves;
}

inline Inputs bench(int d_out, std::uint64_t seed, const std::string& letters) {
  Inputs in;
  in.d_out = d_out;
  in.seed = seed;
  in.moves = plan(letters);
  return in;
}

}  // namespace lab::test
