// The command line: what attention-lab does besides opening a window.
#pragma once
#include <string>

namespace lab {

// What needs a screen or a GPU; a program without one leaves them out. Each returns the exit status.
struct Screens {
  int (*window)(const char* query) = nullptr;
  int (*screenshot)(const char* query, const char* png,
                    const char* size) = nullptr;  // size: null, or WxH[@RATIO]
};

// Returns the exit status: 0, 1 for a failure, 2 for a wrong call. Errors go to stderr.
int run_command_line(int argc, char** argv, const Screens& screens = {});

}  // namespace lab
