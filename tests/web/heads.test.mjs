// Several heads, by hand: switched off, split wrongly, broken, built by hand; the question answered.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const matrix = async (lab, name) => JSON.parse(await lab.page.evaluate(() => attentionLab.trace())).tensors[name];
const largest = tensor => Math.max(...tensor.data.map(x => Math.abs(Number(x))));

browserTest('a head that is switched off leaves its columns empty, and comes back', { query: 'lesson=multi-head&step=concat' }, async lab => {
  const before = await matrix(lab, 'wrapper.out');
  await lab.click('off.0');
  const without = await matrix(lab, 'wrapper.out');
  assert.ok(without.data.every((x, i) => i % 4 < 2 ? Number(x) === 0 : x === before.data[i]));
  assert.match(await lab.query(), /off=0/);
  assert.match(await lab.said(), /Head 1 is off/);
  await lab.click('off.0');
  assert.deepEqual(await matrix(lab, 'wrapper.out'), before);
});

browserTest('the split is chosen from a menu, and the difference follows', { query: 'lesson=multi-head&step=pack' }, async lab => {
  assert.equal(largest(await matrix(lab, 'difference')), 0);
  await lab.click('input.split');
  await lab.click('split.no-transpose');
  assert.ok(Math.abs(largest(await matrix(lab, 'difference')) - .5819) < 1e-4);
  assert.match(await lab.value('inspector'), /0\.5819/);
});

browserTest('a broken band names its head, and another can be broken', { query: 'lesson=multi-head&step=pack' }, async lab => {
  await lab.click('step.break');
  assert.match(await lab.value('inspector'), /Head 2's key band stands where head 1's belongs/);
  const fault = await lab.query();
  await lab.click('break');
  assert.notEqual(await lab.query(), fault);
  await lab.click('undo');
  assert.equal(await lab.query(), fault);
});

browserTest('heads built by hand look at different things, and the drawn ones come back', { query: 'lesson=multi-head&step=maps' }, async lab => {
  const drawn = await lab.query();
  await lab.click('input.example');
  assert.equal((await matrix(lab, 'wrapper.out')).shape[1], 8);
  assert.match(await lab.value('inspector'), /the word before/);
  assert.ok(await lab.target('matrix.wrapper.heads.3.attn_weights'));
  await lab.click('input.example');
  assert.equal(await lab.query(), drawn);
});

browserTest('three heads cannot share two columns, and are told what would do', { query: 'lesson=multi-head' }, async lab => {
  await lab.type('input.heads', '3');
  await lab.press('Enter');
  assert.match(await lab.value('inspector'), /2 columns cannot be shared by 3 heads\. Try d_out 3 or 6\./);
  assert.equal((await matrix(lab, 'wrapper.out')).shape[1], 6);
});

browserTest('questions are chosen by a click and answered; Back goes to the one before', { query: 'lesson=multi-head&step=question' }, async lab => {
  await lab.click('ask.mh2');
  assert.equal(await lab.query(), 'lesson=multi-head&step=question&question=mh2');
  await lab.click('answer.2');
  assert.match(await lab.said(), /Not that/);
  await lab.click('answer.1');
  assert.match(await lab.said(), /Right/);
  assert.match(await lab.label('ask.mh2'), /answered/);
  assert.match(await lab.label('nav.multi-head'), /1 of 6 questions answered/);
  await lab.page.goBack();
  assert.equal(await lab.query(), 'lesson=multi-head&step=question');
});

browserTest('exercise 3.2 is solved on a phone, by touch', { query: 'lesson=multi-head&question=e3.2', width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  await lab.tap('check');
  assert.match(await lab.said(), /It returns 4 columns now/);
  await lab.tap('more');
  await lab.type('input.d_out', '1');
  await lab.tap('check');
  assert.match(await lab.said(), /Right.*-0\.5740 0\.2216/);
});

browserTest('a head is opened from its map, its neighbour looked at, and all heads are back', { query: 'lesson=multi-head&step=maps' }, async lab => {
  await lab.click('open-head.wrapper.heads.0');
  assert.match(await lab.said(), /One head, opened: head 1/);
  assert.match(await lab.value('sums.wrapper.heads.0.masked_zeroed'), /^0\.17 0\.34 0\.51/);
  assert.ok(await lab.target('matrix.wrapper.heads.0.route_difference'));
  await lab.click('head-after');
  assert.match(await lab.query(), /step=stages&cell=wrapper\.heads\.1\.masked_renormalized/);
  await lab.click('close-head');
  assert.match(await lab.query(), /step=maps/);
});

browserTest('two heads change places and take them back, out_proj\'s columns with them or not', { query: 'lesson=multi-head&step=out_proj' }, async lab => {
  const before = await matrix(lab, 'mha.out');
  await lab.click('step.swap');
  assert.ok(largest(await matrix(lab, 'fused_change')) > .1);
  assert.match(await lab.value('inspector'), /Heads 1 and 2 changed places/);
  await lab.click('input.swap_out_proj');
  assert.equal(largest(await matrix(lab, 'fused_change')), 0);
  await lab.click('swap.1');
  assert.match(await lab.said(), /Every head stands in its own place/);
  assert.deepEqual(await matrix(lab, 'mha.out'), before);
  await lab.click('undo');
  assert.match(await lab.query(), /swap=0,1/);
});

browserTest('training drops words, each sentence of a batch by its own dice', { query: 'lesson=multi-head&step=maps' }, async lab => {
  await lab.click('input.training');
  assert.ok(await lab.target('matrix.wrapper.heads.1.attn_weights_dropped'));
  await lab.type('input.batch', '2');
  await lab.press('Enter');
  const first = await matrix(lab, 'wrapper.out');
  await lab.click('input.sample');
  assert.match(await lab.query(), /batch=2&sample=1/);
  assert.notDeepEqual(await matrix(lab, 'wrapper.out'), first);
});
