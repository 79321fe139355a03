// What kinds of values a query holds, each with its text and how that is read. Only query.cpp includes this.
#pragma once
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpt_config.hpp"
#include "core/number_text.hpp"
#include "core/words.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query.hpp"

namespace lab::query_kinds {

using Values = std::vector<std::string>;  // of one key, decoded: several where it is repeated

// What a key is read from, and where its problems go.
struct Reading {
  std::string key;
  const Values& values;
  std::vector<std::string>& problems;

  const std::string& last() const { return values.back(); }
  void report(std::string_view value, const std::string& what) {
    constexpr std::size_t most = 50;  // a hostile link has 100,000, and nobody reads them
    if (problems.size() > most) return;
    if (problems.size() == most) return problems.push_back("… and more.");
    const std::string_view start = first_code_points(value, 40);
    problems.push_back(key + "=" + clean_text(start) + (start.size() < value.size() ? "…" : "") + ": " +
                       what);
  }
};

inline constexpr std::array kOps = {"copy", "transpose"};

// ---- Kinds of values: the text of one, and the value of a text, none where it was refused and reported.

struct LessonId {
  using Value = std::string;
  static std::string text(const Value& id) { return id; }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    if (is_lesson(text)) return text;
    in.report(text, "there is no such lesson.");
    return {};
  }
};

struct GptSizeId {
  using Value = std::string;
  static std::string text(const Value& id) { return id; }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    std::string all = "custom";
    for (const GptSize& size : gpt_sizes()) all += std::string(", ") + size.id;
    if (text == "custom" ||
        std::any_of(gpt_sizes().begin(), gpt_sizes().end(), [&](const GptSize& s) { return text == s.id; }))
      return text;
    in.report(text, "must be one of " + all + ".");
    return {};
  }
};

struct Name {
  using Value = std::string;
  static std::string text(const Value& name) { return name; }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    if (text.empty() || is_name(text)) return text;
    in.report(text, "not a name.");
    return {};
  }
};

// A slot of the bench: a name, or a rectangle of one.
struct SlotText {
  using Value = std::string;
  static std::string text(const Value& slot) { return slot; }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    if (text.empty() || move_of("," + std::string(kOps[0]) + "," + text)) return text;
    in.report(text, "not a name.");
    return {};
  }
};

struct Sentence {
  using Value = std::string;
  static std::string text(const Value& sentence) { return sentence; }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    return clean_text(text, &in.problems, kAnyRoom);  // fit_text() cuts it, which knows the lesson
  }
};

// Digits only, all of them counting: never through a double.
template <class Integer>
struct Exact {
  using Value = Integer;
  static std::string text(Value value) { return std::to_string(value); }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    Value value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end) return value;
    in.report(text,
              "not a whole number from 0 to " + std::to_string(std::numeric_limits<Value>::max()) + ".");
    return {};
  }
};
using Seed = Exact<std::uint64_t>;
using FaultNumber = Exact<std::uint32_t>;

template <int low, int high>
struct Whole {
  using Value = int;
  static std::string text(int value) { return std::to_string(value); }
  static std::optional<int> value(Reading& in, const std::string& text) {
    long long value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::invalid_argument || stop != end) {
      in.report(text, "not a whole number.");
      return {};
    }
    if (error == std::errc::result_out_of_range) value = text[0] == '-' ? low - 1LL : high + 1LL;
    const int clamped = int(std::clamp<long long>(value, low, high));
    if (clamped != value) {
      in.report(text, "from " + std::to_string(low) + " to " + std::to_string(high) + "; " +
                          std::to_string(clamped) + " is taken.");
    }
    return clamped;
  }
};

inline constexpr double kNone = 0, kMaxDropout = 0.9, kMaxTolerance = 1;
inline constexpr double kLeastTemperature = 0.01, kMaxTemperature = 10;
template <const double& high, const double& low = kNone>
struct Fraction {
  using Value = double;
  static std::string text(double value) { return number_text(value + 0.0); }  // -0 is 0
  static std::optional<double> value(Reading& in, const std::string& text) {
    const auto value = double_of(text);
    if (!value) {
      in.report(text, "not a number.");
      return {};
    }
    const double clamped = std::clamp(*value + 0.0, low, high);
    if (clamped != *value) {
      in.report(text, "from " + number_text(low + 0.0) + " to " + number_text(high) + "; " +
                          number_text(clamped) + " is taken.");
    }
    return clamped;
  }
};

inline constexpr std::array kNoYes = {"0", "1"};
inline constexpr std::array kComparisons = {"masked", "as-is"};
inline constexpr std::array kModules = {"simple", "v1", "v2", "causal", "wrapper", "mha"};
inline constexpr std::array kRoutes = {"none",        "zero-renorm", "neginf",
                                       "zero-scores", "no-renorm",   "renorm-first",
                                       "off-by-one",  "transposed",  "after-dropout"};
inline constexpr std::array kSplits = {"bands", "interleaved", "no-transpose", "no-transpose-back",
                                       "whole-scale"};
inline constexpr std::array kNormOrders = {"before", "after"};
inline constexpr std::array kVariances = {"biased", "unbiased"};
inline constexpr std::array kBends = {"gelu", "relu"};
inline constexpr std::array kStreams = {"mac", "mkl"};
inline constexpr std::array kThemes = {"auto", "light", "dark"};

