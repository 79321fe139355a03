#include "core/words.hpp"

#include <doctest.h>

using namespace lab;
using Words = std::vector<std::string>;

TEST_CASE("Words stand between white space, punctuation stays with them") {
  CHECK(words_of("Your journey starts, now.") == Words{"Your", "journey", "starts,", "now."});
  CHECK(words_of("  two \t\r\n words  ") == Words{"two", "words"});
  CHECK(words_of("") == Words{});
  CHECK(words_of(" \t ") == Words{});
}

TEST_CASE("Every white space of Unicode divides, and nothing that only looks like it") {
  for (const char* space :
       {"\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u0085", "\u00A0", "\u1680",
        "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
        "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"}) {
    CAPTURE(space);
    CHECK(words_of(std::string("a") + space + "b") == Words{"a", "b"});
  }
  for (const char* no_space : {"\u200B", "\u200D", "\u2060", "\uFEFF", "\u180E", "_", "\xE3\x80"}) {
    CAPTURE(no_space);
    CHECK(words_of(std::string("a") + no_space + "b").size() == 1);
  }
}

TEST_CASE("A word is cut to 64 characters, not bytes") {
  std::string smileys;
  for (int i = 0; i < 70; ++i) smileys += "\U0001F600";
  CHECK(words_of(smileys + " x") == Words{smileys.substr(0, 64 * 4), "x"});
  CHECK(whole_words(smileys)[0] == smileys);
}

TEST_CASE("Overlong forms, surrogates, numbers past U+10FFFF and torn characters are stray bytes") {
  for (std::string_view bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xC3"}) {
    const CodePoint c = first_code_point(bad);
    CHECK_FALSE(c.valid);
    CHECK(c.bytes == 1);
  }
  for (std::string_view good : {"a", "\u00E9", "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF"}) {
    const CodePoint c = first_code_point(good);
    CHECK(c.valid);
    CHECK(c.bytes == good.size());
  }
  CHECK(first_code_point("\U0010FFFF").value == 0x10FFFF);
}
