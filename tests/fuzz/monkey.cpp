// lab_monkey [MINUTES] [SEED]: a monkey at the desktop program, under the sanitizers. It clicks, drags,
// types, presses keys, opens links and pulls at the window; what must always hold is looked at all the time.
// `./lab fuzz`.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/atlas_check.hpp"
#include "draw/desk.hpp"
#include "lessons/compute.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"

using namespace lab;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double resident_mb() {  // of this process
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return double(resident) * 4096 / 1e6;
}

// 600 MB and seconds, which is no leak.
bool draws_gpt2(const std::string& id) { return id == "draw-model" || id == "run-book"; }

class Monkey {
 public:
  explicit Monkey(unsigned seed) : dice_(seed) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    if (!platform::open_offscreen(1600, 1000, 1) || !platform::start_renderer() ||
        !desk_.open(1600, 1000, ""))
      die("the program does not start: " + platform::failure());
    desk_.moves = true;
  }

  void act() {
    ++acts_;
    desk_.random = dice_();
    desk_.draws = upto(20) == 0;  // software GL is slow
    switch (upto(20)) {
      case 0: return open_link();
      case 1: return resize();
      case 2:
      case 3: return drag();
      case 4:
      case 5:
      case 6: return key();
      case 7:
      case 8: return type();
      case 9: return pinch();
      case 10: return wheel();
      default: return click();
    }
  }

  // Of every frame.
  void look() {
    const State& state = desk_.app.state();
    if (!(state_of(query_of(state)).state == state)) die("the link of this state opens another");
    std::set<std::string_view> ids;
    for (const Target& t : desk_.app.ui().registry.targets())
      if (!ids.insert(t.id).second) die("two targets are called " + t.id);
  }

  // Of the numbers; now and then, for it takes long.
  void check_numbers() {
    const Inputs& in = desk_.app.state().inputs;
    const Runs runs = compute(in);
    if (runs.words.size() > 12 || in.d_in > 8 || in.d_out > 8) return;
    if (const std::string wrong = first_wrong_cell(runs); !wrong.empty()) die(wrong);
    for (const Run& run : runs.runs)
      for (int r = 0; r < run.trace.softmax_unmasked.rows(); ++r) check_row(in, run, r);
    ++checked_;
  }

  // What led to it.
  void tell() const {
    std::printf("act %d\nstate: %s\nthe last acts:\n", acts_, desk_.app.query().c_str());
    for (const std::string& did : did_) std::printf("  %s\n", did.c_str());
    std::fflush(stdout);
  }

  int acts() const { return acts_; }
  int checked() const { return checked_; }

 private:
  // A softmax's row sums to 1, or NaN has come into it, or a hand has.
  void check_row(const Inputs& in, const Run& run, int row) {
    const double sum = run.trace.softmax_unmasked.row(row).cast<double>().sum();
    const bool edited = std::any_of(in.edits.begin(), in.edits.end(),
                                    [](const Edit& e) { return e.cell.name.ends_with("softmax_unmasked"); });
    if (!edited && !std::isnan(sum) && std::abs(sum - 1) > 1e-5)
      die("row " + std::to_string(row) + " of softmax sums to " + std::to_string(sum));
  }

  [[noreturn]] void die(const std::string& why) {
    std::printf("%s\n", why.c_str());
    tell();
    std::exit(1);
  }
  void did(std::string what) {
    did_.push_back(std::move(what));
    if (did_.size() > 30) did_.pop_front();
  }
  int upto(int n) { return int(dice_() % unsigned(n)); }
  template <std::size_t N>
  const char* one_of(const char* const (&all)[N]) {
    return all[upto(int(N))];
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      desk_.frame();
      look();
    }
  }

  struct Point {
    float x = 0, y = 0;
  };
  Point somewhere() {
    const auto& targets = desk_.app.ui().registry.targets();
    const platform::Surface s = platform::surface();
    if (targets.empty() || upto(8) == 0) {
      const Point at{float(upto(s.width)) / s.scale, float(upto(s.height)) / s.scale};
      const bool taken = std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
        return draws_gpt2(t.id) && t.box.has(at.x, at.y);
      });
      return taken ? somewhere() : at;
    }
    const Target& t = targets[std::size_t(upto(int(targets.size())))];
    if (draws_gpt2(t.id)) return somewhere();
    did("at " + t.id);
    return {t.box.x + t.box.w * float(upto(100)) / 100, t.box.y + t.box.h * float(upto(100)) / 100};
  }

  void press(Point at, bool down) {
    desk_.point(at.x, at.y, down);
    frames(2);
  }
  void click() {
    did("click");
    const Point at = somewhere();
    for (int times = upto(4) == 0 ? 2 : 1; times > 0; --times) {
      press(at, true);
      press(at, false);
    }
  }
  void drag() {
    did("drag");
    const Point from = somewhere(), to = somewhere();
    press(from, true);
    if (upto(3)) press({(from.x + to.x) / 2, (from.y + to.y) / 2}, true);
    if (upto(10) == 0) {
      desk_.point(-1e6f, -1e6f, true);  // out of the window
      frames(1);
    }
    press(to, true);
    press(to, false);
  }
  void key() {
    static const char* const keys[] = {
        "Tab",       "Shift+Tab",    "Enter",  " ",      "Escape",   "ArrowLeft", "ArrowRight", "ArrowUp",
        "ArrowDown", "Home",         "End",    "PageUp", "PageDown", "Delete",    "Backspace",  "Ctrl+z",
        "Ctrl+y",    "Ctrl+Shift+z", "Ctrl+a", "+",      "-",        "F2"};
    for (int times = 1 + upto(5); times > 0; --times) {
      const char* name = one_of(keys);
      if (draws_gpt2(desk_.app.ui().gesture.focus)) name = "Tab";
      did(std::string("key ") + name);
      desk_.app.key(name);
      frames(1);
    }
  }
  void type() {
    static const char* const texts[] = {"1",
                                        "-2.5",
                                        "0",
                                        "7",
                                        "nan",
                                        "inf",
                                        "1e39",
                                        "x",
                                        " ",
                                        "64",
                                        "a b c",
                                        "\xC3\xA9",
                                        "\xF0\x9F\x98\x80",
                                        "789",
                                        ".",
                                        "-",
                                        "9999999999999999999999"};
    const char* text = one_of(texts);
    did(std::string("type ") + text);
    desk_.app.text(text);
    frames(1);
    if (upto(2)) desk_.app.key(upto(3) ? "Enter" : "Escape");
    frames(2);
  }
  void pinch() {
    const Point at = somewhere();
    did("pinch");
    desk_.app.pinch(at.x, at.y, float(upto(60) - 30), float(upto(60) - 30), .5f + float(upto(20)) / 10);
    frames(1);
  }
  void wheel() {
    did("wheel");
    ImGui::GetIO().AddMouseWheelEvent(0, float(upto(9) - 4));
    frames(2);
  }
  void resize() {
    static constexpr int sizes[][2] = {{1600, 1000}, {1280, 720}, {390, 844},  {844, 390},
                                       {1, 1},       {120, 80},   {2200, 1200}};
    static constexpr float scales[] = {1, 1, 1, 2, 1.25f, .5f};
    const auto& size = sizes[upto(7)];
    did("window " + std::to_string(size[0]) + "x" + std::to_string(size[1]));
    if (!desk_.resize(size[0], size[1], scales[upto(6)])) die("no such window");
    frames(2);
  }
  void open_link() {
    static const char* const parts[] = {"lesson=self-attention",
                                        "lesson=causal-mask",
                                        "lesson=transfer",
                                        "lesson=roadmap",
                                        "lesson=book",
                                        "lesson=book&filter=1&row=25",
                                        "from=wrapper&heads=2",
                                        "to=mha&heads=3",
                                        "lesson=transformer-block",
                                        "lesson=gpt&size=custom&custom_dim=24",
                                        "text=a+b+c",
                                        "text=",
                                        "text=one+two+three+four+five+six+seven",
                                        "seed=789",
                                        "d_in=1",
                                        "d_in=5",
                                        "d_out=4",
                                        "d_out=1",
                                        "mask=neginf",
                                        "mask=after-dropout",
                                        "mask=zero-scores",
                                        "training=1",
                                        "dropout=0.5",
                                        "stream=mkl",
                                        "step=zero",
                                        "step=leak",
                                        "step=wrong",
                                        "step=dropout",
                                        "step=question",
                                        "bias=1",
                                        "to=causal",
                                        "from=v1&to=v2",
                                        "fault=3",
                                        "edit=attn_scores.0.0:1000",
                                        "edit=inputs.1.0:nan",
                                        "edit=W_query.0.0:2",
                                        "theme=dark",
                                        "present=1",
                                        "hide=rail,inspector",
                                        "digits=8",
                                        "word=1",
                                        "lock=seed,mask",
                                        "cell=context_vec.0.0",
                                        "leak=0",
                                        "%%%",
                                        "&&=&"};
    std::string query;
    for (int n = upto(6); n >= 0; --n) query += std::string(query.empty() ? "" : "&") + one_of(parts);
    did("open " + query);
    desk_.app.open(query);
    frames(3);
  }

  test::Desk desk_;
  std::mt19937 dice_;
  std::deque<std::string> did_;
  int acts_ = 0, checked_ = 0;
};