// An enum or bool, by the names of its values; those before first cannot be chosen.
template <class T, const auto& names, std::size_t first = 0>
struct Choice {
  using Value = T;
  static std::string text(T value) { return names[std::size_t(value)]; }
  static std::optional<T> value(Reading& in, const std::string& text) {
    std::string choices;
    for (std::size_t i = first; i < names.size(); ++i) {
      if (text == names[i]) return T(i);
      choices += (choices.empty() ? "" : ", ") + std::string(names[i]);
    }
    in.report(text, "must be one of " + choices + ".");
    return {};
  }
};
using Flag = Choice<bool, kNoYes>;
// The bench moves weights, and attention without weights has none.
using Module = Choice<AttentionKind, kModules, std::size_t(AttentionKind::v1)>;

struct Cell {
  using Value = CellName;
  static std::string text(const CellName& cell) { return text_of(cell); }
  static std::optional<CellName> value(Reading& in, const std::string& text) {
    const auto cell = cell_of(text);
    if (!cell) in.report(text, "not a cell; one is written NAME.ROW.COLUMN.");
    return cell;
  }
};

struct EditedCell {
  using Value = Edit;
  static constexpr int most = kMaxEdits;
  static std::string text(const Edit& edit) { return text_of(edit); }
  static bool same_place(const Edit& a, const Edit& b) { return a.cell == b.cell; }
  static std::optional<Edit> value(Reading& in, const std::string& text) {
    const auto edit = edit_of(text);
    if (!edit) in.report(text, "not an edit; one is written NAME.ROW.COLUMN:NUMBER.");
    return edit;
  }
};

struct WeightMove {
  using Value = Move;
  static constexpr int most = kMaxMoves;
  static std::string text(const Move& move) { return text_of(move); }
  static bool same_place(const Move& a, const Move& b) { return a.to == b.to && a.to_cells == b.to_cells; }
  static std::optional<Move> value(Reading& in, const std::string& text) {
    const auto move = move_of(text);
    if (!move) in.report(text, "not a move; one is written FROM,copy,TO or FROM,transpose,TO.");
    return move;
  }
};

// What can be switched off: heads, and the boxes of a block.
inline std::vector<std::string> parts() {
  std::vector<std::string> all = {"att", "ff"};
  for (int h = 0; h < kMaxHeads; ++h) all.push_back(std::to_string(h));
  return all;
}
// Two heads, "0,1", whichever is named first.
struct TwoHeads {
  using Value = HeadPair;
  static std::string text(HeadPair pair) { return std::to_string(pair.a) + "," + std::to_string(pair.b); }
  static std::optional<HeadPair> value(Reading& in, const std::string& text) {
    HeadPair pair;
    const char *end = text.data() + text.size(), *comma = std::find(text.data(), end, ',');
    const auto read = [](const char* from, const char* to, int& head) {
      const auto [stop, error] = std::from_chars(from, to, head);
      return error == std::errc{} && stop == to && head >= 0 && head < kMaxHeads;
    };
    if (comma != end && read(text.data(), comma, pair.a) && read(comma + 1, end, pair.b) && pair.a != pair.b)
      return HeadPair{std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
    in.report(text, "not two heads; they are written 0,1.");
    return {};
  }
};

inline std::vector<std::string> panels() { return {"rail", "inspector", "timeline", "input"}; }

// Some names of a list, commas between; kept in the list's order, so that one choice has one link.
template <std::vector<std::string> (*all)()>
struct Subset {
  using Value = std::vector<std::string>;
  static std::string text(const Value& names) {
    std::string joined;
    for (const auto& name : names) joined += (joined.empty() ? "" : ",") + name;
    return joined;
  }
  static std::optional<Value> value(Reading& in, const std::string& text) {
    Value known = all();
    std::vector<bool> is_chosen(known.size());
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string_view name = std::string_view(text).substr(begin, end - begin);
      const auto place = std::find(known.begin(), known.end(), name);
      if (place != known.end()) {
        is_chosen[std::size_t(place - known.begin())] = true;
      } else if (!name.empty()) {
        in.report(name, "not known here.");
      }
      begin = end + 1;
    }
    Value chosen;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (is_chosen[i]) chosen.push_back(known[i]);
    }
    return chosen;
  }
};

// ---- How often a value stands: once, at most once, or many times.

template <class Kind>
struct One {
  static Values written(const typename Kind::Value& value) { return {Kind::text(value)}; }
  static void read(Reading& in, typename Kind::Value& field) {
    if (auto value = Kind::value(in, in.last())) field = std::move(*value);
  }
};

template <class Kind>
struct Maybe {
  using Field = std::optional<typename Kind::Value>;
  static Values written(const Field& field) { return field ? Values{Kind::text(*field)} : Values{}; }
  static void read(Reading& in, Field& field) {
    if (in.last().empty()) return field.reset();
    if (auto value = Kind::value(in, in.last())) field = std::move(value);
  }
};

template <class Kind>
struct Many {
  using Field = std::vector<typename Kind::Value>;
  static Values written(const Field& field) {
    Values texts;
    for (const auto& value : field) texts.push_back(Kind::text(value));
    return texts;
  }
  static void read(Reading& in, Field& field) {
    field.clear();
    for (const std::string& text : in.values) {
      if (text.empty()) continue;
      if (auto value = Kind::value(in, text)) add(in, text, field, std::move(*value));
    }
  }
  static void add(Reading& in, const std::string& text, Field& field, typename Kind::Value value) {
    const auto same = [&value](const auto& other) { return Kind::same_place(value, other); };
    const auto earlier = std::find_if(field.begin(), field.end(), same);
    if (earlier != field.end()) {
      *earlier = std::move(value);
    } else if (int(field.size()) < Kind::most) {
      field.push_back(std::move(value));
    } else {
      in.report(text, "left out, a link holds " + std::to_string(Kind::most) + " of them.");
    }
  }
};

}  // namespace lab::query_kinds
