// The transformer block as one line, the residual stream, with the boxes that add to it; beside it the step's
// matrices. Each part opens the step that is about it.
#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/transformer_block_texts.hpp"
#include "lessons/transformer_block_lesson.hpp"

namespace lab {
namespace {

using transformer_block_texts::is_off;

constexpr float kSlim = 178, kWhole = 330, kLow = 84;  // width beside the matrices, height above them
constexpr float kLeastRoom = 420;                      // for the matrices
constexpr float kDrop = 900;                           // ms that the drop takes down the line

struct Part {
  enum Kind { tap, box, on_line, plus, stream } kind;
  const char* step;      // that is about it; "": none
  const char* name;      // in the code
  std::string title{};   // on a box
  std::string detail{};  // below the title
  const char* matrix{};  // whose number stands beside it
  bool off = false;
  float size = 1;        // its share of the height
  bool is_copy = false;  // of a block that is not in force: nothing to press
};

// post: with the norms behind the pluses.
std::vector<Part> parts_of(const Shown& shown, bool post) {
  const Results& r = shown.results;
  const Inputs& in = shown.inputs();
  const double drops = rates_of(in).shortcut;
  const std::string width = std::to_string(in.emb_dim), wide = std::to_string(4 * in.emb_dim);
  std::vector<Part> parts;
  const auto half = [&](bool first) {
    const char* norm = first ? "norm1" : "norm2";
    const Part level{post ? Part::on_line : Part::box, first ? "norm1" : "ff", norm, "LayerNorm"};
    parts.push_back({.kind = Part::tap, .step = "", .name = "", .size = .45f});
    if (!post) parts.push_back(level);
    if (first)
      parts.push_back({.kind = Part::box,
                       .step = "att",
                       .name = "att",
                       .title = "Multi-head attention",
                       .detail = filled("att · {0} heads, masked", {std::to_string(in.heads)}),
                       .off = is_off(r, "att")});
    else
      parts.push_back({.kind = Part::box,
                       .step = "ff",
                       .name = "ff",
                       .title = "Feed-forward",
                       .detail = filled("ff · {0} → {1} → {0}", {width, wide}),
                       .off = is_off(r, "ff")});
    if (drops > 0)
      parts.push_back({.kind = Part::box,
                       .step = "",
                       .name = "drop",
                       .title = "Dropout",
                       .detail = "drop_rate " + number_text(drops)});
    parts.push_back({.kind = Part::plus,
                     .step = first ? "add1" : "add2",
                     .name = "+",
                     .matrix = first ? transformer_block_texts::added_by_attention(r)
                                     : transformer_block_texts::added_by_ff(r),
                     .size = .9f});
    if (post) parts.push_back(level);
  };
  const auto stream = [&](const char* name) {
    parts.push_back({.kind = Part::stream, .step = "stream", .name = name, .matrix = name, .size = .75f});
  };
  stream("resid_pre");
  half(true);
  stream("resid_mid");
  half(false);
  stream("resid_post");
  return parts;
}

bool is_here(const Shown& shown, const Part& part) {
  const bool first_norm = part.name != std::string_view("norm2");  // its step is about what follows it
  return *part.step && first_norm && step_of(shown.state).id == std::string_view(part.step);
}

// The number of the selected word that runs down the line; nothing where no number is looked at.
std::string number_at(const Shown& shown, const char* matrix) {
  if (!matrix) return "";
  const CellName cell = shown_cell(shown);
  const auto value = value_of(shown.runs(), {matrix, cell.row, cell.col});
  return value ? decimals(double(*value), shown.state.view.digits) : "";
}

// Of the stream: "6 × 8".
std::string shape_of(const Shown& shown) {
  return filled("{0} × {1}",
                {std::to_string(shown.runs().words.size()), std::to_string(shown.inputs().emb_dim)});
}

Box between(Box a, Box b, float t) {
  const auto mixed = [&](float x, float y) { return x + (y - x) * t; };
  return {mixed(a.x, b.x), mixed(a.y, b.y), mixed(a.w, b.w), mixed(a.h, b.h)};
}

// "+ 0.2167", "− 0.0844"
std::string added_text(const std::string& number) {
  if (number.empty()) return "";
  return number.starts_with('-') ? "− " + number.substr(1) : "+ " + number;
}

// Of a target: "part.norm2", "part.add1".
std::string id_of(const Part& part) {
  return std::string("part.") + (part.kind == Part::plus ? part.step : part.name);
}

void add_target(Ui& ui, const Part& part, Box box, const std::string& value) {
  if (!*part.step || part.kind == Part::stream || part.is_copy) return;
  ui.registry.add({.id = id_of(part),
                   .role = "button",
                   .label = (part.kind == Part::plus ? "Plus, the shortcut" : part.title + ", " + part.name) +
                            (part.off ? ", switched off" : ""),
                   .value = value,
                   .box = box});
}

void draw_box(Ui& ui, const Shown& shown, const Part& part, Box box, bool slim) {
  const Palette& c = *ui.theme;
  const bool here = is_here(shown, part);
  const bool over = *part.step && ui.hovered(id_of(part));
  const ImU32 ground = here ? c.weights.soft : over ? c.chip_hover : c.sunken;
  const ImU32 ink = part.off ? c.faint : here ? c.weights.text : c.ink;
  ui.pen.panel(box, ground, here ? c.weights.mark : c.line, radius::button, here ? 1.5f : 1);
  if (part.off) ui.pen.dashed(box, c.deco, 1);
  const Face face = here ? Bold : Medium;
  if (slim || box.h < 36) {
    ui.pen.text_mid(face, type::small, box.mid_x(), box.mid_y(), ink,
                    ui.pen.fitted(face, type::small, slim ? part.name : part.title, box.w - 8),
                    Align::Center);
  } else {
    ui.pen.text_mid(face, type::body, box.x + 14, box.mid_y() - 8, ink, part.title);
    ui.pen.text_mid(Mono, type::tiny, box.x + 14, box.mid_y() + 9, part.off ? c.faint : c.mute,
                    part.off              ? "switched off"
                    : part.detail.empty() ? part.name
                                          : part.detail.c_str());
  }
  add_target(ui, part, box, here ? "current" : "");
}

void draw_plus(Ui& ui, const Shown& shown, const Part& part, float x, float y, float r) {
  const Palette& c = *ui.theme;
  const bool here = is_here(shown, part), lit = here || ui.hovered(id_of(part));
  ui.pen.disc(x, y, r, here ? c.weights.mark : c.panel);
  ui.pen.ring(x, y, r, lit ? c.weights.mark : c.ink, 2);
  const ImU32 ink = here ? c.on_mark : c.ink;
  ui.pen.hline(x - r / 2, x + r / 2, y, ink, 2);
  ui.pen.vline(x, y - r / 2, y + r / 2, ink, 2);
  add_target(ui, part, {x - r - 6, y - r - 6, 2 * r + 12, 2 * r + 12}, here ? "current" : "");
}

// Where the parts of an upright line stand.
struct Upright {
  float x, left, right, unit, y;
};
Upright upright_in(Box box, const std::vector<Part>& parts, bool slim) {
  float all = 0;
  for (const Part& p : parts) all += p.size;
  const float unit = std::min((box.h - 24) / all, 74.f), x = box.x + (slim ? 40.f : 96.f);
  return {x, x + (slim ? 34.f : 46.f), box.right() - (slim ? 10.f : 16.f), unit,
          box.mid_y() - unit * all / 2};
}
std::vector<float> middles(const Upright& u, const std::vector<Part>& parts) {
  std::vector<float> all;
  float at = u.y;
  for (const Part& p : parts) {
    all.push_back(at + u.unit * p.size / 2);
    at += u.unit * p.size;
  }
  return all;
}
Box box_of(const Upright& u, const Part& part, float mid, bool slim) {
  const float h = std::min(u.unit * part.size - 8, 46.f), w = slim ? 58 : 120;
  if (part.kind == Part::on_line) return {u.x - w / 2 + (slim ? 0 : 14), mid - h / 2, w, h};
  return {u.left, mid - h / 2, u.right - u.left, h};
}

// Down the left, boxes at its right. sliding: the norms come along the wire from where they stand before the
// boxes.
void draw_line(Ui& ui, const Shown& shown, Box box, const std::vector<Part>& parts, bool slim, bool sliding) {
  const Palette& c = *ui.theme;
  const Upright u = upright_in(box, parts, slim);
  const std::vector<float> mids = middles(u, parts);
  const float top = mids.front(), bottom = mids.back(), middle = (u.left + u.right) / 2, r = slim ? 10 : 13;
  const bool shortcuts = shown.inputs().shortcuts;

  // The ways out to the boxes and back, and the line itself under all.
  float out = 0;
  std::vector<std::pair<float, float>> cut;  // where the line is interrupted
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Part::tap) out = mids[i];
    if (parts[i].kind != Part::plus) continue;
    ui.pen.polyline({{u.x, out}, {middle, out}, {middle, mids[i]}, {u.x + r + 8, mids[i]}}, c.deco, 2);
    ui.pen.arrow_head(u.x + r + 1, mids[i], -1, 0, c.deco, 7);
    if (!shortcuts) cut.push_back({out, mids[i] - r});
    if (!slim)
      ui.pen.text_mid(Sans, type::small, u.x - 12, (out + mids[i]) / 2, c.mute,
                      shortcuts ? "shortcut" : "cut off", Align::Right);
  }
  float from = top;
  for (const auto& [begin, end] : cut) {
    ui.pen.vline(u.x, from, begin, c.ink, 3);
    ui.pen.dashed({u.x - 1, begin + 4, 2, end - begin - 6}, c.deco, 1);
    from = end;
  }
  ui.pen.vline(u.x, from, bottom, c.ink, 3);

