// The grammar under fire: states and queries by the thousand.
#include <doctest.h>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <set>

#include "core/words.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"

using namespace lab;

namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t bits() { return std::uint32_t(engine_()); }
  std::uint64_t bits64() { return std::uint64_t(bits()) << 32 | bits(); }
  int from_to(int low, int high) { return low + int(bits() % unsigned(high - low + 1)); }
  bool one_in(int n) { return bits() % unsigned(n) == 0; }
  template <class Choices>
  auto one_of(const Choices& choices) {
    return std::data(choices)[bits() % std::size(choices)];
  }

 private:
  std::mt19937 engine_;
};

std::string some_name(Dice& dice) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::string name;
  const int parts = dice.from_to(1, 4);
  for (int part = 0; part < parts; ++part) {
    if (part > 0) name += '.';
    for (int n = dice.from_to(1, 19); n > 0; --n) name += dice.one_of(letters);
  }
  return name;
}

std::string some_text(Dice& dice) {
  static const char* const pieces[] = {"a", "Z",      "7",      "%",          "+",          "&",      "=",
                                       "#", "\u00E9", "\u65E5", "\U0001F600", "\u200D",     "'",      "\"",
                                       "<", "\\",     "\uFFFD", "\u0301",     "\U0010FFFF", "\uD7FF", "~"};
  static const char* const spaces[] = {" ", "  ", "\u00A0", "\u3000", "\u2028"};
  std::string text;
  for (int words = dice.from_to(0, kMaxWords); words > 0; --words) {
    for (int n = dice.from_to(1, 12); n > 0; --n) text += dice.one_of(pieces);
    if (words > 1 || dice.one_in(4)) text += dice.one_of(spaces);
  }
  return text;
}

CellName some_cell(Dice& dice) {
  return {some_name(dice), dice.from_to(0, kMaxIndex), dice.from_to(0, kMaxIndex)};
}

std::optional<Rect> some_rect(Dice& dice) {
  if (dice.one_in(2)) return {};
  Rect cells;
  cells.r0 = dice.from_to(0, kMaxIndex), cells.r1 = dice.from_to(cells.r0 + 1, kMaxIndex + 1);
  cells.c0 = dice.from_to(0, kMaxIndex), cells.c1 = dice.from_to(cells.c0 + 1, kMaxIndex + 1);
  return cells;
}

double some_fraction(Dice& dice, double high) {
  const double special[] = {0, -0.0, high, 1e-300, 5e-324, 0.1, 1e-8};
  return dice.one_in(3) ? dice.one_of(special) : high * double(dice.bits64() >> 11) / 9007199254740992.0;
}

std::vector<std::string> some_of(Dice& dice, const std::vector<std::string>& all) {
  std::vector<std::string> some;
  for (const auto& name : all) {
    if (dice.one_in(3)) some.push_back(name);
  }
  return some;
}

std::uint64_t some_seed(Dice& dice) {
  return dice.one_in(4) ? ~std::uint64_t(0) - dice.bits() % 3 : dice.bits64() >> dice.from_to(0, 63);
}

