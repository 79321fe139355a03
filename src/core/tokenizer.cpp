#include "core/tokenizer.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

#include "core/words.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxTokenBytes =
    256;  // GPT-2's longest has 128; without a limit, they could double each time

std::uint64_t pair_of(int left, int right) { return std::uint64_t(left) << 32 | std::uint32_t(right); }

// The vocabulary's numbers, one after the other.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : rest_(bytes) {}
  std::size_t left() const { return rest_.size() / 2; }
  int next() {
    const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(rest_[i]); };
    const int n = byte(0) | byte(1) << 8;
    rest_.remove_prefix(2);
    return n;
  }

 private:
  std::string_view rest_;
};

bool read_bounds(Numbers& numbers, std::vector<char32_t>& bounds) {
  if (numbers.left() == 0) return false;
  const auto count = std::size_t(numbers.next());
  if (numbers.left() < count) return false;
  char32_t bound = 0;
  for (std::size_t i = 0; i < count; ++i) bounds.push_back(bound += char32_t(numbers.next()));
  return true;
}

bool within(const std::vector<char32_t>& bounds, char32_t c) {
  return (std::upper_bound(bounds.begin(), bounds.end(), c) - bounds.begin()) % 2 == 1;
}

// Bytes that can be seen in Latin-1 have the first ids.
std::array<int, 256> bytes_by_id() {
  const auto seen = [](int b) { return (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xFF && b != 0xAD); };
  std::array<int, 256> bytes;
  for (int b = 0; b < 256; ++b) bytes[std::size_t(b)] = b;
  std::stable_partition(bytes.begin(), bytes.end(), seen);
  return bytes;
}

}  // namespace

std::optional<Tokenizer> Tokenizer::from(std::string_view vocabulary) {
  Tokenizer made;
  Numbers numbers(vocabulary);
  if (vocabulary.size() % 2 || !read_bounds(numbers, made.letters_) || !read_bounds(numbers, made.numbers_) ||
      numbers.left() == 0 || numbers.left() % 2)
    return std::nullopt;

  for (const int byte : bytes_by_id()) {
    made.byte_ids_[std::size_t(byte)] = made.size();
    made.tokens_.emplace_back(1, char(byte));
  }
  const std::size_t merges = numbers.left() / 2;
  made.tokens_.reserve(256 + merges + 1);
  made.merged_.reserve(merges);
  while (numbers.left() > 0) {
    const int left = numbers.next(), right = numbers.next(), id = made.size();
    // Of tokens that are there already: so a merge never makes way for one of lower rank.
    if (left >= id || right >= id || !made.merged_.emplace(pair_of(left, right), id).second)
      return std::nullopt;
    std::string text = made.text_of(left) + made.text_of(right);
    if (text.size() > kMaxTokenBytes) return std::nullopt;
    made.tokens_.push_back(std::move(text));
  }
  made.tokens_.emplace_back("<|endoftext|>");
  return made;
}

const std::string& Tokenizer::text_of(int id) const {
  assert(id >= 0 && id < size());
  return tokens_[std::size_t(id)];
}

// ---- a text's pieces
// --------------------------------------------------------------------------------------- GPT-2's pattern, of
// which the first alternative that fits is taken: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
// ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

Tokenizer::Class Tokenizer::class_of(char32_t c) const {
  if (is_white_space(c)) return Space;
  if (within(letters_, c)) return Letter;
  return within(numbers_, c) ? Number : Other;
}

// How many bytes at the start of the text are of one class.
std::size_t Tokenizer::run(std::string_view text, Class of) const {
  std::size_t end = 0;
  while (end < text.size()) {
    const CodePoint c = first_code_point(text.substr(end));
    if (class_of(c.value) != of) break;
    end += c.bytes;
  }
  return end;
}

std::size_t Tokenizer::first_piece(std::string_view text) const {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.starts_with(ending)) return ending.size();

  const std::size_t space = text[0] == ' ' ? 1 : 0;
  if (space < text.size()) {
    const std::string_view rest = text.substr(space);
    const Class of = class_of(first_code_point(rest).value);
    if (of != Space) return space + run(rest, of);
  }
  // White space leaves its last character to what comes after it, if it has more than that one.
  const std::size_t spaces = run(text, Space);
  if (spaces == text.size()) return spaces;
  std::size_t before_last = 0;
  for (std::size_t i = 0; i < spaces; i += first_code_point(text.substr(i)).bytes) before_last = i;
  return before_last > 0 ? before_last : spaces;
}

std::vector<std::string_view> Tokenizer::pieces_of(std::string_view text) const {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    pieces.push_back(text.substr(0, first_piece(text)));
    text.remove_prefix(pieces.back().size());
  }
  return pieces;
}

// ---- a piece's tokens
// --------------------------------------------------------------------------------------

// A piece on its way from bytes to tokens. The pairs wait in a queue, and the tokens know their neighbours: a
// text of one letter, all of it pairs, takes n log n.
class Tokenizer::Merging {
 public:
  Merging(const Tokenizer& of, std::string_view piece) : of_(of) {
    for (const char c : piece) {
      const int i = int(parts_.size());
      parts_.push_back({of.byte_ids_[static_cast<unsigned char>(c)], i - 1, i + 1});
    }
    for (int i = 0; i + 1 < int(parts_.size()); ++i) await(i);
  }

  // Merges one pair, the leftmost of those with the lowest rank, and returns its token; -1 when there is
  // none.
  int step() {
    while (!waiting_.empty()) {
      const auto [id, left] = waiting_.top();
      waiting_.pop();
      if (merged_at(left) != id) continue;  // one of the two has gone into another token since
      const int right = parts_[std::size_t(left)].next;
      Part& whole = parts_[std::size_t(left)];
      whole.id = id;
      whole.next = parts_[std::size_t(right)].next;
      parts_[std::size_t(right)].id = kGone;
      if (whole.next < int(parts_.size())) parts_[std::size_t(whole.next)].previous = left;
      if (whole.previous >= 0) await(whole.previous);
      await(left);
      return id;
    }
    return -1;
  }

  void append_to(std::vector<int>& ids) const {
    for (int i = 0; i < int(parts_.size()); i = parts_[std::size_t(i)].next)
      ids.push_back(parts_[std::size_t(i)].id);
  }

 private:
  static constexpr int kGone = -1;
  struct Part {
    int id, previous, next;  // neighbours: indices of parts
  };

  // What the part becomes with its right neighbour; -1: nothing.
  int merged_at(int left) const {
    const Part& part = parts_[std::size_t(left)];
    if (part.id == kGone || part.next == int(parts_.size())) return -1;
    const auto found = of_.merged_.find(pair_of(part.id, parts_[std::size_t(part.next)].id));
    return found == of_.merged_.end() ? -1 : found->second;
  }
  void await(int left) {
    const int id = merged_at(left);
    if (id >= 0) waiting_.emplace(id, left);
  }

  const Tokenizer& of_;
  std::vector<Part> parts_;
  // Ids are in the order of ranks.
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> waiting_;
};

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> ids;
  for (const std::string_view piece : pieces_of(text)) {
    Merging merging(*this, piece);
    while (merging.step() >= 0) {
    }
    merging.append_to(ids);
  }
  return ids;
}

std::vector<Tokenizer::Merge> Tokenizer::merges_of(std::string_view piece) const {
  std::vector<Merge> merges;
  if (piece.size() > kMaxShownPiece) return merges;
  Merging merging(*this, piece);
  for (int id; (id = merging.step()) >= 0;) {
    merges.push_back({id - 256, {}});
    merging.append_to(merges.back().tokens);
  }
  return merges;
}

}  // namespace lab
