#include "draw/assets.hpp"

#include <doctest.h>

TEST_CASE("every face is in the program and is a font") {
  for (const lab::Asset& face : lab::kFonts) {
    CAPTURE(face.name);
    CHECK(face.size > 10000);
    CHECK((face.data[0] == 'O' || face.data[1] == 1));
  }
  CHECK(lab::kSansSigns.size > 500);
  CHECK(lab::kMonoSigns.size > 500);
}
