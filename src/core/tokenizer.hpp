// GPT-2's tokenizer: byte pair encoding over the bytes of any text.
//
// A text is cut into pieces (a word with the space before it, digits, signs, white space), and no token
// reaches across a cut. Within a piece each byte is a token at first; then the pair of neighbours that was
// learned first becomes one token, again and again, until no neighbours are a pair.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lab {

class Tokenizer {
 public:
  // From what cmake/vocabulary.mjs writes; nothing if this is something else.
  static std::optional<Tokenizer> from(std::string_view vocabulary);

  int size() const { return int(tokens_.size()); }  // 50257
  int end_of_text() const { return size() - 1; }  // <|endoftext|>; encode() never gives it, whatever is typed
  const std::string& text_of(int id) const;       // 0 ≤ id < size(). Its bytes, maybe a part of a character

  // Together they are the text, byte for byte, also where it is not UTF-8. Time n log n.
  std::vector<int> encode(std::string_view text) const;
  std::vector<std::string_view> pieces_of(std::string_view text) const;

  // One merge in a piece: the pair with this rank (0 = learned first) has become token 256 + rank.
  struct Merge {
    int rank = 0;
    std::vector<int> tokens;  // of the whole piece, after it
  };
  static constexpr std::size_t kMaxShownPiece = 256;
  // Nothing for a piece of more than kMaxShownPiece bytes: the answer grows with their square.
  std::vector<Merge> merges_of(std::string_view piece) const;

 private:
  enum Class { Space, Letter, Number, Other };
  class Merging;

  Tokenizer() = default;
  Class class_of(char32_t c) const;
  std::size_t run(std::string_view text, Class of) const;
  std::size_t first_piece(std::string_view text) const;

  std::vector<std::string> tokens_;                // the text of each id
  std::array<int, 256> byte_ids_ = {};             // token of a byte
  std::unordered_map<std::uint64_t, int> merged_;  // a pair's token
  std::vector<char32_t> letters_, numbers_;        // where these classes begin and end, in turn
};

}  // namespace lab
