// Placeholder: the command line under Node.
#include <cstdio>

int main() { std::puts("attention-lab " LAB_VERSION); }
