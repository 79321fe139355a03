import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { keep, table, timesOf } from './figures.mjs';

test('the median and the quarters are measurements, in any order of them', () => {
  assert.deepEqual(timesOf([5, 1, 4, 2, 3]), { median_ms: 3, quartiles_ms: [2, 4] });
  assert.deepEqual(timesOf([10, 9]), { median_ms: 9, quartiles_ms: [9, 9] });
  assert.deepEqual(timesOf([100, 20, 3]), { median_ms: 20, quartiles_ms: [3, 20] });   // as numbers, not as words
});

test('a table stands in columns', () => {
  assert.equal(table([['', 'ms'], ['lab', '7'], ['a peer', '1234']]), '          ms\nlab        7\na peer  1234');
});

test('a part is kept beside the others, and replaces itself', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-bench-'));
  const file = path.join(folder, 'bench.json');
  try {
    keep(file, 'start', { median_ms: 2 });
    fs.writeFileSync(file, JSON.stringify({ native: { a: 1 }, start: { median_ms: 2 } }));
    keep(file, 'start', { median_ms: 1 });
    assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), { native: { a: 1 }, start: { median_ms: 1 } });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
