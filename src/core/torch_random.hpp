// PyTorch's CPU random stream, draw for draw: torch.manual_seed and what follows it.
#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/matrix.hpp"

namespace lab {

// Whose dropout masks: torch draws them differently where it is built with MKL.
enum class DropoutStream { mac, mkl };  // macOS and ARM | Linux and Windows on x86

class TorchRandom {
 public:
  explicit TorchRandom(std::uint64_t seed) { manual_seed(seed); }
  void manual_seed(std::uint64_t seed);  // only the low 32 bits count, as in torch

  std::uint32_t u32();
  std::uint64_t u64();      // the first of two draws is the high half
  float uniform();          // [0, 1), 24 bits, one draw
  double uniform_double();  // [0, 1), 53 bits, two draws

  void rand(std::span<float> out);
  Matrix rand(int rows, int cols);
  void uniform_(std::span<float> out, double from, double to);
  void normal_(std::span<float> out, double mean, double std);
  std::int64_t randint(std::int64_t low, std::int64_t high);  // low ≤ x < high
  std::vector<std::int64_t> randperm(int n);
  // What nn.Dropout(p) multiplies with in training: 0 or 1 / (1 - p). Draws nothing where p = 0.
  void dropout_mask(std::span<float> out, double p, DropoutStream stream);

  std::int64_t draws() const { return draws_; }  // 32-bit draws since manual_seed
  void skip(std::int64_t draws);

 private:
  double small_normal();
  void box_muller_16(float* block, float mean, float std) const;

  std::mt19937 engine_;
  std::int64_t draws_ = 0;
  bool has_cached_normal_ = false;  // torch keeps it until the next small normal_, whatever comes between
  double cached_normal_ = 0;
};

}  // namespace lab