  const std::vector<Part> before = sliding ? parts_of(shown, false) : std::vector<Part>();
  const std::vector<float> started = middles(u, before);
  const float t = ui.motion(kDrop);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& p = parts[i];
    const float mid = mids[i];
    Box at = box_of(u, p, mid, slim);
    for (std::size_t k = 0; k < before.size(); ++k)
      if (p.kind == Part::on_line && before[k].name == std::string_view(p.name))
        at = between(box_of(u, before[k], started[k], slim), at, t);
    if (p.kind == Part::box) draw_box(ui, shown, p, at, slim);
    if (p.kind == Part::on_line) draw_box(ui, shown, p, at, true);
    if (p.kind == Part::plus) {
      draw_plus(ui, shown, p, u.x, mid, r);
      if (!slim)
        ui.pen.text_mid(MonoBold, type::small, u.x - r - 8, mid, c.context.text,
                        added_text(number_at(shown, p.matrix)), Align::Right);
    }
    if (p.kind == Part::stream) {
      ui.pen.disc(u.x, mid, 4, c.ink);
      ui.pen.text_mid(Mono, type::small, slim ? u.x + 12 : u.left, mid, c.mute,
                      slim ? p.name : filled("{0}  {1}", {p.name, shape_of(shown)}));
      if (!slim)
        ui.pen.text_mid(MonoBold, type::small, u.x - 12, mid, c.ink, number_at(shown, p.matrix),
                        Align::Right);
    }
  }
  if (t < 1 && !slim) ui.pen.disc(u.x, top + (bottom - top) * t, 7, c.weights.mark);
}

