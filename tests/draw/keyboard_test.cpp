// The desktop program by its keyboard alone: what has no mouse can still work through every lesson.
#include <doctest.h>

#include <set>
#include <string>

#include "draw/desk.hpp"
#include "draw/stage.hpp"

using namespace lab;

namespace {

// A window without a mouse.
struct Desk : test::Desk {
  explicit Desk(const std::string& query) {
    test::stage();  // makes the contexts of ImGui and GL
    open(1600, 1000, query);
    point(-1e6f, -1e6f, false);
    settle();
  }
  void press(const std::string& key) {
    app.key(key);
    settle();
  }
  void type(const std::string& text) {
    app.text(text);
    settle();
  }
  std::string focus() const { return app.ui().gesture.focus; }
  const Target* find(const std::string& id) const { return app.ui().registry.find(id); }
  void tab_to(const std::string& id) {
    for (int i = 0; i < 200 && focus() != id; ++i) press("Tab");
    REQUIRE(focus() == id);
    CHECK(app.ui().gesture.focus_visible);
  }
};

}  // namespace

TEST_CASE("by keyboard: every lesson is reached, and every step of it gone through") {
  Desk desk("lesson=transfer");
  for (const Lesson& lesson : lessons()) {
    desk.tab_to("nav." + std::string(lesson.id));
    desk.press("Enter");
    CHECK(desk.app.state().inputs.lesson == lesson.id);
    for (const Step& step : lesson.steps) {
      CHECK(step_of(desk.app.state()).id == std::string(step.id));
      desk.tab_to("next");
      desk.press("Enter");
    }
  }
}

TEST_CASE("by keyboard: a matrix is picked up, turned and placed, until the outputs match") {
  Desk desk("lesson=transfer");
  for (const std::string w : {"W_query", "W_key", "W_value"}) {
    desk.tab_to("op." + w);
    desk.press("Enter");
    desk.tab_to("source." + w + ".weight");
    desk.press("Enter");
    desk.tab_to("slot." + w);
    desk.press(" ");
    CHECK(desk.find("slot." + w)->value == "filled");
  }
  CHECK(desk.find("verdict")->value == "match");
  desk.press("Ctrl+z");
  CHECK(desk.find("verdict")->value != "match");
}

TEST_CASE("by keyboard: heads are placed into their bands, and a cell of a band is the whole matrix's") {
  Desk desk("lesson=transfer&from=wrapper&to=mha&heads=2");
  for (const int h : {0, 1})
    for (const std::string w : {"W_query", "W_key", "W_value"}) {
      const std::string slot = "slot." + w + ".weight[" + (h ? "2:4" : "0:2") + ",0:3]";
      desk.tab_to("source.heads." + std::to_string(h) + "." + w + ".weight");
      desk.press("Enter");
      desk.tab_to(slot);
      desk.press(" ");
      CHECK(desk.find(slot)->value == "filled");
    }
  CHECK(desk.find("verdict")->value == "match");
  desk.press(" ");  // nothing is in hand: looks at the slot
  CHECK(desk.app.state().view.cell == CellName{"target.W_value.weight", 2, 0});
  desk.tab_to("matrix.target.W_value.weight[2:4,0:3]");
  desk.press("ArrowDown");
  CHECK(desk.app.state().view.cell == CellName{"target.W_value.weight", 3, 0});
  CHECK(desk.find("matrix.target.W_value.weight[2:4,0:3]")->grid.row == 1);
  CHECK(desk.find("matrix.target.W_value.weight[0:2,0:3]")->grid.row == -1);
  desk.tab_to("slot.W_key.weight[2:4,0:3]");
  desk.press("Delete");
  CHECK(desk.find("slot.W_key.weight[2:4,0:3]")->value == "empty");
  CHECK(desk.find("slot.W_key.weight[0:2,0:3]")->value == "filled");
}

TEST_CASE("by keyboard: a module is chosen from its menu") {
  Desk desk("lesson=transfer");
  desk.tab_to("input.to");
  desk.press("Enter");
  CHECK(desk.focus() == "to.v1");
  for (int i = 0; i < 4; ++i) desk.press("ArrowDown");
  CHECK(desk.focus() == "to.mha");
  desk.press("Enter");
  CHECK(desk.app.state().inputs.to == AttentionKind::mha);
  CHECK(desk.find("slot.W_key.weight"));
  CHECK_FALSE(desk.find("input.heads"));
  desk.tab_to("input.from");
  desk.press("Enter");
  desk.press("End");
  desk.press("ArrowUp");
  desk.press("Enter");
  CHECK(desk.app.query() == "heads=2&from=wrapper&to=mha");
  CHECK(desk.find("input.heads"));
}

