#include <doctest.h>

#include "lessons/query.hpp"

using namespace lab;

namespace {

std::string canonical(std::string_view query) { return query_of(state_of(query).state); }
std::size_t problems_in(std::string_view query) { return state_of(query).problems.size(); }

}  // namespace

TEST_CASE("Percent coding carries all of Unicode and keeps what a URL may show") {
  const std::string sentence = "na\u00EFve \u65E5\u672C\u8A9E \U0001F600 50% a+b=c&d#e?";
  CHECK(percent_decoded(percent_encoded(sentence)) == sentence);
  CHECK(percent_encoded("\u00E9 a") == "%C3%A9+a");
  CHECK(percent_encoded("aZ09-_.~,:[]*!'") == "aZ09-_.~,:[]*!'");
  CHECK(percent_encoded("%&+=#?/\"<>\\") == "%25%26%2B%3D%23%3F%2F%22%3C%3E%5C");
  CHECK(percent_decoded("a%20b+c%2Bd") == "a b c+d");
  CHECK(percent_decoded("%e2%82%AC") == "\u20AC");
  CHECK(state_of("text=" + percent_encoded(sentence)).state.inputs.text == sentence);
  std::string bytes;
  for (int b = 0; b < 256; ++b) bytes += char(b);
  CHECK(percent_decoded(percent_encoded(bytes)) == bytes);
}

TEST_CASE("Torn escapes stand for themselves") {
  for (const char* torn : {"%", "%4", "%%", "%G1", "%1G", "a%", "%-1", "% 1"})
    CHECK(percent_decoded(torn) == torn);
  CHECK(percent_decoded("%%41") == "%A");
  CHECK(canonical("text=100%") == "text=100%25");
}

TEST_CASE("Moves name parameters, rectangles and an order, or are refused") {
  CHECK(move_of("W_query.weight,transpose,W_query") ==
        Move{"W_query.weight", MoveOp::transpose, "W_query", {}, {}});
  CHECK(move_of("A[0:1,2:3],copy,B")->from_cells == Rect{0, 1, 2, 3});
  CHECK(move_of(",copy,B[0:4096,4095:4096]")->to_cells == Rect{0, 4096, 4095, 4096});
  CHECK(text_of(*move_of("A[0:1,2:3],copy,B[4:5,6:7]")) == "A[0:1,2:3],copy,B[4:5,6:7]");
  for (const char* bad : {"",
                          ",",
                          ",,",
                          "A,copy",
                          "A,copy,",
                          "A,swap,B",
                          "A,Copy,B",
                          "A,copy,B,C",
                          "A[0:1],copy,B",
                          "A[0:1,0:1,copy,B",
                          "A[1:1,0:1],copy,B",
                          "A[2:1,0:1],copy,B",
                          "A[-1:1,0:1],copy,B",
                          "A[0:4097,0:1],copy,B",
                          "[0:1,0:1],copy,B",
                          "A[0:1,0:1]x,copy,B",
                          "A[[0:1,0:1]],copy,B",
                          "A[0:1,0:1][0:1,0:1],copy,B",
                          "A b,copy,B",
                          ".A,copy,B",
                          "A.,copy,B",
                          "A..b,copy,B",
                          "A,copy,[0:1,0:1]",
                          "A[0:99999999999,0:1],copy,B"}) {
    CAPTURE(bad);
    CHECK_FALSE(move_of(bad));
    if (*bad) CHECK(problems_in("move=" + percent_encoded(bad)) == 1);
  }
}

TEST_CASE("A cell is a name, a row and a column") {
  CHECK(cell_of("heads.2.attn_weights.0.4095") == CellName{"heads.2.attn_weights", 0, 4095});
  CHECK(cell_of("heads.2.0.1") == CellName{"heads.2", 0, 1});
  CHECK(cell_of(std::string(80, 'a') + ".0.0"));
  for (const std::string bad :
       {"", "a", "a.0", ".0.0", "a.0.", "a..0", "a.-1.0", "a.0.4096", "a.0.99999999999", "a.x.0", "a b.0.0",
        "a..b.0.0", "a.0.0.", "a.+1.0", "a/b.0.0", "\u00E9.0.0"}) {
    CAPTURE(bad);
    CHECK_FALSE(cell_of(bad));
  }
  CHECK_FALSE(cell_of(std::string(81, 'a') + ".0.0"));
  CHECK_FALSE(cell_of(std::string_view("a\0.0.0", 6)));
  CHECK(canonical("cell=a.007.00") == "cell=a.7.0");
  CHECK(problems_in("cell=a.0") == 1);
}
