#include "draw/code_panel_lines.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace lab {
namespace {

constexpr int kBlock = 4;  // columns that Python indents by
constexpr int kFewestColumns = 8;
constexpr std::size_t kShortPair = 12;  // letters between brackets that stay together

// What a break costs: fewest rows first, among these the best places; a cut word is worth many rows.
constexpr int kNever = -1, kComma = 0, kRemark = 0, kBracket = 2, kOperator = 3, kMethod = 4, kKeyword = 9,
              kAssignment = 12, kDot = 30, kQuoted = 60, kDepth = 4, kRow = 1000, kTogether = 1500,
              kWithinWord = 100000;

int indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == line.npos ? int(line.size()) : int(at);
}

bool is_in_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A letter of three bytes or more from a script that is set twice as wide.
int columns_of(char c) { return is_in_letter(c) ? 0 : static_cast<unsigned char>(c) >= 0xE3 ? 2 : 1; }

bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }
bool is_close(char c) { return c == ')' || c == ']' || c == '}'; }

// Whether the bracket there closes soon: "(0, 1)".
bool is_short_pair(std::string_view s, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < s.size() && i <= open + kShortPair + 1; ++i) {
    depth += is_open(s[i]) - is_close(s[i]);
    if (depth == 0) return true;
  }
  return false;
}

// What it costs to go on below just before each character; spaces there are dropped.
std::vector<int> break_costs(std::string_view s) {
  std::vector<int> costs(s.size(), kNever);
  std::vector<std::size_t> opened;  // brackets around the place
  char quote = 0;
  bool remark = false, names = false;  // names: of a comprehension, between its for and in
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i], before = i ? s[i - 1] : ' ';
    const bool begins_remark = !quote && !remark && c == '#';
    const bool closes = is_close(c);
    if (!quote && !remark && closes && !opened.empty()) opened.pop_back();
    const int depth = int(opened.size());
    const auto word_at = [&](std::size_t at) {
      std::size_t end = at;
      while (end < s.size() && s[end] != ' ') ++end;
      return s.substr(at, end - at);
    };
    int cost = kWithinWord;
    if (is_in_letter(c) || c == ' ' || i == 0) {
      cost = kNever;
    } else if (remark) {
      if (before == ' ') cost = kRemark;
      if (before == ' ' && i >= 2 && s[i - 2] == '#') cost = kWithinWord;  // the sign stays with its words
    } else if (begins_remark) {
      cost = kRemark;
    } else if (quote) {
      if (before == ' ') cost = kQuoted;
    } else if (before == ' ') {
      const std::size_t end = s.substr(0, i).find_last_not_of(' ');
      const std::size_t begin = end == s.npos ? s.npos : s.substr(0, end + 1).rfind(' ');
      const std::string_view last = end == s.npos ? "" : s.substr(begin + 1, end - begin);
      const std::string_view next = word_at(i);
      const bool joins = next == "for" || next == "if" || next == "else" || next == "and" || next == "or";
      const bool is_sign = !is_of_name(next[0]) && next.find_first_not_of("+-*/@=<>!%|&") == next.npos;
      const bool was_sign = !last.empty() && last.find_first_not_of("+-*/@=<>!%|&") == last.npos;
      const bool was_comma = !last.empty() && last.back() == ',';
      cost = kDepth * depth + (was_comma                        ? kComma
                               : is_sign && next.ends_with('=') ? 2 * kAssignment
                               : is_sign || joins               ? kOperator
                               : last == "="                    ? kAssignment
                               : was_sign                       ? kOperator + 1
                                                                : kKeyword);
    } else if (is_open(before) && !closes) {
      cost = kDepth * depth + kBracket;
    } else if (before == ',' && !closes) {
      cost = kDepth * depth + kComma;
    } else if (c == '.' && (before == ')' || before == ']')) {
      cost = kDepth * depth + kMethod;
    } else if (c == '.' && std::isalpha(static_cast<unsigned char>(before))) {
      cost = kDepth * depth + kDot;
    } else if (before == '_' || before == '.') {
      cost = kWithinWord / 2;
    }
    if (before == ' ' && !quote && !remark) names = word_at(i) == "for" || (names && word_at(i) != "in");
    if (names && cost != kNever && !s.substr(i).starts_with("for ")) cost = std::max(cost, kTogether);
    const bool after_in = before == ' ' && !quote && !remark && s.substr(0, i).ends_with(" in ");
    const bool together = after_in || (!opened.empty() && is_short_pair(s, opened.back()));
    if (together && !remark && cost != kNever) cost = std::max(cost, kTogether);
    costs[i] = cost;
    if (begins_remark) remark = true;
    if (remark) continue;
    if (quote) {
      if (c == quote && before != '\\') quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (is_open(c)) {
      opened.push_back(i);
    }
  }
  return costs;
}

std::string_view without_end(std::string_view s) { return s.substr(0, s.find_last_not_of(' ') + 1); }

}  // namespace

std::vector<std::string> unfolded(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    const int in = out.empty() ? 0 : indent_of(line) - indent_of(out.back());
    const bool remark = !out.empty() && out.back().find('#') != std::string::npos;
    const bool goes_on = !out.empty() && !remark && in >= kBlock && indent_of(line) < int(line.size()) &&
                         (out.back().ends_with('(') || (in > kBlock && out.back().ends_with(',')));
    if (goes_on)
      out.back() += (out.back().ends_with(',') ? " " : "") + line.substr(std::size_t(indent_of(line)));
    else
      out.push_back(line);
  }
  return out;
}

std::vector<std::string> wrapped_lines(int columns, std::string_view line) {
  columns = std::max(columns, kFewestColumns);
  const int indent = std::min(indent_of(line), columns / 2);
  const int hanging = std::min(indent + kBlock, columns / 2);
  const std::string_view s = without_end(line.substr(std::size_t(indent_of(line))));
  const std::vector<int> costs = break_costs(s);

  // From the end: the least that the rest costs if a row begins here, and where that row ends.
  constexpr long kOut = std::numeric_limits<long>::max() / 2;
  std::vector<long> least(s.size() + 1, kOut);
  std::vector<std::size_t> ends(s.size() + 1, s.size());
  least[s.size()] = 0;
  for (std::size_t begin = s.size(); begin-- > 0;) {
    if (begin > 0 && costs[begin] == kNever) continue;
    const int room = columns - (begin ? hanging : indent);
    int wide = 0;  // of the row up to its last letter
    int used = 0;
    for (std::size_t end = begin + 1; end <= s.size(); ++end) {
      used += columns_of(s[end - 1]);
      if (s[end - 1] != ' ') wide = used;
      if (wide > room) break;
      const bool last = end == s.size();
      if (!last && costs[end] == kNever) continue;
      const long cost = last ? 0 : kRow + costs[end] + least[end];
      if (cost > least[begin]) continue;  // of equals the fullest
      least[begin] = cost;
      ends[begin] = end;
    }
  }
  std::vector<std::string> rows;
  for (std::size_t begin = 0; begin < s.size() || rows.empty(); begin = ends[begin]) {
    const std::string_view row = without_end(s.substr(begin, ends[begin] - begin));
    rows.push_back(std::string(std::size_t(begin ? hanging : indent), ' ').append(row));
    if (s.empty()) break;
  }
  return rows;
}

}  // namespace lab
