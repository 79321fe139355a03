// GPT-2 small, whole, in the page: drawn from its seed, the book's text written, and all of the book's numbers ticked.
// ./lab test-large
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { browserTest, built } from '../web/browser.mjs';

async function until(lab, id, ready = () => true) {
  for (let found; ; await new Promise(done => setTimeout(done, 50))) if ((found = await lab.find(id)) && ready(found)) return found;
}
const seconds = began => ((Date.now() - began) / 1000).toFixed(1);

browserTest('GPT-2 small is drawn from seed 123 in the page and writes the book’s six words and four more', { query: 'lesson=gpt&step=greedy' }, async lab => {
  await until(lab, 'draw-model');
  const began = Date.now();
  await lab.page.mouse.click(...await lab.centre('draw-model'));
  const { value } = await until(lab, 'written', ({ value }) => value.endsWith(' analogous'));
  console.log(`drawn, read and written in ${seconds(began)} s`);
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
browserTest('all 904 numbers of the book are computed in the page, for both systems, as the command line computes them', { query: 'lesson=book' }, async lab => {
  await until(lab, 'book', ({ value }) => /121 not run/.test(value));
  const began = Date.now();
  await lab.page.mouse.click(...await lab.centre('run-book'));
  const told = new Map();
  const { value } = await until(lab, 'book', ({ value }) => {
    const says = value.replace(/^.*explained\. /, '');
    if (!told.has(says)) told.set(says, seconds(began));
    return /all rows computed/.test(value);
  });
  console.log(`run in ${seconds(began)} s, told meanwhile:\n${[...told].filter((_, i) => i % 8 === 0).map(([says, at]) => `  ${at} s ${says}`).join('\n')}`);
  assert.ok(told.size > 20, 'the page went on drawing');
  assert.match(value, /^904 of 904 equal/);
  await lab.click('step.dice');
  await lab.click('input.stream');
  assert.match(await lab.value('book'), /^722 of 722 equal.*Apart, behind dropout: 182 of 182/);
  await lab.click('report.copy');
  const report = await lab.page.evaluate(() => navigator.clipboard.readText());
  const printed = execFileSync(built.native, ['book', 'stream=mkl'], { encoding: 'utf8', env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' } });
  const lines = text => text.split('\n').filter(line => !/^ +computed/.test(line));    // whose last bits may differ
  assert.deepEqual(lines(report).filter((line, i) => line !== lines(printed)[i]), []);
  for (let row = 60; !/the generated text/.test(await lab.value('inspector')); row--) {
    await lab.open(`lesson=book&row=${row}`);
    await lab.rest();
  }
  const opened = Date.now();
  await lab.page.mouse.click(...await lab.centre('open-row'));
  const { value: text } = await until(lab, 'written', ({ value }) => /argue/.test(value));
  assert.match(text, /^Hello, I am Featureiman Byeswickattribute argue/);
  console.log(`its text stands in the lesson ${seconds(opened)} s after, with the same model`);
  await lab.reload();
  await lab.open('lesson=book');
  await until(lab, 'book', ({ value }) => /121 not run: GPT-2 small, 622 MiB, [\d.]+ s last time/.test(value));
});
