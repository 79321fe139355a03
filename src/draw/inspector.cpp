// What the step says, how the selected cell was made, how close is close enough, and the same in PyTorch.
#include <algorithm>
#include <cmath>

#include "draw/book.hpp"
#include "draw/code_panel.hpp"
#include "draw/column.hpp"
#include "draw/screen.hpp"
#include "draw/widgets.hpp"
#include "lessons/inspect.hpp"
#include "lessons/pieces.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr int kFewestDigits = 2;  // with fewer, arithmetic would look wrong
constexpr float kPad = 20, kTryLine = 18;

std::string general(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

CellReport selected_report(const Shown& shown) {
  const CellName cell = shown_cell(shown);
  if (hides_fault(shown.inputs(), shown.state.view.guess) && cell.name.starts_with(kTarget)) return {};
  CellReport report = report_of(shown.runs(), cell, std::max(kFewestDigits, shown.state.view.digits));
  if (report.name.empty() && shown.runs().bench)
    report = report_of(shown.runs(), {"difference", 0, 0}, shown.state.view.digits);
  return report;
}

// Word by word: what is said of the one whose turn it is.
std::string told_turn(const Shown& shown) {
  const auto turn = lesson_of(shown.state).turn;
  const auto& word = shown.state.view.word;
  return turn && step_of(shown.state).words && word ? turn(shown.results, *word) : "";
}

std::string told_step(const Shown& shown) {
  const std::string title = title_of(shown.state);
  std::string text =
      title + (title.ends_with('?') ? " " : ". ") + sentence_of(step_of(shown.state), shown.results);
  for (const std::string& more : {told_turn(shown), told_answer(shown)})
    if (!more.empty()) text += " " + more;
  return text;
}

void lay_out_step(Column& col, const Shown& shown) {
  const Step& step = step_of(shown.state);
  const char* title = step.asks ? step.asks->title : step.says->title;
  if (col.ui) col.pen.text(Bold, type::heading, col.x, col.y + 14, col.colors.ink, title);
  lay_out_pager(col, shown);
  col.paragraph(sentence_of(step, shown.results), col.colors.ink);
  const std::string turn = told_turn(shown);
  if (turn.empty()) return;
  col.y += 6;
  col.paragraph(turn, col.colors.weights.text);
}

constexpr float kToldLine = 19;

float draw_term(const Column& col, const Ui& ui, const ToldTerm& term, float x, Face face = Mono) {
  for (const Told& part : term) {
    const ImU32 ink = !part.is_operand             ? col.colors.mute
                      : part.role == Role::neutral ? col.colors.ink
                                                   : hue_of(ui, part.role).text;
    x += col.ui ? col.pen.text(face, type::small, x, col.y + 14, ink, part.text)
                : col.pen.width(face, type::small, part.text);
  }
  return x;
}

// Goes on in the next line between terms, never within one.
void lay_out_terms(Column& col, const Ui& ui, const ToldLine& line) {
  const float space = col.pen.width(Mono, type::small, " ");
  float x = col.x;
  for (const ToldTerm& term : line.terms) {
    const float w = col.pen.width(Mono, type::small, text_of(term));
    if (x > col.x && x + space + w > col.x + col.w) {
      x = col.x;
      col.y += kToldLine;
    }
    x = draw_term(col, ui, term, x > col.x ? x + space : x);
  }
  col.y += kToldLine;
}

// Terms of a sum stand one below the other: at the right, where there is room, what each comes to.
void lay_out_arithmetic(Column& col, const Ui& ui, const CellReport& report) {
  const Pen& pen = col.pen;
  const float plus = pen.width(Mono, type::small, "+ ");
  bool room = true;
  for (const ToldLine& line : report.lines)
    if (line.is_summed) room &= pen.width(Mono, type::small, text_of(line) + line.result) + 2 * plus <= col.w;
  for (const ToldLine& line : report.lines) {
    const ToldTerm& first = line.terms.front();
    const std::string& sign = first.front().text;
    if (!line.is_summed && first.size() == 1 && !first.front().is_operand && line.terms.size() == 1) {
      col.wrapped_mono(sign, col.colors.mute);  // words
    } else if (line.is_summed && sign.starts_with("=") && room) {
      const float w = pen.width(MonoBold, type::small, text_of(first));
      draw_term(col, ui, first, col.x + col.w - w, MonoBold);
      col.y += kToldLine;
    } else if (line.is_summed && room) {
      draw_term(col, ui, first, col.x + (sign.starts_with("+") ? 0 : plus));
      if (col.ui && !line.result.empty())
        pen.text(Mono, type::small, col.x + col.w, col.y + 14, col.colors.ink, line.result, Align::Right);
      col.y += kToldLine;
    } else {
      lay_out_terms(col, ui, line);
    }
  }
}

std::string lay_out_cell(Column& col, const Ui& ui, const Shown& shown) {
  const CellReport report = selected_report(shown);
  if (report.name.empty()) return "";
  const Hue& hue = hue_of(ui, report.role);
  const ImU32 ink = report.role == Role::neutral ? col.colors.ink : hue.text;
  col.rule();
  const bool editable = is_editable(shown.runs(), shown_cell(shown).name);
  const float edit_w = editable ? button_width(ui, "Edit", true) : 0;
  const bool on_one_line = col.pen.width(MonoBold, type::small, report.name) +
                               col.pen.width(MonoBold, type::body, report.value) + 12 <=
                           col.w;
  if (on_one_line) {
    col.line(MonoBold, type::small, ink, report.name, report.value, ink);
  } else {
    const std::size_t place = report.name.rfind('[');  // a long name breaks before its row and column
    const bool long_name = col.pen.width(MonoBold, type::small, report.name) > col.w;
    if (long_name && place != std::string::npos) {
      col.wrapped_mono(report.name.substr(0, place), ink, MonoBold);
      col.wrapped_mono(report.name.substr(place), ink, MonoBold);
    } else {
      col.wrapped_mono(report.name, ink, MonoBold);
    }
    if (col.ui) col.pen.text(MonoBold, type::body, col.x, col.y + 14, ink, report.value);
  }
  if (editable && col.ui)
    button(*col.ui, {col.x + col.w - edit_w, col.y - (on_one_line ? 0 : 3), edit_w, 24}, "edit-cell", "Edit",
           {.small = true, .mirror_label = "Edit " + report.name});
  if (!on_one_line) col.y += 24;
  std::string text = report.name + " = " + report.value;
  Column beside = col;
  if (editable && on_one_line) beside.w -= edit_w + 8;
  if (!report.formula.empty()) {
    beside.wrapped_mono(report.formula, col.colors.mute);
    text += "; " + report.formula;
    beside.w = col.w;
    if (editable && on_one_line) beside.y = std::max(beside.y, col.y + 26);
  }
  lay_out_arithmetic(beside, ui, report);
  for (const ToldLine& line : report.lines) {
    const std::string told = text_of(line);
    text += (told.starts_with("+") || told.starts_with("=") ? " " : "; ") + told;
  }
  col.y = std::max(beside.y, col.y + (editable && on_one_line ? 28.f : 0.f));
  return text;
}

std::string lay_out_facts(Column& col, const Ui& ui, const Shown& shown) {
  const auto facts_of = lesson_of(shown.state).facts;
  const bool of_words = lesson_of(shown.state).stage != Stage::book;
  if (!facts_of || (of_words && shown.runs().words.empty())) return "";
  const auto facts = facts_of(shown.results, shown.state);
  if (facts.empty()) return "";
  std::string text;
  col.rule();
  for (const Fact& f : facts) {
    const ImU32 ink = f.mark == Fact::Mark::good  ? col.colors.ok.text
                      : f.mark == Fact::Mark::bad ? col.colors.bad.text
                      : f.role == Role::neutral   ? col.colors.ink
                                                  : hue_of(ui, f.role).text;
    if (f.label.empty()) {  // a sentence
      col.paragraph(f.value, col.colors.mute);
      col.y += 6;
      text += "; " + f.value;
      continue;
    }
    col.line(f.stands_out ? Bold : Sans, type::small, f.stands_out ? col.colors.ink : col.colors.mute,
             f.label, f.value, ink);
    text += "; " + f.label + ": " + f.value;
  }
  return text;
}

void lay_out_tolerance(Column& col, const Shown& shown) {
  col.rule();
  const bool none = shown.runs().words.empty(), close = shown.runs().comparison.all_close;
  col.line(Mono, type::body, col.colors.ink, "torch.allclose",
           none    ? "-"
           : close ? "True"
                   : "False",
           none    ? col.colors.mute
           : close ? col.colors.ok.text
                   : col.colors.bad.text);
  const bool slim = col.w < 290;  // the button has a line of its own
  const FieldLook look{
      .mono = true, .numeric = true, .disabled = hides_fault(shown.inputs(), shown.state.view.guess)};
  float x = col.x;
  if (col.ui) {
    const float field = 62;
    x +=
        number_field(*col.ui, x, col.y, "input.rtol", "rtol", general(shown.inputs().rtol), field, look) + 10;
    x += number_field(*col.ui, x, col.y, "input.atol", "atol", general(shown.inputs().atol), field, look) + 8;
  }
  if (slim) x = col.x, col.y += 32;
  if (col.ui) {
    const bool torch = shown.inputs().atol == 1e-8 && shown.inputs().rtol == 1e-5;
    const char* words = "use 1e-8";
    button(*col.ui, {x, col.y + 1, button_width(*col.ui, words, true), 26}, "torch-tolerance", words,
           {.kind = ButtonKind::Quiet,
            .small = true,
            .disabled = torch || look.disabled,
            .mirror_label = "use 1e-8, torch's own atol"});
  }
  col.y += 32;
  const Bench& b = *shown.runs().bench;
  if (is_causal(b.source.kind) == is_causal(b.target.kind)) return;
  if (col.ui) {
    const bool as_is = shown.inputs().as_is;
    button(*col.ui, {col.x, col.y + 2, col.w, 28}, "compare",
           as_is ? "Compare: as they are" : "Compare: both under the mask",
           {.small = true,
            .disabled = hides_fault(shown.inputs(), shown.state.view.guess),
            .value = as_is ? "as-is" : "masked",
            .mirror_label = as_is ? "Compare: as they are, each under its own mask"
                                  : "Compare: both under the mask, whatever each has"});
  }
  col.y += 34;
}

// What the search for the fault tried: every slot again, the rest as it is. Draws as many as there is room
// for.
void draw_tries(Ui& ui, const Shown& shown, Box box) {
  const auto& search = shown.results.search;
  if (!search || !search->done() || hides_fault(shown.inputs(), shown.state.view.guess)) return;
  const Bench& bench = *shown.runs().bench;
  auto tries = search->single_changes();
  std::stable_sort(tries.begin(), tries.end(), [](const auto& x, const auto& y) {
    const bool nan_x = std::isnan(x.max_difference), nan_y = std::isnan(y.max_difference);
    return nan_x || nan_y ? nan_x < nan_y : x.max_difference < y.max_difference;
  });
  const int room = int((box.h - 58) / kTryLine);
  const bool cut = room < int(tries.size());
  const int fit = cut ? room - 1 : room;
  if (fit < 4 || tries.empty()) return;
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  pen.hline(box.x, box.right(), box.y + 8, c.line);
  pen.text(Bold, type::small, box.x, box.y + 30, c.faint, "One slot changed, the rest as it is");
  pen.text(Sans, type::small, box.right(), box.y + 30, c.faint, "max |Δ|", Align::Right);
  float y = box.y + 34 + 15;
  for (int i = 0; i < std::min(fit, int(tries.size())); ++i, y += kTryLine) {
    const BlameSearch::Tried& t = tries[std::size_t(i)];
    const std::string content = t.move.from.empty() ? "its own numbers"
                                                    : sliced(from_piece(t.move), bench.source) +
                                                          (t.move.op == MoveOp::transpose ? ".T" : "");
    const bool mends = t.all_close;
    const float taken = pen.text(mends ? MonoBold : Mono, type::tiny, box.right(), y,
                                 mends ? c.ok.text : c.mute, difference_text(t.max_difference), Align::Right);
    pen.text_fit(mends ? MonoBold : Mono, type::tiny, box.x, y, mends ? c.ok.text : c.mute,
                 sliced(to_piece(t.move), bench.target) + " = " + content, box.w - taken - 8);
  }
  if (cut)
    pen.text(Sans, type::tiny, box.x, y, c.faint,
             "and " + std::to_string(int(tries.size()) - fit) + " more, further off");
}

constexpr float kCodeHead = 48, kCodeMargin = 12;   // above the code and around it
constexpr float kCloseHead = 26, kCloseMargin = 6;  // where there is little room
constexpr float kFewLines = 96;                     // four lines of code

// At the foot of the inspector, below what is used of it: heading, Copy and the code, if it has room.
void draw_code_panel(Ui& ui, const Shown& shown, Box box, float used) {
  const float w = box.w - 2 * kCodeMargin, free = box.h - used;
  if (shown.code.lines.empty()) return;
  const float wanted = code_height(ui.pen, shown, w);
  const bool close = free - kCodeHead - kCodeMargin < std::min(wanted, kFewLines);
  const float head = close ? kCloseHead : kCodeHead, margin = close ? kCloseMargin : kCodeMargin;
  const float room = free - head - margin;
  if (room < std::min(wanted, least_code_height(ui.pen, shown, w))) return;
  const float h = code_view(ui.pen, shown, {0, 0, w, std::min(wanted, room)}).height();
  const float y = std::max(box.y + used + head, box.bottom() - margin - h);
  const float button_h = close ? 24 : 26, mid = close ? y - 2 - button_h / 2 : y - 20;
  ui.pen.text_mid(Bold, type::small, box.x + kPad, mid, ui.theme->faint, "The same in PyTorch");
  const float button_w = button_width(ui, "Copied", true);
  button(ui, {box.right() - kCodeMargin - button_w, mid - button_h / 2, button_w, button_h}, "copy",
         shown.hand.copied == "copy" ? "Copied" : "Copy",
         {.small = true, .mirror_label = "Copy the PyTorch program"});
  draw_code(ui, shown, {box.x + kCodeMargin, y, w, h});
  draw_tries(ui, shown, {box.x + kPad, box.y + used, box.w - 2 * kPad, y - 40 - box.y - used});
}

float lay_out(Ui* drawn, const Ui& ui, const Shown& shown, Box box, std::string* cell_text) {
  Column col{drawn, ui.pen, *ui.theme, box.x + kPad, box.y + 18, box.w - 2 * kPad};
  lay_out_step(col, shown);
  lay_out_question(col, shown);
  const bool asking = is_asking(shown);
  const std::string text = asking ? "" : lay_out_cell(col, ui, shown);
  const std::string facts = asking ? "" : lay_out_facts(col, ui, shown);
  if (cell_text) *cell_text = text + facts;
  if (shown.runs().bench) lay_out_tolerance(col, shown);
  if (shown.results.book && !asking) {
    if (drawn) draw_book_tools(*drawn, shown, {col.x, col.y, col.w, kBookTools});
    col.y += kBookTools;
  }
  return col.y - box.y;
}

}  // namespace

