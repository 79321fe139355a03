// node vocabulary.mjs VOCAB.BPE FOLDER: what the tokenizer has to know that is not in the program. FOLDER/vocabulary.bin
// is for the page to fetch; vocabulary.cpp and .hpp are the same, for programs that have it compiled in.
//
// Numbers of 16 bits, the lower byte first:
//   letters:  how many bounds follow, then each bound as its distance from the one before. From the first bound to the
//             second all code points are letters, from there to the third none is, and so on.
//   numbers:  the same.
//   merges:   the ids of both parts of token 256, of 257, … The 256 single bytes are the tokens before.
import fs from 'node:fs';
import path from 'node:path';

const [merges, folder] = process.argv.slice(2);

// Where a class of Unicode begins and ends, in turn.
function bounds(pattern) {
  const found = [];
  for (let code = 0; code < 0x110000; code++) {
    if (pattern.test(String.fromCodePoint(code)) === (found.length % 2 === 0)) found.push(code);
  }
  return [found.length, ...found.map((bound, i) => bound - (found[i - 1] ?? 0))];
}

// GPT-2 writes a byte as a letter, so that its merges are lines of text: itself where that can be seen, else the next
// from U+0100 on. Tokens 0 to 255 are the bytes in the order of these letters.
const seen = [[0x21, 0x7e], [0xa1, 0xac], [0xae, 0xff]].flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, i) => a + i));
const letters = [...seen, ...Array.from({ length: 256 - seen.length }, (_, i) => 0x100 + i)];
const ids = new Map(letters.map((letter, id) => [String.fromCodePoint(letter), id]));

const pairs = fs.readFileSync(merges, 'utf8').split('\n').filter(line => line && !line.startsWith('#version')).flatMap((line, rank) => {
  const parts = line.split(' ');
  ids.set(parts.join(''), 256 + rank);
  return parts.map(part => ids.get(part));
});

const numbers = [...bounds(/\p{L}/u), ...bounds(/\p{N}/u), ...pairs];
if (pairs.length !== 2 * 50000 || ids.size !== 50256 || numbers.some(n => !(n >= 0 && n < 1 << 16))) {
  throw Error(`${merges} does not hold GPT-2's merges`);
}
const bytes = Buffer.alloc(2 * numbers.length);
numbers.forEach((n, i) => bytes.writeUInt16LE(n, 2 * i));

function write(name, content) {           // one that is as it was keeps its age, and all that depends on it stands
  const file = path.join(folder, name);
  if (!fs.existsSync(file) || !fs.readFileSync(file).equals(Buffer.from(content))) fs.writeFileSync(file, content);
}
fs.mkdirSync(folder, { recursive: true });
write('vocabulary.bin', bytes);
write('vocabulary.hpp', `#pragma once
// Made by cmake/vocabulary.mjs, which says what is in it.
#include <string_view>

namespace lab {
extern const std::string_view kVocabulary;
}
`);
const lines = Array.from({ length: Math.ceil(bytes.length / 64) }, (_, i) =>
  `"${[...bytes.subarray(64 * i, 64 * i + 64)].map(b => '\\' + b.toString(8).padStart(3, '0')).join('')}"`);
write('vocabulary.cpp', `// Made by cmake/vocabulary.mjs.
#include "vocabulary.hpp"

namespace lab {
const std::string_view kVocabulary{${lines.join('\n')}, ${bytes.length}};
}
`);
