// The faces of the type scale, loaded once into ImGui's atlas.
#pragma once

#include "draw/assets.hpp"
#include "imgui.h"

namespace lab {

struct Fonts {
  ImFont* face[kFaces] = {};

  // After ImGui::CreateContext. The font bytes stay where they are (kFonts) and are not copied.
  // fallback: for letters that these lack; may be null.
  void load(const ImFontLoader* fallback = nullptr);
};

}  // namespace lab