// Both orders beside one another, the one in force lit; a press takes it.
void draw_orders(Ui& ui, const Shown& shown, Box box) {
  const Palette& c = *ui.theme;
  const float w = (box.w - gap::close) / 2;
  for (const bool post : {false, true}) {
    const Box half{box.x + (post ? w + gap::close : 0), box.y, w, box.h};
    const bool here = post == shown.inputs().post_norm;
    card(ui, half);
    button(ui, {half.x + 10, half.y + 10, half.w - 20, 28}, post ? "norm.after" : "norm.before",
           post ? "Norm after" : "Norm before", {.small = true, .value = here ? "true" : "false"});
    std::vector<Part> parts = parts_of(shown, post);
    for (Part& p : parts) p.is_copy = !here;
    const float alpha = ui.pen.alpha;
    if (!here) ui.pen.alpha *= .6f;
    draw_line(ui, shown, {half.x, half.y + 40, half.w, half.h - 40}, parts, true, post);
    ui.pen.alpha = alpha;
    ui.pen.text_mid(Sans, type::tiny, half.mid_x(), half.bottom() - 14, c.mute,
                    post ? "as in 2017" : "as in GPT-2", Align::Center);
  }
}

void draw_upright(Ui& ui, const Shown& shown, Box box, bool slim) {
  card(ui, box);
  draw_line(ui, shown, box, parts_of(shown, shown.inputs().post_norm), slim, false);
}

