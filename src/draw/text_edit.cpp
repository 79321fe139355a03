#include "draw/text_edit.hpp"

namespace lab {
namespace {

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool take_prefix(std::string_view& name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  return true;
}

}  // namespace

TextEdit editing(std::string id, std::string text) {
  TextEdit edit;
  edit.id = std::move(id);
  edit.before = text;
  edit.text = std::move(text);
  edit.select_all();
  return edit;
}

void TextEdit::select_all() {
  anchor = 0;
  caret = text.size();
}

void TextEdit::erase(std::size_t first, std::size_t last) {
  text.erase(first, last - first);
  caret = first;
  anchor = first;
}

void TextEdit::insert(std::string_view typed) {
  erase(from(), to());
  std::string line;
  for (char c : typed) {
    if (c == '\n' || c == '\t') c = ' ';
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) line += c;
  }
  text.insert(caret, line);
  move(caret + line.size(), false);
}

void TextEdit::move(std::size_t to, bool selecting) {
  caret = to;
  if (!selecting) anchor = to;
}

std::size_t TextEdit::before_letter(std::size_t at) const {
  if (at == 0) return 0;
  do --at;
  while (at > 0 && continues_letter(text[at]));
  return at;
}

std::size_t TextEdit::after_letter(std::size_t at) const {
  if (at >= text.size()) return text.size();
  do ++at;
  while (at < text.size() && continues_letter(text[at]));
  return at;
}

std::size_t TextEdit::before_word(std::size_t at) const {
  while (at > 0 && text[at - 1] == ' ') --at;
  while (at > 0 && text[at - 1] != ' ') --at;
  return at;
}

std::size_t TextEdit::after_word(std::size_t at) const {
  while (at < text.size() && text[at] != ' ') ++at;
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

bool TextEdit::key(std::string_view name) {
  const bool by_word = take_prefix(name, "Ctrl+");
  const bool selecting = take_prefix(name, "Shift+");
  const bool some = caret != anchor;
  if (name == "ArrowLeft") {
    move(some && !selecting ? from() : by_word ? before_word(caret) : before_letter(caret), selecting);
  } else if (name == "ArrowRight") {
    move(some && !selecting ? to() : by_word ? after_word(caret) : after_letter(caret), selecting);
  } else if (name == "Home" || name == "ArrowUp") {
    move(0, selecting);
  } else if (name == "End" || name == "ArrowDown") {
    move(text.size(), selecting);
  } else if (name == "Backspace") {
    erase(some ? from() : by_word ? before_word(caret) : before_letter(caret), to());
  } else if (name == "Delete") {
    const std::size_t start = from();
    erase(start, some ? to() : by_word ? after_word(caret) : after_letter(caret));
  } else if (by_word && name == "a") {
    select_all();
  } else {
    return false;
  }
  return true;
}

}  // namespace lab
