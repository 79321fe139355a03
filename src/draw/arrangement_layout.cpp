#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/ops.hpp"
#include "draw/arrangement.hpp"
#include "draw/screen.hpp"
#include "lessons/inspect.hpp"
#include "lessons/texts/multi_head_texts.hpp"

namespace lab {
namespace {

constexpr float kLeast = 2, kMost = 44, kReadable = 28, kLeastColumn = 46, kTightGap = 30, kTightestGap = 24,
                kMargin = 20;

int first_step_showing(const Lesson& lesson, std::string_view name, int arrangement) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i)
    if (lesson.steps[i].arrangement == arrangement && shows(lesson.steps[i], name)) return int(i);
  return 0;
}

float width_of(const Standing& s, float cell) {
  const float w = s.width_for(std::max(1.f, std::floor(cell * s.place->scale)));
  return float(s.cols()) * w + std::floor(.5f * w) * float(s.pieces - 1) + bars_width(s);
}

struct Extent {
  float width = 0, height = 0;
};
// Rows ask, columns are asked: both are words, and their names fit over cells of the usual size.
float words_room(const Ui& ui, const Runs& runs, const Found& found) {
  if (!columns_are_words(runs, found) || runs.words.size() < 2) return 0;
  return room_for_words(ui.pen, runs.words);
}

// Every head's, where the place stands for all; the opened one's.
std::vector<std::string> names_of(const Shown& shown, const Place& p) {
  const std::string pattern = p.name;
  if (pattern.starts_with('@')) return {opened_head(shown.state, shown.runs()) + pattern.substr(1)};
  const std::size_t star = pattern.find('*');
  if (star == std::string::npos) return {pattern};
  if (shows_one_head(shown.state, shown.runs())) {
    const int head = std::max(0, head_in(opened_head(shown.state, shown.runs())));
    return {pattern.substr(0, star) + std::to_string(head) + pattern.substr(star + 1)};
  }
  std::vector<std::string> names;
  for (int h = 0; h < kMaxHeads; ++h)
    names.push_back(pattern.substr(0, star) + std::to_string(h) + pattern.substr(star + 1));
  return names;
}

// Many heads stand in several columns, so many one below the other.
std::size_t rows_of_heads(const Ui& ui, const Arrangement& arrangement, const std::vector<Standing>& items) {
  constexpr std::size_t kPair = 2, kThree = 3, kFewHeads = 6, kTwoRows = 8;
  constexpr int kHigh = 4;
  const auto is_every_heads = [](const Place& p) {
    return std::string_view(p.name).find('*') != std::string_view::npos;
  };
  const Place& place = *items.front().place;
  if (!is_every_heads(place)) return items.size();
  int others = 0;
  for (const auto& column : arrangement.columns)
    for (const Place& p : column) others += is_every_heads(p) && &p != &place;
  const bool low = is_low(ui) && others == 0 && items.front().rows() > kHigh;
  if (place.across || low) return items.size() <= kThree ? 1 : items.size() <= kTwoRows ? kPair : kThree;
  const bool a_row_each =
      others > 0 && items.size() == kThree && !is_low(ui);  // what a head makes stays level
  if (items.size() <= kPair || a_row_each) return items.size();
  return items.size() <= kFewHeads ? kPair : kThree;
}

// The columns once for every head.
void add_by_head(Columns& columns, const std::vector<std::vector<Standing>>& all) {
  for (int h = 0; h < kMaxHeads; ++h)
    for (const auto& items : all) {
      std::vector<Standing> own;
      std::copy_if(items.begin(), items.end(), std::back_inserter(own),
                   [&](const Standing& s) { return s.found.run->head == h; });
      if (!own.empty()) columns.push_back(std::move(own));
    }
}

// How many pieces a matrix of all heads is cut into: one a head, or where they are interleaved one a place.
int pieces_of(const Place& p, const Found& found) {
  if (!p.cut || !found.run) return 1;
  const AttentionParams& m = found.run->module;
  return found.run->pass.head_route == HeadRoute::interleaved ? head_dim(m) : m.num_heads;
}
// Rows cut across have no pieces that stand side by side.
bool is_cut_across(const Place& p, const Found& found) {
  return p.cut && found.run && found.run->pass.head_route == HeadRoute::no_transpose;
}

std::string note_beside_heads(const Shown& shown, const Place& p, const Found& found, bool narrow) {
  const Run* run = found.run;
  if (p.cut && run) {
    const bool interleaved = run->pass.head_route == HeadRoute::interleaved;
    const int heads = run->module.num_heads, width = head_dim(run->module);
    return std::to_string(found.cells.rows()) + " × " + std::to_string(interleaved ? width : heads) + " × " +
           std::to_string(interleaved ? heads : width);
  }
  if (!run || run->head < 0) return "";
  if (narrow && *p.title && arrangement_of(shown.state).by_head) return p.title;  // below the head's name
  if (*p.title || p.name[0] == '@')
    return std::to_string(found.cells.rows()) + " × " + std::to_string(found.cells.cols());
  if (p.opens && shown.inputs().example) return multi_head_texts::head_name(shown.results, run->head);
  return "";
}

