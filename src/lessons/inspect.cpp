#include "lessons/inspect.hpp"

#include <cmath>

#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostTerms = 6;  // a longer sum is told by its first terms

bool rows_are_words(const Runs& runs, const Found& found) {
  return !found.parameter || found.parameter == &runs.inputs;
}

bool columns_are_words(const Runs& runs, const Found& found) {
  const auto words = Eigen::Index(runs.words.size());
  return found.row && found.row->tensor != &AttentionTrace::inputs && found.cells.cols() == words &&
         found.cells.rows() == words && found.row->role != Role::query && found.row->role != Role::key &&
         found.row->role != Role::value && found.row->role != Role::context;
}

std::string word_or_index(const Runs& runs, bool word, int i) {
  return word && i < int(runs.words.size()) ? runs.words[std::size_t(i)] : std::to_string(i);
}

std::string cell_text(const Runs& runs, const CellName& cell) {
  const auto found = find(runs, cell.name);
  if (!found) return cell.name;
  if (found->parameter && found->parameter->one_dimensional)
    return cell.name + "[" + std::to_string(cell.col) + "]";
  return cell.name + "[" + word_or_index(runs, rows_are_words(runs, *found), cell.row) + ", " +
         word_or_index(runs, columns_are_words(runs, *found), cell.col) + "]";
}

// "0.55 × 0.2961 + 0.87 × 0.2517 + …"
std::string sum_of_products(const Explanation& e, int digits) {
  std::string text;
  for (std::size_t i = 0; i < e.terms.size(); ++i) {
    if (i > 0) text += " + ";
    if (i == kMostTerms) return text + "… (" + std::to_string(e.terms.size()) + " terms)";
    text +=
        decimals(double(e.terms[i].a.value), digits) + " × " + decimals(double(e.terms[i].b->value), digits);
  }
  if (e.bias) text += " + " + decimals(double(e.bias->value), digits) + " (bias)";
  return text;
}

std::string sum_of_terms(const Explanation& e, int digits) {
  std::string text;
  for (std::size_t i = 0; i < e.terms.size(); ++i) {
    if (i > 0) text += " + ";
    if (i == kMostTerms) return text + "…";
    text += decimals(e.terms[i].value, digits);
  }
  return text;
}

void tell_rule(CellReport& report, const Runs& runs, const Explanation& e, const CellName& cell, int digits) {
  const auto number = [&](double x) { return decimals(x, digits); };
  const auto first = [&] { return e.terms.front(); };
  const auto second = [&](double x) { return x < 0 ? "(" + number(x) + ")" : number(x); };  // after a sign
  switch (e.rule) {
    case Rule::row_times_column:
    case Rule::row_times_row:
      report.lines.push_back(sum_of_products(e, digits));
      report.lines.push_back("= " + number(e.value));
      break;
    case Rule::over_root_d:
      report.lines.push_back(number(first().a.value) + " ÷ √" + std::to_string(e.d_k) + " = " +
                             number(e.value));
      break;
    case Rule::softmax:
    case Rule::softmax_over_root_d: {
      const Explanation::Term& own = e.terms[std::size_t(cell.col)];
      const std::string score =
          e.d_k ? number(own.a.value) + " ÷ √" + std::to_string(e.d_k) : number(own.a.value);
      report.lines.push_back("exp(" + score + " − " + number(e.max) + ") = " + number(own.value));
      report.lines.push_back("÷ Σ of the row, " + number(e.total) + " = " + number(e.value));
      break;
    }
    case Rule::times:
      report.lines.push_back(number(first().a.value) + " × " + second(first().b->value) + " = " +
                             number(e.value));
      break;
    case Rule::row_sum: report.lines.push_back(sum_of_terms(e, digits) + " = " + number(e.value)); break;
    case Rule::over_row:
      report.lines.push_back(number(first().a.value) + " ÷ " + second(first().b->value) + " = " +
                             number(e.value));
      break;
    case Rule::hide:
      report.lines.push_back(first().b->value == 0 ? "hidden: −∞ in place of " + number(first().a.value)
                                                   : "visible: " + number(first().a.value) + " stays");
      break;
    case Rule::same: report.lines.push_back("= " + number(e.value)); break;
    case Rule::minus:
      report.lines.push_back(number(first().a.value) + " − " + second(first().b->value) + " = " +
                             number(e.value));
      break;
    case Rule::mask:
      report.lines.push_back(cell.col <= cell.row ? "1: the column is not later than the row"
                                                  : "0: the column comes after the row");
      break;
    case Rule::largest_change:
      report.lines.push_back("|" + number(first().a.value) + " − " + second(first().b->value) +
                             "| = " + number(e.value));
      report.lines.push_back("the second after " + runs.words[std::size_t(cell.col)] + " was changed");
      break;
    case Rule::largest_later:
      report.lines.push_back(e.terms.empty() ? "nothing comes later"
                                             : "the largest to the right of the diagonal");
      break;
    case Rule::drawn: break;
  }
}

void tell_origin(CellReport& report, const Runs& runs, const Explanation& e, int digits) {
  const Origin& o = *e.origin;
  switch (o.kind) {
    case Origin::Kind::drawn: {
      report.lines.push_back("seed " + std::to_string(o.seed) + ", draw " + std::to_string(e.draw));
      if (o.bound == 0) {
        report.lines.push_back("u = " + decimals(e.value, digits) + ", as torch.rand gives it");
      } else {
        const double u = (e.value / double(o.bound) + 1) / 2;
        report.lines.push_back("(2 × " + decimals(u, digits) + " − 1) × " +
                               decimals(double(o.bound), digits) + " = " + decimals(e.value, digits));
      }
      break;
    }
    case Origin::Kind::book: report.lines.push_back("the vector that the book gives this word"); break;
    case Origin::Kind::moved:
      report.lines.push_back(o.transposed ? "transposed from" : "copied from");
      report.lines.push_back(cell_text(runs, e.terms.front().a.cell));
      break;
    case Origin::Kind::edited:
      report.lines.push_back("edited, was " + decimals(double(o.was), digits));
      break;
  }
}

}  // namespace

Role role_of(const Runs& runs, const std::string& name) {
  const auto found = find(runs, name);
  if (!found) return Role::neutral;
  if (found->row) return found->row->role;
  if (found->run)
    for (const Slot s : kSlots) {
      const Projection& p = projection(found->run->module, s);
      if (found->parameter == &p.weight || found->parameter == &p.bias)
        return s == Slot::query ? Role::query : s == Slot::key ? Role::key : Role::value;
    }
  return Role::neutral;
}

CellReport report_of(const Runs& runs, const CellName& cell, int digits) {
  CellReport report;
  const auto found = find(runs, cell.name);
  const auto e = explain(runs, cell);
  const auto value = value_of(runs, cell);
  if (!found || !e || !value) return report;
  report.name = cell_text(runs, cell);
  report.title = found->row ? found->row->title : found->parameter == &runs.inputs ? "Inputs" : "Parameter";
  report.value = decimals(double(*value), digits);
  report.role = role_of(runs, cell.name);
  if (found->row) report.formula = found->row->formula;
  if (e->was && !e->origin) report.lines.push_back("edited, was " + decimals(double(*e->was), digits));
  if (e->origin) {
    tell_origin(report, runs, *e, digits);
  } else {
    tell_rule(report, runs, *e, cell, digits);
  }
  return report;
}

}  // namespace lab
