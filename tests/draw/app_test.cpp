// The program as a whole, from link to picture.
#include <doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "draw/desk.hpp"
#include "draw/stage.hpp"
#include "lessons/book_places.hpp"

using namespace lab;

namespace {

struct Desk : test::Desk {
  explicit Desk(const std::string& query) {
    test::stage();  // makes the contexts of ImGui and GL
    REQUIRE(open(1600, 1000, query));
  }
  const Inputs& inputs() const { return app.state().inputs; }
  std::string step_id() const { return step_of(app.state()).id; }
  const Target* find(const std::string& id) const { return app.ui().registry.find(id); }
  void use(const std::string& id, const std::string& value = "") {
    app.use(id, value);
    settle();
  }
  void press(const std::string& key) {
    app.key(key);
    settle();
  }
};

// A phone held upright.
struct Phone : Desk {
  explicit Phone(const std::string& query) : Desk(query) {
    resize(390, 844, 2);
    settle();
  }
};

}  // namespace

TEST_CASE("a link to a step opens it as choosing it would, with a sentence of one's own too") {
  CHECK(Desk("lesson=causal-mask&step=dropout").inputs().training);
  CHECK(Desk("lesson=causal-mask&step=dropout&text=a+b+c").inputs().training);
  CHECK(Desk("lesson=causal-mask&step=wrong&text=a+b+c").inputs().mask == MaskRoute::zero_scores);
}

TEST_CASE("a link that says more about the inputs is left as it is") {
  CHECK(Desk("lesson=causal-mask&step=wrong&mask=none").inputs().mask == MaskRoute::none);
  CHECK_FALSE(Desk("lesson=causal-mask&step=dropout&seed=5").inputs().training);
}

TEST_CASE("edits of cells that a shorter sentence has no place for are spoken of") {
  Desk desk("lesson=self-attention&edit=inputs.5.0:2&text=one+two");
  REQUIRE(desk.app.ui().registry.find("trouble") != nullptr);
  CHECK(desk.app.ui().registry.find("trouble")->value.find("One edited cell") == 0);
}

TEST_CASE("a step, a cell or a slot that a link names and that is not there is told, and the rest stands") {
  const char* links[][2] = {
      {"lesson=causal-mask&step=zerro", "step=zerro: Causal mask has no such step; scores is shown."},
      {"lesson=causal-mask&step=zero&cell=attn_weihgts.0.0",
       "cell=attn_weihgts.0.0: there is no such cell here; the step’s own is shown."},
      {"lesson=causal-mask&step=zero&text=one+two&cell=attn_scores.2.0",
       "cell=attn_scores.2.0: there is no such cell here; the step’s own is shown."},
      {"lesson=transfer&fault=7&guess=W_kye", "guess=W_kye: there is no such slot here."},
  };
  for (const auto& [link, told] : links) {
    CAPTURE(link);
    const Desk desk(link);
    REQUIRE(desk.find("trouble") != nullptr);
    CHECK(desk.find("trouble")->value == told);
    CHECK_FALSE(desk.app.state().view.cell);
    CHECK(desk.app.state().view.guess.empty());
  }
  for (const char* link : {"lesson=causal-mask&cell=influence.0.0", "lesson=causal-mask&cell=attn_scores.1.0",
                           "lesson=transfer&fault=7&guess=W_key", "lesson=multi-head&cell=wrapper.out.0.0"}) {
    CAPTURE(link);
    CHECK(Desk(link).find("trouble") == nullptr);
  }
}

TEST_CASE("Undo and Redo go back to the step in which was done what they undo") {
  Desk desk("lesson=causal-mask&step=leak");
  desk.use("step.wrong");
  desk.use("route.none");
  desk.use("step.scores");
  desk.press("Ctrl+z");
  CHECK(desk.step_id() == "wrong");
  CHECK(desk.inputs().mask == MaskRoute::zero_scores);
  desk.press("Ctrl+z");
  CHECK(desk.step_id() == "leak");
  CHECK(desk.inputs().mask == MaskRoute::zero_renorm);
  desk.press("Ctrl+y");
  CHECK(desk.step_id() == "wrong");
  CHECK(desk.inputs().mask == MaskRoute::zero_scores);
  desk.press("Ctrl+y");
  CHECK(desk.step_id() == "wrong");
  CHECK(desk.inputs().mask == MaskRoute::none);
}

