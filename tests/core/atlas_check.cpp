#include "core/atlas_check.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace lab {
namespace {

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// In float32 large terms may overflow where they do not in double; then only infinities and NaN are left to
// see.
bool may_overflow(const Explanation& e) {
  double finite = 0;
  for (const Explanation::Term& t : e.terms)
    if (std::isfinite(t.value)) finite += std::abs(t.value);
  return finite > double(std::numeric_limits<float>::max());
}

bool agrees(const Explanation& e, float value) {
  if (same(float(e.value), value)) return true;
  if (!std::isfinite(value)) return may_overflow(e);
  return std::isfinite(e.magnitude) && std::abs(e.value - double(value)) <= 1e-6 * std::max(1.0, e.magnitude);
}

// The uniform numbers that follow manual_seed(seed), as far as they were asked for.
float uniform(std::uint64_t seed, std::int64_t draw) {
  static std::map<std::uint64_t, std::vector<float>> streams;
  std::vector<float>& stream = streams[seed];
  if (draw > std::int64_t(stream.size())) {
    stream.resize(std::size_t(draw) + 4096);
    TorchRandom(seed).rand(stream);
  }
  return stream[std::size_t(draw - 1)];
}

std::string text(const CellName& c) {
  return c.name + "." + std::to_string(c.row) + "." + std::to_string(c.col);
}

float drawn(const Origin& o, std::int64_t draw) {
  const float u = uniform(o.seed, draw);
  return o.bound == 0 ? u : float(double(o.bound) * (2 * double(u) - 1));
}

// What a parameter's cell held before any edit, made again; none: the book prints it.
std::optional<float> made_again(const Runs& runs, const Parameter& p, int r, int c) {
  for (auto o = p.origins.rbegin(); o != p.origins.rend(); ++o) {
    const int i = r - o->cells.r0, j = c - o->cells.c0;
    if (!o->cells.contains(r, c)) continue;
    if (o->kind == Origin::Kind::drawn)
      return drawn(*o, o->first_draw + std::int64_t(i) * o->cells.cols() + j);
    if (o->kind == Origin::Kind::moved)
      return value_of(runs, {o->from, o->from_cells.r0 + (o->transposed ? j : i),
                             o->from_cells.c0 + (o->transposed ? i : j)});
    if (o->kind == Origin::Kind::book) return std::nullopt;
  }
  return std::nullopt;
}

std::string wrong_parameter_cell(const Runs& runs, const Parameter& p, const Explanation& e, int r, int c) {
  if (!e.origin) return "has no origin";
  const float value = p.stored(r, c);
  if (!same(float(e.value), value)) return "explains another number";
  const bool edited = e.origin->kind == Origin::Kind::edited;
  if (edited != e.was.has_value()) return "does not say what it was, or says it unasked";
  const float unedited = e.was.value_or(value);
  if (const auto made = made_again(runs, p, r, c); made && !same(*made, unedited))
    return "was made as " + std::to_string(*made) + ", not " + std::to_string(unedited);
  if (e.origin->kind == Origin::Kind::drawn && !same(drawn(*e.origin, e.draw), value))
    return "is not that draw";
  return "";
}

std::string wrong_operand(const Runs& runs, const Operand& o) {
  const auto value = value_of(runs, o.cell);
  if (!value) return "is made from " + text(o.cell) + ", which is no cell";
  return same(*value, o.value) ? "" : "is made from " + text(o.cell) + ", which holds another number";
}

std::string wrong_operands(const Runs& runs, const Explanation& e) {
  for (const Explanation::Term& t : e.terms) {
    if (std::string wrong = wrong_operand(runs, t.a); !wrong.empty()) return wrong;
    if (!t.b) continue;
    if (std::string wrong = wrong_operand(runs, *t.b); !wrong.empty()) return wrong;
  }
  return e.bias ? wrong_operand(runs, *e.bias) : "";
}

// The pass is made again with the word's first number raised by 1 in its inputs themselves.
std::string wrong_influence(const Runs& runs, const Explanation& e, int r, int word) {
  const Run& run = runs.runs.front();
  Matrix inputs = run.trace.inputs;
  inputs(word, 0) += 1;
  const Matrix before = output_of(run), after = output_of(run_of("", run.module, inputs, run.pass));
  float largest = 0;
  for (int k = 0; k < after.cols(); ++k) {
    const float change = std::abs(before(r, k) - after(r, k));
    if (!(change <= largest) && !std::isnan(largest)) largest = change;
  }
  return agrees(e, largest) ? wrong_operand(runs, e.terms.front().a)
                            : "is not how far the row moves, " + std::to_string(largest);
}

bool is_edited(const Run& run, Tensor tensor, int r, int c) {
  for (const CellEdit& e : edits_of(run))
    if (e.tensor == tensor && e.row == r && e.col == c) return true;
  return false;
}

std::string wrong_cell(const Runs& runs, const Found& found, int r, int c,
                       const std::optional<Explanation>& e, bool with_operands) {
  if (!e) return "is not explained";
  if (found.parameter) return wrong_parameter_cell(runs, *found.parameter, *e, r, c);
  const bool edited = found.run && is_edited(*found.run, found.row->tensor, r, c);
  if (edited != e->was.has_value()) return "does not say what it was, or says it unasked";
  const float made = e->was.value_or(found.cells(r, c));
  if (!agrees(*e, made)) return "is " + std::to_string(made) + ", explained as " + std::to_string(e->value);
  if (!with_operands) return "";
  return e->rule == Rule::largest_change ? wrong_influence(runs, *e, r, c) : wrong_operands(runs, *e);
}

}  // namespace

std::string first_wrong_cell(const Runs& runs) {
  for (const std::string& name : names(runs)) {
    const auto found = find(runs, name);
    if (!found) return name + " is no matrix";
    const auto rows = int(found->cells.rows()), cols = int(found->cells.cols());
    const int step =
        rows * cols > 256 ? 17 : 1;  // names of operands are looked up: for every so manieth cell
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < cols; ++c) {
        const CellName cell{name, r, c};
        const std::string wrong =
            wrong_cell(runs, *found, r, c, explain(runs, cell), (r * cols + c) % step == 0);
        if (!wrong.empty()) return text(cell) + " " + wrong;
      }
    }
  }
  return "";
}

}  // namespace lab
