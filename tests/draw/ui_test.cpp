#include <doctest.h>

#include "draw/matrix_view.hpp"
#include "draw/stage.hpp"
#include "draw/widgets.hpp"

using namespace lab;
using namespace lab::test;

namespace {

const std::vector<float> kValues(6, .5f);

void screen(Ui& ui) {
  button(ui, {10, 10, 80, 30}, "first", "First");
  button(ui, {100, 10, 80, 30}, "off", "Off", {.disabled = true});
  draw_matrix(ui, dense(kValues.data(), 2, 3), 10, 60, 20, {.name = "m", .draggable = true});
  ui.registry.add(
      {.id = "slot", .role = "button", .label = "Slot", .box = {120, 60, 60, 40}, .drop_zone = true});
  text_field(ui, {10, 120, 120, 28}, "field", "Field", "old");
}

void frame() { stage().draw(200, 160, 1, false, screen); }

std::vector<std::string> acts() {
  std::vector<std::string> said;
  for (const Act& a : stage().ui.acted) said.push_back(a.id + "=" + a.value);
  stage().ui.acted.clear();
  return said;
}

using Said = std::vector<std::string>;

// ImGui takes one change of the button a frame.
void move(float x, float y, bool down) {
  stage().point(x, y, down);
  frame();
  frame();
}

void fresh() {
  stage().ui.gesture = {};
  move(-5, -5, false);
  acts();
}

}  // namespace

TEST_CASE("a press and a release on the same thing use it") {
  fresh();
  move(20, 20, true);
  CHECK(acts().empty());
  move(22, 22, false);
  CHECK(acts() == Said{"first="});
}

TEST_CASE("a drag that is over before the next frame is a drag") {
  fresh();
  move(20, 70, true);
  stage().ui.dropped.reset();
  stage().point(150, 80, false);  // moved and let go in one frame
  frame();
  REQUIRE(stage().ui.dropped.has_value());
  CHECK(stage().ui.dropped->id == "matrix.m");
  CHECK(stage().ui.dropped->over == "slot");
}

TEST_CASE("a release elsewhere uses nothing, nor does what is disabled") {
  fresh();
  move(20, 20, true);
  move(150, 80, false);
  move(120, 20, true);
  move(120, 20, false);
  CHECK(acts().empty());
}

TEST_CASE("a click on a matrix names the cell") {
  fresh();
  move(10 + 2.5f * 20, 60 + 1.5f * 20, true);
  move(10 + 2.5f * 20, 60 + 1.5f * 20, false);
  CHECK(acts() == Said{"matrix.m=1.2"});
}

TEST_CASE("a press that moves is a drag and ends in a drop") {
  fresh();
  move(20, 70, true);
  CHECK_FALSE(stage().ui.gesture.drag);
  move(140, 80, true);
  REQUIRE(stage().ui.gesture.drag);
  CHECK(stage().ui.gesture.drag->id == "matrix.m");
  CHECK(stage().ui.gesture.drag->over == "slot");
  CHECK(stage().ui.carried().x == doctest::Approx(130).epsilon(.01));
  stage().point(140, 80, false);
  frame();
  REQUIRE(stage().ui.dropped);
  CHECK(stage().ui.dropped->over == "slot");
  CHECK(acts().empty());
  CHECK_FALSE(stage().ui.gesture.drag);
}

TEST_CASE("Escape ends a drag without a drop") {
  fresh();
  move(20, 70, true);
  move(140, 80, true);
  CHECK(stage().ui.key("Escape"));
  stage().point(140, 80, false);
  frame();
  CHECK_FALSE(stage().ui.dropped);
  CHECK(acts().empty());
}

TEST_CASE("Tab goes through everything that can be used, in reading order, and round") {
  fresh();
  Ui& ui = stage().ui;
  Said order;
  for (int i = 0; i < 5; ++i) {
    ui.key("Tab");
    order.push_back(ui.gesture.focus);
  }
  CHECK(order == Said{"first", "matrix.m", "slot", "field", "first"});
  ui.key("Shift+Tab");
  CHECK(ui.gesture.focus == "field");
  fresh();
}

TEST_CASE("Enter and Space use what has the focus, arrows go to a grid") {
  fresh();
  Ui& ui = stage().ui;
  ui.key("Tab");
  CHECK(ui.key("Enter"));
  CHECK(ui.key(" "));
  CHECK_FALSE(ui.key("ArrowLeft"));
  ui.key("Tab");
  CHECK(ui.key("ArrowLeft"));
  CHECK(acts() == Said{"first=", "first=", "matrix.m=ArrowLeft"});
}

TEST_CASE("typing replaces what was selected, and Escape brings it back") {
  fresh();
  Ui& ui = stage().ui;
  move(20, 130, true);
  move(20, 130, false);
  REQUIRE(ui.gesture.typing);
  ui.text("né");
  ui.text("w");
  ui.key("ArrowLeft");
  ui.key("Backspace");
  CHECK(acts() == Said{"field=né", "field=néw", "field=nw"});
  ui.key("Escape");
  CHECK_FALSE(ui.gesture.typing);
  CHECK(acts() == Said{"field=old"});
  fresh();
}

TEST_CASE("only what can be hit at its centre is reachable") {
  stage().draw(200, 160, 1, false, [](Ui& ui) {
    button(ui, {10, 10, 80, 30}, "below", "Below");
    button(ui, {30, 10, 80, 30}, "above", "Above");
    button(ui, {-100, 10, 80, 30}, "outside", "Outside");
    ui.push_clip({0, 60, 200, 40});
    button(ui, {10, 120, 80, 30}, "clipped", "Clipped");
    ui.pop_clip();
  });
  const Registry& r = stage().ui.registry;
  CHECK_FALSE(r.find("below")->reachable);
  CHECK(r.find("above")->reachable);
  CHECK_FALSE(r.find("outside")->reachable);
  CHECK_FALSE(r.find("clipped")->reachable);
}

TEST_CASE("the mirror's list is valid JSON with every special sign escaped") {
  Target t;
  t.id = "a";
  t.role = "button";
  t.label = "say \"hi\"\\\n";
  t.box = {1, 2, 3, 4};
  CHECK(
      mirror_json({t}) ==
      R"([{"id":"a","role":"button","label":"say \"hi\"\\\n","value":"","x":1,"y":2,"w":3,"h":4,"reachable":true}])");
  CHECK(mirror_json({}) == "[]");
}
