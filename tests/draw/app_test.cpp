// The program as a whole, from link to picture.
#include <doctest.h>

#include "draw/desk.hpp"
#include "draw/stage.hpp"

using namespace lab;

namespace {

struct Desk : test::Desk {
  explicit Desk(const std::string& query) {
    test::stage();  // makes the contexts of ImGui and GL
    REQUIRE(open(1600, 1000, query));
  }
  const Inputs& inputs() const { return app.state().inputs; }
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