State some_state(Dice& dice) {
  State s;
  Inputs& in = s.inputs;
  if (dice.one_in(2)) in.text = some_text(dice);
  if (dice.one_in(2)) in.seed = some_seed(dice);
  if (dice.one_in(2)) in.target_seed = some_seed(dice);
  if (dice.one_in(2)) in.word_seed = some_seed(dice);
  if (dice.one_in(2)) in.dropout_seed = some_seed(dice);
  in.d_in = dice.from_to(1, kMaxWidth), in.d_out = dice.from_to(1, kMaxWidth);
  in.heads = dice.from_to(1, kMaxHeads), in.batch = dice.from_to(1, kMaxBatch);
  in.split = HeadRoute(dice.from_to(0, 4)), in.example = dice.from_to(0, 1) == 1;
  if (dice.from_to(0, 1)) in.off = {"att", "1", "7"};
  if (dice.one_in(2)) in.swap = HeadPair{dice.from_to(0, 4), dice.from_to(5, kMaxHeads - 1)};
  in.swap_out_proj = dice.one_in(2), in.sample = dice.from_to(0, kMaxBatch - 1);
  if (dice.one_in(2)) in.context_length = dice.from_to(1, kMaxWords);
  in.emb_dim = dice.from_to(1, kMaxWidth), in.eps = some_fraction(dice, 1);
  in.shortcuts = dice.one_in(2), in.post_norm = dice.one_in(2), in.unbiased = dice.one_in(2);
  in.relu = dice.one_in(2), in.tied = dice.one_in(2), in.scaled = dice.one_in(2);
  in.dummy = dice.one_in(2), in.by_chance = dice.one_in(2), in.top_k = dice.from_to(0, kMaxTopK);
  in.temperature = std::max(.01, some_fraction(dice, 10));
  in.gpt_size = dice.one_in(2) ? "custom" : "774M", in.gpt_dim = dice.from_to(1, kMaxGptWidth);
  in.gpt_layers = dice.from_to(1, kMaxGptLayers), in.gpt_heads = dice.from_to(1, kMaxGptHeads);
  in.bias = dice.one_in(2);
  in.mask = MaskRoute(dice.from_to(0, int(MaskRoute::after_dropout)));
  in.dropout = some_fraction(dice, 0.9);
  in.training = dice.one_in(2);
  if (dice.one_in(2)) in.leak = dice.from_to(0, kMaxWords - 1);
  in.stream = dice.one_in(2) ? DropoutStream::mac : DropoutStream::mkl;
  in.from = AttentionKind(dice.from_to(1, 3)), in.to = AttentionKind(dice.from_to(1, 3));
  std::set<std::string> taken;
  for (int n = dice.one_in(50) ? kMaxMoves : dice.from_to(0, 6); n > 0; --n) {
    Move move{"", dice.one_in(2) ? MoveOp::copy : MoveOp::transpose, some_name(dice), {}, some_rect(dice)};
    if (!dice.one_in(4)) move.from = some_name(dice), move.from_cells = some_rect(dice);
    if (taken.insert(move.to).second) in.moves.push_back(move);
  }
  for (int n = dice.one_in(50) ? kMaxEdits : dice.from_to(0, 8); n > 0; --n) {
    const Edit edit{some_cell(dice),
                    std::bit_cast<float>(dice.one_in(8) ? 0x7F800000u | dice.bits() : dice.bits())};
    if (taken.insert(text_of(edit.cell)).second) in.edits.push_back(edit);
  }
  if (dice.one_in(2)) in.fault = dice.bits();
  in.as_is = dice.one_in(2);
  in.rtol = some_fraction(dice, 1), in.atol = some_fraction(dice, 1);
  View& view = s.view;
  if (dice.one_in(2)) view.step = some_name(dice);
  if (dice.one_in(2)) view.cell = some_cell(dice);
  view.head = dice.from_to(0, kMaxIndex), view.block = dice.from_to(0, kMaxIndex);
  if (dice.one_in(2)) view.row = dice.from_to(0, kMaxIndex);
  view.filter = dice.one_in(2), view.relative = dice.one_in(2);
  view.digits = dice.from_to(0, 8);
  view.theme = ThemeChoice(dice.from_to(0, 2));
  if (dice.one_in(2)) view.guess = some_name(dice);
  view.present = dice.one_in(2);
  view.hide = some_of(dice, {"rail", "inspector", "timeline", "input"});
  view.lock = some_of(dice, query_keys());
  return s;
}

std::string some_bytes(Dice& dice, int most) {
  std::string bytes;
  for (int n = dice.from_to(0, most); n > 0; --n) bytes += char(dice.bits());
  return bytes;
}

