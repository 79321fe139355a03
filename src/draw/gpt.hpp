// What stands beside the tower of a GPT, one function a kind of step. They draw into a card that is there.
#pragma once
#include <string_view>

#include "draw/view.hpp"

namespace lab {

std::string_view pictured_step(const Shown& shown);  // its own, or the one that a question is about
void draw_token_ids(Ui& ui, const Shown& shown, Box box);
void draw_embeddings(Ui& ui, const Shown& shown, Box box);
void draw_lengths(Ui& ui, const Shown& shown, Box box);  // of the rows block by block, and how alike they are
void draw_maps(Ui& ui, const Shown& shown, Box box);
void draw_next(Ui& ui, const Shown& shown, Box box);    // the likeliest tokens, and what was written
void draw_ledger(Ui& ui, const Shown& shown, Box box);  // of all sizes
float gpt_view_height(const Ui& ui, const Shown& shown, float width);  // at least

}  // namespace lab
