// The native text field's text and caret. The page does not use it: there a real <input> does all this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab {

struct TextEdit {
  std::string id;                     // of the field
  std::string text;                   // UTF-8
  std::string before;                 // when the typing began
  std::size_t caret = 0, anchor = 0;  // bytes; the selection lies between them

  std::size_t from() const { return caret < anchor ? caret : anchor; }
  std::size_t to() const { return caret < anchor ? anchor : caret; }
  std::string_view selected() const { return std::string_view(text).substr(from(), to() - from()); }
  void select_all();
  void insert(std::string_view typed);  // in place of the selection; line breaks become spaces
  // "Backspace", "Delete", "Home", "Shift+ArrowLeft", "Ctrl+ArrowRight", "Ctrl+a" … False: not a key of
  // editing.
  bool key(std::string_view name);

 private:
  void erase(std::size_t from, std::size_t to);
  void move(std::size_t to, bool selecting);
  std::size_t before_letter(std::size_t at) const;
  std::size_t after_letter(std::size_t at) const;
  std::size_t before_word(std::size_t at) const;
  std::size_t after_word(std::size_t at) const;
};

TextEdit editing(std::string id, std::string text);  // everything selected

}  // namespace lab
