// The stream itself; that its numbers are torch's is what fixtures_test.cpp holds it to.
#include "core/torch_random.hpp"

#include <doctest.h>

#include <cmath>
#include <vector>

#include "core/linear.hpp"

using namespace lab;

namespace {

std::vector<float> normals(TorchRandom& random, int n) {
  std::vector<float> out(static_cast<std::size_t>(n));
  random.normal_(out, 0, 1);
  return out;
}

std::vector<float> dropout(TorchRandom& random, int n, double p, DropoutStream stream) {
  std::vector<float> out(static_cast<std::size_t>(n));
  random.dropout_mask(out, p, stream);
  return out;
}

}  // namespace

TEST_CASE("torch.manual_seed(123); torch.rand(2) begins as the book's weights do") {
  TorchRandom random(123);
  CHECK(random.uniform() == 0.296111941f);
  CHECK(random.uniform() == 0.516562283f);
}

TEST_CASE("only the low 32 bits of a seed count") {
  CHECK(TorchRandom(123).u32() == TorchRandom((std::uint64_t(7) << 32) + 123).u32());
  CHECK(TorchRandom(0).u32() != TorchRandom(1).u32());
}

TEST_CASE("a seed sets back the stream, the count of draws and the cached normal") {
  TorchRandom random(5);
  const float first = normals(random, 1)[0];
  CHECK(random.draws() == 4);
  random.manual_seed(5);
  CHECK(random.draws() == 0);
  CHECK(normals(random, 1)[0] == first);
}

TEST_CASE("the cached normal survives every other draw, and randn of sixteen and more leaves it alone") {
  TorchRandom random(5), plain(5);
  const std::vector<float> pair = normals(plain, 2);
  CHECK(normals(random, 1)[0] == pair[0]);
  random.uniform();
  normals(random, 16);
  dropout(random, 3, 0.5, DropoutStream::mac);
  dropout(random, 3, 0.5, DropoutStream::mkl);
  random.randperm(4);
  random.skip(11);
  const std::int64_t before = random.draws();
  CHECK(normals(random, 1)[0] == pair[1]);
  CHECK(random.draws() == before);
}

TEST_CASE("randn draws one number an element, and sixteen more for a ragged tail") {
  TorchRandom random(1);
  for (const auto& [n, draws] : {std::pair{0, 0}, {16, 16}, {17, 33}, {31, 47}, {32, 32}, {33, 49}}) {
    random.manual_seed(1);
    normals(random, n);
    CHECK(random.draws() == draws);
  }
}

TEST_CASE("skipping draws is the same as making them") {
  TorchRandom made(9), skipped(9);
  for (int i = 0; i < 1000; ++i) made.u32();
  skipped.skip(1000);
  CHECK(made.draws() == skipped.draws());
  CHECK(made.u32() == skipped.u32());
}

TEST_CASE("uniform_ rounds once") {
  TorchRandom random(3), same(3);
  std::vector<float> drawn(1000);
  random.uniform_(drawn, -0.3, 0.3);
  for (const float x : drawn) CHECK(x == float(double(0.3f) * (2 * double(same.uniform()) - 1)));
}

TEST_CASE("dropout draws twice an element on macOS and once in all on Linux, and nothing at p = 0") {
  TorchRandom random(123);
  dropout(random, 36, 0.5, DropoutStream::mac);
  CHECK(random.draws() == 72);
  dropout(random, 36, 0.5, DropoutStream::mkl);
  CHECK(random.draws() == 73);
  for (const DropoutStream stream : {DropoutStream::mac, DropoutStream::mkl})
    for (const float x : dropout(random, 36, 0, stream)) CHECK(x == 1);
  CHECK(random.draws() == 73);
}

TEST_CASE("what dropout keeps is scaled up by what it drops") {
  TorchRandom random(1);
  for (const DropoutStream stream : {DropoutStream::mac, DropoutStream::mkl}) {
    int kept = 0;
    for (const float x : dropout(random, 10000, 0.25, stream)) {
      CHECK((x == 0 || x == 1 / 0.75f));
      kept += x != 0;
    }
    CHECK(std::abs(kept - 7500) < 200);
  }
}

TEST_CASE("nn.Linear draws its weight, then its bias, and knows where each number came from") {
  TorchRandom random(1044), same(1044);
  const Projection p = drawn_linear("W", 16, 4, true, random, 1044);
  CHECK(p.weight.name == "W.weight");
  CHECK(p.weight.stored.rows() == 4);
  CHECK(p.weight.stored_transposed);
  CHECK(p.bias.one_dimensional);
  CHECK(p.weight.origins.front().first_draw == 1);
  CHECK(p.bias.origins.front().first_draw == 65);
  CHECK(random.draws() == 68);
  CHECK(p.weight.origins.front().bound == doctest::Approx(0.25));
  same.skip(64);
  CHECK(p.bias.stored(0, 0) == float(0.25 * (2 * double(same.uniform()) - 1)));
}

TEST_CASE("without a bias nothing is drawn for it") {
  TorchRandom random(1);
  const Projection p = drawn_linear("W", 3, 2, false, random, 1);
  CHECK(p.bias.empty());
  CHECK(random.draws() == 6);
}
