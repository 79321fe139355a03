// The causal mask, by mouse: three stages, word by word, the routes and what they leak.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const causal = 'lesson=causal-mask';
const current = async lab => (await lab.targets()).find(t => t.id.startsWith('step.') && t.value === 'current').id;
const tensors = async lab => JSON.parse(await lab.trace()).tensors;
const rows = ({ shape: [height, width], data }) => Array.from({ length: height }, (_, r) => data.slice(r * width, (r + 1) * width));
const sum = row => row.reduce((a, b) => a + b, 0);
const near = (a, b, close = 1e-4) => assert.ok(Math.abs(a - b) <= close, `${a} is not ${b}`);

browserTest('the three stages are walked through by Next, and their rows sum to 1, less, and 1 again', { query: causal }, async lab => {
  await lab.click('step.softmax');
  assert.match(await lab.value('inspector'), /Your spends 0\.8079/);
  await lab.click('next');
  assert.equal(await current(lab), 'step.zero');
  assert.match(await lab.value('inspector'), /row Your is 0\.1921, of journey 0\.3700, of starts 0\.5357, of step 1\.0000/);
  await lab.click('next');
  assert.equal(await current(lab), 'step.renormalize');
  assert.match(await lab.value('inspector'), /0\.3800 0\.3097 0\.3103/);
  const t = await tensors(lab);
  rows(t.softmax_unmasked).forEach(row => near(sum(row), 1));
  rows(t.masked_zeroed).forEach((row, i) => near(sum(row), [0.1921, 0.3700, 0.5357, 0.6775, 0.8415, 1][i]));
  rows(t.masked_renormalized).forEach(row => near(sum(row), 1));
  assert.equal(rows(t.masked_renormalized)[0][0], 1);
});

browserTest('Play goes from stage to stage', { query: causal + '&step=softmax' }, async lab => {
  await lab.page.mouse.click(...await lab.centre('play'));
  for (const step of ['zero', 'renormalize']) {
    await lab.page.waitForFunction(id => attentionLab.targets().some(t => t.id === id && t.value === 'current'),
      { timeout: 60000 }, `step.${step}`);
  }
  await lab.page.mouse.click(...await lab.centre('play'));
  await lab.rest();
});

browserTest('word by word each row gets its turn, and what lies after it is named', { query: causal + '&step=zero' }, async lab => {
  await lab.page.mouse.click(...await lab.centre('by-word'));
  await lab.page.waitForFunction(() => attentionLab.query().includes('word=2'), { timeout: 60000 });
  await lab.page.mouse.click(...await lab.centre('play'));       // pause
  await lab.rest();
  await lab.open(causal + '&step=zero&word=2&cell=masked_zeroed.2.1');
  assert.equal(await lab.value('by-word'), 'true');
  await lab.click('by-word');
  assert.doesNotMatch(await lab.query(), /word=/);
});

browserTest('a wrong route is chosen, its rows sum to 1, and the leak meter catches it', { query: causal }, async lab => {
  await lab.click('step.wrong');
  assert.match(await lab.query(), /mask=zero-scores/);
  let t = await tensors(lab);
  rows(t.attn_weights).forEach(row => near(sum(row), 1));
  near(t.leak.data[0], 0.0834);
  assert.match(await lab.value('inspector'), /a leak/);
  await lab.click('route.no-renorm');
  t = await tensors(lab);
  near(sum(rows(t.attn_weights)[0]), 0.1921);
  assert.ok(Math.max(...t.leak.data) > 1e-4);
  await lab.click('route.neginf');
  t = await tensors(lab);
  assert.equal(Math.max(...t.leak.data), 0);
  await lab.click('undo');
  assert.match(await lab.query(), /mask=no-renorm/);
});

browserTest('the mask is a menu that closes when something else is pressed', { query: causal }, async lab => {
  await lab.click('input.mask');
  assert.ok(await lab.find('route.transposed'));
  await lab.page.mouse.click(600, 900);
  await lab.rest();
  assert.equal(await lab.find('route.transposed'), undefined);
  await lab.click('input.mask');
  await lab.click('route.transposed');
  assert.match(await lab.query(), /mask=transposed/);
  assert.equal(await lab.find('route.none'), undefined);
});

browserTest('dropout drops in training only, and the two kinds of dice differ', { query: causal }, async lab => {
  await lab.click('step.dropout');
  let t = await tensors(lab);
  const bySum = t => rows(t.attn_weights_dropped).map(sum);
  bySum(t).forEach((s, i) => near(s, [2, 0, 2, 0.9846, 0.7741, 1.3073][i]));
  await lab.click('input.stream');
  t = await tensors(lab);
  bySum(t).forEach((s, i) => near(s, [2, 0.8966, 0.6206, 1.0437, 0.4350, 0.3327][i]));
  await lab.click('input.training');
  t = await tensors(lab);
  assert.equal(t.attn_weights_dropped, undefined);
  assert.match(await lab.value('inspector'), /at inference nothing is dropped/);
});

browserTest('a loud future makes the three stages NaN and leaves the −∞ route alone', { query: causal + '&step=renormalize&edit=attn_scores.0.5:148' }, async lab => {
  const t = await tensors(lab);
  assert.ok(rows(t.masked_renormalized)[0].every(x => x === 'nan'));
  assert.equal(rows(t.masked_softmax)[0][0], 1);
  assert.match(await lab.value('inspector'), /never hears it/);
});
