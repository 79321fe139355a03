// Break it: one fault is made and hidden until the learner names a matrix.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

browserTest('Break it hides its fault until a slot is named, whichever fault it is', {}, async lab => {
  const told = new Set();
  for (let fault = 0; fault < 12; fault++) {
    await lab.open(`fault=${fault}&seed=789&d_in=3&d_out=3`);
    await lab.expectVerdict('differ', 'One thing is wrong');
    const targets = await lab.targets();
    assert.ok(!targets.some(t => /^(op|wire)\./.test(t.id)), 'switches and wires are hidden');
    assert.deepEqual(targets.filter(t => t.id.startsWith('slot.')).map(t => t.value), ['filled', 'filled', 'filled']);
    const said = targets.map(t => t.label + ' ' + t.value).join('\n');
    assert.doesNotMatch(said, /copy_|was copied|changed places|still holds|where W_|Transpose it/);
    assert.doesNotMatch(await lab.query(), /move=/);

    await lab.click('slot.W_query');
    const { value, label } = await lab.verdict();
    assert.equal(value, 'differ');
    assert.match(label, /You found it|Not W_query/);
    const culprit = /was copied, not transposed|changed places|The slot W_\w+ holds|still holds/.exec(label);
    assert.ok(culprit, label);
    assert.equal(/^You found it/.test(label), /W_query (was|and|still)|slot W_query/.test(label), label);
    assert.ok(await lab.find('op.W_query'), 'the switches are shown');
    assert.match(await lab.value('code'), /copy_|not transferred/);
    told.add(label.replace(/^.*max \|Δ\| = \S+/, ''));
  }
  assert.ok(told.size >= 5, `only ${told.size} different faults: ${[...told].join('; ')}`);
});

browserTest('the button breaks something that can be found and repaired', {}, async lab => {
  await lab.click('break');
  assert.match(await lab.query(), /fault=\d+/);
  await lab.expectVerdict('differ', 'One thing is wrong');
  await lab.click('slot.W_value');
  assert.match(await lab.query(), /guess=W_value/);
  await lab.click('auto');
  await lab.expectVerdict('match');
  assert.doesNotMatch(await lab.query(), /fault|guess/);
});
