#include "core/number_text.hpp"

#include <doctest.h>
#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace lab;

TEST_CASE("Numbers are written as short as they read back") {
  CHECK(number_text(0.1f) == "0.1");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(100.f) == "100");
  CHECK(number_text(1000.f) == "1000");
  CHECK(number_text(1e20f) == "1e20");
  CHECK(number_text(1e-5) == "1e-5");
  CHECK(number_text(0.001) == "0.001");
  CHECK(number_text(-12.5f) == "-12.5");
  CHECK(number_text(0.f) == "0");
  CHECK(number_text(-0.f) == "-0");
  CHECK(number_text(1.f / 3) == "0.33333334");
  CHECK(number_text(134217728.f) == "134217728");
  CHECK(number_text(std::numeric_limits<float>::max()) == "3.4028235e38");
  CHECK(number_text(std::numeric_limits<float>::denorm_min()) == "1e-45");
  CHECK(number_text(std::numeric_limits<double>::denorm_min()) == "5e-324");
  CHECK(number_text(std::numeric_limits<float>::infinity()) == "inf");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number_text(std::nanf("")) == "nan");
}

TEST_CASE("Every number reads back as the same bits") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto f = std::bit_cast<float>(std::uint32_t(random()));
    const auto d = std::bit_cast<double>(std::uint64_t(random()));
    if (std::isfinite(f)) {
      const auto back = float_of(number_text(f));
      CHECK((back && std::bit_cast<std::uint32_t>(*back) == std::bit_cast<std::uint32_t>(f)));
    }
    if (std::isfinite(d)) {
      const auto back = double_of(number_text(d));
      CHECK((back && std::bit_cast<std::uint64_t>(*back) == std::bit_cast<std::uint64_t>(d)));
    }
  }
  for (std::uint32_t power = 0; power < 255; ++power) {
    for (std::uint32_t bits : {power << 23, (power << 23) + 1, (power << 23 | 0x7FFFFF)}) {
      CAPTURE(bits);
      const auto back = float_of(number_text(std::bit_cast<float>(bits)));
      CHECK((back && std::bit_cast<std::uint32_t>(*back) == bits));
    }
  }
}

TEST_CASE("A decimal is taken whole or not at all") {
  for (const char* bad :
       {"",  " ", "+1",  " 1",  "1 ",       "1,5",    "0x10",  "1e", "e5",    "--1",   "1e5.5",
        ".", "-", "inf", "nan", "infinity", "nan(1)", "1.2.3", "1f", "1'000", "\u0661"}) {
    CAPTURE(bad);
    CHECK_FALSE(float_of(bad));
    CHECK_FALSE(double_of(bad));
  }
  CHECK_FALSE(double_of(std::string(65, '1')));
  CHECK_FALSE(double_of(std::string_view("1\0", 2)));
  CHECK(double_of("-12.5e3") == -12500);
  CHECK(double_of("1E+3") == 1000);
  CHECK(double_of("007") == 7);
}

TEST_CASE("Beyond the range is infinity or zero, with its sign") {
  const double inf = std::numeric_limits<double>::infinity();
  for (const char* huge :
       {"1e400", "1e39", "9999999999999999999999999999999999999999999", "1e99999999999999999999"}) {
    CAPTURE(huge);
    CHECK(float_of(huge) == float(inf));
    CHECK(float_of(std::string("-") + huge) == -float(inf));
  }
  CHECK(double_of("1e400") == inf);
  CHECK(double_of("-1e99999999999999999999") == -inf);
  for (const char* tiny : {"1e-400", "1e-60", "1e-99999999999999999999",
                           "0.00000000000000000000000000000000000000000000000001"}) {
    CAPTURE(tiny);
    CHECK(float_of(tiny) == 0.f);
    CHECK(std::signbit(*float_of(std::string("-") + tiny)));
  }
  CHECK(double_of("1e-400") == 0);
  CHECK(float_of("1e-45") == std::numeric_limits<float>::denorm_min());
  CHECK(float_of("0e999") == 0.f);
}

TEST_CASE("A locale that writes commas changes nothing") {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "ps_AF.UTF-8"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    CHECK(number_text(1.5f) == "1.5");
    CHECK(number_text(1234567.25) == "1234567.25");
    CHECK(double_of("1.5") == 1.5);
    CHECK_FALSE(double_of("1,5"));
  }
  std::setlocale(LC_ALL, "C");
}
