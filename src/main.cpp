// State ⇄ platform: the only file that knows both.
#include "main.hpp"

#include <cstdio>
#include <memory>

#include "app/app.hpp"
#include "platform/platform.hpp"
#include "platform/renderer.hpp"

namespace lab {
namespace {

std::unique_ptr<App> app;  // the one

constexpr const char *kSaved = "state", *kDone = "done", *kBook = "book-seconds";

void save_file(const File& file) {
  if (file.name.ends_with(".png")) return platform::download_picture(file.name);
  const char* type = file.name.ends_with(".json")  ? "application/json"
                     : file.name.ends_with(".csv") ? "text/csv"
                     : file.name.ends_with(".txt") ? "text/plain"
                                                   : "text/x-python";
  platform::download(file.name, type, file.content);
}

void carry_out(const Effects& e) {
  if (e.query) {
    platform::set_query(*e.query, e.new_entry);
    platform::save(kSaved, *e.query);
  }
  if (e.mirror) platform::publish(*e.mirror);
  if (e.clipboard) platform::set_clipboard(e.share ? platform::link(*e.clipboard) : *e.clipboard);
  if (e.progress) platform::save(kDone, *e.progress);
  if (e.book_seconds) platform::save(kBook, *e.book_seconds);
  if (e.save) save_file(*e.save);
  if (e.wants_vocabulary)
    platform::request_vocabulary([](const std::string& bytes) {
      app->take_vocabulary(bytes);
      platform::wake();
    });
  if (e.announce) platform::announce(*e.announce);
}

// Draws one frame; true: the next is wanted at once.
bool draw_frame(const platform::Surface& s) {
  const double began = platform::now_ms();
  platform::new_frame();
  const Effects effects = app->frame({.width = s.width,
                                      .height = s.height,
                                      .scale = s.scale,
                                      .now = began,
                                      .random = platform::entropy(),
                                      .dark = platform::prefers_dark(),
                                      .reduced_motion = platform::prefers_reduced_motion(),
                                      .more_contrast = platform::prefers_more_contrast()});
  platform::set_page_theme(app->dark());
  platform::set_own_gestures(
      {effects.own_pinch, effects.scrolls.up, effects.scrolls.down, effects.scrolls.drags});
  platform::render(s, app->background());
  app->end_frame();
  int draws = 0;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) draws += list->CmdBuffer.Size;
  app->finished(platform::now_ms() - began, draws);
  carry_out(effects);
  return effects.wants_frame;
}

void lose_or_restore(bool lost) {
  if (lost) {
    platform::lose_renderer();
    app->stop_drawing();
  } else if (!app->start_drawing(platform::fallback_letters())) {
    platform::report_error("The picture could not be restored. Load the page again.");
  }
}

void open(const std::string& query) {
  app->open(query);
  for (const std::string& problem : app->problems()) platform::report_error(problem);
}

void listen() {
  platform::Handlers h;
  h.act = [](const std::string& id, const std::string& value) { app->use(id, value); };
  h.typing_done = [](const std::string& id, bool cancelled) { app->typing_done(id, cancelled); };
  h.focus = [](const std::string& id) { app->focus(id); };
  h.key = [](const std::string& name) { return app->key(name); };
  h.text = [](const std::string& typed) { app->text(typed); };
  h.pinch = [](float x, float y, float dx, float dy, float factor) { app->pinch(x, y, dx, dy, factor); };
  h.navigate = h.open = [](const std::string& query) {
    open(query);
    platform::wake();
  };
  h.context = lose_or_restore;
  h.preferences = [] { platform::wake(); };
  h.query = [] { return app->query(); };
  h.trace = [] { return app->trace(); };
  h.stats = [] { return app->stats(); };
  platform::on(std::move(h));
}

bool start(const std::string& query) {
  app = std::make_unique<App>();
  if (!platform::start_renderer() || !app->start_drawing(platform::fallback_letters())) {
    platform::report_error("The lab cannot draw here: the graphics driver refused its shaders.");
    return false;
  }
  open(query);
  return true;
}

}  // namespace

int run_window(const char* query) {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  if (!platform::open("Attention Lab", 1600, 1000)) {
    platform::report_error(platform::failure());
    return 1;
  }
  std::string opening = *query ? query : platform::query();
  if (opening.empty()) opening = platform::load(kSaved);
  if (!start(opening)) return 1;
  app->remember_done(platform::load(kDone));
  app->remember_book(platform::load(kBook));
  platform::add_page_font("Inter", 400, kFonts[Sans].data, kFonts[Sans].size);
  platform::add_page_font("JetBrains Mono", 400, kFonts[Mono].data, kFonts[Mono].size);
  listen();
  platform::run([] {
    const platform::Surface s = platform::surface();
    if (s.width <= 0 || s.height <= 0) return false;  // nobody could see it: the first picture is yet to come
    const bool more = draw_frame(s);
    platform::present();
    return more;
  });
  return 0;
}

int run_screenshot(const char* query, const char* png, const char* size) {
  int width = 1600, height = 1000;
  float scale = 1;
  int end = 0;  // of what was understood
  if (size && std::sscanf(size, "%5dx%5d%n@%f%n", &width, &height, &end, &scale, &end) < 2) end = 0;
  if ((size && (end == 0 || size[end] != 0)) || width < 1 || height < 1 || width > 8192 || height > 8192 ||
      !(scale >= .5f && scale <= 4)) {
    std::fputs("attention-lab: a size is WxH or WxH@RATIO, at most 8192x8192, ratio 0.5 to 4.\n", stderr);
    return 2;
  }
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  if (!platform::open_offscreen(width, height, scale) || !start(query)) {
    std::fprintf(stderr, "attention-lab: %s\n", platform::failure().c_str());
    return 1;
  }
  app->use("draw-model", "");  // a picture shows what stands in the end
  for (int frames = 0; draw_frame(platform::surface()) && frames < 10000;) ++frames;  // until nothing moves
  const platform::Surface s = platform::surface();
  draw_frame(s);
  if (!platform::write_png(png, s.width, s.height, platform::read_pixels(s.width, s.height))) {
    std::fprintf(stderr, "attention-lab: %s cannot be written.\n", png);
    return 1;
  }
  return 0;
}

}  // namespace lab