// Of columns that are alike, those side by side: their cells begin on one line.
void align_heads(Columns& columns) {
  for (const auto& other : columns)
    for (auto& column : columns)
      for (std::size_t i = 0; other.size() == column.size() && i < column.size(); ++i)
        if (const float room = other[i].words_room; room > 0 && column[i].words_room == 0)
          column[i].beside_room = room * column[i].place->scale / other[i].place->scale;
}

// The last column's titles have no gap to reach into, but the card's margin.
float least_width(const Ui& ui, const Columns& columns, const std::vector<Standing>& column) {
  float w = kLeastColumn;
  if (&column == &columns.back())
    for (const Standing& s : column)
      w = std::max(w, ui.pen.width(Bold, type::heading, title_of(s)) - kMargin);
  return w;
}

Extent extent_of(const Ui& ui, const Columns& columns, float cell, float gap) {
  Extent e;
  for (const auto& column : columns) {
    float w = least_width(ui, columns, column), h = gaps_of(column);
    for (const Standing& s : column) {
      w = std::max(w, width_of(s, cell));
      h += height_of(s, cell);
    }
    e.width += w;
    e.height = std::max(e.height, h);
  }
  e.width += gap * float(columns.size() - 1);
  return e;
}

float largest_cell(const Ui& ui, const Columns& columns, Box area, float gap) {
  // A larger window than the usual one makes larger cells, not wider margins.
  float cell =
      std::floor(std::clamp(std::min(ui.width / 1600, ui.height / 1000), 1.f, 1.8f) * kMost * ui.stage_zoom);
  const auto fits = [&](float c) {
    const Extent e = extent_of(ui, columns, c, gap);
    return e.width <= area.w && e.height <= area.h;
  };
  while (cell > kLeast && !fits(cell)) cell -= 1;
  return cell;
}

float tight_gap(const Columns& columns) {
  return !columns.empty() && columns[0][0].close ? kTightestGap : kTightGap;
}

// The same matrices, each in a column of its own.
Columns one_by_one(const Columns& columns) {
  Columns each;
  for (const auto& column : columns)
    for (const Standing& s : column) each.push_back({s});
  return each;
}

bool any_is_wide(const Columns& columns) {
  for (const auto& column : columns)
    for (const Standing& s : column)
      if (s.wide) return true;
  return false;
}
Columns with_square_cells(Columns columns) {
  for (auto& column : columns)
    for (Standing& s : column) s.wide = false;
  return columns;
}

// Beside the rows stand their sums, and no bars.
Columns without_bars(Columns columns) {
  for (auto& column : columns)
    for (Standing& s : column) s.sums_only = true;
  return columns;
}

}  // namespace

namespace {

// What stands before the map of the head that is looked at.
std::vector<Standing> weights_of_opened(const Ui& ui, const Shown& shown) {
  const std::string head = opened_head(shown.state, shown.runs());
  for (auto& column : standing(ui, shown, Standing::all)) {
    if (!column.front().name.starts_with(head) || column.front().place->opens) continue;
    for (Standing& s : column) s.note = "head " + std::to_string(s.found.run->head + 1);
    return column;
  }
  return {};
}

}  // namespace

float gaps_of(const std::vector<Standing>& column) { return column.front().gap() * float(column.size() - 1); }

Columns close_together(Columns columns) {
  columns = without_bars(std::move(columns));
  for (auto& column : columns)
    for (Standing& s : column) s.close = true;
  return columns;
}

float least_cell(const Ui& ui, const Columns& columns, Box area) {
  return largest_cell(ui, columns, area, tight_gap(columns));
}

