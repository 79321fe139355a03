// The pictures of several heads: one opened, numbers on their way from all heads to each, maps beside even
// ones.
#include <doctest.h>

#include <set>
#include <string>

#include "core/number_text.hpp"
#include "draw/drawn.hpp"
#include "draw/theme.hpp"
#include "lessons/query.hpp"

using namespace lab;
using lab::test::Drawn;
using lab::test::drawn;
using lab::test::drawn_in_motion;

namespace {

const Target& target(const Drawn& d, const std::string& id) {
  for (const Target& t : d.targets)
    if (t.id == id) return t;
  FAIL("no " << id);
  return d.targets.front();
}
bool has(const Drawn& d, const std::string& id) {
  for (const Target& t : d.targets)
    if (t.id == id) return true;
  return false;
}
Box cell_of(const Drawn& d, const std::string& id, int row, int col) {
  const Target& t = target(d, id);
  const float w = t.box.w / float(t.cols), h = t.box.h / float(t.rows);
  return {t.box.x + float(col) * w, t.box.y + float(row) * h, w, h};
}
// A corner of the cell, clear of its number.
unsigned ground(const Drawn& d, const Box& cell) { return d.picture.at(int(cell.x) + 4, int(cell.y) + 5); }
unsigned rgb_of(ImU32 c) { return (c & 0xFF) << 16 | (c & 0xFF00) | (c >> 16 & 0xFF); }
State state(const std::string& query) { return opened("lesson=multi-head&" + query).state; }

}  // namespace

TEST_CASE("numbers leave all heads one after the other for the table of their own") {
  const State s = state("step=transpose");
  const Drawn moving = drawn_in_motion(s, 1600, 1000, 200), still = drawn(s, 1600, 1000, false);
  const Box first = cell_of(still, "matrix.heads.0.queries", 0, 0),
            last = cell_of(still, "matrix.heads.1.queries", 5, 1);
  const unsigned panel = rgb_of(theme_of(false)->panel);
  CHECK(ground(moving, first) != panel);
  CHECK(ground(moving, last) == panel);
  CHECK(ground(still, last) != panel);
  const Drawn arrived = drawn_in_motion(s, 1600, 1000, 400);
  for (const Box& cell : {first, last}) CHECK(ground(arrived, cell) == ground(still, cell));
  CHECK(has(moving, "replay"));
  CHECK_FALSE(has(still, "replay"));  // where motion is reduced there is nothing to see again
}

TEST_CASE("halfway a number is between its place in all heads and its place in the cut") {
  const State s = state("step=view");
  // The first row's flight begins at once and takes 180 ms.
  const Drawn moving = drawn_in_motion(s, 1600, 1000, 90), still = drawn(s, 1600, 1000, false);
  const Box from = cell_of(still, "matrix.queries", 0, 0),
            to = cell_of(still, "matrix.queries[0:6,0:2]", 0, 0);
  const int x = int((from.x + to.x) / 2) + 5, y = int((from.y + to.y) / 2) - 10 + 5;
  CHECK(moving.picture.at(x, y) == rgb_of(theme_of(false)->query.soft));
  CHECK(still.picture.at(x, y) != rgb_of(theme_of(false)->query.soft));
}

TEST_CASE("the number that is looked at is told by all of its addresses") {
  const auto addresses = [](const std::string& query) {
    return target(drawn(state(query), 1600, 1000, false), "addresses").value;
  };
  CHECK(addresses("step=view") == "queries[journey, 3]  →  [journey, 1, 1]");
  CHECK(addresses("step=transpose") == "queries[journey, 3]  →  [journey, 1, 1]  →  [1, journey, 1]");
  CHECK(addresses("step=transpose&cell=queries.5.0") == "queries[step, 0]  →  [step, 0, 0]  →  [0, step, 0]");
  CHECK(addresses("step=transpose&split=interleaved&cell=queries.5.2") ==
        "queries[step, 2]  →  [step, 1, 0]  →  [0, step, 1]");
  // Cut across, the second half of the first row becomes head 1's second row.
  CHECK(addresses("step=transpose&split=no-transpose&cell=queries.0.3") ==
        "queries[Your, 3]  →  [0, journey, 1]");
}

TEST_CASE("origin and destination are marked, from whichever side one looks") {
  const ImU32 mark = theme_of(false)->cell;
  const auto is_marked = [&](const Drawn& d, const Box& cell) {
    int marked = 0;
    for (int x = int(cell.x); x < int(cell.right()); ++x)
      for (int y = int(cell.y); y < int(cell.bottom()); ++y) marked += d.picture.at(x, y) == rgb_of(mark);
    return marked > 20;
  };
  for (const char* cell : {"queries.2.3", "heads.1.queries.2.1"}) {
    CAPTURE(cell);
    const Drawn d = drawn(state(std::string("step=transpose&cell=") + cell), 1600, 1000, false);
    CHECK(is_marked(d, cell_of(d, "matrix.queries", 2, 3)));
    CHECK(is_marked(d, cell_of(d, "matrix.queries[0:6,2:4]", 2, 1)));
    CHECK(is_marked(d, cell_of(d, "matrix.heads.1.queries", 2, 1)));
    CHECK_FALSE(is_marked(d, cell_of(d, "matrix.heads.0.queries", 4, 1)));
  }
}