TEST_CASE("Undo of the last edit ends the map of differences") {
  Desk desk("lesson=causal-mask&step=zero&cell=attn_scores.1.0");
  desk.use("edit-cell");
  desk.use("edit", "2");
  desk.app.typing_done("edit", false);
  desk.settle();
  REQUIRE(desk.inputs().edits.size() == 1);
  desk.use("changes");
  CHECK(desk.find("sums.masked_zeroed") == nullptr);  // sums of numbers that are not shown
  desk.press("Ctrl+z");
  CHECK(desk.inputs().edits.empty());
  CHECK_FALSE(desk.app.state().view.changes);
  CHECK(desk.find("sums.masked_zeroed") != nullptr);
}

TEST_CASE("a link to a turn that no word can take is brought to the last word") {
  CHECK(Desk("lesson=causal-mask&step=zero&word=9&text=a+b").app.state().view.word == 1);
  CHECK_FALSE(Desk("lesson=causal-mask&step=leak&word=1").app.state().view.word.has_value());
}

TEST_CASE("Play leaves time to read, and goes on by itself") {
  Desk desk("lesson=causal-mask&step=scores");
  desk.step = 100;
  desk.use("play");
  const double began = desk.now;
  while (desk.step_id() == "scores" && desk.now < began + 20e3) desk.frame();
  CHECK(desk.step_id() == "scale");
  CHECK(desk.now - began > 6000);
  CHECK(desk.now - began < 12000);
  desk.use("play");
  const double paused = desk.now;
  while (desk.now < paused + 20e3) desk.frame();
  CHECK(desk.step_id() == "scale");
}

TEST_CASE("a sentence that is too long is cut, and that is said each time") {
  std::string many;
  for (int i = 0; i < 500; ++i) many += "word ";
  Desk desk("lesson=causal-mask");
  for (int time = 0; time < 3; ++time) {
    CAPTURE(time);
    desk.app.use("input.text", many);
    desk.frame();
    desk.app.typing_done("input.text", false);
    const Effects e = desk.frame();
    REQUIRE(e.announce.has_value());
    CHECK(e.announce->find("cut to 64 words") != std::string::npos);
    CHECK(desk.find("trouble") != nullptr);
    desk.use("cell.inputs.0.0");
    CHECK(desk.find("trouble") == nullptr);
  }
}

TEST_CASE("on a phone Back, Play and Next lie at one place in every step, and a thumb can hit them") {
  for (const Lesson& lesson : lessons()) {
    Phone desk(std::string("lesson=") + lesson.id);
    const Box next = desk.find("next")->box;
    for (const Step& step : lesson.steps) {
      CAPTURE(step.id);
      CHECK(desk.find("next")->box == next);
      for (const std::string id : {"play", "back", "next"}) {
        const Target* t = desk.find(id);
        CHECK(t->reachable);
        CHECK(t->box.w >= 44);
        CHECK(t->box.h >= 44);
        CHECK(t->box.bottom() <= 844);
      }
      CHECK(desk.find("back")->box.right() <= next.x);
      CHECK(desk.find("play")->box.right() <= desk.find("back")->box.x);
      desk.use("next");
    }
    desk.use("sheet");
    CHECK(desk.find("next")->box == next);
    CHECK(desk.find("next")->reachable);
  }
}

TEST_CASE("on a phone what was undone can be done again") {
  for (const int width : {390, 320}) {
    Phone desk("lesson=transfer");
    desk.resize(width, 844, 2);
    desk.use("auto");
    CHECK(desk.find("verdict")->reachable);  // the page has moved to what the outputs say
    desk.use("undo");
    ImGui::GetIO().AddMouseWheelEvent(0, 50);
    desk.settle();
    REQUIRE(desk.find("redo") != nullptr);
    CHECK(desk.find("redo")->reachable);
    desk.use("redo");
    CHECK(desk.inputs().moves.size() == 3);
  }
}

TEST_CASE("the roadmap in the rail follows the stage that is looked at") {
  Desk desk("lesson=roadmap");
  desk.draws = true;
  const auto stages = [&] {
    desk.settle();
    const platform::Surface s = platform::surface();
    std::vector<unsigned char> all = platform::read_pixels(s.width, s.height), part;
    const Box b = desk.find("nav.roadmap")->box;
    for (int y = int(b.y); y < int(b.bottom()); ++y)
      part.insert(part.end(), all.begin() + (y * s.width + int(b.x)) * 4,
                  all.begin() + (y * s.width + int(b.right())) * 4);
    return part;
  };
  const auto first = stages();
  desk.use("next");
  CHECK(stages() != first);
}

