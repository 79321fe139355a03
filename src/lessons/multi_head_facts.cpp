#include "lessons/multi_head_facts.hpp"

#include <cmath>

#include "core/compare.hpp"
#include "core/head_figures.hpp"
#include "core/multi_head.hpp"
#include "core/ops.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/stages.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

using multi_head_texts::head_name;

// From "project" on there is a module to compare with.
bool has_module_beside(const State& s) {
  for (const Step& step : lesson_of(s).steps) {
    if (step.id == std::string_view(kProjectStep)) return true;
    if (&step == &step_of(s)) return false;
  }
  return false;
}

const Run* head_of(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  return found && found->run && found->run->head >= 0 ? found->run : nullptr;
}

std::string times_text(int a, const char* sign, int b) {
  return filled("{0} {1} {2}", {std::to_string(a), sign, std::to_string(b)});
}

// How wide the two classes make their heads of the same d_out, which readers stumble over.
void add_width_facts(std::vector<Fact>& facts, const Results& r) {
  const AttentionParams& stack = r.runs.runs[0].module;
  const int heads = stack.num_heads, width = head_dim(stack);
  facts.push_back({"Stacked: a head has", counted(width, "column"), Role::neutral, true});
  facts.push_back(
      {"all heads", filled("{0} = {1}", {times_text(heads, "×", width), std::to_string(heads * width)})});
  if (const auto fused = find(r.runs, "mha.out")) {
    const int all = int(fused->cells.cols());
    facts.push_back({"Fused: all heads", counted(all, "column"), Role::neutral, true});
    facts.push_back(
        {"a head has", filled("{0} = {1}", {times_text(all, "÷", heads), std::to_string(all / heads)})});
  }
  const auto shape = [&](const char* name) {
    const auto out = find(r.runs, name);
    if (!out) return std::string("none");
    std::string text =
        filled("{0}, {1}]", {std::to_string(out->cells.rows()), std::to_string(out->cells.cols())});
    return (r.inputs.batch > 1 ? "[" + std::to_string(r.inputs.batch) + ", " : "[") + text;
  };
  facts.push_back({"shapes of the outputs", shape("wrapper.out") + " " + shape("mha.out")});
}

// A module made for longer texts keeps a larger mask, and uses its corner.
void add_mask_fact(std::vector<Fact>& facts, const Results& r) {
  if (const auto rows = r.inputs.context_length)
    facts.push_back(
        {"the mask's buffer",
         filled("{0} × {0}, used {1} × {1}", {std::to_string(*rows), std::to_string(r.runs.words.size())})});
}

const Run& module_of(const Runs& runs, const Run& head) {
  for (const Run& run : runs.runs)
    if (run.prefix == head.prefix.substr(0, head.prefix.size() - head_prefix(head.head).size())) return run;
  return runs.runs[0];
}

void add_figures(std::vector<Fact>& facts, const Results& r, const Run& head, int digits) {
  const HeadFigures f = figures_of(head.trace.attn_weights),
                    even = figures_of(even_weights(int(r.runs.words.size())));
  const auto beside_even = [&](double x, double e) {
    return decimals(x, digits) + " (even " + decimals(e, digits) + ")";
  };
  facts.push_back({"entropy, nats", beside_even(f.entropy, even.entropy)});
  facts.push_back({"looks back, words", beside_even(f.distance, even.distance)});
  const std::string share = decimals(f.most_attended_by, digits);
  facts.push_back(
      {"most attended", std::isnan(f.most_attended_by) ? share : word(r, f.most_attended) + " " + share});
  if (const auto row = row_of_no_shares(head.trace.attn_weights))
    facts.push_back({filled("row {0} sums to", {word(r, *row)}),
                     decimals(double(row_sums(head.trace.attn_weights)(*row, 0)), digits) + ", not 1",
                     Role::neutral, false, Fact::Mark::bad});
  if (head.pass.off)
    facts.push_back({"takes part", "no, it is switched off"});
  else
    facts.push_back({"without it outputs move by",
                     difference_text(double(effect_of(module_of(r.runs, head), head.head)))});
}

}  // namespace

std::vector<Fact> head_facts(const Results& r, const State& s) {
  std::vector<Fact> facts;
  const CellName cell = selected_cell(s);
  const Run* head = head_of(r.runs, cell);
  const std::string_view step = step_of(s).id;
  if (!head && step == "heads") add_width_facts(facts, r);
  if (step == "heads" || step == "inside") add_mask_fact(facts, r);
  if (!head && has_module_beside(s) && step != kSwapStep && r.runs.comparison.max_difference >= 0) {
    const bool same = r.runs.comparison.max_difference == 0;
    facts.push_back({"Stacked = fused?", same ? "yes" : "no", Role::neutral, true,
                     same ? Fact::Mark::good : Fact::Mark::bad});
    facts.push_back({"max |Δ| of the outputs", difference_text(double(r.runs.comparison.max_difference))});
  }
  if (!head && step == kSwapStep)
    for (const auto& [name, label] :
         {std::pair{"stacked_change", "max |Δ|, stacked"}, {"fused_change", "max |Δ|, fused"}})
      if (const Matrix& moved = difference_named(r.runs, name); moved.size() != 0)
        facts.push_back({label, difference_text(largest_size(moved))});
  if (!head) return facts;
  facts.push_back(
      {filled("head {0}", {std::to_string(head->head + 1)}), head_name(r, head->head), Role::neutral, true});
  if (step == kStagesStep && is_stage(cell.name) && cell.row < int(r.runs.words.size()))
    add_stage_facts(facts, head->trace, cell.row, s.view.digits, StagesTold::both_routes);
  else
    add_figures(facts, r, *head, s.view.digits);
  return facts;
}

}  // namespace lab
