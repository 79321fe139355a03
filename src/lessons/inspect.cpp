#include "lessons/inspect.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

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

// "-0.1500" as it stands in a formula: "−0.1500".
std::string with_minus(double value, int digits) {
  const std::string text = decimals(value, digits);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

// Puts the lines of one report together.
class Teller {
 public:
  Teller(CellReport& report, const Runs& runs, int digits) : report_(report), runs_(runs), digits_(digits) {}

  std::string number(double x) const { return with_minus(x, digits_); }
  void words(const std::string& text) { report_.lines.push_back({{{{text}}}}); }
  void line(std::vector<ToldTerm> terms) { report_.lines.push_back({std::move(terms)}); }
  Told first(const Operand& o) const { return told(o, number(double(o.value))); }
  // After a sign a negative number stands in brackets.
  Told second(const Operand& o) const {
    const std::string text = number(double(o.value));
    return told(o, text.starts_with("−") ? "(" + text + ")" : text);
  }
  ToldTerm equals(double x) const { return {{"= "}, {number(x), report_.role, true}}; }

  // Products stand one below the other, each with what it comes to; then the sum.
  void sum_of_products(const Explanation& e) {
    for (std::size_t i = 0; i < e.terms.size(); ++i) {
      if (i == kMostTerms) {
        report_.lines.push_back({{more(e)}, true});
        break;
      }
      const Explanation::Term& t = e.terms[i];
      ToldTerm term;
      if (i > 0) term.push_back({"+ "});
      term.insert(term.end(), {i > 0 ? second(t.a) : first(t.a), {" × "}, second(*t.b)});
      report_.lines.push_back({{std::move(term)}, true, number(t.value)});
    }
    if (e.bias) report_.lines.push_back({{{{"+ "}, second(*e.bias), {" (bias)"}}}, true});
    report_.lines.push_back({{equals(e.value)}, true});
  }
  void sum(const Explanation& e) {
    std::vector<ToldTerm> terms;
    for (std::size_t i = 0; i < e.terms.size(); ++i) {
      if (i == kMostTerms) {
        terms.push_back(more(e));
        break;
      }
      if (i == 0) terms.push_back({first(e.terms[i].a)});
      if (i > 0) terms.push_back({{"+ "}, second(e.terms[i].a)});
    }
    terms.push_back(equals(e.value));
    line(std::move(terms));
  }

 private:
  static constexpr std::size_t kMostTerms = 6;  // a longer sum is told by its first terms

  ToldTerm more(const Explanation& e) const {
    return {{"+ " + std::to_string(e.terms.size() - kMostTerms) + " more"}};
  }
  Told told(const Operand& o, std::string text) const {
    return {std::move(text), o.cell.name.empty() ? Role::neutral : role_of(runs_, o.cell.name), true};
  }

  CellReport& report_;
  const Runs& runs_;
  int digits_;
};

void tell_softmax(Teller& tell, const Explanation& e, int col) {
  const Explanation::Term& own = e.terms[std::size_t(col)];
  ToldTerm exponent = {{"exp("}, tell.first(own.a)};
  if (e.d_k) exponent.push_back({" ÷ √" + std::to_string(e.d_k)});
  const std::string most = tell.number(e.max);
  exponent.push_back({" − " + (most.starts_with("−") ? "(" + most + ")" : most) + ")"});
  tell.line({exponent, {{"= " + tell.number(own.value)}}});
  tell.line({{{"÷ Σ of the row, " + tell.number(e.total)}}, tell.equals(e.value)});
}

void tell_mean(Teller& tell, const Explanation& e) {
  const bool squares = e.rule == Rule::row_variance;
  tell.words(std::string(squares ? "Σ (x − mean)²" : "Σ of the row") + " ÷ " + std::to_string(e.divisor));
  double sum = 0;
  for (const Explanation::Term& t : e.terms) sum += t.value;
  tell.line({{{tell.number(sum) + " ÷ " + std::to_string(e.divisor)}}, tell.equals(e.value)});
}

// eps is small: the variance is told with a digit more, so that one sees what it does.
void tell_level(Teller& tell, const Explanation& e, int digits) {
  const Operand &x = e.terms[0].a, &mean = e.terms[1].a, &var = e.terms[2].a, &scale = e.terms[3].a,
                &shift = e.terms[4].a;
  tell.line({{{"("}, tell.first(x), {" − "}, tell.second(mean), {")"}},
             {{"÷ √(" + decimals(double(var.value), digits + 1) + " + " + number_text(float(e.eps)) + ")"}},
             scale.value == 1 && shift.value == 0 ? tell.equals(e.value) : ToldTerm{}});
  if (scale.value != 1 || shift.value != 0)
    tell.line({{{"× scale "}, tell.first(scale)}, {{"+ shift "}, tell.second(shift)}, tell.equals(e.value)});
}

// What a block hands on of its attention is made in there.
std::optional<Explanation> made_in_another_run(const Runs& runs, const Explanation& e, const CellName& cell) {
  const CellName& from = e.terms.front().a.cell;
  const auto here = find(runs, cell.name), there = find(runs, from.name);
  if (!here || !there || !there->run || there->run == here->run) return std::nullopt;
  auto explanation = explain(runs, from);
  return explanation && !explanation->origin && !explanation->was ? explanation : std::nullopt;
}

void tell_rule(CellReport& report, const Runs& runs, const Explanation& e, const CellName& cell, int digits) {
  Teller tell(report, runs, digits);
  const auto a = [&] { return tell.first(e.terms.front().a); };
  const auto b = [&] { return tell.second(*e.terms.front().b); };
  switch (e.rule) {
    case Rule::row_times_column:
    case Rule::row_times_row: tell.sum_of_products(e); break;
    case Rule::row_sum: tell.sum(e); break;
    case Rule::over_root_d: tell.line({{a(), {" ÷ √" + std::to_string(e.d_k)}}, tell.equals(e.value)}); break;
    case Rule::softmax:
    case Rule::softmax_over_root_d: tell_softmax(tell, e, cell.col); break;
    case Rule::times: tell.line({{a(), {" × "}, b()}, tell.equals(e.value)}); break;
    case Rule::over_row: tell.line({{a(), {" ÷ "}, b()}, tell.equals(e.value)}); break;
    case Rule::minus: tell.line({{a()}, {{"− "}, b()}, tell.equals(e.value)}); break;
    case Rule::hide:
      if (e.terms.front().b->value == 0)
        tell.line({{{"hidden: −∞ in place of "}, a()}});
      else
        tell.line({{{"visible: "}, a(), {" stays"}}});
      break;
    case Rule::plus: tell.line({{a()}, {{"+ "}, b()}, tell.equals(e.value)}); break;
    case Rule::row_mean:
    case Rule::row_variance: tell_mean(tell, e); break;
    case Rule::level: tell_level(tell, e, digits); break;
    case Rule::gelu:
      tell.line({{{"GELU("}, a(), {")"}}, tell.equals(e.value)});
      tell.line({{{"ReLU would give " + tell.number(std::max(0.0, double(e.terms.front().a.value)))}}});
      break;
    case Rule::relu: tell.line({{{"max(0, "}, a(), {")"}}, tell.equals(e.value)}); break;
    case Rule::same:
      if (e.switched_off)
        tell.line({{{"switched off: 0 in place of "}, a()}});
      else if (const auto there = made_in_another_run(runs, e, cell))
        tell_rule(report, runs, *there, e.terms.front().a.cell, digits);
      else
        tell.line({tell.equals(e.value)});
      break;
    case Rule::read_by_head:
    case Rule::side_by_side:
      if (e.switched_off) tell.words("this head is switched off: 0 in place of");
      tell.line({{{cell_text(runs, e.terms.front().a.cell)}}, tell.equals(double(e.terms.front().a.value))});
      break;
    case Rule::mask:
      tell.words(cell.col <= cell.row ? "1: the column is not later than the row"
                                      : "0: the column comes after the row");
      break;
    case Rule::largest_change:
      tell.line({{{"|"}, a()}, {{"− "}, b(), {"|"}}, tell.equals(e.value)});
      tell.words("the second after " + runs.words[std::size_t(cell.col)] + " was changed");
      break;
    case Rule::largest_later:
      tell.words(e.terms.empty() ? "nothing comes later" : "the largest to the right of the diagonal");
      break;
    case Rule::kept:
      tell.words("kept from the pass through the model: " + std::string(e.row->formula));
      break;
    case Rule::drawn: break;
  }
}

void tell_origin(CellReport& report, const Runs& runs, const Explanation& e, int digits) {
  Teller tell(report, runs, digits);
  const Origin& o = *e.origin;
  switch (o.kind) {
    case Origin::Kind::drawn: {
      tell.words("seed " + std::to_string(o.seed) + ", draw " + std::to_string(e.draw));
      if (o.bound == 0) {
        tell.words("u = " + tell.number(e.value) + ", as torch.rand gives it");
      } else {
        const double u = (e.value / double(o.bound) + 1) / 2;
        tell.line(
            {{{"(2 × " + tell.number(u) + " − 1) × " + tell.number(double(o.bound))}}, tell.equals(e.value)});
      }
      break;
    }
    case Origin::Kind::book: tell.words("the vector that the book gives this word"); break;
    case Origin::Kind::moved:
      tell.words(o.transposed ? "transposed from" : "copied from");
      tell.words(cell_text(runs, e.terms.front().a.cell));
      break;
    case Origin::Kind::chosen: tell.words(o.from); break;
    case Origin::Kind::edited: tell.words("edited, was " + tell.number(double(o.was))); break;
  }
}

}  // namespace

