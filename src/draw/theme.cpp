#include "draw/theme.hpp"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

constexpr Palette kLight{
    .bg = rgb(0xF7F6F2),
    .panel = rgb(0xFFFFFF),
    .sunken = rgb(0xF7F6F2),
    .raised = rgb(0xFFFFFF),
    .line = rgb(0xE3E0D8),
    .edge = rgb(0xCFCAC0),
    .rail = rgb(0xD6D2C8),
    .chip = rgb(0xF3F1EB),
    .chip_hover = rgb(0xEBE8E0),
    .ink = rgb(0x1F2328),
    .mute = rgb(0x5F6672),
    .faint = rgb(0x706B65),
    .deco = rgb(0x8E8983),
    .query = {rgb(0x2563EB), rgb(0x1D55D3), rgb(0xEAF0FE)},
    .key = {rgb(0xC2620A), rgb(0xA24E08), rgb(0xFDF1E3)},
    .value = {rgb(0x0F8A5F), rgb(0x0A7450), rgb(0xE6F5EE)},
    .weights = {rgb(0x6D28D9), rgb(0x6D28D9), rgb(0xEEEAFD)},
    .context = {rgb(0xBE185D), rgb(0xBE185D), rgb(0xFCEAF2)},
    .ok = {rgb(0x15803D), rgb(0x137537), rgb(0xF0FAF3)},
    .bad = {rgb(0xB91C1C), rgb(0xB91C1C), rgb(0xFEF2F2)},
    .warn = {rgb(0xD97706), rgb(0xA24E08), rgb(0xFEF6E7)},
    .neutral = {rgb(0x6B7280), rgb(0x1F2328), rgb(0xF3F1EB)},
    .selection = rgb(0x111827),
    .on_selection = rgb(0xFFFFFF),
    .cell = rgb(0xF59E0B),
    .token = rgb(0xFEF3C7),
    .token_edge = rgb(0xF59E0B),
    .on_mark = rgb(0xFFFFFF),
    .focus = rgb(0x6D28D9),
    .shadow = rgb(0x1A1712, 34),
    .cell_ink_dark = rgb(0x25272B),
    .cell_ink_light = rgb(0xFFFFFF),
    .masked = rgb(0xEFEDE7),
    .masked_ink = rgb(0x6B665F),
};

constexpr Palette kDark{
    .bg = rgb(0x15161A),
    .panel = rgb(0x1D1E24),
    .sunken = rgb(0x15161A),
    .raised = rgb(0x272932),
    .line = rgb(0x30323A),
    .edge = rgb(0x3A3C45),
    .rail = rgb(0x4A4D57),
    .chip = rgb(0x2A2B32),
    .chip_hover = rgb(0x35373F),
    .ink = rgb(0xECEAE4),
    .mute = rgb(0x9BA1AC),
    .faint = rgb(0x8F949F),
    .deco = rgb(0x71757F),
    .query = {rgb(0x6FA3FF), rgb(0x7DACFF), rgb(0x1C2740)},
    .key = {rgb(0xF0A04B), rgb(0xF0A04B), rgb(0x35260F)},
    .value = {rgb(0x3CCB91), rgb(0x3CCB91), rgb(0x12301F)},
    .weights = {rgb(0xB08CFF), rgb(0xB898FF), rgb(0x2A2540)},
    .context = {rgb(0xF472B6), rgb(0xF472B6), rgb(0x3A1B2C)},
    .ok = {rgb(0x4ADE80), rgb(0x4ADE80), rgb(0x14261B)},
    .bad = {rgb(0xF87171), rgb(0xF87171), rgb(0x2E1A1D)},
    .warn = {rgb(0xD97706), rgb(0xE8994A), rgb(0x33240F)},
    .neutral = {rgb(0x9BA1AC), rgb(0xECEAE4), rgb(0x2A2B32)},
    .selection = rgb(0xFFFFFF),
    .on_selection = rgb(0x15161A),
    .cell = rgb(0xF59E0B),
    .token = rgb(0x4A3A12),
    .token_edge = rgb(0xF59E0B),
    .on_mark = rgb(0x15161A),
    .focus = rgb(0xB08CFF),
    .shadow = rgb(0x000000, 110),
    .cell_ink_dark = rgb(0x17141F),
    .cell_ink_light = rgb(0xF6F4F0),
    .masked = rgb(0x1A1B20),
    .masked_ink = rgb(0x8F949F),
};

// For who asks the system for more contrast: words nearly in full ink, borders and marks that are seen.
Palette strong(Palette c) {
  for (ImU32 Palette::*words : {&Palette::mute, &Palette::faint, &Palette::masked_ink})
    c.*words = mix(c.*words, c.ink, .75f);
  for (ImU32 Palette::*marks : {&Palette::line, &Palette::edge, &Palette::rail, &Palette::deco})
    c.*marks = mix(c.*marks, c.ink, .6f);
  for (Hue Palette::*hue :
       {&Palette::query, &Palette::key, &Palette::value, &Palette::weights, &Palette::context, &Palette::ok,
        &Palette::bad, &Palette::warn, &Palette::neutral}) {
    Hue& h = c.*hue;
    h.text = mix(h.text, c.ink, .5f);
    h.mark = mix(h.mark, c.ink, .25f);
    h.soft = mix(h.soft, c.panel, .5f);
  }
  return c;
}

unsigned channel(ImU32 color, int shift) { return color >> shift & 0xFF; }

float linear(unsigned channel) {
  const float c = float(channel) / 255;
  return c <= .03928f ? c / 12.92f : std::pow((c + .055f) / 1.055f, 2.4f);
}

}  // namespace

const Palette& palette(bool dark, bool more_contrast) {
  static const Palette kStrongLight = strong(kLight), kStrongDark = strong(kDark);
  if (more_contrast) return dark ? kStrongDark : kStrongLight;
  return dark ? kDark : kLight;
}

ImU32 mix(ImU32 from, ImU32 to, float t) {
  ImU32 mixed = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const float a = float(channel(from, shift));
    const float b = float(channel(to, shift));
    mixed |= ImU32(a + (b - a) * std::clamp(t, 0.f, 1.f) + .5f) << shift;
  }
  return mixed;
}

ImU32 faded(ImU32 color, float opacity) {
  const float a = float(color >> IM_COL32_A_SHIFT) * std::clamp(opacity, 0.f, 1.f);
  return (color & ~IM_COL32_A_MASK) | ImU32(a + .5f) << IM_COL32_A_SHIFT;
}

float luminance(ImU32 color) {
  return .2126f * linear(channel(color, IM_COL32_R_SHIFT)) +
         .7152f * linear(channel(color, IM_COL32_G_SHIFT)) +
         .0722f * linear(channel(color, IM_COL32_B_SHIFT));
}

float contrast(ImU32 a, ImU32 b) {
  const float bright = std::max(luminance(a), luminance(b));
  const float dim = std::min(luminance(a), luminance(b));
  return (bright + .05f) / (dim + .05f);
}

}  // namespace lab
