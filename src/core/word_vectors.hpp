// The vectors that stand for words: the book's six as it prints them, the others drawn.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/parameter.hpp"

namespace lab {

// T × d_in, named "inputs". At d_in = 3 the book's six words have the book's vectors. Every other distinct
// word (case counts) has a row of torch.manual_seed(word_seed); torch.rand(n, d_in), n the number of such
// words, in order of first appearance.
Parameter word_vectors(const std::vector<std::string>& words, int d_in, std::uint64_t word_seed);

}  // namespace lab
