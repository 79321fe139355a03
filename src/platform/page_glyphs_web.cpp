#include "platform/page_glyphs.hpp"

#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"
#include "platform/platform.hpp"

namespace lab::platform {
namespace {

bool is_shown(unsigned code) {
  return code >= 0xA0 && !(code >= 0xD800 && code < 0xE000) && code <= 0x10FFFF;
}

bool load(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar code, ImFontGlyph* out,
          float* advance_only) {
  PageGlyph glyph;
  if (!is_shown(code) || !page_glyph(code, baked->Size, false, glyph)) return false;
  if (advance_only) {
    *advance_only = glyph.advance;
    return true;
  }
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, glyph.width, glyph.height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* rect = ImFontAtlasPackGetRect(atlas, id);
  out->Codepoint = code;
  out->AdvanceX = glyph.advance;
  out->X0 = float(-glyph.left);
  out->Y0 = std::round(baked->Ascent) - float(glyph.up);
  out->X1 = out->X0 + float(glyph.width);
  out->Y1 = out->Y0 + float(glyph.height);
  out->Visible = true;
  out->Colored = glyph.colored;
  out->PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, out, rect, glyph.rgba.data(),
                                     ImTextureFormat_RGBA32, glyph.width * 4);
  return true;
}

}  // namespace

const ImFontLoader* fallback_letters() {
  static const ImFontLoader loader = [] {
    ImFontLoader l;
    l.Name = "the browser's fonts";
    l.FontSrcContainsGlyph = [](ImFontAtlas*, ImFontConfig*, ImWchar code) { return is_shown(code); };
    l.FontBakedLoadGlyph = load;
    return l;
  }();
  return &loader;
}

}  // namespace lab::platform
