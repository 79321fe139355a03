#include "core/gpt_figures.hpp"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

template <class Look>
void for_each_head(const GptReader& reading, Look look) {
  for (std::size_t b = 0; b < std::size_t(reading.blocks_read()); ++b)
    for (std::size_t h = 0; h < reading.blocks()[b].heads.size(); ++h)
      look(HeadPlace{int(b), int(h)}, reading.blocks()[b].heads[h]);
}

}  // namespace

BoldHead boldest_head(const GptReader& reading) {
  BoldHead bold;
  for_each_head(reading, [&](HeadPlace place, const HeadGlance& head) {
    for (Eigen::Index c = 0; c < head.last_row.cols(); ++c) {
      const double share = double(head.last_row(0, c));
      bold.least = std::min(bold.least, share);
      if (share > bold.share) bold = {place, int(c), share, bold.least};
    }
  });
  return bold;
}

std::optional<EchoHead> echo_head(const GptReader& reading) {
  const int last = reading.given() - 1;
  std::vector<int> places;
  for (int t = 0; t < last; ++t)
    if (reading.ids()[std::size_t(t)] == reading.ids()[std::size_t(last)]) places.push_back(t);
  if (places.empty() || reading.blocks_read() == 0) return {};
  places.push_back(last);
  EchoHead echo;
  for_each_head(reading, [&](HeadPlace place, const HeadGlance& head) {
    double sum = 0;
    for (const int t : places) sum += double(head.last_row(0, t));
    const double times_even = sum / double(places.size()) * (last + 1);
    if (times_even > echo.times_even) echo = {place, times_even};
  });
  return echo;
}

Spreads spreads_of(const GptReader& reading) {
  Spreads s;
  if (reading.blocks_read() == 0) return s;
  const StreamFigures& first = reading.blocks()[0].figures;
  s.norm = first.norm_spread;
  s.projected = first.projected_spread;
  s.least = HUGE_VAL;
  double sum = 0, squares = 0, count = 0;
  for_each_head(reading, [&](HeadPlace place, const HeadGlance& head) {
    const double spread = head.score.spread();
    if (spread < s.least) s.least = spread, s.flattest = place;
    if (spread > s.most) s.most = spread, s.sharpest = place;
    sum += head.score.sum, squares += head.score.squares, count += double(head.score.count);
  });
  const double of_scores = Spread{sum, squares, std::int64_t(count)}.spread();
  const GptConfig& c = reading.config();
  const double root = std::sqrt(double(c.emb_dim) / c.n_heads);
  s.scores = reading.how().scaled ? of_scores * root : of_scores;
  s.scaled = s.scores / root;
  return s;
}

std::vector<int> counted_in_parts(const Matrix& numbers, float from, float to, int parts) {
  std::vector<int> counts(std::size_t(parts), 0);
  for (Eigen::Index i = 0; i < numbers.size(); ++i) {
    const float at = (numbers.data()[i] - from) / (to - from) * float(parts);
    ++counts[std::size_t(std::clamp(at, 0.f, float(parts - 1)))];
  }
  return counts;
}

}  // namespace lab
