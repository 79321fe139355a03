// The rules of the architecture, read off the sources themselves.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <doctest.h>

namespace {

namespace fs = std::filesystem;

struct Source {
  std::string path;    // below src/: "draw/pen.cpp"
  std::string folder;  // "draw", "" for src itself
  std::string text;
};

std::vector<Source> sources() {
  const fs::path root = fs::path(LAB_SOURCE) / "src";
  std::vector<Source> all;
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(root)) {
    if (e.path().extension() != ".cpp" && e.path().extension() != ".hpp") continue;
    std::ifstream file(e.path());
    const std::string path = fs::relative(e.path(), root).generic_string();
    const auto slash = path.find('/');
    all.push_back({path,
                   slash == std::string::npos ? "" : path.substr(0, slash),
                   {std::istreambuf_iterator<char>(file), {}}});
  }
  return all;
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  std::vector<std::string> found;
  const std::regex re(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), re), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

bool mentions(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex(pattern));
}

}  // namespace

TEST_CASE("includes point one way: core, lessons, draw, app, main; the platform stands apart") {
  const std::map<std::string, std::set<std::string>> may_include = {
      {"core", {"core"}},
      {"lessons", {"core", "lessons"}},
      {"draw", {"core", "lessons", "draw"}},
      {"app", {"core", "lessons", "draw", "app"}},
      {"cli", {"core", "lessons", "cli"}},
      {"platform", {"platform"}},
      {"", {"core", "lessons", "draw", "app", "cli", "platform"}},
  };
  std::size_t checked = 0;
  for (const Source& s : sources()) {
    REQUIRE_MESSAGE(may_include.count(s.folder), "a folder without a rule: ", s.path);
    for (const std::string& folder : matches(s.text, "#include \"([a-z_]+)/[^\"]+\"")) {
      CHECK_MESSAGE(may_include.at(s.folder).count(folder), s.path, " includes ", folder);
      ++checked;
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("only main.cpp knows both the State and the platform") {
  for (const Source& s : sources())
    if (mentions(s.text, "#include \"platform/") && mentions(s.text, "#include \"(app|lessons|draw|core)/"))
      CHECK(s.path == "main.cpp");
}

TEST_CASE("the core includes the standard library, Eigen and itself") {
  for (const Source& s : sources())
    if (s.folder == "core")
      for (const std::string& header : matches(s.text, "#include <([^>]+)>"))
        CHECK_MESSAGE((header.find('.') == std::string::npos &&
                       (header.find('/') == std::string::npos || header.rfind("Eigen/", 0) == 0)),
                      s.path, " includes <", header, ">");
}

TEST_CASE("GL is called in the heat map and on the platform only") {
  for (const Source& s : sources())
    if (mentions(s.text, "GLES3/|\\bgl[A-Z][A-Za-z]+\\("))
      CHECK_MESSAGE((s.path.rfind("draw/heatmap", 0) == 0 || s.folder == "platform"), s.path);
}

TEST_CASE("Emscripten is mentioned in one file") {
  for (const Source& s : sources())
    if (mentions(s.text, "emscripten|EMSCRIPTEN")) CHECK(s.path == "platform/platform_web.cpp");
}

TEST_CASE("no file asks for the platform or a feature by #if, but for the platform's own") {
  for (const Source& s : sources())
    if (mentions(s.text, "#\\s*(if|ifdef|ifndef|elif)\\b"))
      CHECK_MESSAGE((s.folder == "platform" || s.path.rfind("core/kernels", 0) == 0), s.path);
}

TEST_CASE("the only mutable global is the one App") {
  // A variable at the start of a line, outside of any block: neither const nor constexpr nor a function.
  for (const Source& s : sources()) {
    if (s.folder == "platform") continue;
    for (const std::string& line :
         matches(s.text,
                 "(?:^|\\n)((?:static |inline |thread_local )?(?:std::)?[A-Za-z_:<>]+ [a-z_]+(?: = "
                 "[^;\\n]+|\\{[^;\\n]*\\})?;)")) {
      if (mentions(line,
                   "^(using|return|struct|class|enum|namespace|typedef|extern|const|constexpr|inline "
                   "constexpr|static constexpr)\\b"))
        continue;
      CHECK_MESSAGE((s.path == "main.cpp" && line.find("std::unique_ptr<App> app") == 0), s.path, ": ", line);
    }
  }
}

TEST_CASE("no file is longer than a reader can hold") {
  for (const Source& s : sources())
    CHECK_MESSAGE(std::count(s.text.begin(), s.text.end(), '\n') <= 450, s.path);
}