Monkey* the_monkey = nullptr;

// An assertion of the program has failed.
void tell_and_abort(int) {
  std::signal(SIGABRT, SIG_DFL);
  the_monkey->tell();
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  const double minutes = argc > 1 ? std::atof(argv[1]) : 10;
  const unsigned seed = argc > 2 ? unsigned(std::strtoul(argv[2], nullptr, 10)) : 1;
  if (!(minutes > 0)) {
    std::fputs("lab_monkey [MINUTES] [SEED]\n", stderr);
    return 2;
  }
  Monkey monkey(seed);
  the_monkey = &monkey;
  std::signal(SIGABRT, tell_and_abort);
  const double began = seconds();
  std::vector<double> held;  // MB, minute by minute
  int told = 0;
  while (seconds() - began < minutes * 60) {
    monkey.act();
    if (monkey.acts() % 20 == 0) monkey.check_numbers();
    if (const int minute = int((seconds() - began) / 60); minute > told) {
      told = minute;
      held.push_back(resident_mb());
      std::printf("%3d min: %d acts, all numbers checked %d times, %.0f MB\n", minute, monkey.acts(),
                  monkey.checked(), resident_mb());
      std::fflush(stdout);
    }
  }
  constexpr double kFlat = 40;  // MB: what allocators and the sanitizers' own books may still grow by
  // Large windows and long sentences come and go: what it goes back to tells whether something stays. First
  // everything has to have been seen once.
  constexpr std::size_t kLeastMinutes = 8;
  const auto warm = held.begin() + std::ptrdiff_t(held.size() / 4);
  const auto half = held.begin() + std::ptrdiff_t(held.size() / 2);
  const double grown =
      held.size() < kLeastMinutes ? 0 : *std::min_element(half, held.end()) - *std::min_element(warm, half);
  std::printf("seed %u: %d acts in %.1f minutes, the least memory of its second half is %+.1f MB more\n",
              seed, monkey.acts(), minutes, grown);
  return grown > kFlat;
}
