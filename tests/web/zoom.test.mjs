// The page at 200 %: half as many points, two pixels each. All of each step can be reached and nothing is cut.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

// Everything that the mirror holds, where it is and whether a hand can reach it there.
const things = lab => lab.page.evaluate(() => {
  const reached = new Set(attentionLab.targets().map(t => t.id));
  return [...document.querySelectorAll('#mirror [data-id]')].map(e => {
    const [x, y, w, h] = e.dataset.box.split(' ').map(Number);
    return { id: e.dataset.id, x, y, w, h, read: e.matches('section, h2'), reached: reached.has(e.dataset.id) };
  });
});

for (const [width, height, of] of [[800, 500, '1600x1000'], [640, 360, '1280x720']]) {
  browserTest(`at 200 % of a window of ${of} every step can be reached, by scrolling down alone`, { width, height, ratio: 2 }, async lab => {
    await lab.page.setViewport({ width, height: height + 1, deviceScaleFactor: .5 });   // drawn faster, laid out the same
    await lab.page.setViewport({ width, height, deviceScaleFactor: .5 });
    const ids = async start => (await things(lab)).map(t => t.id).filter(id => id.startsWith(start)).map(id => id.slice(start.length));
    const wrong = [];
    async function scroll(by, y, look) {                     // until nothing moves any more
      await lab.page.mouse.move(width / 2, y);
      for (let i = 0, before = ''; i < 25; i++) {
        const now = await things(lab);
        const at = JSON.stringify(now.map(t => t.y));
        look(now);
        if (at === before) break;
        before = at;
        await lab.page.mouse.wheel({ deltaY: by });
        await lab.rest();
      }
    }
    for (const lesson of ['transfer', 'self-attention', 'causal-mask', 'roadmap']) {
      await lab.open(`lesson=${lesson}`);
      for (const step of await ids('step.')) {
        await lab.open(`lesson=${lesson}&step=${step}`);
        await scroll(-900, height / 2, () => {});
        const missing = new Set((await things(lab)).filter(t => !t.read).map(t => t.id));
        const look = now => {
          for (const t of now) {
            if (t.reached) missing.delete(t.id);
            if (t.w > 0 && (t.x < -1 || t.x + t.w > width + 1)) wrong.push(`${lesson}.${step}: ${t.id} is cut at the side, ${t.x}…${t.x + t.w}`);
          }
        };
        await scroll(height * .4, height / 2, look);   // less than what lies between header and steps
        if (await lab.find('sheet')) {                       // the inspector is drawn up
          await lab.click('sheet');
          await scroll(150, height - 40, look);
          await lab.click('sheet');
        }
        if (missing.size) wrong.push(`${lesson}.${step}: not reached ${[...missing].join(' ')}`);
      }
    }
    assert.deepEqual([...new Set(wrong)], []);
    assert.deepEqual(await lab.page.evaluate(() => [scrollX, scrollY, document.documentElement.scrollWidth - innerWidth]), [0, 0, 0]);
  });
}
