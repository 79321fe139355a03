// The registry written as JSON for web/page.js. Defaults are left out; the page reads a missing flag as
// false.
#include <cmath>
#include <cstdio>

#include "draw/numbers.hpp"
#include "draw/registry.hpp"

namespace lab {
namespace {

void quote(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  out += '"';
}

struct Object {
  std::string& out;
  bool first = true;

  void key(const char* name) {
    out += first ? "{\"" : ",\"";
    out += name;
    out += "\":";
    first = false;
  }
  void text(const char* name, std::string_view value) {
    key(name);
    quote(out, value);
  }
  void number(const char* name, double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.10g", value);
    key(name);
    out += buffer;
  }
  void flag(const char* name, bool value) {
    if (!value) return;
    key(name);
    out += "true";
  }
  template <typename List, typename Write>
  void list(const char* name, const List& items, Write write) {
    if (items.empty()) return;
    key(name);
    char before = '[';
    for (const auto& item : items) {
      out += before;
      write(item);
      before = ',';
    }
    out += ']';
  }
  void end() { out += '}'; }
};

void write_box(Object& object, const Box& box) {
  object.number("x", box.x);
  object.number("y", box.y);
  object.number("w", box.w);
  object.number("h", box.h);
}

void write_grid(std::string& out, const GridContent& grid, int cols) {
  Object object{out};
  const auto word = [&](const std::string& text) { quote(out, text); };
  object.list("rowLabels", grid.row_labels, word);
  object.list("colLabels", grid.col_labels, word);
  std::size_t i = 0;
  object.list("cells", grid.cells, [&](float value) {
    std::string text = grid.unknown ? "unknown" : number_text(value, grid.digits);
    if (!grid.unknown && i < grid.masked.size() && grid.masked[i]) text += " (masked)";
    quote(out, text);
    ++i;
  });
  std::size_t r = 0;
  object.list("rowNotes", grid.peaks, [&](float peak) {
    std::string text =
        "largest " + number_text(peak, grid.digits) + " in column " + std::to_string(grid.peak_cols[r]);
    if (int(r) == grid.row) {
      text += "; the whole row:";
      for (float value : grid.selected_row) text += " " + number_text(value, grid.digits);
    }
    quote(out, text);
    ++r;
  });
  object.number("cols", cols);
  object.number("row", grid.row);
  object.number("col", grid.col);
  object.end();
}

void write_target(std::string& out, const Target& t) {
  Object object{out};
  object.text("id", t.id);
  object.text("role", t.role);
  object.text("label", t.label);
  object.text("value", t.value);
  write_box(object, t.box);
  if (t.rows > 0) object.number("rows", t.rows);
  if (t.cols > 0) object.number("cols", t.cols);
  object.flag("disabled", t.disabled);
  object.flag("draggable", t.draggable);
  object.flag("passive", t.passive);
  object.flag("wantsFocus", t.wants_focus);
  object.flag("multiline", t.multiline);
  object.flag("numeric", t.numeric);
  object.flag("inMenu", t.in_menu);
  if (t.menu != Target::Menu::none) object.text("menu", t.menu == Target::Menu::open ? "open" : "closed");
  object.flag("reachable", t.reachable);
  if (!t.placeholder.empty()) object.text("placeholder", t.placeholder);
  for (const auto& [key, box] : {std::pair{"seen", t.seen}, {"edit", t.edit_box}}) {
    if (box.w <= 0) continue;
    object.key(key);
    Object inner{out};
    write_box(inner, box);
    inner.end();
  }
  if (t.rows > 0) {
    object.key("grid");
    write_grid(out, t.grid, t.cols);
  }
  object.end();
}

Target zoomed(Target t, float zoom) {
  for (Box* box : {&t.box, &t.edit_box, &t.seen})
    *box = {box->x * zoom, box->y * zoom, box->w * zoom, box->h * zoom};
  return t;
}

}  // namespace

std::string mirror_json(const std::vector<Target>& targets, float zoom) {
  std::string out;
  char before = '[';
  for (const Target& t : targets) {
    out += before;
    write_target(out, zoomed(t, zoom));
    before = ',';
  }
  return out.empty() ? "[]" : out + "]";
}

}  // namespace lab
