// What is done to a GPT: its numbers drawn, a head of all its heads looked at, a token chosen, a size taken.
#include <algorithm>
#include <cstdlib>

#include "lessons/doing.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

void look_at_head(Doing& h, int block, int head) {
  const GptConfig& c = h.results.gpt->config();
  h.state.view.block = std::clamp(block, 0, c.n_layers - 1);
  h.state.view.head = std::clamp(head, 0, c.n_heads - 1);
  h.state.view.cell.reset();
}

void walk_heads(Doing& h, const std::string& key) {
  const auto [block, head] = looked_at_head(h.results, h.state);
  look_at_head(h, block + (key == "ArrowDown") - (key == "ArrowUp"),
               head + (key == "ArrowRight") - (key == "ArrowLeft"));
}

}  // namespace

bool act_on_gpt(Doing& h, const Action& a) {
  std::string name;
  if (a.id == "draw-model") {
    h.results.gpt->start();
    h.hand.said = h.results.gpt->model() ? "Going on." : "Drawing the numbers.";
  } else if (a.id == "stop-model") {
    h.results.gpt->cancel();
    h.hand.said =
        h.results.gpt->stage() == GptWork::Stage::halted ? "Stopped." : "Stopped. What was drawn is let go.";
  } else if (begins(a.id, "cell.heads.", name)) {
    const std::size_t dot = name.find('.');
    look_at_head(h, std::atoi(name.c_str()), dot == name.npos ? 0 : std::atoi(name.c_str() + dot + 1));
  } else if (begins(a.id, "floor.", name)) {
    const std::string_view step = step_of(h.state).id;
    look_at_head(h, std::atoi(name.c_str()), h.state.view.head);
    if (step != "maps" && step != "repeat" && step != "inside")
      go_to_step(h, *step_about(lesson_of(h.state), "block"), true);
  } else if (a.id == "matrix.heads") {
    walk_heads(h, a.value);
  } else if (begins(a.id, "token.", name)) {
    h.state.view.token = std::atoi(name.c_str());
  } else if (begins(a.id, "size.", name) || begins(a.id, "ledger.", name)) {
    h.state.inputs.gpt_size = name;
    h.hand.said = filled("Size: {0}.", {name});
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
