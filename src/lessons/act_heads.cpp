// What is done to heads: one opened, two swapped, the sentence of a batch chosen.
#include <algorithm>
#include <cstdlib>

#include "lessons/doing.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/multi_head_runs.hpp"
#include "lessons/query.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

std::string named(int head) { return std::to_string(head + 1); }

void swap_heads_to(Doing& h, std::optional<HeadPair> pair) {
  Inputs& in = h.state.inputs;
  const std::optional<HeadPair> before = in.swap;
  in.swap = pair;
  follow_swap(h, before);
  h.hand.picked_head.reset();
  h.hand.said = pair ? filled("Heads {0} and {1} changed places.", {named(pair->a), named(pair->b)})
                     : "Every head stands in its own place.";
}

// One of the two that changed places takes them back; else it is the first or the second of a pair.
void pick_head(Doing& h, int head) {
  const auto& swap = h.state.inputs.swap;
  const int heads = h.results.runs.runs.front().module.num_heads;
  std::optional<int>& picked = h.hand.picked_head;
  if (head < 0 || head >= heads || heads < 2) return;
  if (swap && !picked && (head == swap->a || head == swap->b)) return swap_heads_to(h, std::nullopt);
  if (heads == 2) return swap_heads_to(h, HeadPair{0, 1});
  if (!picked) {
    picked = head;
    h.hand.said = filled("Head {0}: now the one that it changes places with.", {named(head)});
  } else if (*picked == head) {
    picked.reset();
    h.hand.said = "No head is picked.";
  } else {
    swap_heads_to(h, HeadPair{std::min(*picked, head), std::max(*picked, head)});
  }
}

// From the input bar: the pair that was typed, else the first two, or none again.
void set_swap(Doing& h, const std::string& typed) {
  if (typed.empty()) {
    const bool one = h.results.runs.runs.front().module.num_heads < 2;
    return swap_heads_to(h, h.state.inputs.swap || one ? std::nullopt : std::optional(HeadPair{}));
  }
  const ReadQuery read = state_of("swap=" + percent_encoded(typed), h.state);
  swap_heads_to(h, read.state.inputs.swap);
  if (!read.problems.empty()) h.hand.said = read.problems.front();
}

// What was edited in out_proj's columns goes with them.
void set_swap_out_proj(Doing& h, bool along) {
  Inputs& in = h.state.inputs;
  if (in.swap_out_proj == along) return;
  if (in.swap) carry_through_swap(in, h.results.runs, *in.swap);
  in.swap_out_proj = along;
  if (in.swap) carry_through_swap(in, h.results.runs, *in.swap);
  h.hand.said = along ? "out_proj's columns go along." : "out_proj's columns stay.";
}

// The cell that was looked at, in the head whose matrices begin with this.
void open_head(Doing& h, const std::string& prefix) {
  const Step& stages = *step_about(lesson_of(h.state), kStagesStep);
  CellName cell = step_of(h.state).id == stages.id ? selected_cell(h.state) : stages.cell;
  const int row = selected_cell(h.state).row;
  cell.name = prefix + cell.name.substr(head_prefix_in(cell.name).size());
  if (!find(h.results.runs, cell.name)) return;
  if (step_of(h.state).id != stages.id) {
    go_to_step(h, stages, true);
    cell.row = std::min(row, int(h.results.runs.words.size()) - 1);
    cell.col = std::min(cell.col, cell.row);
  }
  h.state.view.cell = cell;
  h.hand.said =
      filled("{0}: head {1}.", {stages.says->title, named(find(h.results.runs, cell.name)->run->head)});
}

// To the step that shows all of them.
void close_head(Doing& h) {
  const std::string head = opened_head(h.state, h.results.runs);
  const Step* all = step_about(lesson_of(h.state), head + "attn_weights");
  if (!all) all = step_about(lesson_of(h.state), kMapsStep);
  go_to_step(h, *all, true);
  if (shows(*all, head + "attn_weights")) {
    const auto map = find(h.results.runs, head + "attn_weights");
    if (map && map->cells.rows() > 0) h.state.view.cell = CellName{head + "attn_weights", all->cell.row, 0};
  }
}

void open_next(Doing& h, int by) {
  const auto found = find(h.results.runs, opened_head(h.state, h.results.runs) + "attn_weights");
  if (!found || found->run->head < 0) return;
  const int heads = h.results.runs.runs.front().module.num_heads;
  const int next = std::clamp(found->run->head + by, 0, heads - 1);
  const std::string prefix = found->run->module_prefix + head_prefix(next);
  if (!shows_one_head(h.state, h.results.runs)) return open_head(h, prefix);
  CellName cell = selected_cell(h.state);  // the same of the next, in the same step
  if (head_prefix_in(cell.name).empty()) cell = step_of(h.state).cell;
  cell.name = prefix + cell.name.substr(head_prefix_in(cell.name).size());
  h.state.view.cell = cell;
  h.hand.said = filled("Head {0} of {1}.", {named(next), std::to_string(heads)});
}

}  // namespace

void follow_swap(Doing& h, const std::optional<HeadPair>& before) {
  Inputs& in = h.state.inputs;
  if (before == in.swap) return;
  if (before) carry_through_swap(in, h.results.runs, *before);
  if (in.swap) carry_through_swap(in, h.results.runs, *in.swap);
}

bool act_on_heads(Doing& h, const Action& a) {
  std::string name;
  if (!has_control(lesson_of(h.state), "swap")) return false;
  if (begins(a.id, "swap.", name)) {
    pick_head(h, std::atoi(name.c_str()));
  } else if (a.id == "input.swap") {
    set_swap(h, a.value);
  } else if (a.id == "input.swap_out_proj") {
    set_swap_out_proj(h, a.value.empty() ? !h.state.inputs.swap_out_proj : a.value == "1");
  } else if (begins(a.id, "open-head.", name)) {
    open_head(h, name + ".");
  } else if (a.id == "close-head") {
    close_head(h);
  } else if (a.id == "head-before" || a.id == "head-after") {
    open_next(h, a.id == "head-after" ? 1 : -1);
  } else if (a.id == "replay") {
    h.hand.replayed = h.now;
    h.hand.said = "Once more.";
  } else if (a.id == "relative") {
    h.state.view.relative = !h.state.view.relative;
    h.hand.said = h.state.view.relative ? "White is an even share, red more, blue less."
                                        : "The darker, the larger the share.";
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
