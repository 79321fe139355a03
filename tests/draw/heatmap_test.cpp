#include <doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "draw/matrix_view.hpp"
#include "draw/stage.hpp"

using namespace lab;
using namespace lab::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");
const float kRatios[] = {1, 1.25f, 2, 3};
constexpr int kX = 7;  // device pixels, where the tests put their matrices
constexpr int kY = 5;
constexpr int kCell = 16;

struct Shown {
  Picture picture;
  int cell = kCell;
  // The pixel (dx, dy) of a cell.
  std::uint32_t at(int row, int col, int dx, int dy) const {
    return picture.at(kX + col * cell + dx, kY + row * cell + dy);
  }
  std::uint32_t middle(int row, int col) const { return at(row, col, cell / 2, cell / 2); }
  std::vector<std::uint32_t> all(int row, int col) const {
    std::vector<std::uint32_t> pixels;
    for (int y = 0; y < cell; ++y) {
      for (int x = 0; x < cell; ++x) pixels.push_back(at(row, col, x, y));
    }
    return pixels;
  }
  int colors(int row, int col) const {
    const std::vector<std::uint32_t> pixels = all(row, col);
    return int(std::set<std::uint32_t>(pixels.begin(), pixels.end()).size());
  }
};

Shown show(const std::vector<float>& values, int rows, int cols, HeatLook look, float ratio = 1,
           const std::vector<unsigned char>& mask = {}, int cell = kCell) {
  const Picture picture = stage().draw(200, 120, ratio, look.dark, [&](Ui& ui) {
    const MaskView masked{mask.empty() ? nullptr : mask.data(), cols, 1};
    ui.heatmaps->draw(ui.pen.list, "test", dense(values.data(), rows, cols), masked, {kX, kY, cell, cell},
                      look);
  });
  return {picture, cell};
}

}  // namespace

TEST_CASE("signed cells have exactly the colours of the diverging map at both ends and at zero") {
  for (float ratio : kRatios) {
    CAPTURE(ratio);
    const Shown light = show({-2, 0, 2}, 1, 3, {.max = 2, .is_signed = true}, ratio);
    CHECK(hex(light.middle(0, 0)) == "2166ac");
    CHECK(hex(light.middle(0, 1)) == "fcfcfc");
    CHECK(hex(light.middle(0, 2)) == "b2182b");
    const Shown dark = show({-2, 0, 2}, 1, 3, {.max = 2, .is_signed = true, .dark = true}, ratio);
    CHECK(hex(dark.middle(0, 0)) == "4d96dc");
    CHECK(hex(dark.middle(0, 1)) == "24252c");
    CHECK(hex(dark.middle(0, 2)) == "e25454");
  }
}

TEST_CASE("weights have exactly the colours of the sequential map at 0, half and 1") {
  for (float ratio : kRatios) {
    CAPTURE(ratio);
    const Shown light = show({0, .5f, 1}, 1, 3, {.max = 1}, ratio);
    CHECK(hex(light.middle(0, 0)) == "faf9fc");
    CHECK(hex(light.middle(0, 1)) == "a78bfa");
    CHECK(hex(light.middle(0, 2)) == "3b0764");
    const Shown dark = show({0, .5f, 1}, 1, 3, {.max = 1, .dark = true}, ratio);
    CHECK(hex(dark.middle(0, 0)) == "201f28");
    CHECK(hex(dark.middle(0, 1)) == "7c5cd6");
    CHECK(hex(dark.middle(0, 2)) == "ede6ff");
  }
}

TEST_CASE("values beyond the range have the colour of its end") {
  const Shown s = show({-9, 9}, 1, 2, {.max = 1, .is_signed = true});
  CHECK(hex(s.middle(0, 0)) == "2166ac");
  CHECK(hex(s.middle(0, 1)) == "b2182b");
}

