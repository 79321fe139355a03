// Screenshots, by libpng.
#include <png.h>

#include <cstdio>

#include "platform/platform.hpp"
#include "platform/renderer.hpp"

namespace lab::platform {

bool write_png(const char* path, int width, int height, const std::vector<unsigned char>& rgba) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_RGBA;
  // Made in memory and written by hand: libpng would delete what it fails to write to.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<unsigned char> bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rgba.data(), 0, nullptr)) return false;
  std::FILE* file = std::fopen(path, "wb");
  if (!file) return false;
  const bool written = std::fwrite(bytes.data(), 1, size, file) == size;
  return std::fclose(file) == 0 && written;
}

const ImFontLoader* fallback_letters() { return nullptr; }

void download_picture(const std::string& name) {
  const Surface s = surface();
  if (!write_png(name.c_str(), s.width, s.height, read_pixels(s.width, s.height)))
    report_error("cannot write " + name);
}

}  // namespace lab::platform