Columns standing(const Ui& ui, const Shown& shown, Standing::Which which, int few) {
  const bool narrow = which == Standing::in_one_column, lit_only = which != Standing::all;
  const Lesson& lesson = lesson_of(shown.state);
  const Step& step = step_of(shown.state);
  Columns columns;
  std::vector<std::vector<Standing>> all;
  for (const auto& column : arrangement_of(shown.state).columns) {
    std::vector<Standing> items;
    for (const Place& p : column) {
      const std::vector<std::string> names = names_of(shown, p);
      const int named = place_in_show(step, names.front());
      if (lit_only && (named < 0 || named >= few)) continue;
      if (*p.with && !find(shown.runs(), p.with)) continue;
      if (*p.without && find(shown.runs(), p.without)) continue;
      for (const std::string& name : names)
        if (const auto found = find(shown.runs(), name); found && !is_cut_across(p, *found))
          items.push_back({.place = &p,
                           .name = name,
                           .found = *found,
                           .step = first_step_showing(lesson, names.front(), step.arrangement),
                           .words_room = words_room(ui, shown.runs(), *found),
                           .sums_only = arrangement_of(shown.state).sums_only,
                           .wide = p.wide,
                           .note = note_beside_heads(shown, p, *found, narrow),
                           .pieces = pieces_of(p, *found),
                           .only_head = shows_one_head(shown.state, shown.runs())});
    }
    if (items.empty()) continue;
    all.push_back(items);
    const std::size_t high = narrow ? items.size() : rows_of_heads(ui, arrangement_of(shown.state), items);
    const std::size_t across = (items.size() + high - 1) / high;  // row by row, as one reads
    for (std::size_t c = 0; c < across; ++c) {
      if (columns.empty() || !narrow) columns.emplace_back();
      for (std::size_t i = c; i < items.size(); i += across) columns.back().push_back(items[i]);
    }
  }
  const auto has_others = [](const std::vector<Standing>& items) {
    return items.front().place != items.back().place;
  };
  const bool by_head = arrangement_of(shown.state).by_head;
  if (by_head && !narrow && (all.size() > 1 || (!all.empty() && has_others(all.front())))) {
    columns.clear();
    add_by_head(columns, all);
    return columns;
  }
  // What is made later stands further right, where the rest of the arrangement does not say otherwise.
  if (lit_only)
    std::stable_sort(columns.begin(), columns.end(),
                     [](const auto& a, const auto& b) { return a.front().step < b.front().step; });
  if (narrow && !columns.empty()) {  // what matters most is seen first
    Columns each = one_by_one(columns);
    const bool as_it_goes = has_split(shown);
    std::stable_sort(each.begin(), each.end(), [&](const auto& a, const auto& b) {
      const int of_a = by_head ? a[0].found.run->head : 0, of_b = by_head ? b[0].found.run->head : 0;
      if (of_a != of_b) return of_a < of_b;
      return !as_it_goes && place_in_show(step, a[0].name) < place_in_show(step, b[0].name);
    });
    columns.clear();
    columns.emplace_back();
    for (const auto& column : each) columns[0].push_back(column[0]);
  }
  align_heads(columns);
  return columns;
}

Columns scene_for(const Ui& ui, const Shown& shown, Box area) {
  std::vector<Columns> scenes;
  constexpr std::size_t kClose = 1;
  constexpr int kMaps = 2;  // a head's, and the same after dropout
  scenes.push_back(standing(ui, shown, Standing::all));
  scenes.push_back(close_together(scenes.back()));
  if (Columns square = with_square_cells(scenes.front()); any_is_wide(scenes.front())) {
    scenes.push_back(square);
    scenes.push_back(close_together(std::move(square)));
  }
  const std::size_t first_lit = scenes.size();
  if (arrangement_of(shown.state).by_head) {  // what the step names first, of as many heads as there are
    Columns maps = standing(ui, shown, Standing::lit, kMaps);
    Columns beside = maps;
    if (std::vector<Standing> own = weights_of_opened(ui, shown); !own.empty())
      beside.push_back(std::move(own));
    scenes.push_back(std::move(beside));
    scenes.push_back(std::move(maps));
    scenes.push_back(standing(ui, shown, Standing::lit, 1));
    if (is_low(ui)) scenes.push_back(close_together(scenes.back()));
  } else if (Columns lit = standing(ui, shown, Standing::lit); !lit.empty()) {
    Columns row = one_by_one(lit);  // the same, side by side
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.front().step < b.front().step; });
    constexpr std::size_t kUncrossed = 3;  // arrows of more would cross
    const bool in_a_row = row.size() <= kUncrossed && least_cell(ui, row, area) >= least_cell(ui, lit, area);
    scenes.push_back(in_a_row ? row : lit);
    scenes.push_back(without_bars(scenes.back()));
    constexpr int kFew = 6, kFewest = 2, kLeftOut = 3;
    const int named = int(one_by_one(lit).size());
    for (int few = named - 1; named <= kFew && few >= std::max(kFewest, named - kLeftOut); --few)
      scenes.push_back(without_bars(standing(ui, shown, Standing::lit, few)));
  }
  scenes.erase(std::remove_if(scenes.begin() + 1, scenes.end(), [](const Columns& c) { return c.empty(); }),
               scenes.end());
  const auto legible = [&](const Columns& columns) {
    constexpr float kWell = 30, kHardly = 20;  // "-.04" and ".19" in its smallest type
    float scale = 1;
    for (const auto& column : columns)
      for (const Standing& s : column) scale = std::min(scale, s.words_room > 0 ? 1 : s.place->scale);
    const float cell = least_cell(ui, columns, area) * std::max(scale, .85f);
    return cell >= kWell ? 2 : cell >= kHardly ? 1 : 0;
  };
  // From step to step nothing moves as long as all of them can be read at all.
  std::size_t best = is_lying(ui) && legible(scenes[0]) < 2 && scenes.size() > first_lit ? first_lit : 0;
  int most = legible(scenes[best]);
  for (std::size_t i = best + 1; i < scenes.size() && most == 0; ++i)
    if (const int now = legible(scenes[i]); now > most) {
      best = i;
      most = now;
    }
  const bool many_heads = arrangement_of(shown.state).by_head;
  if (most == 0 && !is_lying(ui))
    best = many_heads ? scenes.size() - 1 : kClose;  // colours, as large as can be
  return std::move(scenes[best]);
}