TEST_CASE("the ink's idea of a cell's colour is the shader's") {
  for (bool dark : {false, true}) {
    for (bool is_signed : {false, true}) {
      for (float value : {-1.f, -.7f, -.2f, 0.f, .1f, .45f, .5f, .8f, 1.f}) {
        const HeatLook look{.max = 1, .is_signed = is_signed, .dark = dark};
        const std::uint32_t seen = show({value}, 1, 1, look).middle(0, 0);
        const ImU32 thought = heat_color(value, look);
        for (int channel = 0; channel < 3; ++channel) {
          const int a = int(seen >> (16 - 8 * channel) & 0xFF);
          const int b = int(thought >> (8 * channel) & 0xFF);
          CHECK(std::abs(a - b) <= 1);
        }
      }
    }
  }
}

TEST_CASE("what is right of the diagonal is red where it should be nothing, and seen however small") {
  for (bool dark : {false, true}) {
    const HeatLook look{.max = 1, .dark = dark, .later_is_red = true, .least = 1e-6f};
    const Shown s = show({.5f, 1, 5e-4f, 1e-7f, .5f, 0}, 2, 3, look);
    const HeatLook red{.max = 1, .is_signed = true, .dark = dark};
    CHECK(s.middle(0, 0) == show({.5f}, 1, 1, {.max = 1, .dark = dark}).middle(0, 0));
    CHECK(s.middle(0, 1) == show({1}, 1, 1, red).middle(0, 0));
    CHECK(s.middle(0, 2) != show({0}, 1, 1, red).middle(0, 0));
    CHECK(s.middle(1, 2) == show({0}, 1, 1, red).middle(0, 0));
    const ImU32 thought = heat_color(5e-4f, look, true);
    for (int channel = 0; channel < 3; ++channel)
      CHECK(std::abs(int(s.middle(0, 2) >> (16 - 8 * channel) & 0xFF) -
                     int(thought >> (8 * channel) & 0xFF)) <= 1);
  }
}

TEST_CASE("cells meet without a blended pixel between them") {
  for (float ratio : kRatios) {
    for (int cell : {1, 3, 13, 16}) {
      CAPTURE(ratio);
      CAPTURE(cell);
      const Shown s = show({1, -1, -1, 1}, 2, 2, {.max = 1, .is_signed = true}, ratio, {}, cell);
      for (int row = 0; row < 2; ++row) {
        for (int col = 0; col < 2; ++col) {
          CHECK(s.colors(row, col) == 1);
          CHECK(hex(s.at(row, col, 0, 0)) == (row == col ? "b2182b" : "2166ac"));
        }
      }
      CHECK(s.picture.at(kX - 1, kY) == s.picture.at(0, 0));
      CHECK(s.picture.at(kX + 2 * cell, kY) == s.picture.at(0, 0));
    }
  }
}

TEST_CASE("masked cells are hatched and no others, whichever they are") {
  const std::vector<unsigned char> mask = {0, 1, 0,  //
                                           1, 0, 0,  //
                                           0, 0, 1};
  for (bool dark : {false, true}) {
    for (float ratio : kRatios) {
      const Shown s = show(std::vector<float>(9, .5f), 3, 3, {.max = 1, .dark = dark}, ratio, mask);
      for (int row = 0; row < 3; ++row) {
        for (int col = 0; col < 3; ++col) {
          CAPTURE(row);
          CAPTURE(col);
          const bool masked = mask[std::size_t(row * 3 + col)];
          CHECK((s.colors(row, col) > 1) == masked);
          const std::vector<std::uint32_t> pixels = s.all(row, col);
          const std::uint32_t ground = dark ? 0x1A1B20 : 0xEFEDE7;
          const auto on_ground = std::count(pixels.begin(), pixels.end(), ground);
          CHECK((on_ground > long(pixels.size()) / 2) == masked);
        }
      }
    }
  }
}

TEST_CASE("a mask that is not there yet does not show, and half of it shows half") {
  const Shown none = show({1}, 1, 1, {.max = 1, .fade = 0}, 1, {1});
  CHECK(none.colors(0, 0) == 1);
  CHECK(hex(none.middle(0, 0)) == "3b0764");
  const Shown half = show({1}, 1, 1, {.max = 1, .fade = .5f}, 1, {1});
  CHECK(half.colors(0, 0) > 1);
  CHECK(half.at(0, 0, 1, 1) != none.at(0, 0, 1, 1));
}

