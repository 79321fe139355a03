#include <doctest.h>

#include <cmath>
#include <set>

#include "draw/matrix_view.hpp"
#include "draw/numbers.hpp"
#include "draw/stage.hpp"
#include "draw/theme.hpp"

using namespace lab;
using namespace lab::test;

namespace {

int pixels_unlike_ground(const Picture& p) {
  int n = 0;
  for (int y = 0; y < p.height; ++y) {
    for (int x = 0; x < p.width; ++x) n += p.at(x, y) != p.at(0, 0);
  }
  return n;
}

}  // namespace

TEST_CASE("words are drawn in every face, at every pixel ratio") {
  for (float ratio : {1.f, 1.25f, 2.f, 3.f}) {
    for (int face = 0; face < kFaces; ++face) {
      const Picture p = stage().draw(120, 30, ratio, false, [&](Ui& ui) {
        ui.pen.text(Face(face), 14, 10, 20, ui.theme->ink, "Journey 0.55");
      });
      CHECK(pixels_unlike_ground(p) > 150 * ratio);
    }
  }
}

TEST_CASE("the signs of the lessons are drawn, not replaced by a box") {
  const Picture missing = stage().draw(40, 40, 2, false, [](Ui& ui) {
    ui.pen.text(Sans, 20, 10, 28, ui.theme->ink, "\xF4\x80\x80\x80");  // a private character that no face has
  });
  for (int face = 0; face < kFaces; ++face) {
    for (const char* sign : {"√", "Σ", "ᵀ", "∞", "α", "≤", "×", "−", "÷", "Δ", "✓", "✗", "ₖ", "①", "…"}) {
      CAPTURE(face);
      CAPTURE(sign);
      const Picture p = stage().draw(
          40, 40, 2, false, [&](Ui& ui) { ui.pen.text(Face(face), 20, 10, 28, ui.theme->ink, sign); });
      CHECK(pixels_unlike_ground(p) > 10);
      CHECK(p.rgba != missing.rgba);
    }
  }
}

TEST_CASE("lines and frames cover whole device pixels") {
  for (float ratio : {1.f, 1.25f, 2.f, 3.f}) {
    const Picture p = stage().draw(60, 60, ratio, false, [](Ui& ui) {
      ui.pen.fill({0, 0, 60, 60}, IM_COL32_WHITE);
      ui.pen.hline(5, 50, 9.3f, IM_COL32_BLACK, 1);
      ui.pen.vline(7.7f, 5, 50, IM_COL32_BLACK, 2);
      ui.pen.frame({12.3f, 14.8f, 30, 20}, IM_COL32_BLACK, 3);
      ui.pen.dashed({14, 40, 33, 15}, IM_COL32_BLACK, 1.5f);
      ui.pen.cubic({2, 57}, {20, 57}, {40, 57}, {58, 57}, IM_COL32_BLACK, 3);
    });
    std::set<std::uint32_t> colors;
    for (int y = 0; y < p.height; ++y) {
      for (int x = 0; x < p.width; ++x) colors.insert(p.at(x, y));
    }
    CHECK(colors == std::set<std::uint32_t>{0x000000, 0xFFFFFF});
  }
}

TEST_CASE("words that do not fit end in an ellipsis and fit then") {
  stage().draw(60, 60, 1, false, [](Ui& ui) {
    const std::string cut = ui.pen.fitted(Sans, 14, "Your journey starts with one step", 100);
    CHECK(cut.substr(cut.size() - 3) == "…");
    CHECK(ui.pen.width(Sans, 14, cut) <= 100);
    CHECK(ui.pen.fitted(Sans, 14, "Your", 100) == "Your");
  });
}

TEST_CASE("a paragraph is broken at spaces and loses no word") {
  stage().draw(60, 60, 1, false, [](Ui& ui) {
    const std::string text = "2 of 3 matrices transferred; W_value still holds\nits own random numbers.";
    std::string joined;
    for (std::string_view line : ui.pen.lines(Sans, 13, text, 120)) {
      CHECK(ui.pen.width(Sans, 13, line) <= 120);
      joined += std::string(line) + " ";
    }
    std::string words = text + " ";
    for (char& c : words) c = c == '\n' ? ' ' : c;
    CHECK(joined == words);
  });
}

