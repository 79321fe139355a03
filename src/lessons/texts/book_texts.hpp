// What the lesson book says: every sentence, made from its numbers.
#pragma once
#include <string>

#include "lessons/book_work.hpp"
#include "lessons/says.hpp"

namespace lab::book_texts {

extern const LessonText lesson;
extern const StepText run, rule, odd, dice;

const char* section_title(const BookRow& row);
std::string source_of(const BookRow& row);  // "chapter 3, cell 28"
std::string seed_of(const BookRow& row);    // "seed 123", "no seed"
// Why a row is not equal to the last digit, or not run; "" where nothing is to be explained.
std::string reason_of(const BookCheck& check);
double largest_printed(const BookCheck& check);  // how far from 0
std::string rule_of(const BookNumber& number);   // "|Δ| ≤ 5.5e-05"
const char* stream_name(DropoutStream stream);   // "macOS"

std::string summary_of(const BookCount& count);  // "762 to the last digit · 7 explained"
std::string apart_of(const BookCount& count);    // of rows that are counted apart; "": there are none
std::string run_of(const BookWork& work);        // what is to be run, how far it is, how long it took
std::string status_of(const BookWork& work);     // all of that, for who does not see it
std::string rule_words();                        // what a tick tolerates
std::string no_room();                           // for the model
std::string dice_words(DropoutStream stream);    // whose dropout masks, and what they are compared with
constexpr const char* kSeedRule =
    "Every row begins from the seed that its cell gives to torch.manual_seed, and draws as torch does.";
constexpr const char* kWaitsForTokenizer = "GPT-2’s list of words is on its way …";

}  // namespace lab::book_texts
