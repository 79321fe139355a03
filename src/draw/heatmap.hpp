// A matrix as coloured cells, inside an ImDrawList. With platform/ the only code that calls GL.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "imgui.h"

namespace lab {

// A read-only look at rows × cols floats that lie anywhere, in any order: a transposed matrix is the same
// data with the strides exchanged. Strides are counted in floats.
struct FloatView {
  const float* data = nullptr;
  int rows = 0, cols = 0;
  std::ptrdiff_t row_stride = 0, col_stride = 1;

  float operator()(int r, int c) const { return data[r * row_stride + c * col_stride]; }
  FloatView transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};
inline FloatView dense(const float* data, int rows, int cols) { return {data, rows, cols, cols, 1}; }

// Which cells are masked: rows × cols, not 0 = masked. Empty = none.
struct MaskView {
  const unsigned char* data = nullptr;
  std::ptrdiff_t row_stride = 0, col_stride = 1;

  bool operator()(int r, int c) const { return data && data[r * row_stride + c * col_stride]; }
};

struct HeatLook {
  float max = 1;           // the value at the end of the map, > 0
  bool is_signed = false;  // diverging around 0, else sequential from 0
  bool dark = false;
  bool later_is_red = false;  // sequential; right of the diagonal, where nothing should be, in red
  float least = 0;            // what is larger and in red is seen, however small
  float fade = 1;             // 0: masked cells show their value, 1: they are hatched
  float opacity = 1;
};

// Device pixels, whole: the top left corner and the size of one cell.
struct CellGrid {
  int x = 0, y = 0, cell_w = 1, cell_h = 1;
};

class Heatmaps {
 public:
  // Once a context is there, or is there again. False: the shaders did not compile; log() says why.
  bool create();
  // The context is gone and all names with it: nothing is deleted, all is made again by create() and draw().
  void forget();
  // Frees what was made; needs the context.
  void destroy();

  // Draws into the list when it is rendered. `slot` names the texture, and should name the matrix, so that it
  // is uploaded again only when the numbers or the mask have changed.
  void draw(ImDrawList* list, const std::string& slot, const FloatView& values, const MaskView& mask,
            const CellGrid& grid, const HeatLook& look);
  // After a frame was rendered: frees the textures of matrices not drawn for some frames.
  void end_frame();

  int textures() const { return int(slots_.size()); }
  int uploads() const { return uploads_; }  // since create(), for tests
  const std::string& log() const { return log_; }

 private:
  struct Slot {
    unsigned values = 0, kinds = 0;  // texture names
    int rows = 0, cols = 0;
    std::vector<float> numbers;             // as uploaded
    std::vector<unsigned char> cell_kinds;  // as uploaded
    int last_drawn = 0;
  };
  struct Uniforms {
    int rect, values, kinds, origin, cell, canvas_height, hatch, line, max, least, fade, opacity, is_signed,
        later_is_red, dark;
  };
  struct Call;

  static void render(const ImDrawList* list, const ImDrawCmd* command);
  void upload(Slot& slot, int rows, int cols, bool fresh);
  unsigned compile(unsigned kind, const char* source);

  unsigned program_ = 0, vertex_array_ = 0;
  Uniforms uniforms_{};
  std::map<std::string, Slot> slots_;
  std::vector<float> numbers_;        // scratch
  std::vector<unsigned char> kinds_;  // scratch
  int frame_ = 0, uploads_ = 0;
  std::string log_;
};

// The colour that the shader gives a finite, unmasked value: for the ink of the number on it.
ImU32 heat_color(float value, const HeatLook& look, bool later = false);  // later: right of the diagonal

}  // namespace lab
