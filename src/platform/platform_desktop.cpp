// The desktop: a window on SDL2 and GL ES 3. SDL's events feed ImGui directly, as the page's Pointer Events
// do.
#include <SDL.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "imgui.h"
#include "imgui_internal.h"
#include "platform/native.hpp"
#include "vocabulary.hpp"

namespace lab::platform {
namespace {

constexpr int kLeastWidth = 360, kLeastHeight = 480;
constexpr int kFramesAfterInput = 2;  // ImGui spreads quick events over frames

struct Desktop {
  SDL_Window* window = nullptr;
  Handlers on;
  std::string query, failure;
  Uint32 wake_event = 0;
  double last_frame = 0;
  int shown_cursor = -1;
  SDL_Cursor* cursors[ImGuiMouseCursor_COUNT] = {};
};
Desktop& desktop() {
  static Desktop state;
  return state;
}

// The window's points are pixels on X11 and Windows; on macOS there are two pixels to a point.
float pixels_per_point() {
  int points = 0;
  int pixels = 0;
  SDL_GetWindowSize(desktop().window, &points, nullptr);
  SDL_GL_GetDrawableSize(desktop().window, &pixels, nullptr);
  return points > 0 ? float(pixels) / float(points) : 1;
}

float display_scale() {
  const float scale = pixels_per_point();
  float dpi = 96;
  const int display = SDL_GetWindowDisplayIndex(desktop().window);
  if (scale == 1 && SDL_GetDisplayDPI(display, &dpi, nullptr, nullptr) == 0 && dpi >= 120) {
    return std::round(dpi / 24) / 4;  // quarters: 1.25, 1.5 …
  }
  return scale;
}

std::filesystem::path saved_file(const std::string& key) {
  char* folder = SDL_GetPrefPath("attention-lab", "attention-lab");
  std::filesystem::path path = folder ? folder : ".";
  SDL_free(folder);
  return path / key;
}

// ---- where the window was -------------------------------------------------------------------------------

constexpr const char* kWindow = "window";  // "x y w h", or nothing yet

// Enough of it lies on a display that is there today.
bool is_in_sight(const SDL_Rect& window) {
  constexpr int kGrip = 120;
  for (int i = 0; i < SDL_GetNumVideoDisplays(); ++i) {
    SDL_Rect display, common;
    if (SDL_GetDisplayUsableBounds(i, &display) == 0 && SDL_IntersectRect(&window, &display, &common) &&
        common.w >= kGrip && common.h >= kGrip)
      return true;
  }
  return false;
}

void place_window() {
  SDL_Rect r{};
  std::ifstream file(saved_file(kWindow));
  if (!(file >> r.x >> r.y >> r.w >> r.h) || r.w < kLeastWidth || r.h < kLeastHeight || r.w > 16384 ||
      r.h > 16384 || !is_in_sight(r))
    return;
  SDL_SetWindowSize(desktop().window, r.w, r.h);
  SDL_SetWindowPosition(desktop().window, r.x, r.y);
}

void remember_window() {
  SDL_Window* w = desktop().window;
  if (!w || SDL_GetWindowFlags(w) & (SDL_WINDOW_MAXIMIZED | SDL_WINDOW_MINIMIZED | SDL_WINDOW_FULLSCREEN))
    return;
  SDL_Rect r{};
  SDL_GetWindowPosition(w, &r.x, &r.y);
  SDL_GetWindowSize(w, &r.w, &r.h);
  std::ofstream(saved_file(kWindow)) << r.x << ' ' << r.y << ' ' << r.w << ' ' << r.h << '\n';
}

// The names that KeyboardEvent.key has.
std::string key_name(const SDL_Keysym& key) {
  struct Name {
    SDL_Keycode code;
    const char* name;
  };
  static constexpr Name kNames[] = {
      {SDLK_RETURN, "Enter"},        {SDLK_KP_ENTER, "Enter"},    {SDLK_ESCAPE, "Escape"},
      {SDLK_BACKSPACE, "Backspace"}, {SDLK_DELETE, "Delete"},     {SDLK_TAB, "Tab"},
      {SDLK_LEFT, "ArrowLeft"},      {SDLK_RIGHT, "ArrowRight"},  {SDLK_UP, "ArrowUp"},
      {SDLK_DOWN, "ArrowDown"},      {SDLK_HOME, "Home"},         {SDLK_END, "End"},
      {SDLK_PAGEUP, "PageUp"},       {SDLK_PAGEDOWN, "PageDown"}, {SDLK_SPACE, " "},
  };
  std::string name;
  bool printable = false;
  for (const Name& n : kNames) {
    if (n.code == key.sym) name = n.name;
  }
  if (name.empty() && key.sym >= SDLK_F1 && key.sym <= SDLK_F12)
    name = "F" + std::to_string(key.sym - SDLK_F1 + 1);
  if (name.empty() && key.sym > 0x20 && key.sym < 0x7F) {
    name = char(key.sym);
    printable = true;
  }
  if (name.empty()) return name;
  const bool ctrl = key.mod & (KMOD_CTRL | KMOD_GUI);
  const bool shift = key.mod & KMOD_SHIFT;
  std::string prefix;
  if (ctrl) prefix += "Ctrl+";
  if (key.mod & KMOD_LALT) prefix += "Alt+";
  if (shift && (ctrl || !printable) && name != " ") prefix += "Shift+";
  if (shift && printable && !ctrl && std::isalpha(name[0])) name[0] = char(std::toupper(name[0]));
  return prefix + name;
}

void key_down(const SDL_Keysym& key) {
  Desktop& d = desktop();
  const std::string name = key_name(key);
  if (name.empty() || (d.on.key && d.on.key(name))) return;
  if ((name == "Ctrl+v" || name == "Shift+Insert") && d.on.paste) {
    char* text = SDL_GetClipboardText();
    d.on.paste(text ? text : "");
    SDL_free(text);
  }
}

void mouse_position(int x, int y) {
  const float k = pixels_per_point();
  ImGui::GetIO().AddMousePosEvent(std::floor(float(x) * k), std::floor(float(y) * k));
}

bool handle(const SDL_Event& event) {  // false: the window was closed
  Desktop& d = desktop();
  ImGuiIO& io = ImGui::GetIO();
  switch (event.type) {
    case SDL_QUIT: return false;
    case SDL_MOUSEMOTION: mouse_position(event.motion.x, event.motion.y); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: {
      const bool down = event.type == SDL_MOUSEBUTTONDOWN;
      SDL_CaptureMouse(down ? SDL_TRUE : SDL_FALSE);  // a drag goes on outside the window
      mouse_position(event.button.x, event.button.y);
      if (event.button.button == SDL_BUTTON_LEFT) io.AddMouseButtonEvent(0, down);
      break;
    }
    case SDL_MOUSEWHEEL: io.AddMouseWheelEvent(-event.wheel.preciseX, event.wheel.preciseY); break;
    case SDL_KEYDOWN: key_down(event.key.keysym); break;
    case SDL_TEXTINPUT:
      if (d.on.text) d.on.text(event.text.text);
      break;
    case SDL_WINDOWEVENT:
      if (event.window.event == SDL_WINDOWEVENT_LEAVE && !io.MouseDown[0])
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
      break;
    default: break;
  }
  return true;
}

void apply_cursor() {
  Desktop& d = desktop();
  const int cursor = ImGui::GetMouseCursor();
  if (cursor == d.shown_cursor || cursor < 0) return;
  d.shown_cursor = cursor;
  SDL_SystemCursor kind = SDL_SYSTEM_CURSOR_ARROW;
  if (cursor == ImGuiMouseCursor_Hand) kind = SDL_SYSTEM_CURSOR_HAND;
  if (cursor == ImGuiMouseCursor_TextInput) kind = SDL_SYSTEM_CURSOR_IBEAM;
  if (cursor == ImGuiMouseCursor_ResizeAll) kind = SDL_SYSTEM_CURSOR_SIZEALL;
  if (cursor == ImGuiMouseCursor_NotAllowed) kind = SDL_SYSTEM_CURSOR_NO;
  if (!d.cursors[cursor]) d.cursors[cursor] = SDL_CreateSystemCursor(kind);
  SDL_SetCursor(d.cursors[cursor]);
}

}  // namespace

bool fail(const std::string& why) {
  desktop().failure = why;
  return false;
}
std::string failure() { return desktop().failure; }

bool open(const char* title, int width, int height) {
  Desktop& d = desktop();
  SDL_SetHint(SDL_HINT_WINDOWS_DPI_AWARENESS, "permonitorv2");
  SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");  // the click that raises the window also counts
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fail(SDL_GetError());
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  const Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  d.window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
  if (!d.window) return fail(SDL_GetError());
  if (!SDL_GL_CreateContext(d.window)) return fail(SDL_GetError());
  SDL_GL_SetSwapInterval(1);
  SDL_SetWindowMinimumSize(d.window, kLeastWidth, kLeastHeight);
  place_window();
  d.wake_event = SDL_RegisterEvents(1);
  return true;
}

void on(Handlers handlers) { desktop().on = std::move(handlers); }

void set_arguments(int argc, char** argv) {
  if (argc > 1) desktop().query = argv[1];
}

Surface surface() {
  Desktop& d = desktop();
  Surface s = offscreen_surface();
  if (d.window) {
    SDL_GL_GetDrawableSize(d.window, &s.width, &s.height);
    s.scale = display_scale();
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(s.width), float(s.height)};
  io.DisplayFramebufferScale = {1, 1};
  const double now = now_ms();
  io.DeltaTime = float(std::clamp((now - d.last_frame) / 1000, .0001, .1));
  d.last_frame = now;
  return s;
}

void run(std::function<bool()> frame) {
  int more = kFramesAfterInput;
  while (true) {
    SDL_Event event;
    bool got = more > 0 ? SDL_PollEvent(&event) : SDL_WaitEvent(&event);
    for (; got; got = SDL_PollEvent(&event)) {
      if (!handle(event)) return remember_window();
      more = kFramesAfterInput;
    }
    const bool wanted = frame() || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
    more = wanted ? kFramesAfterInput : more - 1;
  }
}

void wake() {
  if (!desktop().window) return;
  SDL_Event event{};
  event.type = desktop().wake_event;
  SDL_PushEvent(&event);
}

void present() {
  if (!desktop().window) return;
  apply_cursor();
  SDL_GL_SwapWindow(desktop().window);
}

double now_ms() { return double(SDL_GetPerformanceCounter()) * 1000 / double(SDL_GetPerformanceFrequency()); }

// SDL 2 does not know the desktop's preferences.
bool prefers_dark() {
  const char* set = std::getenv("LAB_DARK");
  return set && *set == '1';
}
bool prefers_more_contrast() { return std::getenv("LAB_MORE_CONTRAST") != nullptr; }
bool prefers_reduced_motion() { return is_offscreen() || std::getenv("LAB_REDUCED_MOTION") != nullptr; }
std::uint32_t entropy() { return std::random_device{}(); }

void request_vocabulary(std::function<void(std::string)> arrived) { arrived(std::string(kVocabulary)); }

void set_clipboard(const std::string& text) {
  if (desktop().window) SDL_SetClipboardText(text.c_str());
}

void download(const std::string& name, const std::string&, const std::string& bytes) {
  std::ofstream file(name, std::ios::binary);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  if (!file) report_error("cannot write " + name);
}

std::string load(const std::string& key) {
  if (!desktop().window) return "";
  std::ifstream file(saved_file(key), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void save(const std::string& key, const std::string& value) {
  if (!desktop().window) return;
  std::ofstream(saved_file(key), std::ios::binary) << value;
}

std::string query() { return desktop().query; }
void set_query(const std::string& q, bool) { desktop().query = q; }
std::string link(const std::string& q) { return "?" + q; }

void publish(const std::string&) {}
void announce(const std::string&) {}
void set_page_theme(bool) {}
void set_own_gestures(Gestures) {}
void set_page_title(const std::string& title) {
  if (desktop().window) SDL_SetWindowTitle(desktop().window, title.c_str());
}
void add_page_font(const char*, int, const unsigned char*, std::size_t) {}
void report_error(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

}  // namespace lab::platform
