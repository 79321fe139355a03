#include "main.hpp"

int main() { return lab::run_window(""); }
