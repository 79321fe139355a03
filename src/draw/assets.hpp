#pragma once
// Fonts, cut down at build time to the signs that the lab shows (cmake/fonts.py) and linked into the program.
#include <cstddef>

namespace lab {

struct Asset {
  const char* name;
  const unsigned char* data;
  std::size_t size;
};

// In every face ascent - descent is 1 em, so that ImGui's font size is the CSS font size.
enum Face { Sans, Medium, Bold, Mono, MonoBold, kFaces };
extern const Asset kFonts[kFaces];

// What the faces lack (ᵀ ∈ ◐ ☰ ‖ …), to be merged into them: for the sans faces and for the two of fixed
// width.
extern const Asset kSansSigns;
extern const Asset kMonoSigns;

}  // namespace lab
