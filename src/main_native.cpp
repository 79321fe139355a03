#include "cli/main_cli.hpp"
#include "main.hpp"

int main(int argc, char** argv) {
  return lab::run_command_line(argc, argv, {.window = lab::run_window, .screenshot = lab::run_screenshot});
}
