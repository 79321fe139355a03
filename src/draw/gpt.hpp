// What stands beside the tower of a GPT, one function a kind of step. They draw into a card that is there.
#pragma once
#include <string>
#include <string_view>

#include "draw/view.hpp"

namespace lab {

std::string_view pictured_step(const Shown& shown);  // its own, or the one that a question is about
void draw_token_ids(Ui& ui, const Shown& shown, Box box);
void draw_embeddings(Ui& ui, const Shown& shown, Box box);
void draw_one_block(Ui& ui, const Shown& shown, Box box);  // what it adds to each row
void draw_lengths(Ui& ui, const Shown& shown, Box box);  // of the rows block by block, and how alike they are
void draw_why_even(Ui& ui, const Shown& shown, Box box);  // spreads, from the norm to the scaled scores
void draw_maps(Ui& ui, const Shown& shown, Box box);
void draw_logits(Ui& ui, const Shown& shown, Box box);              // how often which score
void draw_long_stages(Ui& ui, const Shown& shown, Box box);         // of one head, as pictures
float long_stages_height(const Ui& ui, float width);                // at least
void draw_likeliest(Ui& ui, const Shown& shown, Box box, int top);  // and the text
void draw_next(Ui& ui, const Shown& shown, Box box);    // the likeliest tokens, and what was written
void draw_ledger(Ui& ui, const Shown& shown, Box box);  // of all sizes, and of one part by part
float ledger_height(const Shown& shown);                // at least
float gpt_view_height(const Ui& ui, const Shown& shown, float width);  // at least

namespace gpt_look {
constexpr float kPad = 24, kHead = 44;
// Of a card; the note stands behind it, as far as there is room.
void heading(Ui& ui, Box box, const std::string& words, const std::string& note);
}  // namespace gpt_look

}  // namespace lab
