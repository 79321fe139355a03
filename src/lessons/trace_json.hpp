// Every number of a state, for tests, scripts and the page's trace().
#pragma once
#include <string>
#include <string_view>

#include "lessons/results.hpp"

namespace lab {

// {"state":QUERY,"tensors":{NAME:{"shape":[…],"data":[…]}}} in the order of names(runs). 9 significant
// digits; "inf", "-inf" and "nan" are strings; a bias has one dimension. Natively and in the page the same
// characters.
std::string trace_json(const Runs& runs, std::string_view canonical_query);

// Of a GPT: "ids", and once it has read them each block's stream, queries, keys and values,
// "blocks.9.queries"; each head's stages, "blocks.9.heads.6.attn_weights", of all heads as long as those are
// not millions of numbers, else of the one that is looked at; of very many numbers the looked-at block alone,
// and "left_out" says so; "final_norm", "logits" and "probas" of the last token, with view.full of all
// tokens. Never its parameters.
std::string gpt_trace_json(const Results& results, const State& state);

}  // namespace lab
