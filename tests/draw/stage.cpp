#include "draw/stage.hpp"

#include <doctest.h>

#include <cstdio>

#include "platform/renderer.hpp"

namespace lab::test {

std::uint32_t Picture::at(int x, int y) const {
  const unsigned char* p = &rgba[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 4];
  return std::uint32_t(p[0]) << 16 | std::uint32_t(p[1]) << 8 | p[2];
}

Stage& stage() {
  static Stage* made = [] {
    auto* s = new Stage;
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    REQUIRE_MESSAGE(platform::open_offscreen(64, 64, 1), platform::failure());
    REQUIRE(platform::start_renderer());
    s->fonts.load();
    REQUIRE_MESSAGE(s->heatmaps.create(), s->heatmaps.log());
    s->ui.pen.fonts = &s->fonts;
    s->ui.heatmaps = &s->heatmaps;
    s->ui.reduced_motion = true;
    return s;
  }();
  return *made;
}

Picture Stage::draw(int width, int height, float scale, bool dark, const std::function<void(Ui&)>& paint) {
  scale_ = scale;
  REQUIRE(platform::open_offscreen(width, height, scale));
  const platform::Surface surface = platform::surface();
  platform::new_frame();
  ui.theme = theme_of(dark);
  ui.begin(surface.width, surface.height, surface.scale, platform::now_ms());
  paint(ui);
  ui.finish();
  platform::render(surface, ui.theme->bg);
  heatmaps.end_frame();
  return {surface.width, surface.height, platform::read_pixels(surface.width, surface.height)};
}

void Stage::point(float x, float y, bool down) {
  ImGui::GetIO().AddMousePosEvent(x * scale_, y * scale_);
  ImGui::GetIO().AddMouseButtonEvent(0, down);
}

std::string hex(std::uint32_t color) {
  char text[8];
  std::snprintf(text, sizeof text, "%06x", color);
  return text;
}

}  // namespace lab::test
