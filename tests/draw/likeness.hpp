// How far two pictures of the screen are from each other. They are kept at a quarter of their size.
#pragma once
#include <optional>
#include <string>

#include "draw/stage.hpp"

namespace lab::test {

constexpr int kReduction = 4;

// The mean of each square of kReduction pixels, and of what is left of one at the edges. Levels are rounded
// to steps of 8, which makes the files half as large.
Picture reduced(const Picture& p);

struct Unlikeness {
  double mean = 0;   // levels of a channel, 0 … 255, over all pixels
  double share = 0;  // of the pixels that differ by more than kVisible levels, 0 … 1
  int tiles = 0;  // whose mean colour differs by more than kTileLevels: ink that only moved a little inside
                  // its tile does not count, a label that is not there does
};
constexpr int kTile = 8;  // reduced pixels: 32 of the screen
constexpr double kVisible = 40, kTileLevels = 8;

// Set by trying. Mesa's two software drivers differ by a mean of 0.02 and no tile. Inter 4.0 instead of 4.1
// differs by a mean of 1.2, 1.3 % and, where words wrap otherwise, 23 tiles; a matrix left out by 69 tiles, a
// title by 6, one of the rail's words by 4. So labels are held only where the fonts are those of the
// references.
constexpr Unlikeness kTolerance{.mean = .2, .share = .002, .tiles = 0};
constexpr Unlikeness kOtherFontsTolerance{.mean = 1.8, .share = .02, .tiles = 32};

Unlikeness unlikeness(const Picture& a, const Picture& b);  // of the same size
bool within(const Unlikeness& u, const Unlikeness& tolerance);
std::string text_of(const Unlikeness& u);

// How wide each face sets one and the same line: a line for each, the same for fonts of the same shapes.
std::string widths_of_fonts();

bool write_small_png(const std::string& path, const Picture& p);  // without its alpha
std::optional<Picture> read_png(const std::string& path);

}  // namespace lab::test
