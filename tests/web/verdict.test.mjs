// What the verdict says when it is not the orientation: the mask, a bias, one word, no words.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

browserTest('a causal and an unmasked module agree under the mask; as they are the mask is blamed', {}, async lab => {
  await lab.open('to=causal');
  await lab.click('auto');
  await lab.expectVerdict('match');
  assert.equal(await lab.value('compare'), 'masked');
  await lab.click('compare');
  assert.equal(await lab.value('compare'), 'as-is');
  await lab.expectVerdict('differ', 'mask', 'Only the last row');
  const { tensors } = JSON.parse(await lab.trace());
  const [rows, cols] = tensors.difference.shape;
  const agree = row => tensors.difference.data.slice(row * cols, (row + 1) * cols).every(d => Math.abs(d) < 1e-6);
  assert.deepEqual(Array.from({ length: rows }, (_, row) => agree(row)), [false, false, false, false, false, true]);
  await lab.click('compare');
  await lab.expectVerdict('match');
});

browserTest('a bias that has no slot is named', {}, async lab => {
  await lab.click('input.bias');
  assert.match(await lab.query(), /bias=1/);
  await lab.click('auto');
  await lab.expectVerdict('differ', /bias/);
  assert.equal(await lab.find('slot.W_query.bias'), undefined);
  await lab.open('bias=1&to=causal');
  await lab.click('auto');
  await lab.expectVerdict('match');
  assert.ok(await lab.find('slot.W_query.bias'));
});

browserTest('with one word query and key cannot be seen', {}, async lab => {
  await lab.type('input.text', 'Hello');
  assert.match(await lab.query(), /text=Hello/);
  await lab.click('auto');
  await lab.expectVerdict('match', /query and key cannot be seen/);
  await lab.click('op.W_query');                       // 2 × 3 does not fit: refused
  await lab.click('dismiss');
  await lab.drag('source.W_key.weight', 'slot.W_query');
  await lab.expectVerdict('match', /query and key cannot be seen/);
  await lab.drag('source.W_key.weight', 'slot.W_value');
  await lab.expectVerdict('differ', /W_value/);
});

browserTest('an empty sentence says what to do, and typing brings the outputs back', {}, async lab => {
  await lab.type('input.text', '');
  await lab.expectVerdict('incomplete', /Type a sentence/);
  assert.equal(await lab.find('token.0'), undefined);
  await lab.type('input.text', 'a robot may not injure');
  assert.match(await lab.label('token.4'), /injure/);
  await lab.click('auto');
  await lab.expectVerdict('match');
});

browserTest('seed, sizes and tolerances are taken as they are typed', { ratio: 1 }, async lab => {
  await lab.type('input.seed', '789');
  await lab.expectVerdict('incomplete', '0.9168');
  await lab.type('input.d_out', '3');
  await lab.type('input.seed', '123');
  await lab.expectVerdict('incomplete', /1\.27/);
  await lab.type('input.d_in', '99');
  assert.equal(await lab.value('input.d_in'), '64');
  assert.match(await lab.said(), /d_in.*64/);
  await lab.type('input.atol', '10');
  await lab.click('auto');
  await lab.click('wire.W_value');
  await lab.click('torch-tolerance');
  assert.equal(await lab.value('input.atol'), '1e-08');
  assert.doesNotMatch(await lab.query(), /rtol/);
});
