// The whole program on a surface that nobody sees, with a clock of its own. The contexts of ImGui and GL are
// there.
#pragma once
#include <string>

#include "app/app.hpp"
#include "platform/platform.hpp"
#include "platform/renderer.hpp"
#include "vocabulary.hpp"

namespace lab::test {

struct Desk {
  App app;
  double now = 0;      // ms
  double step = 16;    // ms from frame to frame
  float scale = 1;     // device pixels per CSS pixel
  bool moves = false;  // motion as for who does not mind it
  bool draws = false;  // GL too
  std::uint32_t random = 7;

  bool open(int width, int height, const std::string& query) {
    if (!resize(width, height, 1) || !app.start_drawing(nullptr)) return false;
    app.open(query);
    settle();
    return true;
  }
  bool resize(int width, int height, float device_pixels) {
    scale = device_pixels;
    return platform::open_offscreen(width, height, scale);
  }
  Effects frame() {
    const platform::Surface s = platform::surface();
    platform::new_frame();
    const Effects effects = app.frame({.width = s.width,
                                       .height = s.height,
                                       .scale = s.scale,
                                       .now = now += step,
                                       .random = random,
                                       .reduced_motion = !moves});
    if (draws)
      platform::render(s, app.background());
    else
      ImGui::Render();
    app.end_frame();
    if (effects.wants_vocabulary) app.take_vocabulary(kVocabulary);
    return effects;
  }
  void settle() {
    for (int i = 0; i < 4; ++i) frame();
  }
  void point(float x, float y, bool down) {  // CSS pixels
    ImGui::GetIO().AddMousePosEvent(x * scale, y * scale);
    ImGui::GetIO().AddMouseButtonEvent(0, down);
  }
};

}  // namespace lab::test
