// Lines of Python that several lessons print.
#pragma once
#include <string>
#include <vector>

#include "lessons/pytorch.hpp"

namespace lab {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines);
void append(Lines& lines, const Lines& more);
// Lines that are too long for the panel go on below, inside their last bracket.
Lines folded(const Lines& lines);
// "name[0, 1] = 2", or "name[1] = 2" of a bias.
std::string assignment(const std::string& name, const Edit& e, bool one_dimensional);
// A word's vector is written out where the book prints it and drawn where the lab draws it; with its edits.
Lines input_lines(const Results& r);

// The lessons' programs.
Code self_attention_code(const Results& r);

}  // namespace lab
