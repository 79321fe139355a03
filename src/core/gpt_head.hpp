// What a GPT's reader kept, opened again: the stages of a head, made by the same functions as in a small
// module.
#pragma once
#include <string>

#include "core/gpt_reader.hpp"
#include "core/run.hpp"

namespace lab {

std::string block_name(int block);  // "blocks.9.", before the names of its matrices

// The block "blocks.9." with its stream, queries, keys and values, T × emb_dim as they were kept, of the text
// that was given; and of its heads those that are asked for, "blocks.9.heads.6.", with every stage.
Run run_of_block(const GptReader& reading, int block, const std::vector<int>& heads);

}  // namespace lab