TEST_CASE("infinities and NaN differ in shape from every number and from each other") {
  for (bool dark : {false, true}) {
    for (bool is_signed : {false, true}) {
      for (int cell : {10, 16, 40}) {
        CAPTURE(dark);
        CAPTURE(cell);
        const HeatLook look{.max = 1, .is_signed = is_signed, .dark = dark};
        const Shown s = show({kNan, kInfinity, -kInfinity, 1}, 1, 4, look, 1, {}, cell);
        // Where a cell has another colour than in its top left corner: its shape, whatever the colours are.
        std::vector<std::vector<bool>> shape(4);
        for (int col = 0; col < 4; ++col) {
          for (std::uint32_t pixel : s.all(0, col))
            shape[std::size_t(col)].push_back(pixel != s.at(0, col, 1, 0));
        }
        CHECK(s.colors(0, 3) == 1);
        for (std::size_t a = 0; a < 3; ++a) {
          CHECK(s.colors(0, int(a)) > 1);
          for (std::size_t b = a + 1; b < 3; ++b) {
            int unlike = 0;
            for (std::size_t i = 0; i < shape[a].size(); ++i) unlike += shape[a][i] != shape[b][i];
            CHECK(unlike > cell * cell / 8);
          }
        }
      }
    }
  }
}

TEST_CASE("a triangle points up for plus and down for minus infinity") {
  const Shown s = show({kInfinity, -kInfinity}, 1, 2, {.max = 1, .is_signed = true}, 1, {}, 40);
  const auto width_at = [&](int col, int y) {
    int n = 0;
    for (int x = 0; x < 40; ++x) n += s.at(0, col, x, y) != s.at(0, col, 0, 0);
    return n;
  };
  CHECK(width_at(0, 30) > width_at(0, 12));
  CHECK(width_at(1, 30) < width_at(1, 12));
}

TEST_CASE("a matrix is uploaded again only when its numbers or its mask have changed") {
  std::vector<float> values = {1, kNan, 3, 4};
  show(values, 2, 2, {.max = 4});
  const int before = stage().heatmaps.uploads();
  show(values, 2, 2, {.max = 9, .is_signed = true});
  CHECK(stage().heatmaps.uploads() == before);
  values[3] = 5;
  show(values, 2, 2, {.max = 4});
  CHECK(stage().heatmaps.uploads() == before + 1);
  show(values, 2, 2, {.max = 4}, 1, {0, 1, 0, 0});
  CHECK(stage().heatmaps.uploads() == before + 2);
}

TEST_CASE("there may be any number of matrices, and those no longer drawn are let go") {
  const float value = 1;
  stage().draw(64, 64, 1, false, [&](Ui& ui) {
    for (int i = 0; i < 200; ++i) {
      ui.heatmaps->draw(ui.pen.list, "m" + std::to_string(i), dense(&value, 1, 1), {}, {i % 60, 0, 1, 1}, {});
    }
  });
  CHECK(stage().heatmaps.textures() >= 200);
  for (int i = 0; i < 250; ++i) stage().draw(8, 8, 1, false, [](Ui&) {});
  CHECK(stage().heatmaps.textures() == 0);
}

TEST_CASE("after a lost context the same picture is drawn again") {
  const Shown before = show({-1, 0, .5f, 1}, 2, 2, {.max = 1, .is_signed = true});
  stage().heatmaps.forget();
  REQUIRE(stage().heatmaps.create());
  const Shown after = show({-1, 0, .5f, 1}, 2, 2, {.max = 1, .is_signed = true});
  CHECK(before.picture.rgba == after.picture.rgba);
}

TEST_CASE("a transposed view shows the transposed matrix") {
  const std::vector<float> values = {0, .5f, 1, 0, 0, 1};
  const Picture picture = stage().draw(160, 120, 1, false, [&](Ui& ui) {
    ui.heatmaps->draw(ui.pen.list, "t", dense(values.data(), 2, 3).transposed(), {}, {kX, kY, kCell, kCell},
                      {.max = 1});
  });
  const Shown s{picture};
  CHECK(hex(s.middle(0, 0)) == "faf9fc");
  CHECK(hex(s.middle(1, 0)) == "a78bfa");
  CHECK(hex(s.middle(2, 0)) == "3b0764");
  CHECK(hex(s.middle(2, 1)) == "3b0764");
}
