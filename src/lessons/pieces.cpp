#include "lessons/pieces.hpp"

#include "core/multi_head.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

std::string words_of(const std::optional<Pair>& pair, Piece Pair::*side, const std::string& text,
                     const AttentionParams& module) {
  if (!pair || !pair->slot || module.num_heads == 1) return text;
  const std::string &name = ((*pair).*side).name, own = head_prefix(pair->head);
  return filled("{0} of head {1}",
                {name.starts_with(own) ? name.substr(own.size()) : name, std::to_string(pair->head + 1)});
}

}  // namespace

std::string sliced(const Piece& piece, const AttentionParams& module) {
  const Parameter* p = find_parameter(module, piece.name);
  if (!piece.cells || !p) return piece.name;
  const Rect& r = *piece.cells;
  const auto range = [](int begin, int end) { return std::to_string(begin) + ":" + std::to_string(end); };
  const std::string rows = range(r.r0, r.r1), cols = range(r.c0, r.c1);
  const bool all_cols = r.c0 == 0 && r.c1 == int(p->stored.cols());
  return piece.name + "[" + (p->one_dimensional ? cols : all_cols ? rows : rows + ", " + cols) + "]";
}

std::string slot_words(const Bench& b, const std::string& slot) {
  return words_of(pair_into(b.source, b.target, slot), &Pair::to, slot, b.target);
}
std::string source_words(const Bench& b, const std::string& from) {
  return words_of(pair_from(b.source, b.target, from), &Pair::from, from, b.source);
}

}  // namespace lab