// From left to right, for a column that is too narrow for both side by side.
void draw_level(Ui& ui, const Shown& shown, Box box) {
  card(ui, box);
  const Palette& c = *ui.theme;
  std::vector<Part> parts = parts_of(shown, shown.inputs().post_norm);
  std::erase_if(parts,
                [](const Part& p) { return p.kind == Part::tap || std::string_view(p.name) == "drop"; });
  float all = 0;
  for (const Part& p : parts) all += p.kind == Part::stream ? .35f : p.kind == Part::plus ? .6f : 1;
  const float unit = (box.w - 16) / all, y = box.bottom() - 26, up = box.y + 26;
  ui.pen.hline(box.x + 12, box.right() - 12, y, c.ink, 3);
  float at = box.x + 8, out = 0;
  for (const Part& p : parts) {
    const float w = unit * (p.kind == Part::stream ? .35f : p.kind == Part::plus ? .6f : 1), mid = at + w / 2;
    if (p.kind == Part::stream) {
      ui.pen.disc(mid, y, 4, c.ink);
      out = mid + 6;
    }
    if (p.kind == Part::plus) ui.pen.polyline({{out, y}, {out, up}, {mid, up}, {mid, y - 10}}, c.deco, 2);
    at += w;
  }
  at = box.x + 8;
  for (const Part& p : parts) {
    const float w = unit * (p.kind == Part::stream ? .35f : p.kind == Part::plus ? .6f : 1), mid = at + w / 2;
    const float level = p.kind == Part::on_line ? y : up;
    if (p.kind == Part::box || p.kind == Part::on_line)
      draw_box(ui, shown, p, {at + 3, level - 14, w - 6, 28}, true);
    if (p.kind == Part::plus) draw_plus(ui, shown, p, mid, y, 9);
    at += w;
  }
}

bool is_whole(const Shown& shown) {
  const std::string_view step = step_of(shown.state).id;
  return step == "stream" || step == "order";
}

bool is_level(const Ui& ui, float width) { return is_narrow(ui) || width < kSlim + kLeastRoom; }

float beside(const Ui& ui, const Shown& shown, float width) {
  const bool room = width >= kWhole + kLeastRoom && !is_low(ui);
  return (is_whole(shown) && room ? kWhole : kSlim) + gap::close;
}

}  // namespace

float least_block_height(const Ui& ui, const Shown& shown, float width) {
  if (is_lying(ui)) return least_arrangement_height(ui, shown, width);
  if (is_level(ui, width)) return kLow + gap::close + least_arrangement_height(ui, shown, width);
  return least_arrangement_height(ui, shown, width - beside(ui, shown, width));
}

float block_height(const Ui& ui, const Shown& shown, float width) {
  return kLow + gap::close + arrangement_height(ui, shown, width);
}

void draw_block(Ui& ui, const Shown& shown, Box box) {
  if (is_lying(ui)) return draw_arrangement(ui, shown, box);  // no room for a picture besides
  if (is_level(ui, box.w)) {
    draw_level(ui, shown, {box.x, box.y, box.w, kLow});
    return draw_arrangement(ui, shown, {box.x, box.y + kLow + gap::close, box.w, box.h - kLow - gap::close});
  }
  const float taken = beside(ui, shown, box.w);
  const Box left{box.x, box.y, taken - gap::close, box.h};
  const bool whole = taken >= kWhole, orders = step_of(shown.state).id == std::string_view("order");
  if (whole && orders)
    draw_orders(ui, shown, left);
  else
    draw_upright(ui, shown, left, !whole);
  draw_arrangement(ui, shown, {box.x + taken, box.y, box.w - taken, box.h});
}

}  // namespace lab
