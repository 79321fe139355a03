// The whole model, by hand: its text cut into tokens, a small one drawn and read, heads walked, sizes compared.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const small = 'lesson=gpt&size=custom&custom_dim=24&custom_layers=3&custom_heads=2';
const until = async (lab, id) => {
  for (let i = 0; i < 200 && !await lab.find(id); i++) await new Promise(done => setTimeout(done, 100));
  return lab.target(id);
};

browserTest('a text becomes the ids that GPT-2 has for it, and the vocabulary is loaded once', { query: 'lesson=gpt' }, async lab => {
  await until(lab, 'token.3');
  assert.match(await lab.value('inspector'), /15496 11 314 716/);
  await lab.type('input.text', 'hello, i am');
  assert.match(await lab.value('inspector'), /31373 11 1312 716/);
  await lab.click('nav.causal-mask');
  await lab.click('nav.gpt');
  assert.equal(lab.requests.filter(url => /vocabulary/.test(url)).length, 1);
});

browserTest('a small model is drawn and read, and every head of every block can be looked at', { query: `${small}&step=maps` }, async lab => {
  const { x, y, w, h } = await until(lab, 'matrix.heads');
  await lab.page.mouse.click(x + w * .75, y + h * .5);                           // block 2, head 2
  await lab.rest();
  assert.match(await lab.label('matrix.heads'), /block 2, head 2/);
  await lab.press('ArrowDown');
  assert.match(await lab.label('matrix.heads'), /block 3, head 2/);
});

browserTest('the next token is told with its share, and a tied head repeats itself', { query: `${small}&step=greedy` }, async lab => {
  await until(lab, 'written');
  const free = await lab.value('written');
  assert.match(free, /^Hello, I am/);
  await lab.click('step.tie');
  await until(lab, 'written');
  assert.match(await lab.value('inspector'), /parameters are gone/);
});

browserTest('a large model waits to be asked, and Cancel lets go of it', { query: 'lesson=gpt&step=tower' }, async lab => {
  await until(lab, 'draw-model');
  assert.match(await lab.value('inspector'), /163,009,536 numbers are not drawn yet: 621\.83 MB/);
  await lab.page.mouse.click(...await lab.centre('draw-model'));             // and no rest: it would be drawn by then
  await until(lab, 'stop-model');
  await lab.page.mouse.click(...await lab.centre('stop-model'));
  assert.ok(await until(lab, 'draw-model'));
});

browserTest('the ledger has the figures of all four sizes, and takes one', { query: 'lesson=gpt&step=sizes' }, async lab => {
  for (const [size, total] of [['124M', '163,009,536'], ['355M', '406,212,608'], ['774M', '838,220,800'], ['1558M', '1,637,792,000']]) {
    assert.ok((await lab.label(`ledger.${size}`)).includes(`total ${total}`));
  }
  await lab.click('ledger.1558M');
  assert.match(await lab.query(), /size=1558M/);
  await lab.click('step.next');
  assert.match(await lab.value('inspector'), /more than a page may keep/);
});
