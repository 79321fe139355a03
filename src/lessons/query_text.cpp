// The pieces of the grammar: percent coding, cells, edits, moves.
#include <charconv>
#include <cmath>
#include <limits>

#include "core/number_text.hpp"
#include "core/words.hpp"
#include "lessons/query.hpp"

namespace lab {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<int> index_of(std::string_view digits, int last) {
  unsigned index = 0;  // unsigned: no sign is taken
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size() || index > unsigned(last)) return {};
  return int(index);
}

struct Halves {
  std::string_view left, right;
};

std::optional<Halves> split_at(std::string_view text, std::size_t at) {
  if (at == std::string_view::npos) return {};
  return Halves{text.substr(0, at), text.substr(at + 1)};
}

// "r0:r1"
bool read_range(std::string_view text, int& begin, int& end) {
  const auto halves = split_at(text, text.find(':'));
  if (!halves) return false;
  const auto b = index_of(halves->left, kMaxIndex), e = index_of(halves->right, kMaxIndex + 1);
  if (!b || !e || *b >= *e) return false;
  begin = *b, end = *e;
  return true;
}

struct Side {
  std::string name;
  std::optional<Rect> cells;
};

std::string text_of(const std::string& name, const std::optional<Rect>& cells) {
  if (!cells) return name;
  const auto range = [](int begin, int end) { return std::to_string(begin) + ':' + std::to_string(end); };
  return name + '[' + range(cells->r0, cells->r1) + ',' + range(cells->c0, cells->c1) + ']';
}

// "NAME" or "NAME[r0:r1,c0:c1]"
std::optional<Side> side_of(std::string_view text) {
  const std::size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  if (!is_name(name)) return {};
  if (bracket == std::string_view::npos) return Side{std::string(name), {}};
  std::string_view inside = text.substr(bracket + 1);
  if (inside.empty() || inside.back() != ']') return {};
  inside.remove_suffix(1);
  const auto ranges = split_at(inside, inside.find(','));
  Rect cells;
  if (!ranges || !read_range(ranges->left, cells.r0, cells.r1) ||
      !read_range(ranges->right, cells.c0, cells.c1)) {
    return {};
  }
  return Side{std::string(name), cells};
}

std::size_t comma_outside_brackets(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') inside = true;
    if (text[i] == ']') inside = false;
    if (text[i] == ',' && !inside) return i;
  }
  return std::string_view::npos;
}

std::optional<float> edit_value(std::string_view text) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  if (text == "nan") return std::numeric_limits<float>::quiet_NaN();
  const auto value = float_of(text);
  return value && std::isfinite(*value) ? value : std::nullopt;  // 1e99 is no infinity that anybody asked for
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (text[i] == '%' && high >= 0 && low >= 0) {
      decoded += char(high * 16 + low);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view also_plain = "-_.~,:[]*!'", hex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (c == ' ') {
      encoded += '+';
    } else if (is_letter_or_digit(c) || also_plain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return encoded;
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 80) return false;
  char before = '.';  // a dot stands between two parts
  for (const char c : text) {
    if (c == '.' ? before == '.' : !is_letter_or_digit(c) && c != '_' && c != '-') return false;
    before = c;
  }
  return before != '.';
}

std::string text_of(const CellName& cell) {
  return cell.name + '.' + std::to_string(cell.row) + '.' + std::to_string(cell.col);
}

std::optional<CellName> cell_of(std::string_view text) {
  const auto col = split_at(text, text.rfind('.'));
  if (!col) return {};
  const auto row = split_at(col->left, col->left.rfind('.'));
  if (!row || !is_name(row->left)) return {};
  const auto r = index_of(row->right, kMaxIndex), c = index_of(col->right, kMaxIndex);
  if (!r || !c) return {};
  return CellName{std::string(row->left), *r, *c};
}

std::string text_of(const Edit& edit) { return text_of(edit.cell) + ':' + number_text(edit.value); }

std::optional<Edit> edit_of(std::string_view text) {
  const auto halves = split_at(text, text.rfind(':'));
  if (!halves) return {};
  const auto cell = cell_of(halves->left);
  const auto value = edit_value(halves->right);
  if (!cell || !value) return {};
  return Edit{*cell, *value};
}

std::string text_of(const Move& move) {
  return text_of(move.from, move.from_cells) + ',' + name_of(move.op) + ',' + text_of(move.to, move.to_cells);
}

std::optional<Move> move_of(std::string_view text) {
  const auto from = split_at(text, comma_outside_brackets(text));
  if (!from) return {};
  const auto op = split_at(from->right, from->right.find(','));
  if (!op) return {};
  const bool is_copy = op->left == name_of(MoveOp::copy);
  if (!is_copy && op->left != name_of(MoveOp::transpose)) return {};
  const auto source = from->left.empty() ? Side{} : side_of(from->left);
  const auto target = side_of(op->right);
  if (!source || !target) return {};
  return Move{source->name, is_copy ? MoveOp::copy : MoveOp::transpose, target->name, source->cells,
              target->cells};
}

std::string clean_text(std::string_view text, std::vector<std::string>* problems, TextRoom room) {
  std::string clean;
  bool stray_bytes = false, controls = false;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const std::string_view as_is = text.substr(0, c.bytes);
    const std::string_view kept = !c.valid                  ? "\xEF\xBF\xBD"
                                  : !is_control(c.value)    ? as_is
                                  : is_white_space(c.value) ? " "
                                                            : "";
    if (clean.size() + kept.size() > std::size_t(room.bytes)) break;
    clean += kept;
    stray_bytes |= !c.valid;
    controls |= is_control(c.value);
    text.remove_prefix(c.bytes);
  }
  const auto report = [problems](std::string what) {
    if (problems) problems->push_back(std::move(what));
  };
  if (stray_bytes) report("text: what is not UTF-8 was replaced by \xEF\xBF\xBD.");
  if (controls) report("text: control characters were taken out.");
  const auto words = whole_words(clean);
  if (words.size() > std::size_t(room.words)) {
    report("text: cut to " + std::to_string(room.words) + " words.");
    const std::string_view last = words[std::size_t(room.words) - 1];
    clean.resize(std::size_t(last.data() + last.size() - clean.data()));
  } else if (!text.empty()) {
    report("text: cut to " + std::to_string(room.bytes) + " bytes.");
  }
  return clean;
}

}  // namespace lab
