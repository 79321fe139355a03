// The page and the native program draw the same picture.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { browserTest, built } from './browser.mjs';

function nativePicture(query, size) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-'));
  const file = path.join(folder, 'native.png');
  try {
    execFileSync(built.native, ['screenshot', query, file, size],
      { env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', EGL_PLATFORM: 'surfaceless', ASAN_OPTIONS: 'detect_leaks=0' }, stdio: 'pipe' });
    return fs.readFileSync(file);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// How many pixels differ visibly, but for the rail's figures, which are a measurement.
const differing = (lab, one, other) => lab.page.evaluate(async (one, other) => {
  const pixels = async base64 => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), c => c.charCodeAt(0))]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, bitmap.width, bitmap.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return `${a.width} × ${a.height} and ${b.width} × ${b.height}`;
  let count = 0;
  for (let i = 0; i < a.data.length; i++) {
    const [x, y] = [(i >> 2) % a.width, Math.floor((i >> 2) / a.width)];
    const measured = x < 236 && y > a.height - 40 && a.width >= 1160;
    if (!measured && Math.abs(a.data[i] - b.data[i]) > 16) count++;
  }
  return count;
}, one.toString('base64'), other.toString('base64'));

const right = ['W_query', 'W_key', 'W_value'].map(slot => `&move=${slot}.weight,transpose,${slot}`).join('');

for (const [name, query, width, height, ratio] of [
  ['a wide window', 'step=match&theme=light' + right, 1600, 1000, 1],
  ['a dark phone', 'seed=789&d_in=3&d_out=3&step=square&theme=dark' + right.replaceAll('transpose', 'copy'), 390, 844, 2],
]) {
  browserTest(`the page draws ${name} as the native program does`, { query, width, height, ratio }, async lab => {
    const native = nativePicture(query, `${width}x${height}@${ratio}`);
    assert.equal(await differing(lab, Buffer.from(await lab.picture()), native), 0);
  });
}
