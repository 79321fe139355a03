#include "cli/main_cli.hpp"

#include <doctest.h>

#include <string>
#include <vector>

using namespace lab;

namespace {

int status_of(std::vector<std::string> words, const Screens& screens = {}) {
  words.insert(words.begin(), "attention-lab");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return run_command_line(int(words.size()), argv.data(), screens);
}

std::string seen;

}  // namespace

TEST_CASE("a wrong call ends with 2, a file that cannot be read with 1") {
  CHECK(status_of({"--warp"}) == 2);
  CHECK(status_of({"trace"}) == 2);
  CHECK(status_of({"trace", "a", "b"}) == 2);
  CHECK(status_of({"program"}) == 2);
  CHECK(status_of({"program", "lesson=roadmap"}) == 1);
  CHECK(status_of({"program", "text="}) == 1);
  CHECK(status_of({"tokens"}) == 2);
  CHECK(status_of({"tokens", "a", "b"}) == 2);
  CHECK(status_of({"tokens", "--lines", LAB_FIXTURES "/no-such-file"}) == 1);
  CHECK(status_of({"tokens", "--lines", LAB_FIXTURES "/rng.json"}) == 1);
  CHECK(status_of({"eval"}) == 2);
  CHECK(status_of({"eval", "a", "b"}) == 2);
  CHECK(status_of({"eval", LAB_FIXTURES "/no-such-file.json"}) == 1);
  CHECK(status_of({"eval", LAB_FIXTURES}) == 1);
  CHECK(status_of({"screenshot", "q"}) == 2);
  CHECK(status_of({"frobnicate", "x"}) == 2);
}

TEST_CASE("what needs a screen is handed on, or refused where there is none") {
  const Screens screens{.window = [](const char* query) { return seen = query, 7; },
                        .screenshot =
                            [](const char* query, const char* png, const char* size) {
                              return seen = std::string(query) + " " + png + " " + (size ? size : "-"), 8;
                            }};
  CHECK(status_of({}, screens) == 7);
  CHECK(seen.empty());
  CHECK(status_of({"seed=7"}, screens) == 7);
  CHECK(seen == "seed=7");
  CHECK(status_of({"screenshot", "q", "a.png"}, screens) == 8);
  CHECK(seen == "q a.png -");
  CHECK(status_of({"screenshot", "q", "a.png", "10x10"}, screens) == 8);
  CHECK(seen == "q a.png 10x10");
  CHECK(status_of({}) == 2);
  CHECK(status_of({"screenshot", "q", "a.png"}) == 2);
}
