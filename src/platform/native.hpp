// What the two native halves of the platform share.
#pragma once

#include "platform/platform.hpp"

namespace lab::platform {

bool fail(const std::string& why);  // keeps it for failure(); false
bool is_offscreen();
Surface offscreen_surface();

}  // namespace lab::platform
