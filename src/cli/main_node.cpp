// The command line as wasm, for Node: build/wasm/attention-lab.js.
#include "cli/main_cli.hpp"

int main(int argc, char** argv) { return lab::run_command_line(argc, argv); }
