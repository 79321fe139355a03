// attention-lab tokens: the ids that GPT-2's tokenizer gives a text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/tokenizer.hpp"

namespace lab {

const Tokenizer& gpt2_tokenizer();  // with the vocabulary that is built in

std::string tokens_line(std::string_view text);  // "15496 11 314 716\n"

// Of many texts, a JSON string a line, so that a text may have line breaks. Nothing, and why in `problem`,
// when a line is something else.
std::optional<std::string> tokens_lines(std::string_view json_strings, std::string& problem);

}  // namespace lab
