// The page as it is served: its headers, its policy, and that nothing goes wrong in it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserTest, built, newPage, served } from './browser.mjs';

test('the answer names at once what the page will fetch, and nothing that is not there', async () => {
  const address = await served();
  const named = [...(await fetch(address)).headers.get('link').matchAll(/<([^>]+)>; rel=preload/g)].map(m => m[1]);
  assert.deepEqual(named.sort(), ['lab.js', 'lab.wasm', 'page.js', 'style.css']);
  for (const part of named) assert.equal((await fetch(address + part)).status, 200, part);
  assert.equal((await fetch(address + 'lab.js')).headers.get('link'), null);
});

test('every part is served with its type, isolated, under a strict policy', async () => {
  const address = await served();
  const types = { '': 'text/html', 'page.js': 'text/javascript', 'lab.js': 'text/javascript', 'style.css': 'text/css',
    'lab.wasm': 'application/wasm' };
  for (const [file, type] of Object.entries(types)) {
    const { status, headers } = await fetch(address + file);
    assert.equal(status, 200, file);
    assert.equal(headers.get('content-type').split(';')[0], type, file);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-embedder-policy'), 'require-corp');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const policy = headers.get('content-security-policy');
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
  }
});

test('a first visit loads at most 600 kB, and the single file is at most 2.5 MB', async () => {
  const address = await served();
  let bytes = 0;
  for (const name of fs.readdirSync(built.page).filter(name => /\.(html|css|js|wasm)$/.test(name))) {
    const head = await fetch(address + name, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
    assert.equal(head.headers.get('content-encoding'), 'br', name);
    bytes += Number(head.headers.get('content-length'));
  }
  assert.ok(bytes > 100_000 && bytes <= 600_000, `${bytes} bytes`);
  assert.ok(fs.statSync(built.single).size <= 2_500_000);
});

test('the vocabulary is at most 300 kB', async () => {
  const answer = await fetch(await served() + 'vocabulary.bin', { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
  assert.equal(answer.headers.get('content-encoding'), 'br');
  const bytes = Number(answer.headers.get('content-length'));
  assert.ok(bytes > 100_000 && bytes <= 300_000, `${bytes} bytes`);
});

test('what was compressed is what is served plain', async () => {
  const address = await served();
  for (const name of ['lab.wasm', 'vocabulary.bin', 'page.js', 'index.html']) {
    const plain = fs.readFileSync(path.join(built.page, name));
    for (const encoding of ['br', 'gzip', 'identity', 'br;q=0']) {
      const answer = await fetch(address + name, { headers: { 'Accept-Encoding': encoding } });
      assert.ok(plain.equals(Buffer.from(await answer.arrayBuffer())), `${name} ${encoding}`);
    }
  }
});

test('the server gives nothing from outside its folder', async () => {
  const address = await served();
  for (const name of ['../CMakeLists.txt', '..%2fCMakeLists.txt', '%2e%2e/CMakeLists.txt', 'nothing', '%', 'a%00b', '_headers']) {
    assert.equal((await fetch(address + name)).status, 404, name);
  }
  assert.equal((await fetch(address, { method: 'POST' })).status, 405);
  for (const odd of ['page.js/', 'page.js/x', 'a'.repeat(300), '%', '%00', 'index.html/..%2f..%2f']) {
    assert.equal((await fetch(address + odd)).status, 404, odd);
  }
  assert.equal((await fetch(address)).status, 200);
});

browserTest('the page opens isolated, with nothing to complain of, and asks for nothing elsewhere', { ratio: 1 }, async lab => {
  assert.equal(await lab.page.evaluate(() => crossOriginIsolated), true);
  assert.equal(await lab.page.$eval('#cover', e => e.hidden), true);
  assert.equal(await lab.page.$eval('canvas', e => e.getAttribute('aria-hidden')), 'true');
  assert.ok(lab.requests.length >= 5 && lab.requests.length <= 12, lab.requests.join(' '));
  const { frames, frame_ms, compute_ms, draws } = await lab.page.evaluate(() => attentionLab.stats());
  assert.ok(frames > 0 && frame_ms > 0 && compute_ms >= 0 && draws > 0);
});

browserTest('the vocabulary is fetched when it is asked for, and not before', {}, async lab => {
  const fetched = () => lab.requests.filter(url => url.includes('vocabulary'));
  assert.deepEqual(fetched(), []);
  assert.ok(fs.readFileSync(path.join(built.page, 'vocabulary.bin')).equals(await lab.vocabulary()));
  assert.deepEqual(fetched(), [lab.address + 'vocabulary.bin']);
});

browserTest('a vocabulary that does not come is none, and may come the next time', {}, async lab => {
  await lab.page.setOfflineMode(true);
  assert.equal((await lab.vocabulary()).length, 0);
  await lab.page.setOfflineMode(false);
  assert.ok((await lab.vocabulary()).length > 100_000);
  lab.wentWrong.length = 0;                  // the browser said so
});

browserTest('the policy stops inline scripts and eval', { complaints: true }, async lab => {
  const ran = await lab.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.body.append(script);
    const evaluated = await new Promise(resolve => setTimeout(() => {      // later: what the debugger runs itself is let through
      try { resolve(new Function('return true')()); } catch { resolve(false); }
    }));
    return [!!window.inline, evaluated];
  });
  assert.deepEqual(ran, [false, false]);
  lab.wentWrong.length = 0;                  // the browser said so
});

browserTest('every target on the screen has a place, a role and a name', {}, async lab => {
  const targets = await lab.targets();
  const ids = targets.map(t => t.id);
  for (const id of ['nav.transfer', 'step.pair', 'play', 'next', 'share', 'copy', 'theme', 'input.text', 'input.seed',
    'token.0', 'source.W_query.weight', 'slot.W_query', 'op.W_query', 'matrix.difference', 'verdict', 'auto', 'swap',
    'break', 'trap', 'inspector', 'code']) assert.ok(ids.includes(id), id);
  assert.equal(new Set(ids).size, ids.length);
  for (const t of targets) {
    const [x, y] = [t.x + t.w / 2, t.y + t.h / 2];
    assert.ok(x >= 0 && x <= 1600 && y >= 0 && y <= 1000 && t.w > 0 && t.h > 0, t.id);
    assert.ok(t.role && t.label && typeof t.value === 'string', t.id);
    assert.equal(t.role === 'grid', t.rows > 0 && t.cols > 0, t.id);
  }
});

browserTest('nothing is drawn while nothing happens', { motion: true }, async lab => {
  const frames = () => lab.page.evaluate(() => attentionLab.stats().frames);
  const before = await frames();
  await new Promise(resolve => setTimeout(resolve, 1000));
  assert.equal(await frames(), before);
});

browserTest('a lost picture comes back as it was', { ratio: 1 }, async lab => {
  await lab.click('auto');
  const before = await lab.picture();
  await lab.page.evaluate(() => {
    window.context = document.getElementById('canvas').getContext('webgl2');
    window.loss = context.getExtension('WEBGL_lose_context');
  });
  for (let i = 0; i < 2; i++) {
    await lab.page.evaluate(async () => {
      const canvas = document.getElementById('canvas');
      const lost = new Promise(resolve => canvas.addEventListener('webglcontextlost', resolve, { once: true }));
      loss.loseContext();
      await lost;
    });
    await lab.page.mouse.move(700, 450 + i);
    await lab.page.evaluate(async () => {
      const canvas = document.getElementById('canvas');
      const restored = new Promise(resolve => canvas.addEventListener('webglcontextrestored', resolve, { once: true }));
      await new Promise(resolve => setTimeout(resolve, 50));
      loss.restoreContext();
      await restored;
    });
    await lab.click('heading');              // the pointer is where it was
    await lab.page.mouse.move(...await lab.centre('auto'));
    await lab.rest();
    assert.ok(before.equals(await lab.picture()), 'another picture');
    assert.equal(await lab.page.evaluate(() => context.getError()), 0);
  }
});

// Opens an address where the lab cannot start; what the page says then.
async function excuse(address, prepare) {
  const page = await newPage();
  try {
    await prepare(page);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('#cover.failed');
    return await page.$eval('#message', e => e.textContent);
  } finally {
    await page.close();
  }
}

test('a browser that cannot draw is told so', async () => {
  const said = await excuse(await served(), page => page.evaluateOnNewDocument(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  }));
  assert.match(said, /WebGL 2/);
});

