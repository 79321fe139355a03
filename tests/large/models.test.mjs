// GPT-2 small, whole, in the page: drawn from its seed, and the book's text written. ./lab test-large
import assert from 'node:assert/strict';
import { browserTest } from '../web/browser.mjs';

browserTest('GPT-2 small is drawn from seed 123 in the page and writes the book’s six words and four more', { query: 'lesson=gpt&step=greedy' }, async lab => {
  const wait = async (id, ready = () => true) => {
    for (let found; ; await new Promise(done => setTimeout(done, 50))) if ((found = await lab.find(id)) && ready(found)) return found;
  };
  await wait('draw-model');
  const began = Date.now();
  await lab.page.mouse.click(...await lab.centre('draw-model'));
  const { value } = await wait('written', ({ value }) => value.endsWith(' analogous'));
  console.log(`drawn, read and written in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  assert.equal(value, 'Hello, I am Featureiman Byeswickattribute argue logger Normandy Compton analogous');
});

// Peak memory: what the page has grown to.
for (const [size, most] of [['355M', 2.5e9], ['774M', 2.5e9], ['1558M', 2.5e9]]) {
  browserTest(`${size} is drawn from seed 123 and reads a text in at most 2.5 GB`, { query: `lesson=gpt&step=next&size=${size}` }, async lab => {
    const wait = async id => {
      for (let found; ; await new Promise(done => setTimeout(done, 100))) if ((found = await lab.find(id))) return found;
    };
    await wait('draw-model');
    const began = Date.now();
    await lab.page.mouse.click(...await lab.centre('draw-model'));
    const { value } = await wait('likeliest');
    const bytes = await lab.page.evaluate(() => Module.HEAPU8.length);
    console.log(`${size}: ${((Date.now() - began) / 1000).toFixed(1)} s, ${(bytes / 1e9).toFixed(2)} GB; ${value}`);
    assert.ok(bytes <= most);
    assert.match(await lab.value('inspector'), /times an even share/);
  });
}
