// Screenshots, by libpng.
#include <png.h>

#include "platform/platform.hpp"

namespace lab::platform {

bool write_png(const char* path, int width, int height, const std::vector<unsigned char>& rgba) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_RGBA;
  return png_image_write_to_file(&image, path, 0, rgba.data(), 0, nullptr) != 0;
}

}  // namespace lab::platform
