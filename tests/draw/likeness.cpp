#include "draw/likeness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <png.h>

namespace lab::test {
namespace {

// A rectangle's mean colour; it may stick out at the right and at the bottom.
std::array<double, 3> mean_of(const Picture& p, int x0, int y0, int side) {
  std::array<double, 3> sum{};
  const int x1 = std::min(x0 + side, p.width), y1 = std::min(y0 + side, p.height);
  for (int y = y0; y < y1; ++y) {
    const unsigned char* pixel = &p.rgba[(std::size_t(y) * std::size_t(p.width) + std::size_t(x0)) * 4];
    for (int x = x0; x < x1; ++x, pixel += 4)
      for (std::size_t c = 0; c < 3; ++c) sum[c] += pixel[c];
  }
  for (double& s : sum) s /= (x1 - x0) * (y1 - y0);
  return sum;
}

unsigned char rounded(double level) { return (unsigned char)(std::min(255., std::round(level / 8) * 8)); }

}  // namespace

Picture reduced(const Picture& p) {
  Picture small{(p.width + kReduction - 1) / kReduction, (p.height + kReduction - 1) / kReduction, {}};
  small.rgba.reserve(std::size_t(small.width) * std::size_t(small.height) * 4);
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x) {
      for (const double level : mean_of(p, x * kReduction, y * kReduction, kReduction))
        small.rgba.push_back(rounded(level));
      small.rgba.push_back(255);
    }
  return small;
}

Unlikeness unlikeness(const Picture& a, const Picture& b) {
  Unlikeness u;
  const std::size_t pixels = a.rgba.size() / 4;
  std::size_t visible = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    int most = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const int d = std::abs(a.rgba[i * 4 + c] - b.rgba[i * 4 + c]);
      most = std::max(most, d);
      u.mean += d;
    }
    visible += most > kVisible;
  }
  u.mean /= double(pixels) * 3;
  u.share = double(visible) / double(pixels);
  for (int y = 0; y < a.height; y += kTile)
    for (int x = 0; x < a.width; x += kTile) {
      const auto m = mean_of(a, x, y, kTile), n = mean_of(b, x, y, kTile);
      double most = 0;
      for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(m[c] - n[c]));
      u.tiles += most > kTileLevels;
    }
  return u;
}

bool within(const Unlikeness& u, const Unlikeness& tolerance) {
  return u.mean <= tolerance.mean && u.share <= tolerance.share && u.tiles <= tolerance.tiles;
}

std::string text_of(const Unlikeness& u) {
  char text[120];
  std::snprintf(text, sizeof text,
                "by %.3f levels in the mean, visibly in %.2f%% of the pixels and in %d tiles", u.mean,
                u.share * 100, u.tiles);
  return text;
}

std::string widths_of_fonts() {
  std::string text;
  for (int face = 0; face < kFaces; ++face) {
    char line[80];
    std::snprintf(
        line, sizeof line, "%s %.2f\n", kFonts[face].name,
        double(stage()
                   .fonts.face[face]
                   ->CalcTextSizeA(100, 1e6f, 0, "Sphinx of black quartz, judge my vow: 0123456789.")
                   .x));
    text += line;
  }
  return text;
}

// Not by libpng's simple interface: its choice of filters makes pictures of text half as large again.
bool write_small_png(const std::string& path, const Picture& p) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  const bool made = setjmp(png_jmpbuf(png)) == 0;
  if (made) {
    png_init_io(png, file);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_compression_level(png, 9);
    png_set_IHDR(png, info, png_uint_32(p.width), png_uint_32(p.height), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < p.height; ++y) png_write_row(png, &p.rgba[std::size_t(y) * std::size_t(p.width) * 4]);
    png_write_end(png, info);
  }
  png_destroy_write_struct(&png, &info);
  return std::fclose(file) == 0 && made;
}

std::optional<Picture> read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str())) return std::nullopt;
  image.format = PNG_FORMAT_RGBA;
  Picture p{int(image.width), int(image.height), std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  if (!png_image_finish_read(&image, nullptr, p.rgba.data(), 0, nullptr)) return std::nullopt;
  return p;
}

}  // namespace lab::test