TEST_CASE("each map has a button that opens its head, in reach of a thumb on a phone") {
  for (const char* query : {"step=maps", "step=maps&heads=12&d_out=12", "step=maps&example=1"})
    for (const auto& [width, height] : {std::pair{1600, 1000}, {1280, 720}, {390, 844}}) {
      CAPTURE(query);
      CAPTURE(width);
      const Drawn d = drawn(state(query), width, height, false);
      for (const Target& t : d.targets) {
        const std::string map = "matrix.wrapper.heads.";
        if (!t.id.starts_with(map) || !t.id.ends_with(".attn_weights")) continue;
        const std::string head = t.id.substr(7, t.id.size() - 7 - std::string(".attn_weights").size());
        CHECK(target(d, "open-head." + head).box.h >= (width < 900 ? 32 : 24));
      }
      CHECK(has(d, "open-head.wrapper.heads.0"));
    }
  const Drawn opened = drawn(state("step=stages"), 390, 844, false);
  for (const char* id : {"head-before", "head-after", "close-head", "sums.wrapper.heads.0.masked_zeroed"})
    CHECK(has(opened, id));
  CHECK(target(opened, "head-before").disabled);
}

TEST_CASE("inside many heads one chain stands within the stage, and other heads have a button") {
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1280, 720}, {390, 844}}) {
    const Drawn d =
        drawn(state("step=inside&heads=12&d_out=36&cell=heads.4.attn_weights.1.0"), width, height, false);
    CHECK(has(d, "matrix.heads.4.attn_weights"));
    CHECK_FALSE(has(d, "matrix.heads.3.attn_weights"));
    CHECK(has(d, "head-after"));
    for (const Target& t : d.targets)
      if (t.id.starts_with("matrix.heads.")) CHECK(t.box.right() <= float(width));
  }
}

TEST_CASE("two differences that are compared have one scale of colours") {
  const Drawn d = drawn(state("step=carry"), 1600, 1000, false);
  const auto redness = [&](const char* matrix, int row, int col) {
    const unsigned c = ground(d, cell_of(d, matrix, row, col));
    return int(c >> 16 & 0xFF) - int(c >> 8 & 0xFF);
  };
  CHECK(redness("matrix.map_difference", 1, 1) < 40);
  CHECK(redness("matrix.context_difference", 2, 0) > 100);
}

TEST_CASE("the way into a head does not lie over another") {
  const Drawn d = drawn(state("step=maps&heads=12&d_out=3"), 1280, 720, false);
  for (const Target& a : d.targets)
    for (const Target& b : d.targets)
      if (a.id.starts_with("open-head.") && &a != &b &&
          (b.id.starts_with("open-head.") || b.id.starts_with("off.")))
        CHECK((a.box.right() <= b.box.x || b.box.right() <= a.box.x || a.box.bottom() <= b.box.y ||
               b.box.bottom() <= a.box.y));
}

TEST_CASE("both routes of an opened head stand in one picture, the stages with the sums of their rows") {
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1280, 720}, {390, 844}}) {
    const Drawn d = drawn(state("step=stages&cell=heads.1.masked_zeroed.2.1"), width, height, false);
    for (const char* name : {"softmax_unmasked", "masked_zeroed", "masked_renormalized", "masked_scores",
                             "masked_softmax", "route_difference"})
      CHECK(has(d, std::string("matrix.heads.1.") + name));
    CHECK(target(d, "sums.heads.1.masked_renormalized").value == "1.00 1.00 1.00 1.00 1.00 1.00");
  }
}

TEST_CASE("beside even ones maps are red where a head leans and blue where it looks away") {
  const auto ground_of = [](const std::string& query, int row, int col) {
    const Drawn d = drawn(state(query), 1600, 1000, false);
    return ground(d, cell_of(d, "matrix.wrapper.heads.0.attn_weights", row, col));
  };
  const auto red = [](unsigned c) { return int(c >> 16 & 0xFF); };
  const auto blue = [](unsigned c) { return int(c & 0xFF); };
  const unsigned leans =
                     ground_of("step=maps&example=1&relative=1&cell=wrapper.heads.1.attn_weights.5.4", 3, 2),
                 away =
                     ground_of("step=maps&example=1&relative=1&cell=wrapper.heads.1.attn_weights.5.4", 3, 0);
  CHECK(red(leans) > blue(leans) + 60);
  CHECK(blue(away) > red(away) + 60);
  CHECK(ground_of("step=maps&example=1", 3, 2) != leans);
}

TEST_CASE("heads in every state are drawn, each target once") {
  for (const char* query :
       {"step=swap&swap=0,2&heads=3&d_out=6&swap_out_proj=1", "step=swap&off=0", "step=swap&heads=1",
        "step=swap&swap=", "step=swap&heads=3&swap=0,1", "step=stages&training=1&batch=2&sample=1",
        "step=stages&heads=1&text=one", "step=stages&cell=wrapper.out.0.0",
        "step=stages&cell=heads.7.keys.0.0", "step=view&heads=12&d_out=5&d_in=64",
        "step=transpose&split=no-transpose&heads=3", "step=transpose&split=interleaved&heads=1",
        "step=view&text=", "step=maps&training=1&heads=5&d_out=10", "step=maps&heads=1&text=one&relative=1",
        "step=maps&d_out=64", "step=inside&training=1&context_length=60&swap=0,1",
        "step=swap&heads=12&swap=0,11&d_out=12&edit=wrapper.out.1.1:nan"}) {
    CAPTURE(query);
    for (const auto& [width, height] :
         {std::pair{1600, 1000}, {1280, 720}, {844, 390}, {390, 844}, {120, 80}}) {
      const Drawn d = drawn(state(query), width, height, width == 1280);
      std::set<std::string> ids;
      for (const Target& t : d.targets) ids.insert(t.id);
      CHECK(ids.size() == d.targets.size());
    }
    drawn_in_motion(state(query), 1280, 720, 150);
  }
}
