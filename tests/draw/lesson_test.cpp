// Every step of every lesson is drawn, in windows of all kinds, under the sanitizers.
#include <doctest.h>

#include <map>
#include <set>
#include <string>

#include "draw/drawn.hpp"
#include "lessons/query.hpp"

using namespace lab;
using lab::test::at_step;
using lab::test::Drawn;
using lab::test::drawn;
using lab::test::drawn_in_motion;
using lab::test::Picture;

namespace {

bool is_blank(const Picture& p) {
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      if (p.at(x, y) != p.at(0, 0)) return false;
  return true;
}

}  // namespace

TEST_CASE("every step is drawn in every kind of window, light and dark") {
  for (const Lesson& lesson : lessons())
    for (const Step& step : lesson.steps) {
      const State state = at_step(lesson, step);
      for (const auto& [width, height] :
           {std::pair{1600, 1000}, {1280, 720}, {844, 390}, {390, 844}, {120, 80}})
        for (const bool dark : {false, true}) {
          CAPTURE(step.id);
          CAPTURE(width);
          const Drawn d = drawn(state, width, height, dark);
          CHECK_FALSE(is_blank(d.picture));
          std::set<std::string> ids;
          for (const Target& t : d.targets) ids.insert(t.id);
          CHECK(ids.size() == d.targets.size());
          std::vector<std::string> wanted = {"play", "share", "inspector"};
          if (*lesson.controls) wanted.push_back("input.text");
          if (lesson.stage == Stage::bench)
            for (const char* id : {"verdict", "auto", "slot.W_query", "op.W_value"}) wanted.push_back(id);
          if (lesson.stage == Stage::arrangement) wanted.push_back("matrix." + step.cell.name);
          if (lesson.stage == Stage::roadmap)
            for (const char* id : {"station.build", "station.pretrain", "station.finetune"})
              wanted.push_back(id);
          if (lesson.stage == Stage::book)
            for (const char* id : {"book", "run-book", "filter", "input.stream", "check.36"})
              wanted.push_back(id);
          if (std::string(step.id) == "build") wanted.push_back("open.self-attention");
          for (const std::string& id : wanted) {
            CAPTURE(id);
            CHECK(ids.count(id) == 1);
          }
        }
    }
}

#define TEN "a+b+c+d+e+f+g+h+i+j+"

TEST_CASE("odd states are drawn too, and drawn twice they are the same") {
  for (const char* query : {"lesson=self-attention&text=",
                            "lesson=self-attention&step=module&text=Your",
                            "lesson=self-attention&step=context&d_in=64&d_out=64",
                            "lesson=self-attention&step=scores&edit=keys.0.0:nan",
                            "text=",
                            "text=Your",
                            "d_in=64&d_out=64",
                            "fault=3",
                            "fault=3&guess=W_query",
                            "bias=1",
                            "to=causal&bias=1",
                            "from=v1&to=v2",
                            "edit=source.W_key.weight.0.2:nan&edit=inputs.0.0:inf",
                            "cell=nothing.9.9",
                            "text=%E4%BD%A0+%E5%A5%BD",
                            "lesson=gpt&step=maps&size=custom&custom_dim=6&custom_heads=2",
                            "lesson=gpt&size=custom&custom_dim=6&custom_heads=2&step=inside"
                            "&text=" TEN TEN TEN TEN TEN TEN TEN,
                            "lesson=gpt&size=custom&custom_dim=6&custom_heads=2&step=maps"
                            "&text=" TEN TEN TEN TEN TEN TEN TEN,
                            "lesson=gpt&step=embed&size=custom&custom_dim=6&custom_heads=2",
                            "lesson=gpt&step=next&size=custom&custom_dim=6&custom_heads=2",
                            "lesson=gpt&step=tower&size=custom&custom_dim=6&custom_heads=2&text=Your",
                            "from=wrapper&to=mha&heads=2",
                            "from=mha&to=wrapper&heads=3&fault=5",
                            "from=mha&to=mha&heads=2&bias=1&cell=target.W_key.weight.3.1",
                            "to=mha&step=draws",
                            "from=wrapper&to=wrapper&heads=12&d_out=5&d_in=64",
                            "from=mha&to=mha&heads=2&move=W_key.weight,copy,W_key.weight",
                            "d_in=1&d_out=1&text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z"}) {
    CAPTURE(query);
    const State state = state_of(query).state;
    for (const int width : {1600, 390}) {
      const Drawn first = drawn(state, width, 900, false), second = drawn(state, width, 900, false);
      CHECK(first.targets == second.targets);
      CHECK(first.picture.rgba == second.picture.rgba);
    }
  }
}

