// Fingers: one that points or rests, two that pinch.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const phone = { width: 390, height: 844, touch: true };
const many = 'lesson=causal-mask&step=scale&text=' + Array.from({ length: 40 }, (_, i) => 'w' + i).join('+');

// The browser learns what it may do with fingers from a frame that it has put together.
const settled = lab => lab.page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

async function pinch(lab, id, from, to) {
  const [x, y] = await lab.centre(id);
  const a = await lab.page.touchscreen.touchStart(x - from, y);
  const b = await lab.page.touchscreen.touchStart(x + from, y);
  for (let i = 1; i <= 4; i++) {
    const d = from + (to - from) * i / 4;
    await a.move(x - d, y);
    await b.move(x + d, y);
  }
  await a.end();
  await b.end();
  await lab.rest();
}

// One finger first: a page that two fingers have been on may hold the next finger for the second.

browserTest('a tap on Edit opens the cell, and what is typed goes into it', { ...phone, query: 'lesson=self-attention&cell=simple.attn_scores.1.1' }, async lab => {
  await settled(lab);
  await lab.tap('sheet');
  assert.equal(await lab.value('sheet'), 'true');
  await lab.tap('edit-cell');
  await new Promise(r => setTimeout(r, 400));             // the events that browsers send after a tap
  await lab.page.keyboard.type('2.5');
  await lab.rest();
  await lab.press('Enter');
  assert.match(await lab.query(), /edit=simple\.attn_scores\.1\.1%3A2\.5|edit=simple\.attn_scores\.1\.1:2\.5/);
});

browserTest('its handle draws the sheet up and down', { ...phone, query: 'lesson=transfer' }, async lab => {
  await settled(lab);
  const { y } = await lab.target('sheet');
  const stage = (await lab.target('matrix.source.W_query.weight')).y;
  const swipe = async by => {
    const from = await lab.target('sheet');
    const finger = await lab.page.touchscreen.touchStart(from.x + from.w / 2, from.y + 12);
    for (let i = 1; i <= 5; i++) await finger.move(from.x + from.w / 2, from.y + 12 + by * i / 5);
    await finger.end();
    await lab.rest();
  };
  await swipe(-200);
  assert.ok((await lab.target('sheet')).y < y - 50, 'up');
  await swipe(200);
  assert.equal((await lab.target('sheet')).y, y, 'down');
  assert.equal((await lab.target('matrix.source.W_query.weight')).y, stage, 'the stage stays');
});

browserTest('a finger that rests on a cell asks what it is made of', { ...phone, query: 'lesson=causal-mask&step=zero' }, async lab => {
  const { x, y, w, h, rows, cols } = await lab.target('matrix.masked_zeroed');
  const before = (await lab.target('sheet')).y;
  const finger = await lab.page.touchscreen.touchStart(x + w / cols * .5, y + h / rows * .5);
  await new Promise(r => setTimeout(r, 900));
  await finger.end();
  await lab.rest();
  assert.match(await lab.query(), /cell=masked_zeroed\.0\.0/);
  assert.ok((await lab.target('sheet')).y < before - 50, 'the sheet came up');
});

browserTest('two fingers enlarge a big matrix, move it, and let it go again', { ...phone, query: many }, async lab => {
  const touch = () => lab.page.$eval('canvas', c => c.style.touchAction);
  assert.equal(await touch(), 'none');
  await settled(lab);
  const width = async () => (await lab.page.evaluate(() => document.querySelector('[data-id="matrix.scaled_scores"]').getBoundingClientRect().width));
  const before = await width();
  await pinch(lab, 'matrix.scaled_scores', 30, 90);
  const after = await width();
  assert.ok(after > 2 * before && after < 4 * before, `${before} → ${after}`);
  assert.equal(await lab.page.evaluate(() => window.visualViewport.scale), 1);
  const outside = await lab.page.evaluate(() => {         // what the stage cuts off is cut off for a finger too
    const table = document.querySelector('[data-id="matrix.scaled_scores"]');
    const { x, y } = table.getBoundingClientRect();
    table.style.pointerEvents = 'auto';
    const found = document.elementsFromPoint(Math.max(1, x + 1), Math.max(1, y + 1)).includes(table);
    table.style.pointerEvents = '';
    return found;
  });
  assert.equal(outside, false);
  await lab.tap('zoom-out');
  assert.equal(await width(), before);
  assert.doesNotMatch(await lab.query(), /cell=/);        // pinching is no tap
});

browserTest('the page of readable matrices is left to the browser to zoom', { ...phone, query: 'lesson=self-attention' }, async lab => {
  assert.equal(await lab.page.$eval('canvas', c => c.style.touchAction), 'pinch-zoom');
  await settled(lab);
  const box = () => lab.page.$eval('#mirror table', e => e.dataset.box);
  const before = await box();
  await pinch(lab, (await lab.targets()).find(t => t.role === 'grid').id, 20, 80);
  assert.equal(await box(), before);                      // not both
  assert.equal(await lab.find('zoom-out'), undefined);
  const cdp = await lab.page.createCDPSession();
  await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
  await cdp.detach();
});

browserTest('a drag that a second finger interrupts does not stick', { ...phone, query: 'd_in=40&d_out=30' }, async lab => {
  await settled(lab);
  const [x, y] = await lab.centre('source.W_query.weight');
  const one = await lab.page.touchscreen.touchStart(x, y);
  await one.move(x + 40, y + 10);
  const two = await lab.page.touchscreen.touchStart(x + 100, y + 100);
  await one.move(x + 60, y + 30);
  await one.end();
  await two.end();
  await lab.rest();
  assert.equal(await lab.value('slot.W_query'), 'empty');
});

// What a screen reader finds under a finger is the cell that lies there.
browserTest('each cell of the page lies over its cell of the picture, also where it is enlarged',
  { ...phone, width: 240, query: 'lesson=causal-mask&step=scale&text=a+b+c+d+e+f+g+h+i+j+k+l' }, async lab => {
    await settled(lab);
    const id = 'matrix.scaled_scores';
    const boxOf = (row, col) => lab.page.$eval(`[data-id="${id}"]`, (table, row, col) => {
      const { x, y, width, height } = table.rows[row + 1].cells[col + 1].getBoundingClientRect();
      return { x, y, width, height };
    }, row, col);
    const cellIsThere = async (row, col) => {              // by the mouse: on a slow machine a finger rests
      const { x, y, width, height } = await boxOf(row, col);
      await lab.page.mouse.click(x + width * .15, y + height * .85);
      await lab.rest();
      assert.match(await lab.query(), new RegExp(`cell=scaled_scores\\.${row}\\.${col}\\b`));
    };
    const before = await boxOf(6, 6);
    await cellIsThere(0, 0);
    await cellIsThere(11, 11);
    await cellIsThere(4, 7);
    for (let i = 0; i < 4; i++) await lab.press('+');      // as two fingers do
    const after = await boxOf(6, 6);
    assert.ok(after.width > 1.3 * before.width && after.height > 1.3 * before.height, `${before.width} → ${after.width}`);
    const inSight = [];
    for (let i = 0; i < 12; i++) {
      const { x, y, width, height } = await boxOf(i, 11 - i);
      if (x > 0 && x + width < 240 && y > 160 && y + height < 500) inSight.push(i);
    }
    assert.ok(inSight.length > 0);
    for (const i of inSight) await cellIsThere(i, 11 - i);
    await lab.click('zoom-out');
    assert.deepEqual(await boxOf(6, 6), before);
    await cellIsThere(11, 0);
  });
