#include "lessons/book_report.hpp"

#include <algorithm>
#include <cstdint>

#include "core/json_text.hpp"
#include "lessons/book_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/book_texts.hpp"

namespace lab {
namespace {

using namespace book_texts;

constexpr std::size_t kInALine = 6;

const char* word_of(BookCheck::State state) {
  switch (state) {
    case BookCheck::State::equal: return "equal";
    case BookCheck::State::explained: return "explained";
    case BookCheck::State::failed: return "different";
    case BookCheck::State::waiting:
    case BookCheck::State::not_run: break;
  }
  return "not run";
}
const char* mark_of(BookCheck::State state) {
  switch (state) {
    case BookCheck::State::equal: return "✓";
    case BookCheck::State::explained: return "i";
    case BookCheck::State::failed: return "✗";
    case BookCheck::State::waiting:
    case BookCheck::State::not_run: break;
  }
  return "–";
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

// Printed above computed, number by number, in as many pairs of lines as it takes.
std::string numbers_text(const BookCheck& check) {
  std::string text;
  const auto& all = check.numbers;
  for (std::size_t begin = 0; begin < all.size(); begin += kInALine) {
    std::string printed = "      printed  ", computed = "      computed ";
    for (std::size_t i = begin; i < std::min(begin + kInALine, all.size()); ++i) {
      const std::string ours = is_run(check) ? computed_text(all[i]) : "-";
      const std::string name = all[i].name.empty() ? "" : "(" + all[i].name + ") ";
      const std::size_t width = std::max(name.size() + all[i].text.size(), ours.size()) + 2;
      printed += padded(name + all[i].text, width);
      computed += padded(ours, width);
    }
    for (std::string* line : {&printed, &computed}) {
      line->erase(line->find_last_not_of(' ') + 1);
      text += *line + "\n";
    }
  }
  if (*check.row->words)
    text += filled("      printed  {0}\n      computed {1}\n", {check.row->words, check.words});
  return text;
}

std::string count_of(const BookCheck& check) {
  if (check.state != BookCheck::State::equal && check.state != BookCheck::State::failed)
    return word_of(check.state);
  if (check.numbers.empty()) return word_of(check.state);
  return filled("{0} of {1}", {std::to_string(check.equal), std::to_string(check.numbers.size())});
}

std::string row_text(const BookCheck& check) {
  const BookRow& row = *check.row;
  std::string text = filled("  {0} {1} · {2} · {3} · {4}\n",
                            {mark_of(check.state), row.what, source_of(row), seed_of(row), count_of(check)});
  if (const std::string reason = reason_of(check); !reason.empty()) text += "      " + reason + "\n";
  return text + numbers_text(check);
}

std::string count_text(const BookCount& c) {
  return filled("{0} of {1} equal · {2} · {3} not run", {std::to_string(c.equal), std::to_string(c.numbers),
                                                         summary_of(c), std::to_string(c.not_run)});
}

JsonText& write_count(JsonText& json, const BookCount& c) {
  return json.object()
      .key("numbers")
      .number(std::int64_t(c.numbers))
      .key("equal")
      .number(std::int64_t(c.equal))
      .key("to_last_digit")
      .number(std::int64_t(c.to_last_digit))
      .key("explained")
      .number(std::int64_t(c.explained))
      .key("wrong")
      .number(std::int64_t(c.wrong))
      .key("not_run")
      .number(std::int64_t(c.not_run))
      .end('}');
}

void write_number(JsonText& json, const BookCheck& check, const BookNumber& n) {
  json.object();
  if (!n.name.empty()) json.key("part_of_name").text(n.name);
  json.key("printed").text(n.text).key("rule").text(rule_of(n));
  if (is_run(check))
    json.key("computed")
        .number(n.computed)
        .key("distance")
        .number(n.distance)
        .key("result")
        .text(n.to_last_digit        ? "to the last digit"
              : n.within             ? "equal"
              : check.row->cannot_be ? "explained"
                                     : "different");
  json.end('}');
}

void write_row(JsonText& json, const BookCheck& check) {
  const BookRow& row = *check.row;
  json.object().key("section").text(section_title(row)).key("chapter").text(row.chapter);
  json.key("cell").number(std::int64_t(row.cell)).key("what").text(row.what);
  if (row.seed >= 0) json.key("seed").number(std::int64_t(row.seed));
  json.key("result").text(word_of(check.state)).key("equal").number(std::int64_t(check.equal));
  if (const std::string reason = reason_of(check); !reason.empty()) json.key("reason").text(reason);
  if (check.elsewhere) json.key("printed_on").text(stream_name(DropoutStream::mkl));
  if (*row.words) json.key("printed").text(row.words).key("computed").text(check.words);
  json.key("numbers").array();
  for (const BookNumber& n : check.numbers) write_number(json, check, n);
  json.end(']').end('}');
}

}  // namespace

std::string book_report_text(const BookChecks& checks) {
  const BookCount apart = checks.counted_apart();
  std::string text =
      filled("Attention Lab {0}: what chapters 3 and 4 print, and what this program computes\n\n{1}\n",
             {LAB_VERSION, count_text(checks.counted())});
  if (apart.numbers > 0) text += filled("Counted apart, behind dropout: {0}\n", {count_text(apart)});
  text += filled("\n{0}\n{1}\n{2}\n", {rule_words(), kSeedRule, dice_words(checks.stream())});
  std::string_view section;
  for (const BookCheck& check : checks.all()) {
    if (section != check.row->section) text += filled("\n{0}\n", {section_title(*check.row)});
    section = check.row->section;
    text += row_text(check);
  }
  return text;
}

std::string book_report_json(const BookChecks& checks) {
  JsonText json;
  json.object().key("program").text("Attention Lab").key("version").text(LAB_VERSION);
  json.key("rule").text(rule_words()).key("seeds").text(kSeedRule);
  json.key("system").text(stream_name(checks.stream())).key("dropout").text(dice_words(checks.stream()));
  write_count(json.key("count"), checks.counted());
  if (checks.counted_apart().numbers > 0) write_count(json.key("count_apart"), checks.counted_apart());
  json.key("rows").array();
  for (const BookCheck& check : checks.all()) write_row(json, check);
  return json.end(']').end('}').str() + "\n";
}

}  // namespace lab
