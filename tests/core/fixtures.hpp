// The fixtures' files, and what eval makes of them.
#pragma once
#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/eval.hpp"

namespace lab {

using Json = nlohmann::json;

inline std::string fixture_text(const std::string& name) {
  std::FILE* file = std::fopen((LAB_FIXTURES "/" + name).c_str(), "rb");
  std::string text;
  if (!file) return text;
  char block[1 << 14];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file)) text.append(block, n);
  std::fclose(file);
  return text;
}

struct Evaluation {
  int status = 0;
  std::string text, notes;
};

inline Evaluation evaluation(const std::string& file_text) {
  Evaluation e;
  e.status = evaluate(
      file_text, [&](std::string_view part) { e.text += part; }, e.notes);
  return e;
}

}  // namespace lab