TEST_CASE("a row of the book is clicked, and its cell is open; a count is clicked, and its row is compared") {
  for (const bool phone : {false, true}) {
    Desk desk("lesson=book");
    if (phone) desk.resize(390, 844, 2);
    desk.settle();
    const auto click = [&](const char* id) {
      const Box b = desk.find(id)->box;
      for (const bool down : {true, false}) {
        desk.point(b.mid_x(), b.mid_y(), down);
        desk.settle();
      }
    };
    click("check.1");
    CHECK(desk.app.query().find("row=1") != std::string::npos);
    if (phone) {  // which shows the comparison in its sheet
      CHECK(desk.find("sheet")->value == "true");
      desk.use("sheet");
    }
    click("book.0");
    CHECK(desk.app.query() == "lesson=self-attention&step=inputs&cell=simple.attn_scores.1.0");
    desk.point(-1e6f, -1e6f, false);  // away again
    desk.settle();
  }
}

TEST_CASE(
    "while the list of the book's numbers scrolls, the inspector beside it stays, and the steps below") {
  Desk desk("lesson=book");
  desk.point(700, 500, false);
  desk.settle();
  const Box before = desk.find("inspector")->box;
  ImGui::GetIO().AddMouseWheelEvent(0, -20);
  desk.settle();
  CHECK_FALSE(desk.find("book.0")->reachable);
  const Target* inspector = desk.find("inspector");
  CHECK(inspector->reachable);
  CHECK(inspector->box.y < before.y);
  CHECK(inspector->box.y >= 0);
  CHECK(desk.find("step.odd")->reachable);
  ImGui::GetIO().AddMouseWheelEvent(0, 200);
  desk.settle();
  CHECK(desk.find("inspector")->box == before);
  desk.point(-1e6f, -1e6f, false);
  desk.settle();
}

TEST_CASE("the rows of the book are checked a few in each frame, and then no more frames are asked for") {
  Desk desk("lesson=book");
  Effects effects;
  for (int i = 0; i < 400; ++i)
    if (effects = desk.frame(); !effects.wants_frame) break;
  CHECK_FALSE(effects.wants_frame);
  REQUIRE(desk.find("book") != nullptr);
  CHECK(desk.find("book")->value.starts_with("783 of 904 equal"));
}

namespace {

// Frames until nothing is left to do; false: something is.
bool come_to_rest(Desk& desk) {
  for (int i = 0; i < 400; ++i)
    if (!desk.frame().wants_frame) return true;
  return false;
}
bool says(const Desk& desk, const std::string& id, const std::string& part) {
  const Target* t = desk.find(id);
  return t && (t->label + " " + t->value).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "all rows are run while the page goes on drawing; the same button stops them, and keeps the keyboard") {
  Desk desk("lesson=book");
  REQUIRE(come_to_rest(desk));
  desk.app.remember_book("7.5");
  desk.frame();
  CHECK(says(desk, "book", "121 not run: GPT-2 small, 622 MiB, 7.5 s last time"));
  desk.app.focus("run-book");
  desk.press("Enter");
  CHECK(says(desk, "run-book", "Cancel"));
  const auto run_on = [&] {
    for (int i = 0; i < 60; ++i) CHECK(desk.frame().wants_frame);
  };
  run_on();
  CHECK(says(desk, "book", "GPT-2 small is being drawn: "));
  CHECK(desk.app.ui().gesture.focus == "run-book");
  desk.use("nav.causal-mask");
  CHECK(come_to_rest(desk));  // it waits for who comes back
  desk.use("nav.book");
  CHECK(says(desk, "run-book", "Cancel"));
  run_on();
  desk.app.focus("run-book");
  desk.press("Enter");
  CHECK(says(desk, "run-book", "Run all, the rows of GPT-2 small too"));
  CHECK(come_to_rest(desk));
  CHECK(desk.find("book")->value.starts_with("783 of 904 equal"));
}

TEST_CASE("the report is saved as text and as JSON, and copied") {
  Desk desk("lesson=book");
  REQUIRE(come_to_rest(desk));
  const auto used = [&](const char* id) {
    desk.app.use(id, "");
    return desk.frame();
  };
  for (const char* id : {"report.txt", "export.txt", "report.json", "export.json"}) {
    CAPTURE(id);
    const Effects e = used(id);
    REQUIRE(e.save.has_value());
    const std::string kind = std::string(id).substr(7);
    CHECK(e.save->name == "attention-lab-book." + kind);
    CHECK(e.save->content.starts_with(kind == "txt" ? "Attention Lab " : "{\"program\":\"Attention Lab\""));
    CHECK(e.save->content.find("renormalized weights") != std::string::npos);
  }
  const Effects e = used("report.copy");
  REQUIRE(e.clipboard.has_value());
  CHECK(*e.clipboard == used("report.txt").save->content);
  CHECK_FALSE(Desk("lesson=causal-mask").find("report.txt"));
}

TEST_CASE("what has nothing in it is not saved, and that is said") {
  for (const auto& [query, id] : {std::pair{"lesson=gpt&size=custom&text=", "export.csv"},
                                  std::pair{"lesson=transformer-block&emb_dim=7&heads=2", "export.py"}}) {
    CAPTURE(query);
    Desk desk(query);
    come_to_rest(desk);
    desk.app.use(id, "");
    CHECK_FALSE(desk.frame().save.has_value());
  }
  Desk desk("lesson=multi-head");
  come_to_rest(desk);
  desk.app.use("export.py", "");
  CHECK(desk.frame().save.has_value());
}

TEST_CASE("where a row opens the lesson and no cell holds its number, the number is read beside it") {
  for (const BookRow& row : book_rows()) {
    const BookPlace& place = place_of(row);
    if (!*place.told || has_program(place)) continue;  // the greedy text takes the whole model
    CAPTURE(std::string(row.what));
    Desk desk(place.query);
    come_to_rest(desk);
    const auto& targets = desk.app.ui().registry.targets();
    CHECK(std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
      return (t.label + " " + t.value).find(place.told) != std::string::npos;
    }));
  }
}

