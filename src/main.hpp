// The program on its platform. main_native.cpp and main_web.cpp say how it is started.
#pragma once

namespace lab {

int run_window(const char* query);  // until the window is closed; in a page it returns at once and lives on
int run_screenshot(const char* query, const char* png, const char* size);  // size: null, or WxH[@RATIO]

}  // namespace lab
