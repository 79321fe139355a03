// The atlas' rules, carried out for one cell in double: what the learner is told, and what the tests hold the
// trace to.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/atlas.hpp"
#include "core/leak.hpp"

namespace lab {
namespace {

// A source matrix of a rule, read in the orientation in which it is multiplied.
struct Source {
  std::string name;
  MatrixView cells = no_view();
  bool stored_transposed = false;

  Operand at(Eigen::Index r, Eigen::Index c) const {
    const float value = cells(r, c);
    return stored_transposed ? Operand{{name, int(c), int(r)}, value}
                             : Operand{{name, int(r), int(c)}, value};
  }
};

Source source(const Runs& runs, const std::string& name) {
  const auto found = find(runs, name);
  if (!found) return {};
  if (!found->parameter) return {name, found->cells};
  return {name, found->parameter->as_multiplied(), found->parameter->stored_transposed};
}

// What is added where b is a layer's weight.
const Parameter* bias_of(const Run& run, const Source& b) {
  for (const Projection* p : projections(run))
    if (!p->bias.empty() && run.prefix + p->weight.name == b.name) return &p->bias;
  return nullptr;
}

double term(Explanation& e, Operand a, std::optional<Operand> b, double value) {
  e.terms.push_back({std::move(a), std::move(b), value});
  e.magnitude += std::abs(value);
  return value;
}

double product_of(Explanation& e, const Operand& a, const Operand& b) {
  return term(e, a, b, double(a.value) * double(b.value));
}

// Rounds where forward() rounds before exp: exp turns a rounding of its argument into a relative error.
double softmax_of_row(Explanation& e, const Source& a, int r, int c, int d_k) {
  const float root = d_k ? std::sqrt(float(d_k)) : 1;
  float largest = -std::numeric_limits<float>::infinity();
  for (Eigen::Index k = 0; k < a.cells.cols(); ++k) largest = std::max(largest, a.cells(r, k) / root);
  e.d_k = d_k;
  e.max = largest;
  for (Eigen::Index k = 0; k < a.cells.cols(); ++k) {
    const Operand x = a.at(r, k);
    const float below_largest = x.value / root - largest;
    e.total += term(e, x, {}, std::exp(double(below_largest)));
  }
  e.magnitude = 1;
  return e.terms[std::size_t(c)].value / e.total;
}

int scaled_by(const Run& run) { return run.pass.scale_by ? run.pass.scale_by : run.module.d_out; }
bool unbiased(const Run& run) {
  return run.block ? run.block->pass.unbiased : run.norm_example && run.norm_example->unbiased;
}
float eps_of(const Run& run) {
  return run.block ? run.block->pass.eps : run.norm_example ? run.norm_example->eps : kNormEps;
}

double gelu_of(double x) {
  constexpr double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return .5 * x * (1 + std::tanh(root * (x + 0.044715 * x * x * x)));
}

// Rounds where forward() rounds before the root and the division.
double levelled_cell(Explanation& e, const std::vector<Source>& from, float eps, int r, int c) {
  const Operand x = from[0].at(r, c), mean = from[1].at(r, 0), var = from[2].at(r, 0),
                scale = from[3].at(0, c), shift = from[4].at(0, c);
  e.eps = double(eps);
  const double root = std::sqrt(double(var.value + eps));
  for (const Operand& o : {x, mean, var, scale, shift}) e.terms.push_back({o, {}, double(o.value)});
  e.magnitude =
      (std::abs(double(x.value)) + std::abs(double(mean.value))) / root * std::abs(double(scale.value)) +
      std::abs(double(shift.value));
  return double(scale.value) * (double(x.value - mean.value) / root) + double(shift.value);
}

double variance_of_row(Explanation& e, const Source& a, const Source& mean, bool unbiased, int r) {
  double sum = 0;
  e.divisor = int(a.cells.cols()) - unbiased;
  const Operand m = mean.at(r, 0);
  for (Eigen::Index k = 0; k < a.cells.cols(); ++k) {
    const Operand x = a.at(r, k);
    const double apart = double(x.value) - double(m.value);
    sum += term(e, x, m, apart * apart);
  }
  e.magnitude /= e.divisor;
  return sum / e.divisor;
}

double carried_out(Explanation& e, const std::vector<Source>& from, const Parameter* bias, const Run* run,
                   int r, int c) {
  const Source a = from.empty() ? Source{} : from[0], b = from.size() < 2 ? Source{} : from[1];
  const int d_k = run ? scaled_by(*run) : 0;
  double sum = 0;
  switch (e.rule) {
    case Rule::row_times_column:
      for (Eigen::Index k = 0; k < a.cells.cols(); ++k) sum += product_of(e, a.at(r, k), b.at(k, c));
      if (bias) {
        e.bias = Operand{{bias->name, 0, c}, bias->stored(0, c)};
        e.magnitude += std::abs(double(e.bias->value));
        sum += double(e.bias->value);
      }
      return sum;
    case Rule::row_times_row:
      for (Eigen::Index k = 0; k < a.cells.cols(); ++k) sum += product_of(e, a.at(r, k), b.at(c, k));
      return sum;
    case Rule::over_root_d: {
      e.d_k = d_k;
      const Operand x = a.at(r, c);
      return term(e, x, {}, double(x.value) / std::sqrt(double(d_k)));
    }
    case Rule::softmax: return softmax_of_row(e, a, r, c, 0);
    case Rule::softmax_over_root_d: return softmax_of_row(e, a, r, c, d_k);
    case Rule::times: return product_of(e, a.at(r, c), b.at(r, c));
    case Rule::row_sum:
      for (Eigen::Index k = 0; k < a.cells.cols(); ++k) {
        const Operand x = a.at(r, k);
        sum += term(e, x, {}, double(x.value));
      }
      return sum;
    case Rule::over_row: {
      const Operand x = a.at(r, c), y = b.at(r, 0);
      return term(e, x, y, double(x.value) / double(y.value));
    }
    case Rule::hide: {
      const Operand x = a.at(r, c), visible = b.at(r, c);
      return term(e, x, visible,
                  visible.value == 0 ? -std::numeric_limits<double>::infinity() : double(x.value));
    }
    case Rule::same: {
      const Operand x = a.at(r, c);
      return term(e, x, {}, double(x.value));
    }
    case Rule::minus: {
      const Operand x = a.at(r, c), y = b.at(r, c);
      term(e, x, y, double(x.value) - double(y.value));
      e.magnitude = std::abs(double(x.value)) + std::abs(double(y.value));
      return e.terms.front().value;
    }
    case Rule::plus: {
      const Operand x = a.at(r, c), y = b.at(r, c);
      term(e, x, y, double(x.value) + double(y.value));
      e.magnitude = std::abs(double(x.value)) + std::abs(double(y.value));
      return e.terms.front().value;
    }
    case Rule::row_mean:
      for (Eigen::Index k = 0; k < a.cells.cols(); ++k) {
        const Operand x = a.at(r, k);
        sum += term(e, x, {}, double(x.value));
      }
      e.divisor = int(a.cells.cols());
      e.magnitude /= e.divisor;
      return sum / e.divisor;
    case Rule::row_variance: return variance_of_row(e, a, b, unbiased(*run), r);
    case Rule::level: return levelled_cell(e, from, eps_of(*run), r, c);
    case Rule::gelu: {
      const Operand x = a.at(r, c);
      e.magnitude = std::abs(double(x.value));
      e.terms.push_back({x, {}, gelu_of(double(x.value))});
      return e.terms.front().value;
    }
    case Rule::relu: {
      const Operand x = a.at(r, c);
      return term(e, x, {}, x.value > 0 || std::isnan(x.value) ? double(x.value) : 0);
    }
    case Rule::largest_change:  // needs a pass of its own: change_of()
    case Rule::largest_later:
      for (Eigen::Index k = r + 1; k < a.cells.cols(); ++k) {
        const Operand x = a.at(r, k);
        e.terms.push_back({x, {}, double(x.value)});
        if (!(double(x.value) <= sum)) sum = double(x.value);
        if (std::isnan(sum)) break;
      }
      e.magnitude = std::abs(sum);
      return sum;
    case Rule::read_by_head:  // rearranged()
    case Rule::side_by_side:
    case Rule::mask:
    case Rule::drawn:
    case Rule::kept: break;
  }
  return 0;
}

// Word c is nudged once more, and row r compared number by number. What it is compared with stands on no
// screen, so it has a value and no name.
double change_of(Explanation& e, const Run& run, int r, int c) {
  const Run again = nudged(run, c);
  double largest = 0;
  for (int k = 0; k < run.trace.context_vec.cols(); ++k) {
    const float before = run.trace.context_vec(r, k), after = again.trace.context_vec(r, k);
    const double change = std::abs(double(before) - double(after));
    const bool more = std::isnan(change) || change > largest;
    if (k == 0 || more)
      e.terms = {{{{run.prefix + "context_vec", r, k}, before}, Operand{{}, after}, change}};
    if (more) largest = change;
    e.magnitude = std::max(e.magnitude, std::abs(double(before)) + std::abs(double(after)));
    if (std::isnan(change)) break;
  }
  return largest;
}

const Run* run_with_prefix(const std::vector<Run>& runs, std::string_view prefix) {
  for (const Run& run : runs) {
    if (run.prefix == prefix) return &run;
    if (const Run* part = run_with_prefix(run.parts, prefix)) return part;
  }
  return nullptr;
}

// A number that another matrix holds at another place.
double rearranged(Explanation& e, const Runs& runs, const Run& run, const Source& a, int r, int c) {
  Operand from;
  if (e.rule == Rule::read_by_head) {
    const Run& all = *run_with_prefix(runs.runs, run.module_prefix);
    const AllCell at = read_from(all.pass.head_route, head_shape(all), {run.head, r, c});
    from = a.at(at.row, at.col);
  } else {
    const HeadCell by = written_by(run.pass.head_route, head_shape(run), {r, c});
    const Run& head = run.parts[std::size_t(by.head)];
    from = {{head.prefix + "context_vec", by.row, by.col}, head.trace.context_vec(by.row, by.col)};
    e.switched_off = head.pass.off;
  }
  return term(e, from, {}, e.switched_off ? 0 : double(from.value));
}

// Matrices that are made from nothing in the run: what was decided before the pass.
double decided(const Run& run, Tensor tensor, int r, int c) {
  if (tensor == &Trace::keep) return run.pass.keep(r, c);
  if (tensor == &Trace::drop_mask1) return run.block->pass.shortcut_drop1(r, c);
  if (tensor == &Trace::drop_mask2) return run.block->pass.shortcut_drop2(r, c);
  if (tensor == &Trace::route_keep) return route_mask(run.pass.route, int(run.pass.keep.rows()))(r, c);
  return run.pass.dropout_mask(r, c);
}

// A box of a block that says nothing.
bool is_off(const Run& run, Tensor tensor) {
  if (!run.block) return false;
  return (tensor == &Trace::att && run.block->pass.attention_off) ||
         (tensor == &Trace::ff_out && run.block->pass.ff_off);
}

Explanation explain_origin(const Runs& runs, const Parameter& p, int r, int c) {
  Explanation e;
  e.origin = &p.origin_of(r, c);
  e.value = p.stored(r, c);
  e.magnitude = std::abs(e.value);
  const Origin& o = *e.origin;
  if (o.kind == Origin::Kind::drawn)
    e.draw = o.first_draw + std::int64_t(r - o.cells.r0) * o.cells.cols() + (c - o.cells.c0);
  if (o.kind == Origin::Kind::moved) {
    const int i = r - o.cells.r0, j = c - o.cells.c0;
    const CellName from{o.from, o.from_cells.r0 + (o.transposed ? j : i),
                        o.from_cells.c0 + (o.transposed ? i : j)};
    e.rule = Rule::same;
    const Operand there{from, value_of(runs, from).value_or(std::numeric_limits<float>::quiet_NaN())};
    e.terms.push_back({there, {}, double(there.value)});
    e.value = double(there.value);
  }
  if (o.kind == Origin::Kind::edited) e.was = o.was;
  return e;
}

}  // namespace

std::optional<Explanation> explain(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  const int r = cell.row, c = cell.col;
  if (!found || r < 0 || c < 0 || r >= found->cells.rows() || c >= found->cells.cols()) return std::nullopt;
  if (found->parameter) return explain_origin(runs, *found->parameter, r, c);

  const AtlasRow& row = *found->row;
  const Run* run = found->run;
  Explanation e{.rule = row.rule, .row = &row};
  const std::vector<std::string> names = sources(runs, *found);
  std::vector<Source> from;
  for (const std::string& name : names) from.push_back(source(runs, name));
  if (row.rule == Rule::kept) {
    e.value = double(found->cells(r, c));
  } else if (row.rule == Rule::mask || row.rule == Rule::drawn) {
    e.value = decided(*run, row.tensor, r, c);
  } else if (row.rule == Rule::read_by_head || row.rule == Rule::side_by_side) {
    e.value = rearranged(e, runs, *run, from.front(), r, c);
  } else if (row.rule == Rule::largest_change) {
    e.value = change_of(e, *find(runs, row.a)->run, r, c);
  } else {
    const Parameter* bias = run && from.size() > 1 ? bias_of(*run, from[1]) : nullptr;
    e.value = carried_out(e, from, bias, run, r, c);
    if (e.bias) e.bias->cell.name = run->prefix + e.bias->cell.name;
    if (run && is_off(*run, row.tensor)) {
      e.switched_off = true;
      e.value = 0;
    }
  }
  if (run)
    for (const Trace::Edited& edited : run->trace.edited)
      if (edited.tensor == row.tensor && edited.row == r && edited.col == c && !e.was) e.was = edited.was;
  return e;
}

std::vector<CellName> sources(const Explanation& e) {
  std::vector<CellName> cells;
  for (const Explanation::Term& t : e.terms) {
    cells.push_back(t.a.cell);
    if (t.b && !t.b->cell.name.empty()) cells.push_back(t.b->cell);
  }
  if (e.bias) cells.push_back(e.bias->cell);
  return cells;
}

}  // namespace lab
