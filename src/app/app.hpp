// The program without a platform: a State, the numbers made from it, and one frame after another. What it
// wants from the outside world it says in Effects; main.cpp carries them out.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/history.hpp"
#include "draw/screen.hpp"
#include "draw/ui.hpp"
#include "lessons/act.hpp"

namespace lab {

struct File {
  std::string name, content;  // of a picture (.png) the platform makes the content
};

struct Scrolls {
  bool up = false, down = false;  // there is something to scroll to
  bool drags = false;             // a finger may be dragging something
  bool operator==(const Scrolls&) const = default;
};

// What one frame asks of the platform.
struct Effects {
  std::optional<std::string> clipboard, announce, mirror, query;
  std::optional<File> save;
  std::optional<std::string> progress;      // which questions were answered, to be kept on this machine
  std::optional<std::string> book_seconds;  // that all rows of the book took, to be kept likewise
  bool new_entry = false;                   // of query: Back returns to the one before
  bool own_pinch = false;                   // two fingers zoom the stage, not the page
  Scrolls scrolls;           // what of a wheel or a finger is the lab's; the rest is the page's around it
  bool share = false;        // clipboard holds a query: make it a whole address
  bool wants_frame = false;  // something moves, or a search goes on
  bool wants_vocabulary =
      false;  // a GPT's text is to be cut into tokens: App::take_vocabulary, when it is there
};

struct FrameInput {
  int width = 0, height = 0;  // of the canvas, device pixels
  float scale = 1;            // device pixels per CSS pixel
  double now = 0;             // ms
  std::uint32_t random = 0;   // what "Break it" chooses from
  // As the system prefers.
  bool dark = false, reduced_motion = false, more_contrast = false;
};

class App {
 public:
  App();
  // After ImGui's context and the GL context are there; again after a lost one came back. False: see
  // heatmaps.log().
  // fallback: for letters that our fonts lack, or null.
  bool start_drawing(const ImFontLoader* fallback);
  void stop_drawing() { heatmaps_.forget(); }

  void open(const std::string& query);             // as a link does; what could not be read is in problems()
  void remember_done(const std::string& names);    // ids between commas, as Effects::progress gave them
  void remember_book(const std::string& seconds);  // as Effects::book_seconds gave them
  void take_vocabulary(std::string_view merges);   // what is none is told
  Effects frame(const FrameInput& in);             // between ImGui::NewFrame and ImGui::Render
  void end_frame() { heatmaps_.end_frame(); }

  // What the platform hears.
  void use(const std::string& id, const std::string& value);  // from the mirror
  void typing_done(const std::string& id, bool cancelled);
  bool key(const std::string& name);
  void text(const std::string& typed) { ui_.text(typed); }
  void focus(const std::string& id);
  void pinch(float x, float y, float dx, float dy, float factor);  // as platform::Handlers says

  const State& state() const { return state_; }
  std::string query() const;
  std::string trace() const;  // settled: the numbers of the present state
  std::string stats() const;  // {"frames":…,"frame_ms":…,"compute_ms":…,"draws":…}
  const std::vector<std::string>& problems() const { return problems_; }
  ImU32 background() const { return ui_.theme->bg; }
  bool dark() const { return ui_.theme.dark; }
  const Ui& ui() const { return ui_; }
  void finished(double frame_ms, int draws);  // the platform's measurement of the frame that was just drawn

 private:
  void carry_out(const Act& a, const FrameInput& in);
  void carry_out(const Drop& d, const FrameInput& in);
  void do_action(const Action& a, const FrameInput& in, bool typing = false);
  std::string as_query(const std::string& id, const std::string& text) const;  // of a field; "": no field
  void type_into(const Act& a, const FrameInput& in);
  void type_answer(const Act& a, const FrameInput& in);
  void finish_typing(const std::string& id, bool cancelled, const FrameInput& in);
  void export_as(const std::string& what);  // png, py, json, csv; of the book txt, and copy
  void make_results();
  void refresh(const FrameInput& in);  // numbers follow the inputs, words follow the numbers
  void tell_problems();
  void tell_waiting_edits();
  void work_on(double budget_ms);
  void advance_work();  // of a lesson that takes seconds, a part of each frame
  void advance_gpt(double now, double until);
  void advance_book(double now, double until);
  void close_left_menu();
  void scroll_by_hand(const Shown& shown);
  void follow_focus(const Shown& shown);
  void follow_match(const Shown& shown, double now);
  Scrolls scroll_room(const Shown& shown) const;
  void tell_outcome();
  Shown shown() const;

  State state_;
  std::optional<Tokenizer> tokenizer_;
  bool asked_for_vocabulary_ = false;
  Results results_;
  Hand hand_;
  History history_;
  Ui ui_;
  Fonts fonts_;
  Heatmaps heatmaps_;
  Verdict verdict_;
  Code code_;
  std::string told_guess_;
  int told_tries_ = -1, told_row_ = -1;
  // While something is typed into a field: what was before, and the text so far where it means nothing yet.
  struct Typing {
    std::string id;
    State before;
    History history;
    std::string meaningless;
  };
  std::optional<Typing> typing_;
  std::vector<Act> pending_;  // from the mirror and the keyboard, for the next frame
  std::vector<std::string> problems_;
  std::vector<std::string> done_;  // ids of the questions that were answered
  std::vector<Target> published_;
  float published_zoom_ = 1;
  std::string written_query_;
  std::string written_step_;
  Effects effects_;
  float scroll_ = 0, pan_from_ = 0;
  bool outcome_due_ = false;  // something was done that changes what is to be told
  std::string followed_;      // the focus that was last brought into sight
  bool panning_ = false, on_handle_ = false;
  int frames_ = 0, draws_ = 0;
  double frame_ms_ = 0, compute_ms_ = 0;
};

}  // namespace lab