// Beside a stage the code takes what room there is; in one column all of it is shown.
float inspector_height(const Ui& ui, const Shown& shown, float width) {
  const float code = is_narrow(ui) ? code_height(ui.pen, shown, width - 2 * kCodeMargin) : code_height(shown);
  return lay_out(nullptr, ui, shown, {0, 0, width, 0}, nullptr) + kCodeHead + code + kCodeMargin;
}

float step_height(const Ui& ui, const Shown& shown, float width) {
  Column col{nullptr, ui.pen, *ui.theme, kPad, 18, width - 2 * kPad};
  lay_out_step(col, shown);
  lay_out_question(col, shown);
  return col.y;
}

void draw_inspector(Ui& ui, const Shown& shown, Box box, bool as_sheet) {
  const Pen& pen = ui.pen;
  const Palette& c = *ui.theme;
  card(ui, as_sheet ? Box{box.x, box.y, box.w, box.h + 16} : box);
  if (as_sheet) {
    const Box handle{box.x, box.y, box.w, 36};
    pen.fill({box.mid_x() - 22, box.y + 8, 44, 4}, ui.hovered("sheet") ? c.mute : c.deco, 2);
    ui.registry.add({.id = "sheet",
                     .role = "button",
                     .label = shown.hand.sheet ? "Lower the inspector" : "Draw up the inspector",
                     .value = shown.hand.sheet ? "true" : "false",
                     .box = handle});
    box = {box.x, box.y + kSheetHandle - 8, box.w, box.h - kSheetHandle + 8};
  }
  ui.push_clip(box);
  if (as_sheet && shown.hand.sheet) {
    const float all = inspector_height(ui, shown, box.w);
    box = {box.x, box.y - std::clamp(shown.hand.sheet_scroll, 0.f, std::max(0.f, all - box.h)), box.w,
           std::max(all, box.h)};
  }
  std::string cell;
  const float used = lay_out(&ui, ui, shown, box, &cell);
  ui.registry.add({.id = "inspector",
                   .role = "region",
                   .label = "Inspector",
                   .value = told_step(shown) + " " + cell,
                   .box = {box.x, box.y, box.w, used},
                   .passive = true});
  draw_code_panel(ui, shown, box, used);
  ui.pop_clip();
}

}  // namespace lab
