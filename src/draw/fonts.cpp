#include "draw/fonts.hpp"

namespace lab {
namespace {

ImFont* add(ImFontAtlas& atlas, const Asset& asset, bool merge) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  // One sample a device pixel: Pen::text puts every glyph on whole pixels, so more samples would only blur
  // it, and rounded advances (PixelSnapH) would set the words too loosely.
  config.PixelSnapH = false;
  config.OversampleH = 1;
  config.OversampleV = 1;
  void* bytes = const_cast<unsigned char*>(asset.data);
  return atlas.AddFontFromMemoryTTF(bytes, int(asset.size), 16, &config);
}

void add_fallback(ImFontAtlas& atlas, const ImFontLoader* loader) {
  ImFontConfig config;
  config.MergeMode = true;
  config.FontLoader = loader;
  atlas.AddFont(&config);
}

}  // namespace

void Fonts::load(const ImFontLoader* fallback) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (int i = 0; i < kFaces; ++i) {
    face[i] = add(atlas, kFonts[i], false);
    add(atlas, i == Mono || i == MonoBold ? kMonoSigns : kSansSigns, true);
    if (fallback) add_fallback(atlas, fallback);
  }
}

}  // namespace lab