TEST_CASE("words reach contrast 4.5 on the grounds they stand on") {
  for (bool dark : {false, true}) {
    const Palette& c = palette(dark);
    const ImU32 grounds[] = {c.bg, c.panel, c.sunken};
    const Hue hues[] = {c.query, c.key, c.value, c.weights, c.context, c.ok, c.bad, c.warn, c.neutral};
    for (ImU32 ground : grounds) {
      CHECK(contrast(c.ink, ground) >= 7);
      CHECK(contrast(c.deco, ground) >= 3);
      CHECK(contrast(c.mute, ground) >= 4.5f);
      CHECK(contrast(c.faint, ground) >= 4.5f);
      for (const Hue& hue : hues) CHECK(contrast(hue.text, ground) >= 4.5f);
    }
    for (const Hue& hue : hues) CHECK(contrast(hue.text, hue.soft) >= 4.5f);
    CHECK(contrast(c.ink, c.token) >= 7);
    CHECK(contrast(c.ink, c.chip) >= 7);
    CHECK(contrast(c.masked_ink, c.masked) >= 4.5f);
    CHECK(contrast(c.on_mark, c.weights.mark) >= 4.5f);                        // buttons
    for (const Hue& hue : hues) CHECK(contrast(c.on_mark, hue.text) >= 4.5f);  // switches
    for (const Hue& hue : hues) CHECK(contrast(hue.mark, c.panel) >= 3);       // wires, marks
    CHECK(contrast(c.focus, c.bg) >= 3);
  }
}

TEST_CASE("who asks for more contrast gets 7 for words and 3 for borders") {
  for (bool dark : {false, true}) {
    const Palette& c = palette(dark, true);
    for (ImU32 ground : {c.bg, c.panel, c.sunken}) {
      for (ImU32 words : {c.ink, c.mute, c.faint}) CHECK(contrast(words, ground) >= 7);
      for (ImU32 marks : {c.line, c.edge, c.rail, c.deco}) CHECK(contrast(marks, ground) >= 3);
      for (const Hue& hue : {c.query, c.key, c.value, c.weights, c.context, c.ok, c.bad, c.warn, c.neutral})
        CHECK(contrast(hue.text, ground) >= 7);
    }
  }
}

TEST_CASE("a matrix registers a grid exactly around its cells, in whole device pixels") {
  const std::vector<float> values(18, .25f);
  for (float ratio : {1.f, 1.25f, 2.f, 3.f}) {
    stage().draw(300, 200, ratio, false, [&](Ui& ui) {
      const MatrixPlace place =
          draw_matrix(ui, dense(values.data(), 3, 6), 20.4f, 50.7f, 23.3f, {.name = "m"});
      const Target* grid = ui.registry.find("matrix.m");
      REQUIRE(grid);
      CHECK(grid->box == place.cells);
      CHECK(grid->rows == 3);
      CHECK(grid->cols == 6);
      CHECK(std::abs(place.cell * ratio - std::round(place.cell * ratio)) < 1e-3);
      CHECK(std::abs(place.cells.x * ratio - std::round(place.cells.x * ratio)) < 1e-3);
    });
  }
}

TEST_CASE("matrices of every size from 1 x 1 to 64 x 64 are drawn, with numbers only where they fit") {
  const std::vector<float> values(64 * 64, -.125f);
  for (int n : {1, 2, 6, 12, 33, 64}) {
    const Picture p = stage().draw(400, 400, 1, false, [&](Ui& ui) {
      const float cell = cell_size_for(n, n, 380, 380, 44, 1);
      CHECK(cell * float(n) <= 380);
      CHECK(cell <= 44);
      draw_matrix(ui, dense(values.data(), n, n), 10, 10, cell, {.name = "m"});
    });
    CHECK(p.at(12, 12) != p.at(0, 0));
  }
}

TEST_CASE("a small number is written as a power of ten in as few signs as there are") {
  CHECK(power_text(0) == "0");
  CHECK(power_text(5.2e-4) == "5e-4");
  CHECK(power_text(-2.98e-8) == "-3e-8");
  CHECK(power_text(1e-12) == "1e-12");
}

TEST_CASE("words stand side by side over columns that have room for them, and not over narrower ones") {
  stage().draw(100, 100, 1, false, [&](Ui& ui) {
    const std::vector<std::string> words = {"Your", "journey", "starts"};
    const auto w = [&](int i) { return ui.pen.width(Sans, type::tiny, words[std::size_t(i)]); };
    const float room = room_for_words(ui.pen, words);
    CHECK(room - (w(1) + w(2)) / 2 >= 3);
    CHECK(room - (w(0) + w(1)) / 2 >= 3);
    CHECK(room < w(1) + 8);
  });
}

TEST_CASE("a number with a whole part keeps a decimal in a narrow cell, or is not printed") {
  const float numbers[] = {0.43f, 1.46f, 0.44f, 1.0f};
  const FloatView view = dense(numbers, 2, 2);
  for (float cell = 6; cell < 60; ++cell) {
    CAPTURE(cell);
    const CellText text = cell_text_for(view, cell, 2, cell, true);
    if (text.size <= 0) continue;
    const std::string words =
        text.tight ? bare_number_text(1.46f, text.digits) : number_text(1.46f, text.digits);
    CHECK(words.substr(0, 2) == "1.");
    CHECK(words.size() >= 3);
  }
  CHECK(bare_number_text(0.19f, 2) == ".19");
  CHECK(bare_number_text(1.0f, 2) == "1.0");
  CHECK(bare_number_text(-0.04f, 2) == "-.04");
}
