// What the texts of several lessons say of words, rows and counts.
#pragma once
#include <optional>
#include <string>

#include "lessons/results.hpp"

namespace lab {

std::string not_numbers(const std::string& matrix);  // what stands for a sentence over NaN or infinity
std::string no_words();                              // what an empty sentence is told
// A row that a sentence may speak of: the wanted one, or the last that there is. -1: no words.
int told_row(const Results& r, int wanted);
std::string word(const Results& r, int row);  // "journey"; where it stands more than once, "the (2nd)"
std::string counted(int count, const std::string& thing);        // "1 word", "6 words"
std::string row_text(const Matrix& m, int row, int digits = 4);  // "0.1385 0.2379 …", at most six numbers
int largest_in_row(const Matrix& m, int row);                    // column of the first largest
bool has_one_largest(const Matrix& m, int row);
bool all_equal_in_row(const Matrix& m, int row);
double vector_length(const MatrixView& m, int row);
inline double vector_length(const Matrix& m, int row) { return vector_length(view(m), row); }
bool has_longest_row(const Matrix& m, int row);
// Their directions differ by less than 18 degrees: then the longer one scores higher.
bool point_alike(const Matrix& m, int row, int other);
bool all_point_like(const Matrix& m, int row);
std::optional<MatrixView> cells_of(const Results& r, const std::string& matrix);  // none: not there, or empty
std::string number(const MatrixView& m, int row, int col);
std::string number(const Results& r, const std::string& matrix, int row, int col);
bool is_edited(const Results& r, const std::string& matrix, int row, int col);
double top_share(const Matrix& scores, int row);  // the largest share that softmax would give

}  // namespace lab
