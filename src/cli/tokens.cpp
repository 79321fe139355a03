#include "cli/tokens.hpp"

#include <nlohmann/json.hpp>

#include "vocabulary.hpp"

namespace lab {

const Tokenizer& gpt2_tokenizer() {
  static const Tokenizer made = *Tokenizer::from(kVocabulary);
  return made;
}

std::string tokens_line(std::string_view text) {
  std::string line;
  for (const int id : gpt2_tokenizer().encode(text)) line += (line.empty() ? "" : " ") + std::to_string(id);
  return line + "\n";
}

std::optional<std::string> tokens_lines(std::string_view json_strings, std::string& problem) {
  std::string all;
  for (int number = 1; !json_strings.empty(); ++number) {
    const std::string_view line = json_strings.substr(0, json_strings.find('\n'));
    json_strings.remove_prefix(std::min(line.size() + 1, json_strings.size()));
    // What begins like a string can be nothing nested, which could take much memory.
    const auto parsed =
        line.starts_with('"') ? nlohmann::json::parse(line, nullptr, false) : nlohmann::json();
    const auto* text = parsed.get_ptr<const std::string*>();
    if (!text) {
      problem = "Line " + std::to_string(number) + " is no JSON string.\n";
      return std::nullopt;
    }
    all += tokens_line(*text);
  }
  return all;
}

}  // namespace lab
