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
std::string row_literal(const Matrix& m, int row);  // "[0.5, 2.0]", as Python reads it back to the same bits
// "name[0, 1] = 2", or "name[1] = 2" of a bias.
std::string assignment(const std::string& name, const Edit& e, bool one_dimensional);
// A word's vector is written out where the book prints it and drawn where the lab draws it; with its edits.
Lines input_lines(const Results& r);
// The panel's lines, and before them in the program what they need.
Code program_of(const Results& r, const Lines& lines);
Code program_without_inputs(const Lines& lines, const Lines& before = {});  // the lines make their own

// The lessons' programs.
Code self_attention_code(const Results& r, const std::string& guess);
Code causal_mask_code(const Results& r, const std::string& guess);
Code multi_head_code(const Results& r, const std::string& guess);
Code gpt_code(const Results& r, const std::string& guess);
Code transformer_block_code(const Results& r, const std::string& guess);
Code transfer_code(const Results& r, const std::string& guess);

}  // namespace lab
