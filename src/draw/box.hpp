// A rectangle in CSS pixels.
#pragma once

namespace lab {

struct Box {
  float x = 0, y = 0, w = 0, h = 0;

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  float mid_x() const { return x + w / 2; }
  float mid_y() const { return y + h / 2; }
  bool has(float px, float py) const { return px >= x && py >= y && px < x + w && py < y + h; }
  Box grown(float by) const { return {x - by, y - by, w + 2 * by, h + 2 * by}; }
  bool operator==(const Box&) const = default;
};

}  // namespace lab