TEST_CASE("halfway through its motion a step shows the numbers on their way to the selected cell") {
  const State state = state_of("lesson=self-attention&step=scores&cell=attn_scores.1.2").state;
  const Drawn moving = drawn_in_motion(state, 1600, 1000, 200), still = drawn(state, 1600, 1000, false);
  const auto box_of = [&](const char* id, int row, int col) {
    for (const Target& t : moving.targets)
      if (t.id == id) {
        const float w = t.box.w / float(t.cols), h = t.box.h / float(t.rows);
        return Box{t.box.x + float(col) * w, t.box.y + float(row) * h, w, h};
      }
    FAIL("no " << id);
    return Box{};
  };
  const Box to = box_of("matrix.attn_scores", 1, 2);
  const Theme theme = theme_of(false);
  const auto rgb_of = [](ImU32 c) { return (c & 0xFF) << 16 | (c & 0xFF00) | (c >> 16 & 0xFF); };
  for (const auto& [from, hue] :
       {std::pair{box_of("matrix.queries", 1, 1), theme->query}, {box_of("matrix.keys", 2, 1), theme->key}}) {
    // Halfway the motion has done half of the way, and is at the top of its arc.
    const int x = int((from.mid_x() + to.mid_x()) / 2), y = int((from.y + to.y) / 2) - 14 + 5;
    CHECK(moving.picture.at(x, y) == rgb_of(hue.soft));
    CHECK(still.picture.at(x, y) != rgb_of(hue.soft));
  }
  CHECK(drawn_in_motion(state, 1600, 1000, 400).picture.rgba == still.picture.rgba);
}

TEST_CASE("every step can be seen while it moves") {
  for (const Lesson& lesson : lessons())
    for (const Step& step : lesson.steps) {
      CAPTURE(step.id);
      CHECK_FALSE(is_blank(drawn_in_motion(at_step(lesson, step), 1280, 720, 200).picture));
    }
}

TEST_CASE("a hidden fault is not given away by what is drawn") {
  const Drawn d = drawn(state_of("fault=3&d_out=3&cell=target.W_query.0.1").state, 1600, 1000, false);
  for (const Target& t : d.targets) {
    CHECK(t.id.rfind("op.", 0) != 0);
    CHECK(t.id.rfind("wire.", 0) != 0);
    if (t.id == "code") CHECK(t.value.find("copy_") == std::string::npos);
    if (t.id == "inspector") CHECK(t.value.find("source.W_") == std::string::npos);
  }
}

TEST_CASE("the steps stay in sight in low windows, wherever the page is scrolled") {
  for (const Lesson& lesson : lessons()) {
    if (lesson.stage == Stage::bench) continue;
    for (const Step& step : lesson.steps)
      for (const auto& [width, height] : {std::pair{1280, 720}, {844, 390}, {800, 500}, {1366, 680}}) {
        CAPTURE(lesson.id);
        CAPTURE(step.id);
        CAPTURE(width);
        for (const Target& t : drawn(at_step(lesson, step), width, height, false).targets)
          if (t.id == "next" || t.id == "play") CHECK(t.box.bottom() <= float(height));
      }
  }
}

TEST_CASE("from a laptop's window on, no matrix moves from step to step of its arrangement") {
  for (const Lesson& lesson : lessons())
    for (const auto& [width, height] : {std::pair{1600, 1000}, {1440, 900}, {1366, 768}, {1280, 720}}) {
      std::map<std::string, Box> places;
      for (const Step& step : lesson.steps) {
        if (lesson.stage != Stage::arrangement || step.routes) continue;
        CAPTURE(step.id);
        CAPTURE(width);
        for (const Target& t : drawn(at_step(lesson, step), width, height, false).targets) {
          if (t.role != "grid") continue;
          CAPTURE(t.id);
          const Box place = places.emplace(std::to_string(step.arrangement) + t.id, t.box).first->second;
          CHECK(place.x == t.box.x);
          CHECK(place.y == t.box.y);
          CHECK(place.w == t.box.w);
        }
      }
    }
}
