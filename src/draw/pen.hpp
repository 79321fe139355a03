// Drawing in CSS pixels onto an ImDrawList whose unit is the device pixel. Every edge, baseline and glyph is
// put on a whole device pixel here, so that text and lines are crisp at every pixel ratio and zoom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/box.hpp"
#include "draw/fonts.hpp"
#include "imgui.h"

namespace lab {

enum class Align { Left, Center, Right };

struct Pen {
  ImDrawList* list = nullptr;
  float scale = 1;  // device pixels per CSS pixel
  const Fonts* fonts = nullptr;
  float alpha = 1;  // multiplies every colour

  // Device pixels.
  float snap(float css) const;          // the nearest edge between two pixels
  float stroke(float css_width) const;  // a whole line width, at least one
  float em(float css_size) const;       // a whole font size: ImGui bakes no others
  ImVec2 at(float x, float y) const { return {snap(x), snap(y)}; }
  ImU32 tint(ImU32 color) const;  // the colour times alpha

  // Shapes. Lengths are CSS pixels; a radius of 0 is a square corner.
  void fill(Box box, ImU32 color, float radius = 0) const;
  void panel(Box box, ImU32 color, ImU32 border, float radius = 0, float width = 1) const;
  void frame(Box box, ImU32 color, float width = 1) const;                  // square outline, inside the box
  void outline(Box box, ImU32 color, float radius, float width = 1) const;  // rounded outline, inside the box
  void dashed(Box box, ImU32 color, float width = 1, float dash = 5, float gap = 4) const;  // inside the box
  void shadow(Box box, float radius, float reach, ImU32 color) const;  // soft, below a floating thing
  void hline(float x1, float x2, float y, ImU32 color, float width = 1) const;  // y is the middle
  void vline(float x, float y1, float y2, ImU32 color, float width = 1) const;  // x is the middle
  void disc(float x, float y, float radius, ImU32 color) const;
  void ring(float x, float y, float radius, ImU32 color, float width) const;
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 color) const;
  void polyline(const std::vector<ImVec2>& points, ImU32 color, float width) const;
  void cubic(ImVec2 from, ImVec2 c1, ImVec2 c2, ImVec2 to, ImU32 color, float width) const;
  void arrow_head(float x, float y, float dx, float dy, ImU32 color, float size = 8) const;  // tip, direction
  void arrow(float x1, float x2, float y, ImU32 color, float width = 1.5f) const;  // level, either way
  void tick(float x, float y, float size, ImU32 color, float width = 2) const;     // centre
  void cross(float x, float y, float size, ImU32 color, float width = 2) const;    // centre

  // Clipping to a box; boxes nest.
  void push_clip(Box box) const;
  void pop_clip() const;

  // Text. Sizes are CSS pixels and should be whole. y is the baseline; text_mid takes the middle of the
  // capitals. All return the width drawn. A raised T or a lowered k that a face lacks is set in small type.
  float width(Face face, float size, std::string_view text) const;
  float text(Face face, float size, float x, float y, ImU32 color, std::string_view text,
             Align align = Align::Left) const;
  float text_mid(Face face, float size, float x, float mid_y, ImU32 color, std::string_view text,
                 Align align = Align::Left) const;
  // Cut with an ellipsis where it is wider than max_width.
  float text_fit(Face face, float size, float x, float y, ImU32 color, std::string_view text, float max_width,
                 Align align = Align::Left) const;
  std::string fitted(Face face, float size, std::string_view text, float max_width) const;
  // A paragraph broken at spaces and \n into lines no wider than the box. Only box.x, y and w are read.
  // Returns the height: lines × line_height.
  float text_block(Face face, float size, Box box, ImU32 color, std::string_view text,
                   float line_height) const;
  std::vector<std::string_view> lines(Face face, float size, std::string_view text, float max_width) const;

 private:
  // Nothing of it can be seen: above or below all that is drawn. A long list would else need more corners
  // than there are numbers for.
  bool out_of_sight(float y1, float y2, float margin = 2) const;  // CSS pixels
  template <typename Place>
  float lay_out(Face face, float size, std::string_view text, Place place) const;
};

}  // namespace lab
