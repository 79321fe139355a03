// Looks do not rot: every step is drawn as the picture that is kept of it in tests/references.
#include <doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "draw/drawn.hpp"
#include "draw/likeness.hpp"
#include "lessons/query.hpp"

using namespace lab;
using namespace lab::test;

namespace {

namespace fs = std::filesystem;

const fs::path kKept = fs::path(LAB_SOURCE) / "tests" / "references";
const fs::path kSeen = fs::path(LAB_SOURCE) / "build" / "log" / "references";

struct Look {
  std::string name;  // of the file, without .png
  State state;
  int width = 1600, height = 1000;
  bool dark = false;
};

// Of a GPT one that is drawn unasked.
void take_small_model(Inputs& in) {
  in.gpt_size = "custom";
  in.gpt_dim = 96, in.gpt_layers = 6, in.gpt_heads = 6;
}

// Of each lesson all steps in the light and its last step in the dark and on a phone; and what steps alone do
// not reach.
std::vector<Look> looks() {
  std::vector<Look> all;
  for (const Lesson& lesson : lessons()) {
    const std::string id = lesson.id;
    for (const Step& step : lesson.steps) {
      all.push_back({id + "." + step.id, at_step(lesson, step)});
      take_small_model(all.back().state.inputs);
    }
    const State last = all.back().state;
    all.push_back({.name = id + ".on-dark", .state = last, .dark = true});
    all.push_back({.name = id + ".on-phone", .state = last, .width = 390, .height = 844});
  }
  std::string moves;
  for (const char* slot : {"W_query", "W_key", "W_value"})
    moves += std::string("&move=") + slot + ".weight,transpose," + slot;
  std::string bands;  // the first head's key is the second's
  for (const char* slot : {"W_query", "W_key", "W_value"})
    for (const int h : {0, 1})
      bands += std::string("&move=heads.") + (slot[2] == 'k' ? '1' : char('0' + h)) + "." + slot +
               ".weight,copy," + slot + ".weight[" + (h ? "2:4" : "0:2") + ",0:3]";
  for (const auto& [name, query] :
       {std::pair<std::string, std::string>{"transfer.in-agreement", "step=match" + moves},
        {"transfer.causal", "to=causal&step=match"},
        {"transfer.wrong-band", "from=wrapper&to=mha&heads=2" + bands},
        {"gpt.waiting", "lesson=gpt&step=maps"},
        {"causal-mask.edited", "lesson=causal-mask&step=zero&edit=attn_scores.1.0:2&changes=1"}})
    all.push_back({name, state_of(query).state});
  return all;
}

Picture picture_of(const Look& v) { return reduced(drawn(v.state, v.width, v.height, v.dark).picture); }

bool write(const fs::path& path, const Picture& p) {
  fs::create_directories(path.parent_path());
  return write_small_png(path.string(), p);
}

// LAB_REFERENCES=write writes the pictures anew, =tell says how far each is from the kept one.
bool wishes(const char* wish) {
  const char* set = std::getenv("LAB_REFERENCES");
  return set && std::string(set) == wish;
}
bool writes_anew() { return wishes("write"); }
bool tells_all() { return wishes("tell"); }

std::set<std::string> kept_names() {
  std::set<std::string> names;
  if (fs::exists(kKept))
    for (const fs::directory_entry& e : fs::directory_iterator(kKept))
      if (e.path().extension() == ".png") names.insert(e.path().stem().string());
  return names;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr char kAdvice[] = " If it should look so, write the references anew: ./lab references";

unsigned char* at(Picture& p, int x, int y) {
  return &p.rgba[(std::size_t(y) * std::size_t(p.width) + std::size_t(x)) * 4];
}

// A box of the picture, with each of its pixels made anew from the picture as it was.
using Color = std::function<std::uint32_t(const Picture& was, int x, int y)>;
Picture changed(const Picture& was, Box box, const Color& color) {
  Picture p = was;
  for (int y = int(box.y); y < int(box.bottom()); ++y)
    for (int x = int(box.x); x < int(box.right()); ++x) {
      const std::uint32_t rgb = color(was, x, y);
      for (int c = 0; c < 3; ++c) at(p, x, y)[c] = (unsigned char)(rgb >> (16 - 8 * c));
    }
  return p;
}

Box box_of(const Drawn& d, const std::string& id) {
  for (const Target& t : d.targets)
    if (t.id == id) return t.box;
  FAIL("nothing is called ", id);
  return {};
}

}  // namespace

TEST_CASE("every step looks as the picture that is kept of it") {
  fs::remove_all(kSeen);
  const std::string fonts = widths_of_fonts();
  fs::create_directories(kKept);
  if (writes_anew()) std::ofstream(kKept / "fonts.txt") << fonts;
  const bool same_fonts = contents(kKept / "fonts.txt") == fonts;
  if (!same_fonts) MESSAGE("other fonts than those of tests/references: only large differences are found");
  const Unlikeness tolerance = same_fonts ? kTolerance : kOtherFontsTolerance;
  std::set<std::string> left = kept_names();
  for (const Look& look : looks()) {
    const fs::path path = kKept / (look.name + ".png");
    const Picture seen = picture_of(look);
    const std::optional<Picture> kept = left.erase(look.name) ? read_png(path.string()) : std::nullopt;
    const bool comparable = kept && kept->width == seen.width && kept->height == seen.height;
    const Unlikeness u = comparable ? unlikeness(seen, *kept) : Unlikeness{};
    if (tells_all()) MESSAGE(look.name, " differs ", text_of(u));
    // A picture that is like enough stays as it is, for else all of them would change with each driver.
    if (comparable && within(u, tolerance)) continue;
    if (writes_anew()) {
      REQUIRE_MESSAGE(write(path, seen), path.string(), " cannot be written");
      continue;
    }
    write(kSeen / (look.name + ".seen.png"), seen);
    if (kept) write(kSeen / (look.name + ".kept.png"), *kept);
    const std::string what = !kept         ? "no picture of " + look.name + " is kept."
                             : !comparable ? look.name + " has another size than its kept picture."
                                           : look.name + " differs " + text_of(u) + ".";
    FAIL_CHECK(what, " See ", (kSeen / (look.name + ".*.png")).string(), ".", kAdvice);
  }
  for (const std::string& name : left)
    if (writes_anew())
      fs::remove(kKept / (name + ".png"));
    else
      FAIL_CHECK("tests/references/", name, ".png is kept, but nothing is drawn for it.", kAdvice);
}

TEST_CASE("a picture is like itself, and like one whose ink lies half a pixel to the right") {
  const Picture p = drawn(state_of("lesson=self-attention").state, 1600, 1000, false).picture;
  CHECK(within(unlikeness(reduced(p), reduced(p)), {}));
  const Picture shaken = changed(p, {1, 0, 1599, 1000}, [](const Picture& was, int x, int y) {
    const std::uint32_t here = was.at(x, y), there = was.at(x - 1, y);
    return ((here & 0xFEFEFE) >> 1) + ((there & 0xFEFEFE) >> 1);
  });
  const Unlikeness u = unlikeness(reduced(shaken), reduced(p));
  CHECK_MESSAGE(within(u, kOtherFontsTolerance), text_of(u));
}

TEST_CASE("a picture is unlike its other theme, and unlike one with a single fault in it") {
  const State state = state_of("lesson=causal-mask&step=zero").state;
  const Drawn d = drawn(state, 1600, 1000, false);
  const Picture kept = reduced(d.picture);
  const auto caught = [&](const std::string& fault, const Picture& p, const Unlikeness& tolerance) {
    const Unlikeness u = unlikeness(reduced(p), kept);
    CHECK_FALSE_MESSAGE(within(u, tolerance), fault, " differs only ", text_of(u));
    if (tells_all()) MESSAGE(fault, " differs ", text_of(u));
  };
  caught("the dark theme", drawn(state, 1600, 1000, true).picture, kOtherFontsTolerance);

  const Box matrix = box_of(d, "matrix.masked_zeroed"), entry = box_of(d, "nav.transfer");
  const Box title{matrix.x, matrix.y - 48, matrix.w, 24};
  const Box words{entry.x + 36, entry.y + 6, entry.w - 40, entry.h - 12};
  const auto ground_of = [](Box box) {
    return [box](const Picture& was, int, int) { return was.at(int(box.x) - 2, int(box.y) + 2); };
  };
  caught("a matrix is left out", changed(d.picture, matrix, ground_of(matrix)), kOtherFontsTolerance);
  caught("a matrix without its title", changed(d.picture, title, ground_of(title)), kTolerance);
  caught("an entry of the rail without its words", changed(d.picture, words, ground_of(words)), kTolerance);
  caught("a matrix stands 8 pixels lower",
         changed(
             d.picture, matrix,
             [&](const Picture& was, int x, int y) { return was.at(x, std::max(y - 8, int(matrix.y) - 4)); }),
         kTolerance);
  caught("a matrix in another hue",
         changed(d.picture, matrix,
                 [](const Picture& was, int x, int y) {
                   const std::uint32_t c = was.at(x, y);
                   return (c & 0xFF) << 16 | (c & 0xFF00) | c >> 16;
                 }),
         kOtherFontsTolerance);
}
