// What is told of a text that a GPT has read, beyond the numbers that stand in its matrices.
#pragma once
#include <optional>
#include <vector>

#include "core/gpt_reader.hpp"

namespace lab {

struct HeadPlace {
  int block = 0, head = 0;
  bool operator==(const HeadPlace&) const = default;
};

// Of all heads the one whose last row gives one token the largest share, and to which.
struct BoldHead {
  HeadPlace place;
  int token = 0;
  double share = 0, least = 1;  // the largest and the smallest of all heads' last rows
};
BoldHead boldest_head(const GptReader& reading);

// The last token stands in the text before: the head that gives its earlier places the most, beside an even
// share. None: it is there for the first time.
struct EchoHead {
  HeadPlace place;
  double times_even = 0;
};
std::optional<EchoHead> echo_head(const GptReader& reading);

// Why shares are even: standard deviations on the way to them, in the first block, and of all heads' scores.
struct Spreads {
  double norm = 0, projected = 0;  // of what the first block's norm gives; of its queries and keys
  double scores = 0, scaled = 0;   // over all that is visible, as the reading has it
  HeadPlace flattest, sharpest;    // heads whose scaled scores spread least, and most
  double least = 0, most = 0;      // theirs
};
Spreads spreads_of(const GptReader& reading);

// How often numbers fall into each of so many equal parts of from … to; what lies outside is counted in the
// first and the last.
std::vector<int> counted_in_parts(const Matrix& numbers, float from, float to, int parts);

}  // namespace lab
