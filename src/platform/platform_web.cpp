// The page; the only file that mentions Emscripten. SDL makes the canvas's context, then its own listeners
// are removed: they take the letters from <input>s and lose releases outside the canvas. Pointer Events take
// their place.
#include <SDL.h>
#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>

#include "imgui.h"
#include "imgui_internal.h"
#include "platform/page_glyphs.hpp"
#include "platform/platform.hpp"

using lab::platform::Handlers;

namespace {

struct Page {
  std::function<bool()> frame;
  Handlers on;
  std::function<void(std::string)> vocabulary_arrived;  // while it is on its way
  std::string failure, answer;
  float scale = 1;  // device pixels per CSS pixel
  double last_frame = 0;
  int shown_cursor = -1;
  bool asked = false, lost = false;
  bool held = false;  // the left button, or a finger
};
Page& page() {
  static Page state;
  return state;
}

}  // namespace

EM_JS_DEPS(lab, "$stringToNewUTF8,$UTF8ToString");
// The preprocessor reads these bodies: no apostrophes in their comments, and no line that begins with a
// number sign.
// clang-format off
EM_JS(void, js_listen, (), {
  const canvas = Module["canvas"];
  const call = (f, ...texts) => {
    const pointers = texts.map(t => stringToNewUTF8(String(t)));
    const result = f(...pointers);
    pointers.forEach(p => _free(p));
    return result;
  };
  const page = Module["page"];
  page["start"]({
    "act": (id, value) => call(_lab_act, id, value),
    "typingDone": (id, cancelled) => call(p => _lab_typing_done(p, cancelled ? 1 : 0), id),
    "focus": id => call(_lab_focus, id),
    "key": name => !!call(_lab_key, name),
    "paste": text => call(_lab_paste, text),
    "open": query => call(_lab_open, query),
    "query": () => UTF8ToString(_lab_query()),
    "trace": () => UTF8ToString(_lab_trace()),
    "stats": () => UTF8ToString(_lab_stats()),
    "navigate": query => call(_lab_navigate, query),
    "settled": () => !!_lab_settled(),
    "point": (kind, x, y, touch, held) => _lab_pointer(kind, x, y, touch, held),
    "pinch": (x, y, dx, dy, factor) => _lab_pinch(x, y, dx, dy, factor),
    "wheel": (x, y) => _lab_wheel(x, y)
  });

  canvas.addEventListener("webglcontextlost", e => { e.preventDefault(); _lab_context(1); });
  canvas.addEventListener("webglcontextrestored", () => _lab_context(0));

  // Size in whole device pixels: the own count of the browser where it has one and where it is believable (an
  // emulated pixel ratio leaves it in CSS pixels), else rounded.
  // Measured anew when the browser tells of a change; to ask for it in each frame would be to wait for its layout.
  const surface = Module["surface"] = { w: canvas.width, h: canvas.height, ratio: window.devicePixelRatio };
  let counted = null;
  let changed = false;
  const change = () => { changed = true; _lab_wake(); };
  Module["measure"] = () => {
    const ratio = window.devicePixelRatio;
    if (!changed && ratio === surface.ratio) return surface;
    changed = false;
    const box = canvas.getBoundingClientRect();
    const w = box.width * ratio;
    const h = box.height * ratio;
    const believable = counted && Math.abs(counted.inlineSize - w) < 1.01 && Math.abs(counted.blockSize - h) < 1.01;
    surface.ratio = ratio;
    surface.w = believable ? counted.inlineSize : Math.round(w);
    surface.h = believable ? counted.blockSize : Math.round(h);
    return surface;
  };
  const observer = new ResizeObserver(entries => {
    const sizes = entries[0].devicePixelContentBoxSize;
    counted = sizes ? sizes[0] : null;
    change();
  });
  try { observer.observe(canvas, { box: "device-pixel-content-box" }); } catch (e) { observer.observe(canvas); }
  window.addEventListener("resize", change);
  const watch_ratio = () => {
    const query = window.matchMedia("(resolution: " + window.devicePixelRatio + "dppx)");
    query.addEventListener("change", () => { change(); watch_ratio(); }, { once: true });
  };
  watch_ratio();
  for (const q of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(prefers-contrast: more)",
                   "(forced-colors: active)"]) {
    window.matchMedia(q).addEventListener("change", () => _lab_preferences());
  }
});
EM_JS(void, js_measure, (int* size, float* ratio), {
  const s = Module["measure"]();
  const canvas = Module["canvas"];
  // Setting a size clears the canvas, so it is done here, just before drawing.
  if (canvas.width !== s.w) canvas.width = s.w;
  if (canvas.height !== s.h) canvas.height = s.h;
  HEAP32[size >> 2] = s.w;
  HEAP32[(size >> 2) + 1] = s.h;
  HEAPF32[ratio >> 2] = s.ratio;
});
// Before it draws, the backend of ImGui asks for state that it puts back afterwards. The browser keeps most of it;
// the rest waits until the graphics process has drawn all that came before, longer than a frame takes to make.
// Nothing else draws here, so any answer will do for what is only put back.
EM_JS(void, js_answer_at_once, (), {
  const gl = GLctx;
  const asked = gl.getParameter.bind(gl);
  const answers = new Map([[gl.SCISSOR_BOX, new Int32Array(4)]]);
  for (const side of [gl.BLEND_SRC_RGB, gl.BLEND_SRC_ALPHA]) answers.set(side, gl.ONE);
  for (const side of [gl.BLEND_DST_RGB, gl.BLEND_DST_ALPHA]) answers.set(side, gl.ZERO);
  for (const side of [gl.BLEND_EQUATION_RGB, gl.BLEND_EQUATION_ALPHA]) answers.set(side, gl.FUNC_ADD);
  gl.getParameter = name => answers.has(name) ? answers.get(name) : asked(name);
  // A shader that does not compile shows in its program, which does not link.
  gl.getShaderParameter = () => true;
  gl.getShaderInfoLog = gl.getProgramInfoLog = () => "";
});
// SDL tries sizes on the canvas, each of which the browser would wait for the graphics process to carry out. The page
// has made the context already, at the size of the screen; what is written here meanwhile is forgotten.
EM_JS(void, js_hold_size, (int held), {
  const canvas = Module["canvas"];
  for (const side of ["width", "height"]) {
    if (held) Object.defineProperty(canvas, side, { configurable: true, writable: true, value: canvas[side] });
    else delete canvas[side];
  }
});
EM_JS(void, js_own_canvas, (), { Module["canvas"].removeAttribute("style"); });
EM_JS(int, js_matches, (const char* query), { return window.matchMedia(UTF8ToString(query)).matches ? 1 : 0; });
EM_JS(void, js_cursor, (const char* name), { Module["canvas"].style.cursor = UTF8ToString(name); });
EM_JS(unsigned, js_entropy, (), { return crypto.getRandomValues(new Uint32Array(1))[0]; });
EM_JS(void, js_download, (const char* name, const char* type, const char* bytes, int size), {
  Module["page"]["download"](UTF8ToString(name), UTF8ToString(type), HEAPU8.slice(bytes >>> 0, (bytes >>> 0) + size));
});
EM_JS(int, js_glyph, (unsigned code, float size, int mono, float* figures), {
  const g = Module["page"]["glyph"](code, size, !!mono);
  if (!g) return 0;
  const pixels = _malloc(g["pixels"].length) >>> 0;  // beyond 2 GB a pointer would be negative
  HEAPU8.set(g["pixels"], pixels);
  const out = new Float32Array(HEAPU8.buffer, figures >>> 0, 6);
  out.set([g["advance"], g["left"], g["up"], g["width"], g["height"], g["colored"] ? 1 : 0]);
  return pixels;
});
EM_JS(void, js_save, (const char* key, const char* value), { Module["page"]["save"](UTF8ToString(key), UTF8ToString(value)); });
EM_JS(void, js_set_query, (const char* query, int entry), { Module["page"]["setQuery"](UTF8ToString(query), !!entry); });
EM_JS(void, js_own_gestures, (int bits), { Module["page"]["gestures"](bits); });
EM_JS(void, js_font, (const char* family, int weight, const unsigned char* bytes, int size), {
  Module["page"]["font"](UTF8ToString(family), weight, HEAPU8.slice(bytes >>> 0, (bytes >>> 0) + size));
});
// Functions of the page that take a text, or nothing, and give none, or one.
EM_JS(void, js_tell, (const char* what, const char* text), {
  Module["page"][UTF8ToString(what)](UTF8ToString(text));
});
EM_JS(char*, js_ask, (const char* what, const char* text), {
  return stringToNewUTF8(Module["page"][UTF8ToString(what)](UTF8ToString(text)));
});
EM_JS(void, js_vocabulary, (), {
  Module["page"]["vocabulary"]().then(bytes => {
    const copy = _malloc(bytes.length) >>> 0;
    HEAPU8.set(bytes, copy);
    _lab_vocabulary(copy, bytes.length);
  });
});
// clang-format on