TEST_CASE("arrows go on from the cell that was clicked") {
  Desk desk("lesson=causal-mask&step=renormalize");
  const Box grid = desk.find("matrix.scaled_scores")->box;
  desk.point(grid.x + grid.w * 1.5f / 6, grid.y + grid.h * 2.5f / 6, true);
  desk.settle();
  desk.point(grid.x + grid.w * 1.5f / 6, grid.y + grid.h * 2.5f / 6, false);
  desk.settle();
  desk.press("ArrowRight");
  CHECK(desk.step_id() == "renormalize");
  CHECK(desk.app.query().find("cell=scaled_scores.2.2") != std::string::npos);
  desk.point(-1e6f, -1e6f, false);  // away again
  desk.settle();
}

TEST_CASE("a click on a cell of a band chooses the cell of the whole matrix, and a press drags the band") {
  Desk desk("lesson=transfer&from=mha&to=wrapper&heads=2");
  const std::string band = "matrix.source.W_key.weight[2:4,0:3]";
  const auto at = [&](const std::string& id, float x, float y) {
    const Target* t = desk.app.ui().registry.find(id);
    REQUIRE(t);
    return std::pair{t->box.x + t->box.w * x, t->box.y + t->box.h * y};
  };
  const auto press = [&](std::pair<float, float> from, std::pair<float, float> to) {
    desk.point(from.first, from.second, false);
    desk.settle();
    desk.point(from.first, from.second, true);
    desk.settle();
    desk.point(to.first, to.second, true);
    desk.settle();
    desk.point(to.first, to.second, false);
    desk.settle();
  };
  press(at(band, .5f, .75f), at(band, .5f, .75f));
  CHECK(desk.app.state().view.cell == CellName{"source.W_key.weight", 3, 1});
  press(at(band, .5f, .75f), at("slot.heads.1.W_key.weight", .5f, .5f));
  CHECK(desk.app.state().inputs.moves ==
        std::vector<Move>{{"W_key.weight", MoveOp::copy, "heads.1.W_key.weight", Rect{2, 4, 0, 3}, {}}});
  desk.point(-1e6f, -1e6f, false);  // away again
  desk.settle();
}

TEST_CASE("whatever is open stays one of its kind when the window changes") {
  for (const Lesson& lesson : lessons())
    for (const char* open : {"menu", "export", "routes", "input.mask", "input.from", "more", "sheet"}) {
      Desk d("lesson=" + std::string(lesson.id));
      for (const auto& [width, height] :
           {std::pair{390, 844}, {1600, 1000}, {899, 1200}, {900, 1200}, {1024, 860}, {844, 390}}) {
        d.resize(width, height, 1);
        d.settle();
        d.use(open);
        std::vector<std::string> ids;
        for (const Target& t : d.app.ui().registry.targets()) ids.push_back(t.id);
        std::sort(ids.begin(), ids.end());
        CAPTURE(width);
        CAPTURE(open);
        CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
      }
    }
}
