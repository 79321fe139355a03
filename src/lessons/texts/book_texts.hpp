// What the lesson book says: every sentence, made from its numbers.
#pragma once
#include <string>

#include "core/book_numbers.hpp"
#include "lessons/says.hpp"

namespace lab::book_texts {

extern const LessonText lesson;
extern const StepText run, rule, odd, dice;

const char* section_title(const BookRow& row);
std::string source_of(const BookRow& row);  // "chapter 3, cell 28"
// Why a row is not equal to the last digit, or not run; "" where nothing is to be explained.
std::string reason_of(const BookCheck& check);
double largest_printed(const BookCheck& check);    // how far from 0
std::string rule_of(const BookNumber& number);     // "|Δ| ≤ 5.5e-05"
std::string summary_of(const BookChecks& checks);  // "762 to the last digit, 7 explained"
std::string waiting_of(const BookChecks& checks);  // "135 wait for a large model or the tokenizer"

}  // namespace lab::book_texts