test('a browser without WebAssembly, or without its vectors, is told so', async () => {
  const without = await excuse(await served(), page => page.evaluateOnNewDocument(() => { delete window.WebAssembly; }));
  assert.match(without, /cannot run WebAssembly/);
  const old = await excuse(await served(), page => page.evaluateOnNewDocument(() => { WebAssembly.validate = () => false; }));
  assert.match(old, /SIMD/);
});

test('a part that does not come is told', async () => {
  for (const part of ['lab.wasm', 'lab.js']) {
    const said = await excuse(await served(), async page => {
      await page.setRequestInterception(true);
      page.on('request', request => request.url().endsWith(part) ? request.abort() : request.continue());
    });
    assert.match(said, /could not be loaded/, part);
  }
});

test('the served page opened as a file names the one that works so', async () => {
  const said = await excuse(pathToFileURL(path.resolve(built.page, 'index.html')).href, () => {});
  assert.match(said, /attention-lab\.html/);
});

browserTest('a program that stops says that nothing is lost', { complaints: true }, async lab => {
  await lab.page.evaluate(() => window.dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable') })));
  await lab.page.waitForSelector('#cover.failed');
  assert.match(await lab.page.$eval('#message', e => e.textContent), /kept in the address/);
  lab.wentWrong.length = 0;
});
