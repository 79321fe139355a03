// Ids are those that OpenAI's own tiktoken gives; tests/web/tokens.test.mjs compares with it text by text.
#include "core/tokenizer.hpp"

#include <doctest.h>

#include <algorithm>

#include "cli/tokens.hpp"
#include "vocabulary.hpp"

using namespace lab;
using Ids = std::vector<int>;
using Pieces = std::vector<std::string_view>;

namespace {

const Tokenizer& gpt2() {
  static const Tokenizer made = *Tokenizer::from(kVocabulary);
  return made;
}

std::string text_of(const Ids& ids) {
  std::string text;
  for (const int id : ids) text += gpt2().text_of(id);
  return text;
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

// A vocabulary of these numbers, two bytes each.
std::string bytes_of(std::initializer_list<int> numbers) {
  std::string bytes;
  for (const int n : numbers) bytes += {char(n & 255), char(n >> 8)};
  return bytes;
}

}  // namespace

TEST_CASE("the tokenizer gives the ids that the book prints") {
  CHECK(gpt2().encode("Hello, I am") == Ids{15496, 11, 314, 716});
  CHECK(gpt2().encode("Hello, I am am") == Ids{15496, 11, 314, 716, 716});
  CHECK(gpt2().encode("hello, i am") == Ids{31373, 11, 1312, 716});
  CHECK(gpt2().encode("Every effort moves you") == Ids{6109, 3626, 6100, 345});
  CHECK(gpt2().encode("Every day holds a") == Ids{6109, 1110, 6622, 257});
  CHECK(gpt2().encode("Akwirw ier") == Ids{33901, 86, 343, 86, 220, 959});
  CHECK(gpt2().encode("") == Ids{});
}

TEST_CASE("tokens of text that is not English") {
  CHECK(gpt2().encode("\U0001F600") == Ids{47249, 222});
  CHECK(gpt2().encode("a\u0085b") == Ids{64, 126, 227, 65});
  CHECK(gpt2().encode("\u0085\u0085x") == Ids{126, 227, 126, 227, 87});
  CHECK(gpt2().encode("a\uFEFFb") == Ids{64, 171, 119, 123, 65});
}

TEST_CASE("a text is cut into tokenizer pieces as GPT-2's pattern cuts it") {
  const std::vector<std::pair<std::string_view, Pieces>> examples = {
      {"it's we'LL 'tis they're", {"it", "'s", " we", "'", "LL", " '", "tis", " they", "'re"}},
      {"'d'm'll've't'r", {"'d", "'m", "'ll", "'ve", "'t", "'", "r"}},
      {"a1 22b !?x", {"a", "1", " 22", "b", " !?", "x"}},
      {"  two", {" ", " two"}},
      {"\n\n\tx", {"\n\n", "\t", "x"}},
      {"x \n", {"x", " \n"}},
      {"\u00A0x", {"\u00A0", "x"}},
      {"\u3000\u3000 \u00E9", {"\u3000\u3000", " \u00E9"}},
      {" \u00BD\u0663x\u0301", {" \u00BD\u0663", "x", "\u0301"}},  // a mark is neither letter nor number
      {"\u00E9\u732B\U00020000\u200B", {"\u00E9\u732B\U00020000", "\u200B"}},
      {" ", {" "}},
      {"'", {"'"}},
  };
  for (const auto& [text, pieces] : examples) {
    CAPTURE(text);
    CHECK(gpt2().pieces_of(text) == pieces);
  }
}

TEST_CASE("tokens never stand for more than text: <|endoftext|> as typed is seven of them") {
  CHECK(gpt2().size() == 50257);
  CHECK(gpt2().end_of_text() == 50256);
  CHECK(gpt2().text_of(50256) == "<|endoftext|>");
  CHECK(gpt2().encode("<|endoftext|>") == Ids{27, 91, 437, 1659, 5239, 91, 29});
}

TEST_CASE("the single bytes are the first tokens, and every token's text is its own") {
  CHECK(gpt2().text_of(0) == "!");
  CHECK(gpt2().text_of(220) == " ");
  CHECK(gpt2().text_of(256) == " t");
  CHECK(gpt2().text_of(50255) == " gazed");
  std::vector<std::string> texts;
  for (int id = 0; id < gpt2().size(); ++id) texts.push_back(gpt2().text_of(id));
  std::sort(texts.begin(), texts.end());
  CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
}

TEST_CASE("the tokens' texts are the text again, byte for byte, also where it is not UTF-8") {
  std::string all;
  for (int b = 0; b < 256; ++b) all += char(b);
  for (const std::string& text :
       {all, std::string("\xFF\xFE\xC3"), std::string("a\xE2\x82 \xF0\x9F\x98'\x80s"),
        std::string("\0 \0", 3), std::string("naïve café 猫 ½ \U0001F468\u200D\U0001F469\u200D\U0001F467"),
        repeated(" \n", 99)}) {
    CAPTURE(text);
    CHECK(text_of(gpt2().encode(text)) == text);
  }
}

TEST_CASE("the merges of a piece lead from its bytes to its tokens, the lowest rank first") {
  const auto merges = gpt2().merges_of(" lowest");
  REQUIRE(!merges.empty());
  std::size_t tokens = 7;
  for (const Tokenizer::Merge& m : merges) {
    CHECK(m.tokens.size() == --tokens);
    CHECK(std::find(m.tokens.begin(), m.tokens.end(), 256 + m.rank) != m.tokens.end());
    CHECK(text_of(m.tokens) == " lowest");
  }
  CHECK(merges.back().tokens == gpt2().encode(" lowest"));
  CHECK(gpt2().merges_of("x").empty());
  CHECK(gpt2().merges_of("").empty());
  CHECK(gpt2().merges_of(repeated("a", 256)).size() > 100);
  CHECK(gpt2().merges_of(repeated("a", 257)).empty());
}

// Looking at every pair before each merge, this test would not come to its end.
TEST_CASE("hostile runs of one letter are no harder for the tokenizer than other text") {
  for (const char* part : {"a", " ", "ab", "'", "\n", "\xFF", "\u00E9", "'s", "0"}) {
    CAPTURE(part);
    const std::string text = repeated(part, 1 << 17);
    CHECK(text_of(gpt2().encode(text)) == text);
  }
}

TEST_CASE("what is no vocabulary makes no tokenizer") {
  const std::string whole(kVocabulary);
  CHECK(!Tokenizer::from(""));
  CHECK(!Tokenizer::from("<!doctype html><title>Not found</title>"));
  CHECK(!Tokenizer::from(whole.substr(0, 200)));
  CHECK(!Tokenizer::from(whole.substr(0, whole.size() - 1)));
  CHECK(!Tokenizer::from(whole.substr(0, whole.size() - 2)));
  CHECK(Tokenizer::from(bytes_of({0, 0, 64, 65})));
  CHECK(!Tokenizer::from(bytes_of({0, 0})));
  CHECK(!Tokenizer::from(bytes_of({0, 0, 64, 256})));         // made of itself
  CHECK(!Tokenizer::from(bytes_of({0, 0, 64, 65, 64, 65})));  // learned twice
  CHECK(!Tokenizer::from(bytes_of(
      {0, 0, 64, 64, 256, 256, 257, 257, 258, 258, 259, 259, 260, 260, 261, 261, 262, 262, 263, 263})));
  const auto two = Tokenizer::from(bytes_of({2, 65, 26, 0, 32, 33, 256, 256}));
  REQUIRE(two);
  CHECK(two->size() == 259);
  CHECK(two->encode("ABABAB C") == Ids{257, 256, 220, 34});
}

TEST_CASE("tokens on the command line: of one text, or of one JSON string a line") {
  CHECK(tokens_line("Hello, I am") == "15496 11 314 716\n");
  CHECK(tokens_line("") == "\n");
  std::string problem;
  CHECK(tokens_lines("\"Hello, I am\"\n\"\"\n\"a\\u0085b\"\n", problem) ==
        "15496 11 314 716\n\n64 126 227 65\n");
  CHECK(tokens_lines("", problem) == "");
  CHECK(problem.empty());
  for (const char* bad :
       {"\"a\"\nb\n", "\"a\"\n[\"a\"]", "\"a\"\n\"\\ud800\"", "\"a\"\n\n\"b\"", "\"a\"\n\"\xFF\""}) {
    CHECK(!tokens_lines(bad, problem));
    CHECK(problem == "Line 2 is no JSON string.\n");
  }
}