TEST_CASE("by keyboard: a cell is walked to, edited, given back, and the focus stays with its matrix") {
  Desk desk("lesson=self-attention");
  desk.tab_to("matrix.inputs");
  desk.press("ArrowDown");
  desk.press("Enter");
  CHECK(desk.focus() == "edit");
  desk.press("Ctrl+a");
  desk.type("2");
  desk.press("Enter");
  CHECK(desk.focus() == "matrix.inputs");
  CHECK(desk.app.state().inputs.edits.size() == 1);
  desk.press("Enter");
  desk.press("Tab");  // leaves the field as Enter does
  CHECK(desk.focus() == "matrix.inputs");
  desk.press("Delete");
  CHECK(desk.app.state().inputs.edits.empty());
}

TEST_CASE("by keyboard: a menu is opened, gone through by the arrows, and closed") {
  Desk desk("lesson=causal-mask");
  desk.tab_to("input.mask");
  desk.press("Enter");
  CHECK(desk.focus() == "route.zero-renorm");
  desk.press("ArrowDown");
  CHECK(desk.focus() == "route.neginf");
  desk.press("End");
  CHECK(desk.focus() == "route.after-dropout");
  desk.press("Home");
  desk.press("ArrowDown");
  desk.press("Enter");
  CHECK(desk.app.state().inputs.mask == MaskRoute::neginf);
  CHECK(desk.focus() == "input.mask");
}

TEST_CASE("by keyboard: who leaves a menu with Tab goes on from its button, and closes it") {
  Desk desk("lesson=causal-mask");
  for (const std::string key : {"Tab", "Shift+Tab"}) {
    desk.tab_to("export");
    desk.press(key);
    const std::string beside = desk.focus();
    desk.tab_to("export");
    desk.press("Enter");
    REQUIRE(desk.focus() == "export.png");
    desk.press("ArrowDown");
    desk.press(key);
    CHECK(desk.focus() == beside);
    CHECK(desk.find("export.png") == nullptr);
  }
}

TEST_CASE("by keyboard: the menu of routes works where they stand on the stage too") {
  Desk desk("lesson=causal-mask&step=wrong");
  desk.tab_to("input.mask");
  desk.press("Enter");
  REQUIRE(desk.find("route.neginf")->in_menu);
  desk.press("Home");
  desk.press("ArrowDown");
  desk.press("Enter");
  CHECK(desk.app.state().inputs.mask == MaskRoute::neginf);
  CHECK_FALSE(desk.find("route.neginf")->in_menu);
}

TEST_CASE("by keyboard: the folded lessons are entered, gone through, and left") {
  Desk desk("lesson=causal-mask");
  desk.resize(390, 844, 1);
  desk.settle();
  desk.tab_to("menu");
  desk.press("Enter");
  CHECK(desk.focus() == "nav.causal-mask");
  desk.press("Shift+Tab");
  CHECK(desk.focus() == "nav.transfer");
  desk.press("Tab");
  CHECK(desk.find("rail") != nullptr);
  for (int i = 0; i < 40 && desk.find("rail"); ++i) desk.press("Tab");
  CHECK(desk.find("rail") == nullptr);
}

TEST_CASE("by keyboard: what goes away hands the focus on, and never to nothing") {
  Desk desk("lesson=self-attention&step=question");
  desk.tab_to("reveal");
  desk.press("Enter");
  CHECK(desk.find(desk.focus()) != nullptr);
  CHECK(desk.app.ui().gesture.focus_visible);
}

