// The ids of 20,000 texts, natively and as wasm, against tiktoken, which shares no code with the lab.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { get_encoding } from 'tiktoken';
import { built } from './chromium.mjs';

// Seeded, so that a text that fails comes again.
function random(seed) {
  let state = seed;
  return below => {                        // a whole number ≥ 0 and below that
    state = (state + 0x6D2B79F5) | 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) % below;
  };
}

function texts(count, seed) {
  const below = random(seed);
  const one = of => of[below(of.length)];
  const many = (most, make) => Array.from({ length: 1 + below(most) }, make).join('');
  const letter = (first, last) => String.fromCodePoint(first + below(last - first + 1)).replace(/\p{Surrogate}/u, '');

  const spaces = [...' \t\n\r\v\f\u0085\u00A0\u1680\u2000\u2003\u2009\u2028\u2029\u202F\u205F\u3000', '\r\n', '    '];
  const scripts = [[0x20, 0x7E], [0xA0, 0x24F], [0x300, 0x36F], [0x370, 0x52F], [0x590, 0x6FF], [0x900, 0xDFF], [0xE00, 0xEFF],
    [0x1E00, 0x1FFF], [0x2000, 0x2BFF], [0x3000, 0x30FF], [0x4E00, 0x9FFF], [0xAC00, 0xD7A3], [0xF900, 0xFFFF],
    [0x10000, 0x10FFF], [0x1D400, 0x1D7FF], [0x20000, 0x2A6DF]];
  const emoji = ['😀', '👍🏽', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇫🇷', '1️⃣', '☺️', '❤️‍🔥', '🧑🏿‍🚀', '\u200D', '\uFE0F'];
  const words = ['the', 'Attention', 'is', 'all', 'you', 'need', 'don', 'they', 'naïve', 'café', 'Straße', 'мир', '世界', 'שלום', 'مرحبا',
    'अनुवाद', 'x²', '½', '٣٤', 'Ⅷ', '3.14', '2024', '<|endoftext|>', 'https://a.b/c?d=e&f#g', 'ﬁ', 'I', 'internationalization'];
  const endings = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", '’s', "'", "''", ',', '.', '!?', '…', ''];
  const code = ['for (int i = 0; i < n; ++i) {\n', 'def forward(self, x):\n', '\treturn x @ self.W_query', '    ', '        ', '}\n', '\n\n',
    '// ', '/* */', '"\\u0000"', '<div class="a">', '&amp;', '=>', '::', '->', '!==', '{{', '}}', '#include <vector>\n', '0x1F', '1e-5',
    'camelCase', 'snake_case', 'T[K]', '$_', '`${a}`', 'SELECT * FROM t WHERE a=\'b\';', '\\', '\u0000', '\u001b[0m'];

  const kinds = [
    () => many(60, () => letter(0, 0x10FFFF)),
    () => many(60, () => letter(...one(scripts))),
    () => { const script = one(scripts); return many(60, () => below(6) ? letter(...script) : one(spaces)); },
    () => many(40, () => one(words) + one(endings) + (below(4) ? ' ' : one(spaces))),
    () => many(30, () => one(code)),
    () => many(20, () => one([one(emoji), one(emoji), letter(0x1F300, 0x1FAFF), ' ', one(words)])),
    () => many(8, () => one([...spaces, ' '.repeat(below(200)), ' '.repeat(below(20)) + one(words), '\n'.repeat(below(50)), one(words)])),
    () => many(12, () => one(['a', 'é', '0', '-', "'", '猫', ' ', '\n', '😀', '\u0301']).repeat(below(30))),
    () => many(30, () => one([...words, ...endings, ...code, ...emoji, ...spaces, letter(0, 0xD7FF), letter(0x10000, 0x1FFFF)])),
  ];
  return Array.from({ length: count }, (_, i) => kinds[i % kinds.length]());
}

const gpt2 = get_encoding('gpt2');
const ids = text => gpt2.encode_ordinary(text).join(' ');

// A letter is one to the Node that the lab was built with, and a sign to a tiktoken that knows fewer: those are left
// out. It shows before an apostrophe, which a sign takes along and a letter leaves to "'re".
const asked = new Map();
function known(sign) {
  if (sign < '\x80') return true;
  if (!asked.has(sign)) asked.set(sign, /[\p{L}\p{N}\p{White_Space}]/u.test(sign) === (ids(sign + "'re") === `${ids(sign)} ${ids("'re")}`));
  return asked.get(sign);
}

const given = texts(20000, 4).map(text => [...text].filter(known).join(''));
const expected = given.map(ids);

test('of all the signs in these texts, hardly any is too new for tiktoken', () => {
  const left = [...asked.values()].filter(is => !is).length;
  assert.ok(asked.size > 50_000 && left < asked.size / 50, `${left} of ${asked.size}`);
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'attention-lab-'));
const file = path.join(folder, 'texts');
fs.writeFileSync(file, given.map(text => JSON.stringify(text) + '\n').join(''));
test.after(() => fs.rmSync(folder, { recursive: true }));

for (const [name, program, ...args] of [['natively', built.native], ['as wasm', 'node', built.node]]) {
  test(`20,000 texts have the tokens that tiktoken gives them, ${name}`, () => {
    const printed = execFileSync(program, [...args, 'tokens', '--lines', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const lines = printed.split('\n');
    assert.equal(lines.length, given.length + 1);
    const wrong = given.filter((_, i) => lines[i] !== expected[i]);
    assert.equal(wrong.length, 0, `${wrong.length} differ, the first is ${JSON.stringify(wrong[0])}`);
  });
}
