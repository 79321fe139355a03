// State ⇄ query: one grammar for the URL, the command line, the mirror's links and the tests.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/runs.hpp"
#include "lessons/state.hpp"

namespace lab {

// Canonical: keys in the order of the grammar, defaults of the lesson left out. "" is the opening state.
// An empty value stands for "none" where the lesson opens with one ("cell=", "move=").
std::string query_of(const State& state);
std::string query_of(const State& state, const State& opening);  // what differs from any opening state

bool is_changed(std::string_view key, const State& state,
                const State& opening);  // what it would write differs

struct ReadQuery {
  State state;
  std::vector<std::string> problems;  // for people: what could not be read or was clamped, one a line
};
// Takes "?a=b&c=d", "#a=b" or "a=b". Never fails: an unknown key is ignored, a bad value is reported and the
// default kept, a number out of range is clamped and reported; so is a number of heads that the two modules
// of the bench cannot share. Of a key given twice the last counts; edit and
// move add up, and replace what the lesson opens with.
ReadQuery state_of(std::string_view query);
// Onto any opening state, whatever its lesson.
ReadQuery state_of(std::string_view query, const State& opening);

// No longer than its lesson has room for; what is cut is added to problems.
void fit_text(State& state, std::vector<std::string>* problems = nullptr);

// What the state before has locked stands as it stood there, whatever was done in between.
void keep_locked(State& state, const State& before);

std::vector<std::string> query_keys();  // in canonical order

// A sentence that is safe to keep, from whatever was typed or linked: UTF-8 without control characters, and
// no longer than there is room. What had to be changed is added to problems. A clean sentence is left alone.
std::string clean_text(std::string_view text, std::vector<std::string>* problems = nullptr,
                       TextRoom room = kSentenceRoom);

std::string percent_decoded(std::string_view text);  // '+' is a space
std::string percent_encoded(std::string_view text);  // a space is '+'; letters, digits and -_.~,:[]*!' stay

// Short names as the grammar writes them: "v1", "neginf", "mac" …
const char* name_of(AttentionKind kind);
const char* name_of(MaskRoute route);
const char* name_of(DropoutStream stream);
const char* name_of(MoveOp op);
const char* name_of(HeadRoute route);

// "W_query.weight[0:2,0:3]", "source.W_query.weight.0.1"
std::string text_of(const Move& move);  // FROM,copy|transpose,TO
std::string text_of(const CellName& cell);
std::string text_of(const Edit& edit);  // NAME.R.C:VALUE
// None: not what the grammar says. Names are parts of letters, digits, _ and - with dots between them, at
// most 80 characters; indices 0…4095; rectangles are not empty and end at 4096 at the latest.
std::optional<Move> move_of(std::string_view text);
std::optional<CellName> cell_of(std::string_view text);
std::optional<Edit> edit_of(std::string_view text);
bool is_name(std::string_view text);
// Part of a matrix may stand on the screen by itself: "source.W_query.weight[0:2,0:3]" is
// "source.W_query.weight".
inline std::string_view without_cells(std::string_view name) { return name.substr(0, name.find('[')); }

// What a link opens. One that names a step, and of the inputs at most the sentence, opens it as choosing it
// would.
ReadQuery opened(const std::string& query);

// Of the view goes what its numbers have no place for: a cell of no matrix, a guess of no slot. Returns what
// that was, for people.
std::vector<std::string> drop_what_is_not_there(View& view, const Runs& runs);

}  // namespace lab
