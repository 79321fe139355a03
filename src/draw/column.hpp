// A column of text, buttons and fields, from the top down; heights come from the same code that draws.
#pragma once
#include <string>

#include "draw/view.hpp"

namespace lab {

struct Column {
  static constexpr float kLine = 20;
  Ui* ui;  // null: only measure
  const Pen& pen;
  const Palette& colors;
  float x, y, w;

  void paragraph(const std::string& text, ImU32 color) {
    const float h = kLine * float(pen.lines(Sans, type::body, text, w).size());
    if (ui) pen.text_block(Sans, type::body, {x, y, w, 0}, color, text, kLine);
    y += h;
  }
  // A value that leaves its label no room stands below it, in as many lines as it needs.
  void line(Face face, float size, ImU32 color, const std::string& left, const std::string& right,
            ImU32 right_color) {
    const float label = pen.width(face, size, left), value = pen.width(MonoBold, type::body, right);
    if (ui) pen.text_fit(face, size, x, y + 15, color, left, w);
    if (right.empty() || label + value + 8 <= w) {
      if (ui && !right.empty())
        pen.text(MonoBold, type::body, x + w, y + 15, right_color, right, Align::Right);
      y += 22;
      return;
    }
    y += 20;
    const float h = kLine * float(pen.lines(MonoBold, type::body, right, w).size());
    if (ui) pen.text_block(MonoBold, type::body, {x, y, w, 0}, right_color, right, kLine);
    y += h + 2;
  }
  void wrapped_mono(const std::string& text, ImU32 color, Face face = Mono) {
    const float h = 18 * float(pen.lines(face, type::small, text, w).size());
    if (ui) pen.text_block(face, type::small, {x, y, w, 0}, color, text, 18);
    y += h + 4;
  }
  void rule() {
    y += 8;
    if (ui) pen.hline(x, x + w, y, colors.line);
    y += 12;
  }
};

// Below a heading: the questions of a lesson to choose from, where there are several.
void lay_out_pager(Column& col, const Shown& shown);
// What one answers by, hints, and what is said to the answer.
void lay_out_question(Column& col, const Shown& shown);
std::string told_answer(const Shown& shown);  // what it says below the buttons

}  // namespace lab
