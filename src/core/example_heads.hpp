// Heads that look at different things, built by hand: untrained ones look nearly everywhere alike.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/attention.hpp"

namespace lab {

inline constexpr int kExampleWidth = 4, kExampleHeadDim = 2;

// T × 4: where a word stands, and which word it is, each as a point on a circle.
Parameter example_inputs(const std::vector<std::string>& words);

struct ExampleHead {
  const char* looks_at;  // "the word before"
};
std::span<const ExampleHead> example_heads();

// MultiHeadAttentionWrapper(4, 2, num_heads=4): one head for each of them. Steep enough for this many words.
AttentionParams example_wrapper(const std::vector<std::string>& words);

}  // namespace lab
