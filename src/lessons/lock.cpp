#include "lessons/lock.hpp"

#include <algorithm>

namespace lab {
namespace {

// Targets that change a key and are not called input.KEY. One that ends in a dot stands for all that begin
// so.
struct Changes {
  std::string_view id, key;
};
constexpr Changes kChanges[] = {
    {"nav.", "lesson"},     {"open.", "lesson"},
    {"step.", "step"},      {"next", "step"},
    {"back", "step"},       {"play", "step"},
    {"by-word", "word"},    {"route.", "mask"},
    {"edit-cell", "edit"},  {"edit", "edit"},
    {"source.", "move"},    {"slot.", "move"},
    {"op.", "move"},        {"wire.", "move"},
    {"auto", "move"},       {"swap", "move"},
    {"trap", "move"},       {"break", "fault"},
    {"theme", "theme"},     {"changes", "changes"},
    {"cell.", "cell"},      {"token.", "cell"},
    {"station.", "step"},   {"book-sentence", "text"},
    {"compare", "compare"}, {"torch-tolerance", "atol"},
    {"break", "move"},      {"source.", "fault"},
    {"slot.", "fault"},     {"op.", "fault"},
    {"wire.", "fault"},     {"auto", "fault"},
    {"swap", "fault"},      {"trap", "fault"},
    {"split.", "split"},    {"book.", "lesson"},
    {"check.", "row"},      {"filter", "filter"},
    {"swap.", "swap"},      {"relative", "relative"},
    {"open-head.", "step"}, {"close-head", "step"},
    {"off.", "off"},        {"norm.", "norm"},
    {"from.", "from"},      {"to.", "to"},
    {"part.", "step"},      {"open-row", "lesson"},
    {"size.", "size"},      {"ledger.", "size"},
    {"ask.", "question"},   {"ask-next", "question"},
    {"ask-on", "question"}, {"ask-back", "question"},
};

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_locked(const View& view, std::string_view id) {
  if (view.lock.empty()) return false;
  if (id == "reset") return true;  // it would change them all
  constexpr std::string_view kInput = "input.";
  if (id.starts_with(kInput)) return lists(view.lock, id.substr(kInput.size()));
  for (const Changes& c : kChanges)
    if ((c.id.ends_with('.') ? id.starts_with(c.id) : id == c.id) && lists(view.lock, c.key)) return true;
  return false;
}

bool hides(const View& view, std::string_view panel) { return lists(view.hide, panel); }

}  // namespace lab