bool has_bands(const Standing& s) {
  const Run* run = s.found.run;
  if (!run || !s.found.row || !has_heads(run->module.kind) || run->module.num_heads < 2 ||
      run->pass.head_route == HeadRoute::interleaved)
    return false;
  // By out_proj: no column is one head's.
  const bool mixed = s.found.row->rule == Rule::row_times_column && s.found.row->role == Role::context;
  return !mixed && s.cols() == output_width(run->module);
}

float bars_width(const Standing& s) { return s.place->bars == Bars::none ? 0 : s.sums_only ? kSums : kBars; }

float height_of(const Standing& s, float cell) {
  const float own = std::max(1.f, std::floor(cell * s.place->scale));
  return s.head(own) + float(s.rows()) * own;
}

float labels_width(const Ui& ui, const Shown& shown) {
  const auto names_rows = [&](const Place& p) {
    const auto found = find(shown.runs(), names_of(shown, p).front());
    return found && rows_are_words(shown.runs(), *found);
  };
  bool any = false;
  for (const auto& column : arrangement_of(shown.state).columns)
    any |= std::any_of(column.begin(), column.end(), names_rows);
  if (!any) return 0;
  float w = 0;
  for (const std::string& word : shown.runs().words) w = std::max(w, ui.pen.width(Bold, type::small, word));
  return std::min(w, 96.f) + 12;
}

namespace {

// From its left edge and the top of its title on.
Box cells_box(const Standing& s, float x, float y) {
  return {x, y + s.head(s.cell), float(s.cols()) * s.cell_w + s.cut() * float(s.pieces - 1),
          float(s.rows()) * s.cell};
}

}  // namespace

float lay_out_one_column(const Ui& ui, const Shown& shown, Columns& columns, float x, float y, float width) {
  const float labels = labels_width(ui, shown);
  for (auto& column : columns)
    for (Standing& s : column) {
      const float room = width - labels - bars_width(s), cuts = .5f * float(s.pieces - 1);
      const float most = std::max(1.f, std::floor(room / (float(std::max(1, s.cols())) + cuts)));
      s.cell = std::clamp(most, 1.f, kMost * ui.stage_zoom);
      s.cell_w = std::min(s.width_for(s.cell), most);
      s.cells = cells_box(s, x + labels, y);
      y = s.cells.bottom() + kGapY;
    }
  return y;
}

// Words on arrows get their room where cells stay large; else cells come first.
void lay_out(const Ui& ui, Columns& columns, Box area, float gap_x) {
  float cell = largest_cell(ui, columns, area, gap_x);
  if (cell < kReadable) cell = largest_cell(ui, columns, area, gap_x = std::min(gap_x, tight_gap(columns)));
  const Extent e = extent_of(ui, columns, cell, gap_x);
  const float spare = columns.size() < 2 ? 0 : (area.w - e.width) / float(columns.size() - 1);
  const float between = gap_x + std::clamp(spare, 0.f, 120.f);
  float x = area.x + std::max(0.f, area.w - e.width - (between - gap_x) * float(columns.size() - 1)) / 2;
  for (auto& column : columns) {
    float h = 0, w = least_width(ui, columns, column);
    for (const Standing& s : column) {
      h += height_of(s, cell);
      w = std::max(w, width_of(s, cell));
    }
    // An arrow between two needs its length; the margins take what is left.
    const float gaps = float(column.size()) - 1;
    const float gap = std::max(column.front().gap(), (area.h - h) / (gaps + 2));
    float y = area.y + (area.h - h - gaps * gap) / 2;
    const bool last = &column == &columns.back();
    for (Standing& s : column) {
      s.cell = std::max(1.f, std::floor(cell * s.place->scale));
      s.cell_w = s.width_for(s.cell);
      s.cells = cells_box(s, x, y);
      s.title_room = last ? area.right() + kMargin - x : w + between - 4;
      y = s.cells.bottom() + gap;
    }
    x += w + between;
  }
}

}  // namespace lab
