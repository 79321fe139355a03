#include "core/example_heads.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/multi_head.hpp"

namespace lab {
namespace {

constexpr ExampleHead kHeads[] = {
    {"the word before"}, {"the first word"}, {"itself"}, {"the same word, wherever it stands"}};
enum { Before, First, Itself, Same };

constexpr float kLead = 3;  // by how much the score of the wanted word leads its neighbour's, after ÷ √2

// Places fill half a circle: the first and the last word are far apart.
float step_between_places(int words) { return std::numbers::pi_v<float> / float(std::max(2, words)); }

std::vector<int> numbers_of_words(const std::vector<std::string>& words) {
  std::vector<std::string> distinct;
  std::vector<int> numbers;
  for (const std::string& w : words) {
    const auto found = std::find(distinct.begin(), distinct.end(), w);
    numbers.push_back(int(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(w);
  }
  return numbers;
}

int count_of(const std::vector<int>& numbers) {
  return numbers.empty() ? 1 : *std::max_element(numbers.begin(), numbers.end()) + 1;
}
// Words go all the way round.
float step_between_words(int distinct) {
  return 2 * std::numbers::pi_v<float> / float(std::max(2, distinct));
}

// Two points of a circle, multiplied and summed, give the cosine of the angle between them. This many times
// steeper, the neighbour's score is kLead below.
float steepness(float step) { return kLead * std::sqrt(float(kExampleHeadDim)) / (1 - std::cos(step)); }

// Columns first and first + 1 of the inputs, turned by an angle: stored 2 × 4, as nn.Linear does.
Matrix reading(int first, float by, float turned) {
  Matrix w = Matrix::Zero(kExampleHeadDim, kExampleWidth);
  w(0, first) = by * std::cos(turned);
  w(0, first + 1) = -by * std::sin(turned);
  w(1, first) = by * std::sin(turned);
  w(1, first + 1) = by * std::cos(turned);
  return w;
}

void set(Projection& p, Matrix numbers, const char* why) {
  p.weight.stored = std::move(numbers);
  p.weight.origins = {{.kind = Origin::Kind::chosen, .cells = whole(p.weight.stored), .from = why}};
}

}  // namespace

std::span<const ExampleHead> example_heads() { return kHeads; }

Parameter example_inputs(const std::vector<std::string>& words) {
  Parameter inputs{.name = "inputs", .stored = Matrix(int(words.size()), kExampleWidth)};
  const std::vector<int> numbers = numbers_of_words(words);
  const float place = step_between_places(int(words.size())), word = step_between_words(count_of(numbers));
  for (int r = 0; r < int(words.size()); ++r) {
    const float at = place * float(r), is = word * float(numbers[std::size_t(r)]);
    inputs.stored.row(r) << std::cos(at), std::sin(at), std::cos(is), std::sin(is);
  }
  inputs.origins = {{.kind = Origin::Kind::chosen,
                     .cells = whole(inputs.stored),
                     .from = "columns 0 and 1 say where the word stands, 2 and 3 which word it is"}};
  return inputs;
}

AttentionParams example_wrapper(const std::vector<std::string>& words) {
  TorchRandom unused(0);
  AttentionParams m = made_wrapper(int(std::size(kHeads)), kExampleWidth, kExampleHeadDim, false, unused, 0);
  const float place = step_between_places(int(words.size()));
  const float word = step_between_words(count_of(numbers_of_words(words)));
  const float by_place = steepness(place), by_word = steepness(word);
  constexpr const char* kWhy = "chosen by hand for this head";
  for (int h = 0; h < m.num_heads; ++h) {
    AttentionParams& head = m.heads[std::size_t(h)];
    set(head.W_key, reading(h == Same ? 2 : 0, 1, 0), kWhy);
    set(head.W_value, reading(2, 1, 0), kWhy);  // each carries away which word it looked at
    if (h == Before) set(head.W_query, reading(0, by_place, -place), kWhy);
    // Of the words before, the first is farthest from where one stands, and so nearest to the opposite point.
    if (h == First) set(head.W_query, reading(0, by_place, std::numbers::pi_v<float>), kWhy);
    if (h == Itself) set(head.W_query, reading(0, by_place, 0), kWhy);
    if (h == Same) set(head.W_query, reading(2, by_word, 0), kWhy);
  }
  return m;
}

}  // namespace lab