// Half grammar, half noise.
std::string hostile_query(Dice& dice) {
  static const std::string_view pieces[] = {"&",
                                            "=",
                                            "?",
                                            "#",
                                            "%",
                                            "%4",
                                            "%00",
                                            "%FF",
                                            "%C3",
                                            "+",
                                            ",",
                                            ":",
                                            "[",
                                            "]",
                                            "[[[[[",
                                            "]]]]]",
                                            ".",
                                            "..",
                                            "0",
                                            "-0",
                                            "-1",
                                            "4096",
                                            "99999999999999999999999",
                                            "1e9999999999",
                                            "1e-9999999999",
                                            "0x7f",
                                            "inf",
                                            "-inf",
                                            "nan",
                                            "NaN",
                                            "true",
                                            "copy",
                                            "transpose",
                                            "W_query.weight",
                                            "W_query",
                                            "attn_scores",
                                            ".0.1",
                                            ":1",
                                            "\xF0",
                                            "\xE2\x82",
                                            "\xC2\x85",
                                            "transfer",
                                            "\u202E",
                                            std::string_view("\0", 1),
                                            "1,5",
                                            " ",
                                            "\r\n",
                                            "v1",
                                            "simple",
                                            "neginf",
                                            "dark",
                                            "rail",
                                            "seed",
                                            "0:1,0:1]",
                                            "-"};
  static const auto keys = query_keys();
  std::string query = dice.one_in(3) ? query_of(some_state(dice)) : "";
  for (int n = dice.from_to(0, 12); n > 0; --n) {
    if (dice.one_in(2)) query += '&' + keys[dice.bits() % keys.size()] + '=';
    for (int m = dice.from_to(0, 6); m > 0; --m) query += dice.one_of(pieces);
    if (dice.one_in(4)) query += some_bytes(dice, 20);
  }
  for (int n = dice.from_to(0, 3); n > 0 && !query.empty(); --n) {  // torn, flipped, doubled
    const std::size_t at = dice.bits() % query.size();
    if (dice.one_in(3))
      query.resize(at);
    else if (dice.one_in(2))
      query[at] = char(dice.bits());
    else
      query.insert(at, query.substr(at / 2, 50));
  }
  return query;
}

bool in_range(double x, double low, double high) { return x >= low && x <= high; }  // NaN is not

bool is_valid(const State& s) {
  const Inputs& in = s.inputs;
  State fitted = s;
  fit_text(fitted);
  bool good = is_lesson(in.lesson) && fitted.inputs.text == in.text;
  good &= in_range(in.d_in, 1, 64) && in_range(in.d_out, 1, 64) && in_range(in.heads, 1, 12) &&
          in_range(in.batch, 1, 8) && in_range(in.sample, 0, 7) &&
          in_range(in.context_length.value_or(1), 1, 64);
  good &= !in.swap || (in.swap->a >= 0 && in.swap->a < in.swap->b && in.swap->b < 12);
  good &= in_range(in.dropout, 0, 0.9) && in_range(in.rtol, 0, 1) && in_range(in.atol, 0, 1);
  good &= in_range(int(in.mask), 0, int(MaskRoute::after_dropout)) && in_range(int(in.from), 1, 5) &&
          in_range(int(in.to), 1, 5);
  good &= in.moves.size() <= 80 && in.edits.size() <= 200;
  for (const Move& move : in.moves) good &= move_of(text_of(move)) == move;
  for (const Edit& edit : in.edits) good &= edit_of(text_of(edit)) == edit;
  for (std::size_t i = 0; i < in.edits.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) good &= in.edits[i].cell != in.edits[j].cell;
  }
  const View& view = s.view;
  good &= (view.step.empty() || is_name(view.step)) && (view.guess.empty() || is_name(view.guess));
  good &= in_range(view.head, 0, 4095) && in_range(view.block, 0, 4095) && in_range(view.digits, 0, 8);
  good &= !view.cell || cell_of(text_of(*view.cell)) == view.cell;
  return good && view.hide.size() <= 4 && view.lock.size() <= query_keys().size();
}

