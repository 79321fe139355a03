// The text half of Pen. ImGui's own RenderText either rounds every advance (loose words) or lets glyphs fall
// between pixels (smeared words); here each glyph is on a whole device pixel, at its true distance from the
// start.
#include <cmath>

#include "draw/pen.hpp"
#include "imgui_internal.h"

namespace lab {
namespace {

struct Stand {  // a small letter, raised or lowered, for one that a face lacks
  unsigned missing;
  unsigned letter;
  float raise;  // em
};
constexpr Stand kStands[] = {
    {0x1D40, 'T', .36f},  {0x1D48, 'd', .36f},  {0x207F, 'n', .36f},  {0x2096, 'k', -.16f},
    {0x1D62, 'i', -.16f}, {0x2C7C, 'j', -.16f}, {0x2099, 'n', -.16f},
};
constexpr float kSmall = .68f;  // size of a raised or lowered letter, em

struct Letter {
  ImFontBaked* font = nullptr;
  unsigned code = 0;
  float raise = 0;  // device pixels
};

Letter find(const Fonts& fonts, Face face, float em, unsigned code) {
  ImFontBaked* own = fonts.face[face]->GetFontBaked(em);
  if (own->FindGlyphNoFallback(ImWchar(code))) return {own, code, 0};
  for (const Stand& s : kStands) {
    if (s.missing != code) continue;
    ImFontBaked* small = fonts.face[face]->GetFontBaked(std::round(em * kSmall));
    return {small, s.letter, std::round(s.raise * em)};
  }
  return {own, code, 0};
}

unsigned next_code(const char*& p, const char* end) {
  unsigned code = 0;
  p += ImTextCharFromUtf8(&code, p, end);
  return code;
}

}  // namespace

// Calls place(letter, glyph, x) for every character, x in device pixels from the start. Returns the whole
// advance.
template <typename Place>
float Pen::lay_out(Face face, float size, std::string_view text, Place place) const {
  float x = 0;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const Letter letter = find(*fonts, face, em(size), next_code(p, end));
    const ImFontGlyph* glyph = letter.font->FindGlyph(ImWchar(letter.code));
    place(letter.raise, *glyph, x);
    x += glyph->AdvanceX;
  }
  return x;
}

float Pen::width(Face face, float size, std::string_view text) const {
  return lay_out(face, size, text, [](float, const ImFontGlyph&, float) {}) / scale;
}

float Pen::text(Face face, float size, float x, float y, ImU32 color, std::string_view text,
                Align align) const {
  // Measuring also bakes every glyph, before space for quads is reserved: a growing atlas changes the
  // texture.
  const float w = width(face, size, text);
  if (out_of_sight(y - 2 * size, y + size)) return w;
  if (align == Align::Center) x -= w / 2;
  if (align == Align::Right) x -= w;
  const float left = x * scale;
  const float top = snap(y) - std::round(fonts->face[face]->GetFontBaked(em(size))->Ascent);
  const ImU32 c = tint(color);
  const int most = int(text.size());
  int drawn = 0;
  list->PrimReserve(most * 6, most * 4);
  lay_out(face, size, text, [&](float raise, const ImFontGlyph& g, float advance) {
    if (!g.Visible) return;
    // A small letter hangs from its own, smaller ascent; its baseline must still be this line's.
    const float small = raise == 0 ? 0 : std::round(em(size) * (1 - kSmall) * .97f);
    const float gx = std::round(left + advance + g.X0);
    const float gy = std::round(top + g.Y0 + small - raise);
    list->PrimRectUV({gx, gy}, {gx + g.X1 - g.X0, gy + g.Y1 - g.Y0}, {g.U0, g.V0}, {g.U1, g.V1},
                     g.Colored ? c | ~IM_COL32_A_MASK : c);
    ++drawn;
  });
  list->PrimUnreserve((most - drawn) * 6, (most - drawn) * 4);
  return w;
}

float Pen::text_mid(Face face, float size, float x, float mid_y, ImU32 color, std::string_view text,
                    Align align) const {
  constexpr float kCapHeight = .727f;  // em, Inter; JetBrains Mono has .73
  return this->text(face, size, x, mid_y + size * kCapHeight / 2, color, text, align);
}

std::string Pen::fitted(Face face, float size, std::string_view text, float max_width) const {
  if (width(face, size, text) <= max_width) return std::string(text);
  const std::string_view dots = "…";
  const float room = max_width - width(face, size, dots);
  const char* end = text.data() + text.size();
  const char* cut = text.data();
  for (const char* p = text.data(); p < end;) {
    next_code(p, end);
    if (width(face, size, {text.data(), std::size_t(p - text.data())}) > room) break;
    cut = p;
  }
  std::string shortened(text.data(), std::size_t(cut - text.data()));
  while (!shortened.empty() && shortened.back() == ' ') shortened.pop_back();
  return shortened.append(dots);
}

float Pen::text_fit(Face face, float size, float x, float y, ImU32 color, std::string_view text,
                    float max_width, Align align) const {
  return this->text(face, size, x, y, color, fitted(face, size, text, max_width), align);
}

std::vector<std::string_view> Pen::lines(Face face, float size, std::string_view text,
                                         float max_width) const {
  std::vector<std::string_view> found;
  std::size_t start = 0;   // of the line
  std::size_t broken = 0;  // where the line could end: just after a word
  const auto line_to = [&](std::size_t end) { found.push_back(text.substr(start, end - start)); };
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool last = i == text.size();
    if (!last && text[i] != ' ' && text[i] != '\n') continue;
    if (broken > start && width(face, size, text.substr(start, i - start)) > max_width) {
      line_to(broken);
      start = broken + 1;
    }
    broken = i;
    if (last || text[i] == '\n') {
      line_to(i);
      start = i + 1;
      broken = start;
    }
  }
  return found;
}

float Pen::text_block(Face face, float size, Box box, ImU32 color, std::string_view text,
                      float line_height) const {
  float mid = box.y + line_height / 2;
  float height = 0;
  for (std::string_view line : lines(face, size, text, box.w)) {
    text_mid(face, size, box.x, mid, color, line);
    mid += line_height;
    height += line_height;
  }
  return height;
}

}  // namespace lab
