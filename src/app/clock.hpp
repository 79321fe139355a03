// Time as the program measures itself.
#pragma once
#include <chrono>

namespace lab {

inline double clock_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace lab
