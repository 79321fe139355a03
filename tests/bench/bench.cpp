// lab_bench OUT.json: how long the numbers and a frame take on this machine, and whether the program rests
// when nothing happens. A table for people, the file for comparing; `./lab bench` runs the Release build. No
// test asks for a time: machines differ.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/app.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"
#include "platform/platform.hpp"
#include "platform/renderer.hpp"

using namespace lab;

namespace {

constexpr const char* kTwelveWords = "Your journey starts with one step and every word looks at another";
constexpr int kWidth = 1600, kHeight = 1000, kTimes = 300, kWarmUp = 30;

double clock_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Times {
  double median = 0, quarter = 0, three_quarters = 0;  // ms: half of all lie between the quarters
};

Times times_of(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  const auto part = [&](double share) { return ms[std::size_t(share * double(ms.size() - 1))]; };
  return {part(.5), part(.25), part(.75)};
}

Times timed(const std::function<double()>& once) {
  for (int i = 0; i < kWarmUp; ++i) once();
  std::vector<double> ms;
  for (int i = 0; i < kTimes; ++i) ms.push_back(once());
  return times_of(std::move(ms));
}

Times recompute(const Inputs& inputs) {
  return timed([&] {
    const double began = clock_ms();
    const Results r = results_of(inputs);
    const double ms = clock_ms() - began;
    return r.runs.words.empty() ? 0 : ms;  // uses the result, so that it is made
  });
}

// The program as main.cpp runs it, on a surface without a display and with a clock of its own.
struct Program {
  App app;
  double now = 0;
  Effects effects;

  // From events to the finished draw list, without GL: what one frame costs the processor.
  double frame() {
    const platform::Surface s = platform::surface();
    platform::new_frame();
    const double began = clock_ms();
    effects = app.frame({.width = s.width, .height = s.height, .scale = s.scale, .now = now});
    const double ms = clock_ms() - began;
    platform::render(s, app.background());
    app.end_frame();
    app.finished(ms, 0);
    now += 16;
    return ms;
  }
  // False: it never comes to rest.
  bool settle() {
    frame();
    for (int frames = 0; effects.wants_frame; ++frames) {
      if (frames == 10000) return false;
      frame();
    }
    return true;
  }
};

// A pointer that goes across the screen, so that something is hovered in most frames.
Times frame_times(Program& program) {
  int i = 0;
  return timed([&] {
    ++i;
    ImGui::GetIO().AddMousePosEvent(float(i * 37 % kWidth), float(i * 23 % kHeight));
    return program.frame();
  });
}

// Ten seconds in which nothing happens but that something wakes the program once a second: the frames that it
// draws of its own accord.
int idle_frames(Program& program) {
  ImGui::GetIO().AddMousePosEvent(-1e6f, -1e6f);
  if (!program.settle()) return -1;
  int drawn = 0;
  for (int second = 0; second < 10; ++second) {
    program.now += 1000;
    program.frame();
    for (int i = 0; i < 1000 && program.effects.wants_frame; ++i, ++drawn) program.frame();
  }
  return drawn;
}

nlohmann::ordered_json as_json(const Times& t) {
  return {{"median_ms", t.median}, {"quartiles_ms", {t.quarter, t.three_quarters}}};
}

std::string as_text(const Times& t) {
  char text[80];
  std::snprintf(text, sizeof text, "%7.3f (%.3f–%.3f)", t.median, t.quarter, t.three_quarters);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("lab_bench OUT.json\n", stderr);
    return 2;
  }
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  if (!platform::open_offscreen(kWidth, kHeight, 1) || !platform::start_renderer()) {
    std::fprintf(stderr, "lab_bench: %s\n", platform::failure().c_str());
    return 1;
  }
  bool rests = true;
  // What a browser measures stands beside "native": start.mjs adds it.
  nlohmann::ordered_json file;
  auto& rows = file["native"]["lessons"];
  std::printf("%-16s  %-26s  %-26s  %s\n", "lesson, 12 words", "recompute, ms (half of all)",
              "a frame's CPU, ms", "frames while idle");
  for (const Lesson& lesson : lessons()) {
    State state = defaults_of(lesson.id);
    state.inputs.text = kTwelveWords;
    Program program;
    if (!program.app.start_drawing(nullptr)) return 1;
    program.app.open(query_of(state));
    if (!program.settle()) std::fprintf(stderr, "lab_bench: %s does not come to rest\n", lesson.id);
    const Times numbers = recompute(state.inputs), frame = frame_times(program);
    const int idle = idle_frames(program);
    rests = rests && idle == 0;
    rows[lesson.id] = {{"recompute", as_json(numbers)}, {"frame_cpu", as_json(frame)}, {"idle_frames", idle}};
    std::printf("%-16s  %-28s  %-28s  %d\n", lesson.id, as_text(numbers).c_str(), as_text(frame).c_str(),
                idle);
  }
  std::ofstream out(argv[1]);
  out << file.dump(2) << "\n";
  if (!out.flush()) std::fprintf(stderr, "lab_bench: %s cannot be written\n", argv[1]);
  if (!rests) std::fputs("lab_bench: frames are drawn while nothing happens\n", stderr);
  return out && rests ? 0 : 1;
}
