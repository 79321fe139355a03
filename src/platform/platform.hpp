// The seam between the program and what it runs on: a page (platform_web.cpp), a window
// (platform_desktop.cpp), or nothing to look at (platform_offscreen.cpp). It depends on no other part of the
// program. ImGui is used in device pixels everywhere: DisplaySize is the canvas, FramebufferScale is 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct ImFontLoader;

namespace lab::platform {

struct Surface {
  int width = 0, height = 0;  // device pixels
  float scale = 1;            // device pixels per CSS pixel
};

// What the outside tells the program, between frames. Unset ones are ignored.
struct Handlers {
  // A control was used from the mirror. Value: "", the text typed so far, or the name of a key for a grid.
  std::function<void(const std::string& id, const std::string& value)> act;
  // Typing in the mirror's field of this id has ended; cancelled = Escape, its text is what it was before.
  std::function<void(const std::string& id, bool cancelled)> typing_done;
  // The keyboard's focus in the mirror; "" = nowhere.
  std::function<void(const std::string& id)> focus;
  // A key that nothing else took, as "Escape", "ArrowLeft", "a", "?", "Ctrl+z", "Ctrl+Shift+z", "Shift+Tab"
  // (Command counts as Ctrl on a Mac). True: it was used.
  std::function<bool(const std::string& name)> key;
  // Text from a native keyboard; never in a page, where a real <input> takes it.
  std::function<void(const std::string& typed)> text;
  // Text pasted while no <input> has the focus.
  std::function<void(const std::string& text)> paste;
  // Two fingers at x, y (their middle, CSS pixels) have moved by dx, dy and are factor times as far apart.
  std::function<void(float x, float y, float dx, float dy, float factor)> pinch;
  // Back or Forward: another query.
  std::function<void(const std::string& query)> navigate;
  // The GL context is lost (true) or there again (false). No frame is asked for in between.
  std::function<void(bool lost)> context;
  // Colour scheme or reduced motion have changed.
  std::function<void()> preferences;

  // What window.attentionLab gives to tests and scripts.
  std::function<std::string()> query;            // the canonical query
  std::function<void(const std::string&)> open;  // go to this query, as a link would
  std::function<std::string()> trace;            // JSON
  std::function<std::string()> stats;            // JSON
};

// A window or the page's canvas, with a GL ES 3 context; width and height in CSS pixels. ImGui's context must
// exist.
bool open(const char* title, int width, int height);
// Instead of open: a surface without a display (native only). Sizes in CSS pixels.
bool open_offscreen(int width, int height, float scale);
std::string failure();  // why it did not open, in words

void on(Handlers handlers);
// Natively: the query given on the command line.
void set_arguments(int argc, char** argv);

// At the start of a frame: follows the page or the window, and tells ImGui its size and the time.
Surface surface();
// `frame` draws one frame and says whether the next is wanted at once. The page: returns immediately. Else
// returns when the window is closed. Nothing runs while nothing changes.
void run(std::function<bool()> frame);
void wake();     // a frame, please
void present();  // the frame is complete
double now_ms();

bool prefers_dark();
bool prefers_reduced_motion();
bool prefers_more_contrast();
std::uint32_t entropy();
// For letters that our own fonts lack; null where there are none (natively).
const ImFontLoader* fallback_letters();

// GPT-2's vocabulary, which a page loads only now: `arrived` is called once, now or later, with its bytes, or
// with none when they cannot be had. To be asked for once; after a failure again.
void request_vocabulary(std::function<void(std::string bytes)> arrived);

void set_clipboard(const std::string& text);
void download(const std::string& name, const std::string& type, const std::string& bytes);
void download_picture(const std::string& name);  // of the frame that was just rendered, before present()
std::string load(const std::string& key);        // "" when there is none
void save(const std::string& key, const std::string& value);

// What stands behind ? in the address (behind # in a page from a file), or the command line's argument.
std::string query();
void set_query(const std::string& query, bool new_entry);  // new_entry: Back returns to the one before
std::string link(const std::string& query);                // a whole address to share

// The HTML mirror: mirror_json() of all targets. To be called after each drawn frame whose list differs.
void publish(const std::string& targets_json);
void announce(const std::string& text);  // said by a screen reader
void set_page_theme(bool dark);
// What wheel and fingers do is ours; the rest is the browser's, which may zoom or scroll the page around.
struct Gestures {
  bool pinch = false, scroll_up = false, scroll_down = false, drag = false;
};
void set_own_gestures(Gestures own);
void set_page_title(const std::string& title);
void add_page_font(const char* family, int weight, const unsigned char* bytes, std::size_t size);
bool write_png(const char* path, int width, int height,
               const std::vector<unsigned char>& rgba);  // native only
void report_error(const std::string& text);              // window.attentionLab.errors(), or stderr

}  // namespace lab::platform
