// The main job: weights move from SelfAttention_v2 into SelfAttention_v1 until the outputs match.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

browserTest('three matrices are dragged, one is refused first, and the outputs come to match', { ratio: 1, motion: true }, async lab => {
  await lab.expectVerdict('incomplete', '0.9290', 'W_query.weight');
  assert.equal(await lab.value('op.W_query'), 'copy');

  await lab.drag('source.W_query.weight', 'slot.W_query');
  const refusal = await lab.value('refusal');
  assert.match(refusal, /2 × 3|\[2, 3\]/);
  assert.match(refusal, /3 × 2|\[3, 2\]/);
  assert.equal(await lab.value('slot.W_query'), 'empty');
  await lab.expectVerdict('incomplete', '0.9290');

  await lab.click('other-way');
  assert.equal(await lab.value('slot.W_query'), 'filled');
  assert.equal(await lab.value('op.W_query'), 'transpose');
  await lab.expectVerdict('incomplete', '1 of 3');

  await lab.click('op.W_key');
  assert.equal(await lab.value('op.W_key'), 'transpose');
  await lab.drag('source.W_key.weight', 'slot.W_key');
  await lab.expectVerdict('incomplete', '2 of 3', '0.8715');

  await lab.click('op.W_value');
  await lab.drag('source.W_value.weight', 'slot.W_value');
  await lab.expectVerdict('match', /max \|Δ\| = 0\b/);
  assert.match(await lab.value('code'), /v1\.W_value\.copy_\(v2\.W_value\.weight\.T\)/);
});

browserTest('plain copies of square matrices fit, differ, and the verdict names what is wrong', {}, async lab => {
  await lab.click('trap');
  await lab.expectVerdict('differ', '0.575', 'W_query', 'W_key', 'W_value', 'not transposed');

  await lab.click('op.W_key');
  await lab.click('op.W_value');
  await lab.expectVerdict('differ', '0.0067', /W_query was copied, not transposed/);
  assert.doesNotMatch(await lab.label('verdict'), /W_key|W_value/);

  await lab.click('op.W_query');
  await lab.expectVerdict('match');

  await lab.drag('source.W_key.weight', 'slot.W_query');
  await lab.drag('source.W_query.weight', 'slot.W_key');
  await lab.expectVerdict('differ', '0.0040', /W_query and W_key changed places/);

  await lab.drag('source.W_query.weight', 'slot.W_query');
  await lab.drag('source.W_key.weight', 'slot.W_key');
  await lab.expectVerdict('match');
});

browserTest('a matrix dropped on the wrong partner is taken, and can be taken out, undone and done again', {}, async lab => {
  await lab.click('op.W_key');
  await lab.drag('source.W_query.weight', 'slot.W_key');
  assert.match(await lab.query(), /move=W_query\.weight(,|%2C)transpose(,|%2C)W_key/);
  assert.equal(await lab.value('slot.W_key'), 'filled');
  assert.equal(await lab.value('step.W_query'), 'current');   // the first that is still empty
  const filled = await lab.query();

  await lab.click('wire.W_key');
  assert.equal(await lab.value('slot.W_key'), 'empty');
  const emptied = await lab.query();

  await lab.press('Control', 'z');
  assert.equal(await lab.query(), filled);
  await lab.press('Control', 'Shift', 'z');
  assert.equal(await lab.query(), emptied);
  await lab.click('undo');
  assert.equal(await lab.query(), filled);
  await lab.click('redo');
  assert.equal(await lab.query(), emptied);
  for (let i = 0; i < 3; i++) await lab.click('undo');
  assert.ok((await lab.target('undo')).disabled);
  await lab.expectVerdict('incomplete', '0.9290');

  await lab.click('auto');
  await lab.drag('source.W_query.weight', 'slot.W_value');
  await lab.expectVerdict('differ', /W_value/, /W_query\.weight/);
});

