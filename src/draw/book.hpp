// What a step of the lesson about the book's numbers shows above its list: how close a number is, or which
// cells two systems drop.
#pragma once
#include "draw/view.hpp"

namespace lab {

float book_figure_height(const Shown& shown, float width);  // with the gap below; 0: the step has none
void draw_book_figure(Ui& ui, const Shown& shown, Box box);

// Below what the inspector tells of a row: its lesson, and the report.
constexpr float kBookTools = 96;
void draw_book_tools(Ui& ui, const Shown& shown, Box box);

}  // namespace lab
