// The sentence that a link brings: mended, cut, and carried to another lesson.
#include <doctest.h>

#include "core/words.hpp"
#include "lessons/query.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::User;

namespace {

Inputs inputs_of(std::string_view query) { return state_of(query).state.inputs; }
std::string canonical(std::string_view query) { return query_of(state_of(query).state); }
std::size_t problems_in(std::string_view query) { return state_of(query).problems.size(); }

}  // namespace

TEST_CASE("Text that is no UTF-8 is mended, control characters are taken out, both reported") {
  CHECK(inputs_of("text=a%FFb").text == "a\uFFFDb");
  CHECK(inputs_of("text=a%E2%82").text == "a\uFFFD\uFFFD");
  CHECK(inputs_of("text=a%00b%1B%7F%C2%9Bc").text == "abc");
  CHECK(inputs_of("text=a%0Ab%09c").text == "a b c");
  for (const char* query : {"text=a%FFb", "text=a%00b", "text=a%0Ab"}) CHECK(problems_in(query) == 1);
  CHECK(problems_in("text=%00%FF") == 2);
  CHECK(problems_in("text=+two++spaces+") == 0);
  CHECK(inputs_of("text=+two++spaces+").text == " two  spaces ");
  CHECK(inputs_of("text=").text == "");
  CHECK(canonical("text=") == "text=");
}

TEST_CASE("A sentence is cut to 64 words and 4096 bytes, never inside a character") {
  std::string words;
  for (int i = 0; i < 70; ++i) words += "w" + std::to_string(i) + "\u3000";
  const ReadQuery many_words = state_of("text=" + words);
  CHECK(words_of(many_words.state.inputs.text).size() == 64);
  CHECK(words_of(many_words.state.inputs.text).back() == "w63");
  CHECK(many_words.problems == std::vector<std::string>{"text: cut to 64 words."});

  std::string euros = "x";
  while (euros.size() < 5000) euros += "\u20AC";
  const ReadQuery many_bytes = state_of("text=" + euros);
  CHECK(many_bytes.state.inputs.text == euros.substr(0, 4096));  // 1 + 1365 × 3
  CHECK(inputs_of("text=" + euros.substr(1)).text == euros.substr(1, 4095));
  CHECK(many_bytes.problems == std::vector<std::string>{"text: cut to 4096 bytes."});
}

TEST_CASE("A GPT's text has room for a thousand tokens, and is cut where it goes to another lesson") {
  std::string text = "lesson=gpt&text=";
  for (int i = 0; i < 900; ++i) text += "words+";
  const ReadQuery read = state_of(text);
  CHECK(read.problems.empty());
  CHECK(words_of(read.state.inputs.text).size() == 900);
  CHECK(state_of(query_of(read.state)).state == read.state);
  std::string longer = "lesson=gpt&text=x";
  while (longer.size() < 9000) longer += "\u20AC";
  const ReadQuery cut = state_of(longer);
  CHECK(cut.state.inputs.text.size() == 8191);  // 1 + 2730 × 3
  CHECK(cut.problems == std::vector<std::string>{"text: cut to 8192 bytes."});
  User user(text);
  user.act("nav.causal-mask");
  CHECK(words_of(user.state.inputs.text).size() == 64);
}
