// The PyTorch lines of the inspector: wrapped, never cut, the lit one in sight.
#include <doctest.h>

#include <algorithm>
#include <string>

#include "draw/code_panel.hpp"
#include "draw/code_panel_lines.hpp"
#include "draw/drawn.hpp"
#include "draw/fonts.hpp"
#include "draw/theme.hpp"
#include "lessons/act.hpp"
#include "lessons/query.hpp"

using namespace lab;
using lab::test::at_step;
using lab::test::Drawn;
using lab::test::drawn;
using lab::test::stage;

using Rows = std::vector<std::string>;

namespace {

std::string without_spaces(const std::string& s) {
  std::string out;
  std::copy_if(s.begin(), s.end(), std::back_inserter(out), [](char c) { return c != ' '; });
  return out;
}
std::string letters(const Rows& rows) {
  std::string all;
  for (const std::string& row : rows) all += without_spaces(row);
  return all;
}
const Target* code_of(const Drawn& d) {
  for (const Target& t : d.targets)
    if (t.id == "code") return &t;
  return nullptr;
}

// Between what stands above the code and there.
float room_below(const Drawn& d, float bottom) {
  for (const Target& t : d.targets)
    if (t.id == "inspector") return bottom - t.box.bottom();
  return 0;
}
constexpr float kLeastRoom = 72, kRoomOfFour = 90;  // CSS pixels: heading and two lines, and four

struct Told {  // what a state's panel is made of
  Results results;
  Verdict verdict;
  Code code;
  Hand hand;
  explicit Told(const State& state)
      : results(results_of(state.inputs)),
        verdict(verdict_of(results, state.view.guess)),
        code(pytorch_of(results, state)) {}
  Shown shown(const State& state) const { return {state, results, hand, verdict, code}; }
};

}  // namespace

TEST_CASE("a long line of Python goes on below, four columns further in") {
  CHECK(wrapped_lines(40, "keys = inputs @ W_key") == Rows{"keys = inputs @ W_key"});
  CHECK(wrapped_lines(40, "") == Rows{""});
  CHECK(wrapped_lines(40, "future = torch.triu(torch.ones(T, T), diagonal=1).bool()") ==
        Rows{"future = torch.triu(torch.ones(T, T),", "    diagonal=1).bool()"});
  CHECK(wrapped_lines(40, "masked_renormalized = (masked_zeroed / row_sums)") ==
        Rows{"masked_renormalized = (", "    masked_zeroed / row_sums)"});
  CHECK(wrapped_lines(30, "    total = first_of_all + second_of_all") ==
        Rows{"    total = first_of_all", "        + second_of_all"});
  CHECK(wrapped_lines(30, "# the same again, with a mask before the softmax") ==
        Rows{"# the same again, with a mask", "    before the softmax"});
  for (const std::string& row :
       wrapped_lines(43, "packed = [torch.cat([h[i].weight for h in heads], dim=0) for i in range(3)]"))
    CHECK_FALSE((row.ends_with(" for") || row.ends_with(" in")));
  for (const std::string& row : wrapped_lines(33, "    future = torch.triu(torch.ones(T, T), diagonal=1)"))
    CHECK_FALSE(row.ends_with("(T,"));
  CHECK(wrapped_lines(24, "print(max_difference)  # 0.0000") ==
        Rows{"print(max_difference)", "    # 0.0000"});
}

TEST_CASE("a line is wrapped as often as it takes, at any width, and loses nothing") {
  const std::string line =
      "    stacked_out = torch.cat([attend(*(f(inputs) for f in h)) for i, h in enumerate(heads)], dim=-1)";
  for (int columns = 8; columns <= 110; ++columns) {
    CAPTURE(columns);
    const Rows rows = wrapped_lines(columns, line);
    for (const std::string& row : rows) CHECK(int(row.size()) <= columns);
    CHECK(letters(rows) == without_spaces(line));
  }
  CHECK(wrapped_lines(30, line).size() == 5);
  CHECK(letters(wrapped_lines(12, "abcdefghijklmnopqrstuvwxyz")) == "abcdefghijklmnopqrstuvwxyz");
  CHECK(wrapped_lines(110, line).size() == 1);
  // Letters of several bytes are not cut in two.
  for (const std::string& row : wrapped_lines(8, "# √d√d√d√d√d√d√d√d")) CHECK((row[0] & 0xC0) != 0x80);
}

TEST_CASE("a program's own breaks within brackets are undone before the panel's") {
  CHECK(unfolded({"keep = torch.tril(torch.ones_like(", "    attn_scores))", "x = 1"}) ==
        Rows{"keep = torch.tril(torch.ones_like(attn_scores))", "x = 1"});
  CHECK(unfolded({"print(torch.allclose(b, a, rtol=1e-05,", "                     atol=1e-08))"}) ==
        Rows{"print(torch.allclose(b, a, rtol=1e-05, atol=1e-08))"});
  const Rows block = {"def attend(q, k, v):", "    return q", "rows = torch.tensor([", "    [1.0, 2.0],",
                      "])"};
  CHECK(unfolded(block) == block);
}

TEST_CASE("in every step no line of code is cut, all fit the panel, and the lit one is whole") {
  for (const Lesson& lesson : lessons())
    for (const Step& step : lesson.steps) {
      const State state = at_step(lesson, step);
      const Told told(state);
      const Shown shown = told.shown(state);
      for (const auto& [width, height] : {std::pair{1600, 1000}, {1280, 720}}) {
        CAPTURE(lesson.id);
        CAPTURE(step.id);
        CAPTURE(width);
        const Drawn d = drawn(state, width, height, false);
        const Target* panel = code_of(d);
        if (!panel) {
          const bool has_code = !told.code.lines.empty();
          CHECK((!has_code || room_below(d, float(height) - 12) < kLeastRoom));
          continue;
        }
        const Pen& pen = stage().ui.pen;
        const std::vector<CodeRow> all = code_rows(pen, shown, panel->box.w - 2 * kCodeInset);
        const CodeView view = code_view(pen, shown, panel->box);
        CHECK((view.rows.size() >= std::min<std::size_t>(4, all.size()) ||
               room_below(d, panel->box.bottom()) < kRoomOfFour));
        CHECK(float(view.rows.size()) * view.pitch + 2 * view.pad <= panel->box.h + 1);
        std::string drawn_letters, letters_of_program;
        for (const CodeRow& row : all) {
          CHECK_FALSE(row.text.ends_with("…"));
          CHECK(pen.width(MonoBold, type::tiny, row.text) <= panel->box.w - 2 * kCodeInset);
          drawn_letters += without_spaces(row.text);
        }
        for (const std::string& line : told.code.lines) letters_of_program += without_spaces(line);
        CHECK(drawn_letters == letters_of_program);
        const auto is_lit = [](const CodeRow& row) { return row.is_lit; };
        const auto lit = std::count_if(all.begin(), all.end(), is_lit);
        CAPTURE(lit);
        CAPTURE(view.rows.size());
        CHECK(std::count_if(view.rows.begin(), view.rows.end(), is_lit) == lit);
      }
    }
}

TEST_CASE("the code has its panel in low windows too, with what lies above it in its place") {
  for (const char* query : {"lesson=transformer-block&step=att", "lesson=book"}) {
    CAPTURE(query);
    const Drawn d = drawn(opened(query).state, 1280, 720, false);
    const Target* panel = code_of(d);
    REQUIRE(panel);
    for (const Target& t : d.targets)
      if (t.id == "inspector" || t.id == "copy") CHECK(t.box.bottom() <= panel->box.y);
  }
}
