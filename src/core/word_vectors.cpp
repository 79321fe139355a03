#include "core/word_vectors.hpp"

#include <algorithm>
#include <array>

#include "core/torch_random.hpp"

namespace lab {
namespace {

struct BookWord {
  const char* word;
  std::array<float, 3> vector;
};
constexpr BookWord kBookWords[] = {
    {"Your", {0.43f, 0.15f, 0.89f}}, {"journey", {0.55f, 0.87f, 0.66f}}, {"starts", {0.57f, 0.85f, 0.64f}},
    {"with", {0.22f, 0.58f, 0.33f}}, {"one", {0.77f, 0.25f, 0.10f}},     {"step", {0.05f, 0.80f, 0.55f}},
};

const BookWord* book_word(const std::string& word, int d_in) {
  if (d_in != 3) return nullptr;
  for (const BookWord& b : kBookWords)
    if (b.word == word) return &b;
  return nullptr;
}

}  // namespace

Parameter word_vectors(const std::vector<std::string>& words, int d_in, std::uint64_t word_seed) {
  std::vector<std::string> drawn_words;
  for (const std::string& w : words)
    if (!book_word(w, d_in) && std::find(drawn_words.begin(), drawn_words.end(), w) == drawn_words.end())
      drawn_words.push_back(w);
  TorchRandom random(word_seed);
  const Matrix drawn = random.rand(int(drawn_words.size()), d_in);

  Parameter inputs{.name = "inputs", .stored = Matrix(int(words.size()), d_in)};
  for (int r = 0; r < int(words.size()); ++r) {
    const Rect row{r, r + 1, 0, d_in};
    if (const BookWord* b = book_word(words[std::size_t(r)], d_in)) {
      for (int c = 0; c < d_in; ++c) inputs.stored(r, c) = b->vector[std::size_t(c)];
      inputs.origins.push_back({.kind = Origin::Kind::book, .cells = row});
      continue;
    }
    const auto found = std::find(drawn_words.begin(), drawn_words.end(), words[std::size_t(r)]);
    const auto i = found - drawn_words.begin();
    inputs.stored.row(r) = drawn.row(i);
    inputs.origins.push_back({.cells = row, .seed = word_seed, .first_draw = std::int64_t(i) * d_in + 1});
  }
  return inputs;
}

}  // namespace lab
