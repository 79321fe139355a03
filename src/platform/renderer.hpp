// ImGui's GL backend and the few GL calls of a whole frame; with draw/heatmap the only code that calls GL.
#pragma once

#include <vector>

#include "imgui.h"
#include "platform/platform.hpp"

namespace lab::platform {

bool start_renderer();  // after open(), once
void stop_renderer();
void lose_renderer();  // at once when the context is lost; all comes back with the next new_frame()
void new_frame();      // after surface(): then draw
// Renders what was drawn onto this colour. After it read_pixels() is valid until present().
void render(const Surface& surface, ImU32 background);
// RGBA, rows from the top.
std::vector<unsigned char> read_pixels(int width, int height);

}  // namespace lab::platform
