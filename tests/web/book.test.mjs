// The numbers of the book, by hand: rows open their cell, counts compare, the filter leaves what is explained, the dice
// change what lies behind a dropout.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

// The vocabulary comes a moment after the page.
async function until(lab, id, sees) {
  for (let i = 0; i < 300; i++) {
    const found = await lab.find(id);
    if (found && sees.test(found.label + ' ' + found.value)) return found;
    await new Promise(done => setTimeout(done, 100));
  }
  assert.fail(`${id} does not say ${sees}: ${JSON.stringify(await lab.find(id))}`);
}
const keepSaved = lab => lab.page.evaluate(() => {
  window.saved = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = blob => { blob.text().then(text => window.saved.push({ type: blob.type, text })); return make(blob); };
});
const equal = async lab => {
  await until(lab, 'book', /121 not run/);
  return Number((await lab.value('book')).match(/^(\d+) of \d+ equal/)[1]);
};

browserTest('all that needs no large model is computed on arrival, and equal', { query: 'lesson=book' }, async lab => {
  assert.equal(await equal(lab), 783);
  assert.match(await lab.value('book'), /121 not run: GPT-2 small, 622 MiB/);
  assert.match(await lab.value('inspector'), /0\.5517: 0\.551678/);
});

browserTest('a row opens the lesson at its cell, and Back returns to the list', { query: 'lesson=book' }, async lab => {
  await lab.click('book.5');
  assert.equal(await lab.query(), 'lesson=self-attention&step=simple-context&cell=simple.context_vec.1.0');
  assert.match(await lab.value('inspector'), /0\.4419/);
  await lab.page.goBack();
  await lab.rest();
  assert.equal(await lab.query(), 'lesson=book');
});

browserTest('a row keeps its own seed, whatever was changed in the lesson it opens', { query: 'lesson=book&step=odd' }, async lab => {
  const odd = (await lab.targets()).filter(t => t.id.startsWith('book.'));
  assert.ok(odd.length >= 2 && odd.length <= 8, `${odd.length} rows`);
  await lab.click(odd[0].id);
  assert.equal(await lab.query(), 'lesson=multi-head&step=concat&d_out=1&cell=wrapper.out.0.0');
  await lab.type('input.seed', '5');
  await lab.click('nav.book');
  assert.equal(await equal(lab), 783);
});

browserTest('a count compares its row number by number', { query: 'lesson=book' }, async lab => {
  await lab.click('check.0');
  assert.match(await lab.query(), /row=0/);
  assert.match(await lab.value('inspector'), /scores of journey.*0\.9544: 0\.954400/);
});

browserTest('the filter leaves the explained ones, and all come back', { query: 'lesson=book' }, async lab => {
  const rows = async () => (await lab.targets()).filter(t => t.id.startsWith('book.')).length;
  const before = await rows();
  await lab.click('filter');
  assert.equal(await lab.value('filter'), 'true');
  assert.ok(await rows() < before);
  await lab.click('filter');
  assert.equal(await rows(), before);
});

browserTest('other dice are compared with what their system prints, apart, and none is wrong', { query: 'lesson=book&step=dice' }, async lab => {
  await lab.click('input.stream');
  assert.match(await lab.query(), /stream=mkl/);
  assert.equal(await equal(lab), 711);
  assert.match(await lab.value('book'), /711 of 722 equal.*Apart, behind dropout: 72 of 182/);
  assert.doesNotMatch(await lab.value('book'), /wrong/);
  await lab.click('input.stream');
  assert.equal(await equal(lab), 783);
});

// No rest while it runs: it would be over by then.
browserTest('GPT-2 small is run when asked for, the page goes on, and Cancel leaves what was there', { query: 'lesson=book' }, async lab => {
  await equal(lab);
  await lab.page.mouse.click(...await lab.centre('run-book'));
  await until(lab, 'book', /GPT-2 small is being drawn: \d\d/);
  await until(lab, 'run-book', /Cancel/);
  await lab.page.mouse.click(...await lab.centre('check.3'));           // which is drawn meanwhile
  await until(lab, 'inspector', /softmax written out/);
  await lab.page.mouse.click(...await lab.centre('nav.self-attention'));
  await lab.rest();                                                      // it waits for who comes back
  await lab.page.mouse.click(...await lab.centre('nav.book'));
  await until(lab, 'book', /GPT-2 small is being drawn/);
  await lab.page.mouse.click(...await lab.centre('run-book'));
  await until(lab, 'run-book', /Run all/);
  await lab.rest();
  assert.equal(await equal(lab), 783);
});

browserTest('the keyboard starts the run and stops it, and stays where it is', { query: 'lesson=book' }, async lab => {
  await equal(lab);
  const focus = () => lab.page.evaluate(() => document.activeElement.closest('[data-id]')?.dataset.id);
  for (let i = 0; i < 60 && await focus() !== 'run-book'; i++) await lab.page.keyboard.press('Tab');
  assert.equal(await focus(), 'run-book');
  await lab.page.keyboard.press('Enter');
  await until(lab, 'book', /GPT-2 small is being drawn: \d\d/);
  assert.equal(await focus(), 'run-book');
  await lab.page.keyboard.press('Enter');
  await until(lab, 'run-book', /Run all/);
  assert.equal(await focus(), 'run-book');
});

// What the page saves is what the command line prints, but for the rows that it has not run.
browserTest('the report is saved as text and as JSON, and copied', { query: 'lesson=book&stream=mkl' }, async lab => {
  await equal(lab);
  const saved = () => lab.page.evaluate(() => window.saved.splice(0));
  await keepSaved(lab);
  await lab.click('report.txt');
  await lab.click('report.json');
  await new Promise(done => setTimeout(done, 500));
  const [text, json] = await saved();
  assert.match(text.type, /text\/plain/);
  assert.match(text.text, /711 of 722 equal/);
  const report = JSON.parse(json.text);
  assert.deepEqual([report.system, report.count.equal, report.count_apart.equal, report.rows.length], ['Linux, Windows', 711, 72, 61]);
  await lab.click('report.copy');
  assert.equal(await lab.page.evaluate(() => navigator.clipboard.readText()), text.text);
});

browserTest('on a phone a tap opens a row too', { query: 'lesson=book', width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  await lab.tap('book.1');
  assert.equal(await lab.query(), 'lesson=self-attention&step=inputs&cell=simple.attn_scores.0.1');
});

browserTest('on a phone a finger starts the run and stops it, and saves the report from the sheet', { query: 'lesson=book', width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  await equal(lab);
  const tap = async id => lab.page.touchscreen.tap(...await lab.centre(id));
  await tap('run-book');
  await until(lab, 'book', /GPT-2 small is being drawn: \d\d/);
  await tap('run-book');
  await until(lab, 'run-book', /Run all/);
  await lab.tap('sheet');
  await keepSaved(lab);
  for (let i = 0; i < 8 && !await lab.find('report.txt'); i++) await lab.dragByFinger('inspector', 'heading');
  await lab.tap('report.txt');
  await lab.page.waitForFunction(() => saved.length);
  assert.match(await lab.page.evaluate(() => saved[0].type), /text\/plain/);
});
