// Letters of scripts that our own fonts lack, drawn by the browser with the fonts it has.
#pragma once
#include <vector>

namespace lab::platform {

struct PageGlyph {
  float advance = 0;          // device pixels
  int left = 0, up = 0;       // from its origin on the baseline to the picture's left and top edge
  int width = 0, height = 0;  // of the picture
  std::vector<unsigned char> rgba;
  bool colored = false;  // an emoji: not to be tinted
};
// size: of the em, device pixels. False: no such letter.
bool page_glyph(unsigned code, float size, bool mono, PageGlyph& glyph);

}  // namespace lab::platform