TEST_CASE("by keyboard: questions are chosen, answered, ticked and kept") {
  Desk desk("lesson=multi-head&step=question");
  desk.tab_to("ask-next");
  desk.press("Enter");
  CHECK(desk.app.query() == "lesson=multi-head&step=question&question=mh2");
  desk.tab_to("answer.1");
  desk.app.key("Enter");
  std::string kept;
  for (int i = 0; i < 4; ++i) kept += desk.frame().progress.value_or("");
  CHECK(kept == "mh2");
  CHECK(desk.find("ask.mh2")->label == "Question 2 of 6: Your turn, answered");
  CHECK(desk.find("nav.multi-head")->label == "Multi-head, 1 of 6 questions answered");
  desk.tab_to("ask-on");
  desk.press("Enter");
  CHECK(desk.app.query() == "lesson=multi-head&step=question&question=mh3");
  CHECK(desk.find("ask.mh2")->label == "Question 2 of 6: Your turn, answered");
  desk.app.open("lesson=multi-head");
  desk.app.remember_done("mh1,mh2,mh3,e3.2,e3.3,e3.3-parameters");
  desk.settle();
  CHECK(desk.find("nav.multi-head")->label == "Multi-head, all questions answered");
}

TEST_CASE("by keyboard: an exercise is solved by its controls, and a hint stays meanwhile") {
  Desk desk("lesson=multi-head&question=e3.2");
  desk.tab_to("hint");
  desk.press("Enter");
  desk.tab_to("input.d_out");
  desk.press("Ctrl+a");
  desk.type("1");
  desk.press("Enter");
  CHECK(desk.app.query() == "lesson=multi-head&step=question&question=e3.2&d_out=1");
  CHECK(desk.find("inspector")->value.find("How wide is one head now") != std::string::npos);
  desk.tab_to("check");
  desk.press("Enter");
  CHECK(desk.find("nav.multi-head")->label == "Multi-head, 1 of 6 questions answered");
}

TEST_CASE("what was to be set is set by giving up, which is no answer and can be undone") {
  Desk desk("lesson=multi-head&question=e3.2");
  desk.tab_to("reveal");
  desk.press("Enter");
  CHECK(desk.app.query() == "lesson=multi-head&step=question&question=e3.2&d_out=1");
  CHECK(desk.find("check") != nullptr);
  CHECK(desk.find("check")->disabled);
  CHECK(desk.find("nav.multi-head")->label == "Multi-head");
  desk.app.use("undo", "");
  desk.settle();
  CHECK(desk.app.query() == "lesson=multi-head&step=question&question=e3.2");
}

TEST_CASE("undo goes back to the question in which was done what it undoes") {
  Desk desk("lesson=causal-mask&question=cm3");
  desk.app.use("input.seed", "5");
  desk.settle();
  desk.app.use("ask.cm1", "");
  desk.settle();
  desk.app.use("undo", "");  // what choosing the other one has set
  desk.app.use("undo", "");
  desk.settle();
  CHECK(desk.app.query() == "lesson=causal-mask&step=question&question=cm3&mask=zero-scores");
}

TEST_CASE("by keyboard: the stage is enlarged and made whole again") {
  Desk desk("lesson=causal-mask&step=zero");
  const float before = desk.find("matrix.masked_zeroed")->box.w;
  desk.press("+");
  desk.press("+");
  CHECK(desk.find("matrix.masked_zeroed")->box.w > before * 1.3f);
  desk.tab_to("zoom-out");
  desk.press("Enter");
  CHECK(desk.find("matrix.masked_zeroed")->box.w == before);
}

TEST_CASE("by keyboard: where the focus goes, the page follows, on a phone and in a window zoomed to 200 %") {
  struct Window {
    int width, height;
  };
  for (const Window w : {Window{390, 844}, {800, 500}, {640, 360}})
    for (const char* query :
         {"lesson=causal-mask&step=minus-inf", "lesson=transfer", "lesson=roadmap&step=pretrain",
          "lesson=book&step=dice", "lesson=self-attention&step=module"}) {
      Desk desk(query);
      desk.resize(w.width, w.height, 1);
      desk.settle();
      CAPTURE(w.width);
      CAPTURE(query);
      std::set<std::string> met;
      for (int i = 0; i < 90; ++i) {
        desk.press("Tab");
        const Target* focus = desk.find(desk.focus());
        REQUIRE(focus);
        met.insert(focus->id);
        CAPTURE(focus->id);
        const float middle =
            focus->rows > 0 && focus->grid.row >= 0
                ? focus->box.y + focus->box.h * (float(focus->grid.row) + .5f) / float(focus->rows)
                : focus->box.y + std::min(focus->box.h, 30.f) / 2;
        CHECK(middle > 0);
        CHECK(middle < float(w.height));
        const Target* dock = desk.find("dock");
        if (dock && focus < dock) CHECK(middle < dock->box.y);
      }
      CHECK(met.size() > 10);
    }
}
