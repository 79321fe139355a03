#include "lessons/csv.hpp"

#include "core/number_text.hpp"
#include "lessons/gpt_told.hpp"

namespace lab {

namespace {

template <typename M>
void add(std::string& text, const std::string& name, const M& m) {
  text += name + "," + std::to_string(m.rows()) + "," + std::to_string(m.cols()) + "\n";
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c)
      text += number_text(float(m(r, c))) + (c + 1 < m.cols() ? "," : "\n");
  text += "\n";
}

std::string gpt_csv(const Results& r, const State& state) {
  std::string text;
  const auto& ids = r.gpt->ids();
  if (!ids.empty())
    add(text, "ids",
        Eigen::Map<const Eigen::Matrix<int, 1, Eigen::Dynamic>>(ids.data(), Eigen::Index(ids.size())));
  if (r.gpt->has_read())
    tell_gpt(r, state, [&](const std::string& name, const Matrix& cells) { add(text, name, cells); });
  return text;
}

}  // namespace

std::string csv(const Runs& runs) {
  std::string text;
  for (const std::string& name : names(runs))
    if (const auto found = find(runs, name)) add(text, name, found->cells);
  return text;
}

namespace {

const char* state_word(const BookCheck& check, const BookNumber& n) {
  switch (check.state) {
    case BookCheck::State::waiting:
    case BookCheck::State::not_run: return "not run";
    case BookCheck::State::explained: return n.within ? "equal" : "explained";
    default: return n.within ? "equal" : "different";
  }
}

}  // namespace

std::string csv(const BookChecks& checks) {
  std::string text = "chapter,cell,what,printed,computed,distance,limit,result\n";
  for (const BookCheck& check : checks.all())
    for (const BookNumber& n : check.numbers) {
      const std::string result = state_word(check, n);
      text += std::string(check.row->chapter) + "," + std::to_string(check.row->cell) + ",\"" +
              check.row->what + "\",\"" + n.text + "\"," + (is_run(check) ? number_text(n.computed) : "") +
              "," + (is_run(check) ? number_text(n.distance) : "") + "," + number_text(n.limit) + "," +
              result + "\n";
    }
  return text;
}

std::string csv(const Results& r, const State& state) {
  if (r.book) return csv(r.book->checks());
  return r.gpt ? gpt_csv(r, state) : csv(r.runs);
}

}  // namespace lab
