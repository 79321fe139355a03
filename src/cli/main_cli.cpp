#include "cli/main_cli.hpp"

#include <cstdio>
#include <optional>
#include <string_view>

#include "cli/book.hpp"
#include "cli/eval.hpp"
#include "cli/tokens.hpp"
#include "lessons/compute.hpp"
#include "lessons/lesson.hpp"
#include "lessons/pytorch.hpp"
#include "lessons/query.hpp"
#include "lessons/trace_json.hpp"

namespace lab {
namespace {

constexpr const char* kHelp =
    "Attention Lab: attention, number by number.\n"
    "\n"
    "  attention-lab [QUERY]                              opens the window at that state\n"
    "  attention-lab trace QUERY                          prints every matrix of that state as JSON\n"
    "  attention-lab program QUERY                        prints the PyTorch program of that state\n"
    "  attention-lab tokens TEXT                          prints the ids of its tokens, as GPT-2 has them\n"
    "  attention-lab tokens --lines FILE                  the same for a file with a JSON string a line\n"
    "  attention-lab book [--json] [QUERY]                computes again what chapters 3 and 4 print: a "
    "report;\n"
    "                                                     with stream=mkl dropout draws as on Linux and "
    "Windows\n"
    "  attention-lab eval FILE                            recomputes the cases of a file and prints them as "
    "JSON\n"
    "  attention-lab screenshot QUERY OUT.png [WxH[@RATIO]]  draws that state without a display\n"
    "  attention-lab --help, --version\n"
    "\n"
    "QUERY is what stands behind the ? of a link, for example 'lesson=transfer&seed=789'.\n"
    "Exit status: 0, 1 for a failure, 2 for a wrong call. Errors go to stderr.\n";

void complain(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int wrong_call(const std::string& why) {
  complain("attention-lab: " + why + "\nTry 'attention-lab --help'.\n");
  return 2;
}

// Prints to stdout and remembers whether all of it could be written.
class Output {
 public:
  void print(std::string_view text) {
    good_ = good_ && std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  }
  int status(int status) {
    good_ = std::fflush(stdout) == 0 && good_;
    if (!good_) complain("attention-lab: the output cannot be written.\n");
    return good_ ? status : 1;
  }

 private:
  bool good_ = true;
};

int trace(const char* query) {
  const ReadQuery read = opened(query);
  for (const std::string& problem : read.problems) complain(problem + "\n");
  Output out;
  if (lesson_of(read.state).stage == Stage::gpt) {
    Results r = results_of(read.state.inputs, &gpt2_tokenizer());
    r.gpt->start();
    r.gpt->advance([] { return true; });
    if (!r.gpt->problem().empty()) complain(r.gpt->problem() + "\n");
    out.print(gpt_trace_json(r, read.state));
  } else {
    out.print(trace_json(compute(read.state.inputs), query_of(read.state)));
  }
  out.print("\n");
  return out.status(0);
}

int program(const char* query) {
  const ReadQuery read = opened(query);
  for (const std::string& problem : read.problems) complain(problem + "\n");
  const std::string text = pytorch_of(results_of(read.state.inputs, &gpt2_tokenizer()), read.state).program;
  if (text.empty()) {
    complain("attention-lab: this state has no program.\n");
    return 1;
  }
  Output out;
  out.print(text);
  return out.status(0);
}

std::optional<std::string> contents(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (!file) return std::nullopt;
  std::string text;
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file)) {
    text.append(block, n);
    if (text.size() > std::size_t(32) << 20) break;  // more than evaluate() takes
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return std::nullopt;
  return text;
}

std::optional<std::string> contents_or_complaint(const char* path) {
  const auto text = contents(path);
  if (!text) complain(std::string("attention-lab: ") + path + " cannot be read.\n");
  return text;
}

int tokens(std::string_view text) {
  Output out;
  out.print(tokens_line(text));
  return out.status(0);
}

int tokens_of_file(const char* path) {
  const auto texts = contents_or_complaint(path);
  if (!texts) return 1;
  std::string problem;
  const auto lines = tokens_lines(*texts, problem);
  if (!lines) {
    complain(problem);
    return 1;
  }
  Output out;
  out.print(*lines);
  return out.status(0);
}

// --json, and a QUERY whose stream says whose dropout masks; each at most once.
int book(int count, char** given) {
  bool as_json = false;
  const char* query = "";
  for (int i = 0; i < count; ++i) {
    if (given[i] == std::string_view("--json"))
      as_json = true;
    else if (!*query && given[i][0] != '-')
      query = given[i];
    else
      return wrong_call("book takes --json and a QUERY, if wanted.");
  }
  const ReadQuery read = opened(query);
  for (const std::string& problem : read.problems) complain(problem + "\n");
  Output out;
  const int status =
      check_book(read.state.inputs.stream, as_json, [&](std::string_view part) { out.print(part); });
  return out.status(status);
}

int eval(const char* path) {
  const auto text = contents_or_complaint(path);
  if (!text) return 1;
  Output out;
  std::string notes;
  const int status = evaluate(
      *text, [&](std::string_view part) { out.print(part); }, notes);
  complain(notes);
  return out.status(status);
}

}  // namespace

int run_command_line(int argc, char** argv, const Screens& screens) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  const int arguments = argc - 2;
  if (command == "--help" || command == "-h") {
    Output out;
    out.print(kHelp);
    return out.status(0);
  }
  if (command == "--version") {
    Output out;
    out.print("attention-lab " LAB_VERSION "\n");
    return out.status(0);
  }
  if (command == "trace") return arguments == 1 ? trace(argv[2]) : wrong_call("trace takes one QUERY.");
  if (command == "program") return arguments == 1 ? program(argv[2]) : wrong_call("program takes one QUERY.");
  if (command == "tokens") {
    if (arguments == 1) return tokens(argv[2]);
    if (arguments == 2 && argv[2] == std::string_view("--lines")) return tokens_of_file(argv[3]);
    return wrong_call("tokens takes one TEXT, or --lines and one FILE.");
  }
  if (command == "book") return book(arguments, argv + 2);
  if (command == "eval") return arguments == 1 ? eval(argv[2]) : wrong_call("eval takes one FILE.");
  if (command == "screenshot") {
    if (arguments != 2 && arguments != 3)
      return wrong_call("screenshot takes a QUERY, a file to write and, if wanted, a size.");
    if (!screens.screenshot) return wrong_call("this program draws nothing; the desktop program does.");
    return screens.screenshot(argv[2], argv[3], arguments == 3 ? argv[4] : nullptr);
  }
  if (command.starts_with("-")) return wrong_call("there is no option " + std::string(command) + ".");
  if (argc > 2) return wrong_call("there is no command " + std::string(command) + ".");
  if (!screens.window) return wrong_call("this program opens no window: name a command.");
  if (!command.empty() && command.find('=') == std::string_view::npos)
    return wrong_call("there is no command " + std::string(command) + ", and a QUERY has a '=' in it.");
  return screens.window(argc > 1 ? argv[1] : "");
}

}  // namespace lab