bool withstands(const std::string& query) {
  const ReadQuery read = state_of(query);
  const std::string canonical = query_of(read.state);
  const ReadQuery again = state_of(canonical);
  bool is_printable = true;
  for (const auto& problem : read.problems)
    is_printable &= clean_text(problem).size() == problem.size() && problem.size() < 400;
  return is_valid(read.state) && again.state == read.state && again.problems.empty() &&
         query_of(again.state) == canonical && is_printable && read.problems.size() <= 60;
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += piece;
  return all;
}

}  // namespace

TEST_CASE("2,000 random states read back as they were written") {
  Dice dice(1);
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const State state = some_state(dice);
    const std::string query = query_of(state);
    const ReadQuery read = state_of(query);
    const bool good =
        is_valid(state) && read.state == state && read.problems.empty() && query_of(read.state) == query;
    if (!good && ++wrong <= 3) MESSAGE(query);
  }
  CHECK(wrong == 0);
}

TEST_CASE("What an opening state has and a state has not is written as none") {
  State opening;
  opening.view.cell = CellName{"difference", 1, 1};
  opening.view.step = "pair";
  opening.view.hide = {"rail"};
  opening.inputs.text = "a";
  opening.inputs.target_seed = 789;
  opening.inputs.fault = 3;
  opening.inputs.moves = {{"A", MoveOp::copy, "B", {}, {}}, {"A", MoveOp::copy, "C", {}, {}}};
  opening.inputs.edits = {{{"a", 0, 0}, 1}};
  State bare;
  bare.inputs.text = "";
  const char* const none = "step=&text=&target_seed=&move=&edit=&fault=&cell=&hide=";
  CHECK(query_of(bare, opening) == none);
  CHECK(state_of(none, opening).state == bare);
  CHECK(state_of("move=D,copy,E", opening).state.inputs.moves.size() == 1);
  CHECK(state_of("", opening).state == opening);
}

TEST_CASE("A query leads from any state to any other") {
  Dice dice(3);
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    const State from = some_state(dice), to = some_state(dice);
    const ReadQuery read = state_of(query_of(to, from), from);
    if (!(read.state == to && read.problems.empty()) && ++wrong <= 3) MESSAGE(query_of(to, from));
  }
  CHECK(wrong == 0);
}

TEST_CASE("2,000 hostile queries give a valid state, whose link is canonical") {
  Dice dice(2);
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string query = dice.one_in(5) ? some_bytes(dice, 300) : hostile_query(dice);
    if (!withstands(query) && ++wrong <= 3) MESSAGE(query);
  }
  CHECK(wrong == 0);
}

TEST_CASE("A megabyte of anything is only a long query") {
  constexpr std::size_t mega = 1 << 20;
  for (const char* piece :
       {"&", "=", "%", "[", "a", "seed=1&", "edit=x.0.0:1&", "move=A,copy,B&", "edit=x&", "\xFF"}) {
    CAPTURE(piece);
    CHECK(withstands(repeated(piece, mega / 4)));
  }
  for (const char* key :
       {"text=", "seed=", "d_in=", "dropout=", "edit=", "move=", "cell=", "hide=", "lock=", "step="}) {
    for (const char* piece : {"9", ",", "%20", "[", ".0", "%F0%9F", "a:"}) {
      CAPTURE(key);
      CAPTURE(piece);
      CHECK(withstands(key + repeated(piece, mega / 16)));
    }
  }
  CHECK(withstands("text=" + repeated("\xFF", mega)));
  CHECK(withstands("cell=" + repeated("[", mega)));
  std::string edits;
  for (int i = 0; edits.size() < mega; ++i) edits += "edit=x." + std::to_string(i % 4096) + ".0:1&";
  CHECK(withstands(edits));
}