browserTest('a matrix pulled out of its slot, or let go elsewhere, goes home', {}, async lab => {
  await lab.click('auto');
  await lab.pickUp('matrix.target.W_query');
  await lab.carryTo(...await lab.centre('inspector'));
  await lab.letGo();
  assert.equal(await lab.value('slot.W_query'), 'empty');

  const before = await lab.query();
  for (const elsewhere of [[800, 40], [-40, 500], [1700, 1200]]) {
    await lab.pickUp('source.W_query.weight');
    await lab.carryTo(...elsewhere);
    await lab.letGo();
    assert.equal(await lab.query(), before);
  }
  await lab.pickUp('source.W_query.weight');
  await lab.carryTo(...await lab.centre('slot.W_query'));
  await lab.press('Escape');
  await lab.letGo();
  assert.equal(await lab.query(), before);
});

browserTest('the other direction asks for the other orientation', {}, async lab => {
  await lab.click('swap');
  assert.ok(await lab.find('source.W_query') && await lab.find('slot.W_query.weight'));
  await lab.expectVerdict('incomplete');
  await lab.drag('source.W_query', 'slot.W_query.weight');
  assert.match(await lab.value('refusal'), /3/);
  await lab.click('dismiss');
  assert.equal(await lab.find('refusal'), undefined);
  await lab.click('auto');
  await lab.expectVerdict('match');
  assert.match(await lab.value('code'), /v2\.W_query\.weight\.copy_\(v1\.W_query\.T\)/);
});

browserTest('Auto fills every slot the right way', {}, async lab => {
  await lab.click('auto');
  await lab.expectVerdict('match', /max \|Δ\| = 0\b/);
  for (const slot of ['W_query', 'W_key', 'W_value']) assert.equal(await lab.value(`op.${slot}`), 'transpose');
  await lab.click('reset');
  await lab.expectVerdict('incomplete');
});

browserTest('a second button neither sticks a drag nor swallows a click', {}, async lab => {
  const { mouse } = lab.page;
  await lab.pickUp('source.W_query.weight');
  await mouse.move(500, 500, { steps: 3 });
  await mouse.down({ button: 'right' });
  await mouse.up({ button: 'left' });
  await mouse.up({ button: 'right' });
  await lab.rest();
  const before = await lab.query();
  await lab.click('matrix.difference');
  assert.doesNotMatch(await lab.query(), /move=/);
  await lab.page.mouse.move(...await lab.centre('auto'));
  await mouse.down({ button: 'right' });
  await mouse.down({ button: 'left' });
  await mouse.up({ button: 'left' });
  await mouse.up({ button: 'right' });
  await lab.rest();
  await lab.expectVerdict('match');
  assert.notEqual(await lab.query(), before);
});

browserTest('the stacked heads are dragged into the bands of the fused module, and a wrong band is named by its head',
  { query: 'lesson=transfer&from=wrapper&to=mha&heads=2' }, async lab => {
    const band = (matrix, head) => `slot.${matrix}.weight[${2 * head}:${2 * head + 2},0:3]`;
    await lab.expectVerdict('incomplete', 'heads.0.W_query.weight', 'W_query.weight[0:2]');
    await lab.click('auto');
    await lab.expectVerdict('match', /max \|Δ\| = 0\b/, 'out_proj of MultiHeadAttention is the identity');

    await lab.drag('source.heads.1.W_key.weight', band('W_key', 0));
    await lab.expectVerdict('differ', /W_key\.weight of head 1 holds W_key\.weight of head 2/);
    assert.match(await lab.value('code'), /mha\.W_key\.weight\[0:2\]\.copy_\(\s*wrapper\.heads\[1\]\.W_key\.weight\)/);

    await lab.drag('source.heads.0.W_key.weight', band('W_key', 0));
    await lab.expectVerdict('match', /max \|Δ\| = 0\b/);
    await lab.click('wire.W_key.weight[2:4,0:3]');
    assert.equal(await lab.value(band('W_key', 1)), 'empty');
    await lab.expectVerdict('incomplete', '5 of 6', 'W_key.weight of head 2');
  });

browserTest('the modules of the bench are chosen from a menu', {}, async lab => {
  await lab.click('input.to');
  for (const kind of ['v1', 'v2', 'causal', 'wrapper', 'mha']) assert.ok(await lab.find(`to.${kind}`), kind);
  await lab.click('to.mha');
  assert.match(await lab.query(), /to=mha/);
  await lab.click('auto');
  await lab.expectVerdict('match');
});
