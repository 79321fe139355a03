// The programs that the lab gives away, against what PyTorch printed when it ran them: ./lab test torch runs
// them again.
#include <doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/fixtures.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"
#include "vocabulary.hpp"

using namespace lab;

namespace {

struct Kept {
  std::string name;
  State state;
  std::string program, printed;
};

std::vector<Kept> kept() {
  std::vector<Kept> all;
  std::istringstream lines(fixture_text("programs/queries.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string name = line.substr(0, line.find(' '));
    const ReadQuery read = state_of(line.substr(name.size() + 1));
    CHECK_MESSAGE(read.problems.empty(), name);
    all.push_back({name, read.state, fixture_text("programs/" + name + ".py"),
                   fixture_text("programs/" + name + ".txt")});
  }
  return all;
}

// A number as torch printed it, and how much its last digit leaves open.
struct Printed {
  double value = 0, rounding = 0;
};

Printed printed_number(const std::string& text) {
  if (text == "nan") return {std::numeric_limits<double>::quiet_NaN()};
  if (text == "inf" || text == "-inf") return {std::strtod(text.c_str(), nullptr)};
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  const int decimals = int(e - point) - 1;
  const int exponent = e < text.size() ? std::atoi(text.c_str() + e + 1) : 0;
  return {std::strtod(text.c_str(), nullptr), decimals > 0 ? .5 * std::pow(10, exponent - decimals) : 0};
}

// What stands in "tensor(…)", before what torch says of the gradient.
std::vector<Printed> numbers_in(std::string text) {
  text = text.substr(0, text.find("grad_fn"));
  if (text.rfind("tensor(", 0) == 0) text.erase(0, 7);
  for (char& c : text)
    if (std::string("[](),\n").find(c) != std::string::npos) c = ' ';
  std::vector<Printed> all;
  std::istringstream words(text);
  for (std::string word; words >> word;) all.push_back(printed_number(word));
  return all;
}

// Torch's last digit, and what another order of adding moves.
bool near(double ours, Printed theirs) {
  if (std::isnan(theirs.value) || std::isnan(ours)) return std::isnan(theirs.value) && std::isnan(ours);
  if (std::isinf(theirs.value) || std::isinf(ours)) return theirs.value == ours;
  return std::abs(ours - theirs.value) <= theirs.rounding + 1e-6 * std::max(1., std::abs(ours));
}

Results results_for(const Inputs& inputs) {
  static const auto tokenizer = Tokenizer::from(kVocabulary);
  return results_of(inputs, &*tokenizer);
}

// The text's ids and those that were written after them.
void check_ids(const GptWork& work, const std::string& printed) {
  std::vector<int> ours = work.ids();
  ours.insert(ours.end(), work.written().begin(), work.written().end());
  const std::vector<Printed> theirs = numbers_in(printed);
  REQUIRE(theirs.size() == ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) CHECK(double(ours[i]) == theirs[i].value);
}

void check_matrix(const Matrix& ours, const std::string& printed) {
  const std::vector<Printed> theirs = numbers_in(printed);
  REQUIRE(theirs.size() == std::size_t(ours.size()));
  for (std::size_t i = 0; i < theirs.size(); ++i)
    CHECK_MESSAGE(near(ours.data()[i], theirs[i]), "cell ", i, ": ", ours.data()[i], ", not ",
                  theirs[i].value);
}

}  // namespace

TEST_CASE("a printed number is as exact as its last digit says") {
  CHECK(near(0.92901, printed_number("0.9290")));
  CHECK_FALSE(near(0.92909, printed_number("0.9290")));
  CHECK(near(0.25, printed_number("0.25000000")));
  CHECK_FALSE(near(0.250003, printed_number("0.25000000")));
  CHECK_FALSE(near(3e-4, printed_number("2.9802e-08")));
  CHECK(near(0, printed_number("0.")));
  CHECK_FALSE(near(1, printed_number("nan")));
  CHECK_FALSE(near(std::numeric_limits<double>::infinity(), printed_number("-inf")));
  CHECK(numbers_in("tensor([[ 1.5, nan],\n        [-inf, 2e-3]], grad_fn=<MmBackward0>)").size() == 4);
}

TEST_CASE("the programs are those that torch has run") {
  for (const Kept& k : kept()) {
    CAPTURE(k.name);
    const std::string program = pytorch_of(results_for(k.state.inputs), k.state).program;
    CHECK_FALSE(k.program.empty());
    CHECK_MESSAGE(program == k.program, "run it again: ./lab test torch --write");
  }
}

TEST_CASE("what torch printed is what the screen shows") {
  for (const Kept& k : kept()) {
    CAPTURE(k.name);
    const Results r = results_for(k.state.inputs);
    if (r.gpt) {
      r.gpt->advance([] { return true; });
      check_ids(*r.gpt, k.printed.substr(k.printed.find('\n') + 1));
      continue;
    }
    if (!r.runs.bench) {
      for (const char* last : {"resid_post", "out", "context_vec"})
        if (const auto out = find(r.runs, last)) {
          check_matrix(out->cells, k.printed);
          break;
        }
      continue;
    }
    const std::size_t end = k.printed.find('\n');
    REQUIRE(end != std::string::npos);
    const Matrix largest = Matrix::Constant(1, 1, r.runs.comparison.max_difference);
    check_matrix(largest, k.printed.substr(0, end));
    CHECK(k.printed.substr(end + 1) == (r.runs.comparison.all_close ? "True\n" : "False\n"));
  }
}

TEST_CASE("torch has run a program of every lesson that has one, and of every mask route in it") {
  std::set<std::string> ran;
  std::set<MaskRoute> routes;
  for (const Kept& k : kept()) {
    ran.insert(k.state.inputs.lesson);
    if (k.state.inputs.lesson == "causal-mask") routes.insert(k.state.inputs.mask);
  }
  for (const Lesson& lesson : lessons())
    if (!pytorch_of(results_for(defaults_of(lesson.id).inputs), defaults_of(lesson.id)).program.empty())
      CHECK_MESSAGE(ran.count(lesson.id), "no program of this lesson was run: ", std::string(lesson.id));
  CHECK(routes.size() == std::size_t(MaskRoute::after_dropout) + 1);
}
