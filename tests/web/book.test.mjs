// The numbers of the book, by hand: rows open their cell, counts compare, the filter leaves what is explained, the dice
// change what lies behind a dropout.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const equal = async lab => Number((await lab.value('book')).match(/^(\d+) of 904 equal/)[1]);

browserTest('all that needs no large model is computed on arrival, and equal', { query: 'lesson=book' }, async lab => {
  assert.equal(await equal(lab), 769);
  assert.match(await lab.value('book'), /135 not run/);
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
  assert.equal(await equal(lab), 769);
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

browserTest('other dice leave fewer numbers equal, and never a wrong one', { query: 'lesson=book&step=dice' }, async lab => {
  await lab.click('input.stream');
  assert.match(await lab.query(), /stream=mkl/);
  assert.ok(await equal(lab) < 769);
  assert.doesNotMatch(await lab.value('book'), /wrong/);
  await lab.click('input.stream');
  assert.equal(await equal(lab), 769);
});

browserTest('on a phone a tap opens a row too', { query: 'lesson=book', width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  await lab.tap('book.1');
  assert.equal(await lab.query(), 'lesson=self-attention&step=inputs&cell=simple.attn_scores.0.1');
});
