#include "platform/renderer.hpp"

#include <GLES3/gl3.h>

#include <cstring>

#include "imgui_impl_opengl3.h"

namespace lab::platform {

bool start_renderer() { return ImGui_ImplOpenGL3_Init("#version 300 es"); }
void stop_renderer() { ImGui_ImplOpenGL3_Shutdown(); }

// While the context is lost these calls do nothing, and the names are forgotten. After it is restored,
// deleting the old names would be an error.
void lose_renderer() { ImGui_ImplOpenGL3_DestroyDeviceObjects(); }

void new_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void render(const Surface& surface, ImU32 background) {
  ImGui::Render();
  const auto part = [&](int shift) { return float(background >> shift & 0xFF) / 255; };
  glViewport(0, 0, surface.width, surface.height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

std::vector<unsigned char> read_pixels(int width, int height) {
  const std::size_t row = std::size_t(width) * 4;
  std::vector<unsigned char> pixels(row * std::size_t(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  std::vector<unsigned char> swap(row);
  for (int y = 0; y < height / 2; ++y) {  // GL counts rows from the bottom
    unsigned char* top = pixels.data() + row * std::size_t(y);
    unsigned char* bottom = pixels.data() + row * std::size_t(height - 1 - y);
    std::memcpy(swap.data(), top, row);
    std::memcpy(top, bottom, row);
    std::memcpy(bottom, swap.data(), row);
  }
  return pixels;
}

}  // namespace lab::platform
