// Other screens: two device pixels a point, a phone, a finger, dark.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

async function moveQuery(lab, drag, use) {
  await use('op.W_query');
  assert.equal(await lab.value('op.W_query'), 'transpose');
  await drag('source.W_query.weight', 'slot.W_query');
  assert.equal(await lab.value('slot.W_query'), 'filled');
}
const byMouse = lab => moveQuery(lab, (a, b) => lab.drag(a, b), id => lab.click(id));
const byFinger = lab => moveQuery(lab, (a, b) => lab.dragByFinger(a, b), id => lab.tap(id));

const canvasSize = lab => lab.page.$eval('canvas', c => [c.width, c.height]);

browserTest('a drag works at two device pixels a point', { ratio: 2, width: 1200, height: 800 }, async lab => {
  assert.deepEqual(await canvasSize(lab), [2400, 1600]);
  await byMouse(lab);
});

browserTest('a drag works at a ratio that is not whole', { width: 1367, height: 901, ratio: 1.25 }, async lab => {
  assert.deepEqual(await canvasSize(lab), [1709, 1126]);
  await byMouse(lab);
});

browserTest('a drag works on a phone, by mouse', { width: 390, height: 844, ratio: 2 }, byMouse);

browserTest('a drag works on a phone, by finger', { width: 390, height: 844, ratio: 3, touch: true }, async lab => {
  await byFinger(lab);
  assert.deepEqual(await lab.page.evaluate(() => [scrollX, scrollY, visualViewport.scale]), [0, 0, 1]);
});

browserTest('a phone scrolls by finger to the verdict and the code', { width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  const swipe = async () => {
    const finger = await lab.page.touchscreen.touchStart(6, 560);
    for (let y = 550; y >= 100; y -= 70) await finger.move(6, y);
    await finger.end();
    await lab.rest();
  };
  for (let i = 0; i < 8 && !await lab.find('auto'); i++) await swipe();
  await lab.tap('auto');
  assert.equal((await lab.query()).match(/move=/g).length, 3);
  assert.equal(await lab.find('copy'), undefined);
  await lab.tap('sheet');                  // the inspector is drawn up, with the program in it
  await lab.tap('copy');
  assert.match(await lab.said(), /copied/);
});

browserTest('light and dark follow the system, and the choice of the user', { dark: true, ratio: 1 }, async lab => {
  const theme = () => lab.page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'dark');
  await lab.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await lab.rest();
  await lab.page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  await lab.click('theme');
  await lab.click('theme');
  assert.equal(await theme(), 'dark');
  assert.match(await lab.query(), /theme=dark/);
});

browserTest('the picture follows the size of the window', {}, async lab => {
  for (const [width, height, ratio] of [[1280, 720, 1], [1024, 768, 2], [800, 600, 1], [390, 844, 3]]) {
    await lab.page.setViewport({ width, height, deviceScaleFactor: ratio });
    await lab.page.waitForFunction((w, h) => document.querySelector('canvas').width === w && document.querySelector('canvas').height === h,
      {}, width * ratio, height * ratio);
    await lab.rest();
    for (const t of await lab.targets()) assert.ok(t.x + t.w / 2 <= width && t.y + t.h / 2 <= height, t.id);
    assert.ok(await lab.find('source.W_query.weight'));
  }
});