namespace {

bool tick(double, void*);

void ask() {
  Page& p = page();
  if (p.asked || p.lost || !p.frame) return;
  p.asked = true;
  emscripten_request_animation_frame(tick, nullptr);
}

// True: another frame is wanted at once, also to take a press and a release that came together: ImGui gives
// them a frame each.
bool drawn() {
  const bool wanted = page().frame();
  return wanted || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

// No frame is asked for, and nothing is on its way that would ask for one.
bool settled() { return !page().asked && !page().vocabulary_arrived; }

void frame_now() {
  Page& p = page();
  if (!p.lost && p.frame && drawn()) ask();
}

bool tick(double, void*) {
  Page& p = page();
  p.asked = false;
  if (p.lost) return false;
  if (drawn()) {
    ask();
  } else if (settled()) {
    js_tell("settled", "");
  }
  return false;
}

const char* answer(const std::function<std::string()>& question, const char* otherwise) {
  page().answer = question ? question() : otherwise;
  return page().answer.c_str();
}

std::string asked(const char* what, const std::string& text = "") {
  char* answer = js_ask(what, text.c_str());
  std::string copy(answer);
  std::free(answer);
  return copy;
}

bool fail(const char* why) {
  page().failure = why;
  js_tell("fail", why);
  return false;
}

}  // namespace

extern "C" {

// SDL would look functions of OpenGL up by name, for which all of them would have to be loaded. Nothing here
// is.
void* emscripten_GetProcAddress(const char*) { return nullptr; }

EMSCRIPTEN_KEEPALIVE void lab_pointer(int kind, double x, double y, int touch, int held) {
  enum { Down, Move, Up, Cancel, Leave };  // as web/pointers.js counts
  Page& p = page();
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  if (kind == Cancel || kind == Leave) {
    io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  } else {
    io.AddMousePosEvent(float(std::floor(x * p.scale)), float(std::floor(y * p.scale)));
  }
  const bool down = held && kind != Cancel && kind != Up;
  const bool released = p.held && !down && kind != Leave;
  if (kind != Leave && down != p.held) io.AddMouseButtonEvent(0, p.held = down);
  if (kind == Up && touch) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);  // a lifted finger hovers over nothing
  // Inside the user's gesture, because clipboard and download need it.
  for (int i = 0; released && i < 6 && ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; ++i)
    frame_now();
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_pinch(double x, double y, double dx, double dy, double factor) {
  if (page().on.pinch) page().on.pinch(float(x), float(y), float(dx), float(dy), float(factor));
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_wheel(double x, double y) {
  ImGui::GetIO().AddMouseWheelEvent(float(-x / 100), float(-y / 100));
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_wake() { ask(); }

EMSCRIPTEN_KEEPALIVE void lab_act(const char* id, const char* value) {
  if (page().on.act) page().on.act(id, value);
  frame_now();
}

EMSCRIPTEN_KEEPALIVE void lab_typing_done(const char* id, int cancelled) {
  if (page().on.typing_done) page().on.typing_done(id, cancelled != 0);
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_focus(const char* id) {
  if (page().on.focus) page().on.focus(id);
  ask();
}

EMSCRIPTEN_KEEPALIVE int lab_key(const char* name) {
  if (!page().on.key || !page().on.key(name)) return 0;
  frame_now();
  return 1;
}

EMSCRIPTEN_KEEPALIVE void lab_paste(const char* text) {
  if (page().on.paste) page().on.paste(text);
  frame_now();
}

EMSCRIPTEN_KEEPALIVE void lab_navigate(const char* query) {
  if (page().on.navigate) page().on.navigate(query);
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_open(const char* query) {
  if (page().on.open) page().on.open(query);
  frame_now();
}

EMSCRIPTEN_KEEPALIVE void lab_vocabulary(char* bytes, int size) {
  std::exchange(page().vocabulary_arrived, nullptr)(std::string(bytes, std::size_t(size)));
  std::free(bytes);
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_context(int lost) {
  page().lost = lost != 0;
  if (page().on.context) page().on.context(lost != 0);
  ask();
}

EMSCRIPTEN_KEEPALIVE void lab_preferences() {
  if (page().on.preferences) page().on.preferences();
  ask();
}

EMSCRIPTEN_KEEPALIVE int lab_settled() { return settled() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE const char* lab_query() { return answer(page().on.query, ""); }
EMSCRIPTEN_KEEPALIVE const char* lab_trace() { return answer(page().on.trace, "{}"); }
EMSCRIPTEN_KEEPALIVE const char* lab_stats() { return answer(page().on.stats, "{}"); }

}  // extern "C"

namespace lab::platform {

std::string failure() { return page().failure; }

bool open(const char* title, int, int) {
  // SDL's keyboard listeners on the window would take the letters from the page's fields.
  SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fail(SDL_GetError());
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_ALPHA_SIZE, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 0);
  // Not resizable: the canvas's size is ours.
  js_hold_size(1);
  SDL_Window* window = SDL_CreateWindow(title, 0, 0, 640, 480, SDL_WINDOW_OPENGL | SDL_WINDOW_ALLOW_HIGHDPI);
  const bool made = window && SDL_GL_CreateContext(window);
  js_hold_size(0);
  if (!made) {
    return fail(
        "This browser gives no WebGL 2, which the lab draws with. A current Chrome, Edge, Firefox or Safari "
        "does; if this is one, hardware acceleration may be switched off in its settings.");
  }
  emscripten_html5_remove_all_event_listeners();
  js_own_canvas();
  js_answer_at_once();
  js_listen();
  return true;
}

bool open_offscreen(int, int, float) { return false; }
void on(Handlers handlers) { page().on = std::move(handlers); }
void set_arguments(int, char**) {}

Surface surface() {
  Page& p = page();
  int size[2] = {0, 0};
  js_measure(size, &p.scale);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(size[0]), float(size[1])};
  io.DisplayFramebufferScale = {1, 1};
  const double now = now_ms();
  io.DeltaTime = float(std::clamp((now - p.last_frame) / 1000, .0001, .1));
  p.last_frame = now;
  return {size[0], size[1], p.scale};
}

void run(std::function<bool()> frame) {
  page().frame = std::move(frame);
  ask();
}
void wake() { ask(); }

void present() {
  Page& p = page();
  const int cursor = ImGui::GetMouseCursor();
  if (cursor != p.shown_cursor) {
    p.shown_cursor = cursor;
    const char* name = "default";
    if (cursor == ImGuiMouseCursor_Hand) name = "pointer";
    if (cursor == ImGuiMouseCursor_TextInput) name = "text";
    if (cursor == ImGuiMouseCursor_ResizeAll) name = "grabbing";
    if (cursor == ImGuiMouseCursor_NotAllowed) name = "not-allowed";
    js_cursor(name);
  }
  js_tell("drawn", "");
}

double now_ms() { return emscripten_get_now(); }
bool prefers_dark() { return js_matches("(prefers-color-scheme: dark)"); }
// Forced colours cannot reach a canvas: the strongest of our own take their place.
bool prefers_more_contrast() { return js_matches("(prefers-contrast: more), (forced-colors: active)"); }
bool prefers_reduced_motion() { return js_matches("(prefers-reduced-motion: reduce)"); }
std::uint32_t entropy() { return js_entropy(); }
void request_vocabulary(std::function<void(std::string)> arrived) {
  page().vocabulary_arrived = std::move(arrived);
  js_vocabulary();
}
void set_clipboard(const std::string& text) { js_tell("copy", text.c_str()); }
void download(const std::string& name, const std::string& type, const std::string& bytes) {
  js_download(name.c_str(), type.c_str(), bytes.data(), int(bytes.size()));
}
bool page_glyph(unsigned code, float size, bool mono, PageGlyph& glyph) {
  float f[6] = {};
  auto* pixels = reinterpret_cast<unsigned char*>(js_glyph(code, size, mono, f));
  if (!pixels) return false;
  glyph = {f[0], int(f[1]), int(f[2]), int(f[3]), int(f[4]), {}, f[5] != 0};
  glyph.rgba.assign(pixels, pixels + std::size_t(glyph.width) * std::size_t(glyph.height) * 4);
  std::free(pixels);
  return true;
}
void download_picture(const std::string& name) { js_tell("downloadPicture", name.c_str()); }
std::string load(const std::string& key) { return asked("load", key); }
void save(const std::string& key, const std::string& value) { js_save(key.c_str(), value.c_str()); }
std::string query() { return asked("query"); }
void set_query(const std::string& query, bool new_entry) { js_set_query(query.c_str(), new_entry); }
std::string link(const std::string& query) { return asked("link", query); }
void publish(const std::string& targets_json) { js_tell("publish", targets_json.c_str()); }
void announce(const std::string& text) { js_tell("announce", text.c_str()); }
void set_page_theme(bool dark) { js_tell("theme", dark ? "dark" : ""); }
void set_own_gestures(Gestures own) {
  const int bits = int(own.pinch) | int(own.scroll_up) << 1 | int(own.scroll_down) << 2 | int(own.drag) << 3;
  static int told = -1;
  if (bits != told) js_own_gestures(told = bits);
}
void set_page_title(const std::string& title) { js_tell("title", title.c_str()); }
void add_page_font(const char* family, int weight, const unsigned char* bytes, std::size_t size) {
  js_font(family, weight, bytes, int(size));
}
void report_error(const std::string& text) { js_tell("error", text.c_str()); }

}  // namespace lab::platform
