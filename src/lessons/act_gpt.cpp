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
    h.hand.said = "Drawing the numbers.";
  } else if (a.id == "stop-model") {
    h.results.gpt->cancel();
    h.hand.said = "Stopped. What was drawn is let go.";
  } else if (begins(a.id, "cell.heads.", name)) {
    const std::size_t dot = name.find('.');
    look_at_head(h, std::atoi(name.c_str()), dot == name.npos ? 0 : std::atoi(name.c_str() + dot + 1));
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
