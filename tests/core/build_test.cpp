// What the build must guarantee: without it numbers differ between machines.
#include <doctest.h>

#include <Eigen/Core>

TEST_CASE("Eigen adds in the written order, not in the processor's vector width") {
  CHECK(std::string(Eigen::SimdInstructionSetsInUse()) == "None");
}

TEST_CASE("a product and a sum are rounded twice, not fused") {
  volatile float a = 1 + 0x1p-12f, minus = -(1 + 0x1p-11f);
  const float x = a, y = minus;
  CHECK(x * x + y == 0.0f);
}
