#include "core/torch_random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace lab {

void TorchRandom::manual_seed(std::uint64_t seed) {
  engine_.seed(std::uint32_t(seed));
  draws_ = 0;
  has_cached_normal_ = false;
}

std::uint32_t TorchRandom::u32() {
  ++draws_;
  return std::uint32_t(engine_());
}

std::uint64_t TorchRandom::u64() {
  const std::uint64_t high = u32();
  return high << 32 | u32();
}

void TorchRandom::skip(std::int64_t draws) {
  engine_.discard(static_cast<unsigned long long>(draws));
  draws_ += draws;
}

float TorchRandom::uniform() { return float(u32() & 0xFFFFFFu) * 0x1p-24f; }

double TorchRandom::uniform_double() { return double(u64() & ((1ull << 53) - 1)) * 0x1p-53; }

void TorchRandom::rand(std::span<float> out) {
  for (float& x : out) x = uniform();
}

Matrix TorchRandom::rand(int rows, int cols) {
  Matrix m(rows, cols);
  rand({m.data(), std::size_t(m.size())});
  return m;
}

// One rounding, as torch's AVX2 build (and so the book) has it; std::fma is exact with and without hardware.
void TorchRandom::uniform_(std::span<float> out, double from, double to) {
  const float low = float(from), range = float(to) - low;
  for (float& x : out) x = std::fma(uniform(), range, low);
}

double TorchRandom::small_normal() {
  if (has_cached_normal_) {
    has_cached_normal_ = false;
    return cached_normal_;
  }
  const double u1 = uniform_double(), u2 = uniform_double();
  const double radius = std::sqrt(-2 * std::log1p(-u2)), angle = 2 * std::numbers::pi * u1;
  cached_normal_ = radius * std::sin(angle);
  has_cached_normal_ = true;
  return radius * std::cos(angle);
}

// Sixteen uniforms become sixteen normals; partners lie eight apart.
void TorchRandom::box_muller_16(float* block, float mean, float std) const {
  for (int j = 0; j < 8; ++j) {
    const float u1 = 1 - block[j], u2 = block[j + 8];
    const float radius = std::sqrt(-2 * std::log(u1));
    const float angle = float(2 * std::numbers::pi * double(u2));
    block[j] = radius * std::cos(angle) * std + mean;
    block[j + 8] = radius * std::sin(angle) * std + mean;
  }
}

void TorchRandom::normal_(std::span<float> out, double mean, double std) {
  if (out.size() < 16) {
    for (float& x : out) x = float(small_normal() * std + mean);
    return;
  }
  rand(out);
  for (std::size_t i = 0; i + 16 <= out.size(); i += 16) box_muller_16(&out[i], float(mean), float(std));
  if (out.size() % 16 != 0) {  // torch draws the last sixteen anew, over finished ones
    const auto tail = out.last(16);
    rand(tail);
    box_muller_16(tail.data(), float(mean), float(std));
  }
}

std::int64_t TorchRandom::randint(std::int64_t low, std::int64_t high) {
  return low + std::int64_t(u32() % std::uint64_t(high - low));
}

std::vector<std::int64_t> TorchRandom::randperm(int n) {
  std::vector<std::int64_t> order(std::size_t(std::max(n, 0)));
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i + 1 < n; ++i) {
    const auto z = std::size_t(u32() % std::uint32_t(n - i));
    std::swap(order[std::size_t(i)], order[std::size_t(i) + z]);
  }
  return order;
}

void TorchRandom::dropout_mask(std::span<float> out, double p, DropoutStream stream) {
  if (p == 0) {
    for (float& x : out) x = 1;
    return;
  }
  const float kept = 1 / float(1 - p);
  if (stream == DropoutStream::mac) {
    for (float& x : out) x = uniform_double() < 1 - p ? kept : 0;
    return;
  }
  // MKL: one draw seeds the multiplicative generator MCG31m1.
  constexpr std::uint64_t multiplier = 1132489760, modulus = (1ull << 31) - 1;
  std::uint64_t state = u32() % modulus;
  if (state == 0) state = 1;
  for (float& x : out) {
    x = double(state) / double(modulus) < 1 - p ? kept : 0;
    state = state * multiplier % modulus;
  }
}

}  // namespace lab
