// A picture drawn without a display, and its pixels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "draw/ui.hpp"
#include "platform/platform.hpp"

namespace lab::test {

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgba;  // rows from the top

  std::uint32_t at(int x, int y) const;  // 0xRRGGBB
};

// ImGui, GL, fonts and heatmaps, made once for all tests of a process.
struct Stage {
  Fonts fonts;
  Heatmaps heatmaps;
  Ui ui;

  // One frame of this size (CSS pixels) on a ground of the theme.
  Picture draw(int width, int height, float scale, bool dark, const std::function<void(Ui&)>& paint);
  // The same, with the pointer there.
  void point(float x, float y, bool down);

 private:
  float scale_ = 1;
};
Stage& stage();

std::string hex(std::uint32_t color);

}  // namespace lab::test