bool rows_are_words(const Runs& runs, const Found& found) {
  if (found.parameter) return found.parameter == &runs.inputs;
  return !found.run || is_by_word(*found.run);
}

bool columns_are_words(const Runs& runs, const Found& found) {
  for (const Difference& d : runs.differences)
    if (d.row == found.row) return columns_are_words(runs, *find(runs, d.a));
  const auto words = Eigen::Index(runs.words.size());
  const Role role = found.row ? found.row->role : Role::query;
  return (role == Role::neutral || role == Role::weights) && found.row->tensor != &Trace::inputs &&
         found.cells.cols() == words && found.cells.rows() == words &&
         !(found.run && (found.run->block || found.run->norm_example));
}

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

std::string text_of(const ToldTerm& term) {
  std::string text;
  for (const Told& part : term) text += part.text;
  return text;
}

std::string text_of(const ToldLine& line) {
  std::string text;
  for (const ToldTerm& term : line.terms) text += (text.empty() ? "" : " ") + text_of(term);
  return text;
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
  if (e->was && !e->origin)
    report.lines.push_back({{{{"edited, was " + with_minus(double(*e->was), digits)}}}});
  if (e->origin) {
    tell_origin(report, runs, *e, digits);
  } else {
    tell_rule(report, runs, *e, cell, digits);
  }
  return report;
}

}  // namespace lab
