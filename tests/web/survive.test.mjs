// What happens to a page that is used for long: storage that fails, tabs, frames, clocks, windows.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import test from 'node:test';
import { browserTest, newPage, served } from './browser.mjs';

for (const [what, breaks] of [
  ['forbidden', () => Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })],
  ['full', () => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }],
]) {
  test(`where storage is ${what} the lab works, and its address keeps the state`, async () => {
    const page = await newPage();
    try {
      const wrong = [];
      page.on('pageerror', e => wrong.push(String(e)));
      await page.setViewport({ width: 1600, height: 1000, deviceScaleFactor: .5 });
      await page.evaluateOnNewDocument(breaks);
      await page.goto(await served() + '?lesson=self-attention');
      await page.waitForFunction(() => window.attentionLab);
      await page.evaluate(() => attentionLab.ready);
      const seed = await page.evaluate(() => attentionLab.targets().find(t => t.id === 'input.seed'));
      await page.mouse.click(seed.x + seed.w / 2, seed.y + seed.h / 2, { count: 3 });
      await page.keyboard.type('789');
      await page.keyboard.press('Enter');
      await page.evaluate(() => attentionLab.rest());
      assert.match(page.url(), /seed=789/);
      await page.reload();
      await page.waitForFunction(() => window.attentionLab);
      await page.evaluate(() => attentionLab.ready);
      assert.match(await page.evaluate(() => attentionLab.query()), /seed=789/);
      assert.deepEqual([...wrong, ...await page.evaluate(() => attentionLab.errors())], []);
    } finally {
      await page.close();
    }
  });
}

browserTest('two tabs do not disturb each other', { query: 'lesson=self-attention&seed=5' }, async lab => {
  const other = await newPage();
  try {
    await other.goto(lab.link('lesson=causal-mask&seed=6'));
    await other.waitForFunction(() => window.attentionLab);
    await other.evaluate(() => attentionLab.ready);
    await lab.page.bringToFront();
    await lab.click('next');
    assert.match(await lab.query(), /lesson=self-attention.*seed=5/);
    assert.match(await other.evaluate(() => attentionLab.query()), /lesson=causal-mask.*seed=6/);
    await lab.reload();
    assert.match(await lab.query(), /lesson=self-attention.*seed=5/);
  } finally {
    await other.close();
  }
});

browserTest('a tab that crashed opens again as it was', { query: 'lesson=causal-mask' }, async lab => {
  await lab.click('step.zero');
  await lab.type('input.seed', '42');
  const before = await lab.query();
  const page = await newPage();                // what a browser does: the same address, another process
  try {
    await page.goto(lab.page.url());
    await page.waitForFunction(() => window.attentionLab);
    await page.evaluate(() => attentionLab.ready);
    assert.equal(await page.evaluate(() => attentionLab.query()), before);
  } finally {
    await page.close();
    await lab.page.bringToFront();
  }
});

browserTest('a clock that is set back an hour stops nothing', { query: 'lesson=self-attention', motion: true }, async lab => {
  await lab.page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() - 3600e3;
  });
  await lab.click('next');
  await lab.click('next');
  await lab.rest();
  assert.match(await lab.query(), /step=simple-context/);
});

browserTest('a course page frames the lab, from another origin and under any policy of its own', {}, async lab => {
  for (const headers of [{}, { 'Cross-Origin-Embedder-Policy': 'require-corp' }]) {
    const course = http.createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', ...headers });
      response.end(`<!doctype html><title>Course</title><h1>Attention</h1><iframe title="lab" width="0" height="600" src="${lab.link('lesson=self-attention')}"></iframe>`);
    }).listen(0, '127.0.0.1');
    await once(course, 'listening');
    try {
      await lab.page.goto(`http://localhost:${course.address().port}/`);
      const frame = await (await lab.page.waitForSelector('iframe')).contentFrame();
      await frame.waitForFunction(() => performance.getEntriesByName('program').length > 0, { polling: 50 });
      await new Promise(resolve => setTimeout(resolve, 300));
      assert.equal(await frame.evaluate(() => performance.getEntriesByName('first-frame').length), 0, 'drawn for nobody');
      await lab.page.$eval('iframe', e => { e.width = 900; });      // a course may unfold it later
      await frame.evaluate(() => attentionLab.ready);
      const next = await frame.evaluate(() => attentionLab.targets().find(t => t.id === 'next'));
      const { x, y } = await lab.page.$eval('iframe', e => { const { x, y } = e.getBoundingClientRect(); return { x, y }; });
      await lab.page.mouse.click(x + next.x + next.w / 2, y + next.y + next.h / 2);
      await frame.evaluate(() => attentionLab.rest());
      assert.match(await frame.evaluate(() => attentionLab.query()), /step=simple-weights/);
      assert.deepEqual(await frame.evaluate(() => attentionLab.errors()), []);
      await lab.page.addStyleTag({ content: 'body { height: 3000px }' });
      await lab.page.$eval('iframe', e => { e.width = 1200; e.height = 900; });
      await frame.evaluate(() => attentionLab.rest());
      await lab.page.mouse.wheel({ deltaY: 100 });                  // nothing of the lab is below: the course moves on
      await lab.page.waitForFunction(() => scrollY > 0);
    } finally {
      course.close();
    }
  }
  lab.requests.length = 0;                     // the course's own
  await lab.go('');
});

browserTest('in a sandbox without an origin the lab works too', {}, async lab => {
  const course = http.createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<!doctype html><title>Course</title><iframe title="lab" sandbox="allow-scripts" width="1000" height="700" src="${lab.link('lesson=self-attention')}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(course, 'listening');
  try {
    await lab.page.goto(`http://localhost:${course.address().port}/`);
    const frame = await (await lab.page.waitForSelector('iframe')).contentFrame();
    await frame.waitForFunction(() => window.attentionLab);
    await frame.evaluate(() => attentionLab.ready);
    assert.deepEqual(await frame.evaluate(() => attentionLab.errors()), []);
  } finally {
    course.close();
  }
  lab.requests.length = 0;
  await lab.go('');
});

browserTest('a state that is too long for servers stays behind #, and comes back', {}, async lab => {
  const words = Array.from({ length: 40 }, (_, i) => '\u8a9e'.repeat(33) + i).join(' ');
  await lab.type('input.text', words);
  await lab.press('Enter');
  const before = await lab.query();
  assert.ok(before.length > 10000);
  assert.ok(new URL(lab.page.url()).search.length < 100);
  await lab.reload();
  assert.equal(await lab.query(), before);
});

browserTest('a picture that is taken away and does not come back is spoken of; one that does is drawn', { complaints: true }, async lab => {
  const cover = () => lab.page.$eval('#cover', e => e.hidden ? '' : e.textContent);
  await lab.page.evaluate(() => {
    window.taken = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.taken.loseContext();
  });
  await lab.page.waitForFunction(() => !document.getElementById('cover').hidden);
  assert.match(await cover(), /took the picture away.*kept in the address/);
  await lab.page.evaluate(() => window.taken.restoreContext());
  await lab.page.waitForFunction(() => document.getElementById('cover').hidden);
});

test('a browser that throws instead of drawing gets plain words', async () => {
  const page = await newPage();
  try {
    await page.evaluateOnNewDocument(() => {
      HTMLCanvasElement.prototype.getContext = () => { throw Error('not allowed'); };
    });
    await page.goto(await served());
    await page.waitForFunction(() => document.getElementById('cover').classList.contains('failed'));
    assert.match(await page.$eval('#cover', e => e.textContent), /could not start in this browser/);
  } finally {
    await page.close();
  }
});
