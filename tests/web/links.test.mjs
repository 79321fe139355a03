// The address is the state: it survives a reload, goes back and forward, is shared, and takes anything.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { browserTest } from './browser.mjs';

const clipboard = lab => lab.page.evaluate(() => navigator.clipboard.readText());

browserTest('a reload keeps what was done, also from an address without a query', {}, async lab => {
  await lab.click('op.W_query');
  await lab.drag('source.W_query.weight', 'slot.W_query');
  const query = await lab.query();
  assert.ok(lab.page.url().endsWith('?' + query), lab.page.url());
  await lab.reload();
  assert.equal(await lab.query(), query);
  assert.equal(await lab.value('slot.W_query'), 'filled');
  await lab.go('');
  assert.equal(await lab.query(), query);
});

browserTest('Back and Forward go through the steps', {}, async lab => {
  const step = async () => (await lab.targets()).find(t => t.id.startsWith('step.') && t.value === 'current').id;
  await lab.click('step.draws');
  await lab.click('step.square');
  await lab.expectVerdict('differ', '0.575');
  await lab.page.goBack();
  await lab.rest();
  assert.equal(await step(), 'step.draws');
  await lab.expectVerdict('incomplete', '0.9290');
  await lab.page.goBack();
  await lab.rest();
  assert.equal(await step(), 'step.pair');
  await lab.page.goForward();
  await lab.page.goForward();
  await lab.rest();
  assert.equal(await step(), 'step.square');
  await lab.expectVerdict('differ', '0.575');
});

browserTest('a shared link opens the same state', {}, async lab => {
  await lab.click('trap');
  await lab.click('op.W_key');
  await lab.click('share');
  const link = await clipboard(lab);
  assert.equal(link, lab.link(await lab.query()));
  const { label } = await lab.verdict();
  await lab.go('');
  await lab.click('reset');
  await lab.page.goto(link);
  await lab.ready();
  await lab.expectVerdict('differ', label);
});

browserTest('the copied PyTorch lines are a Python program', {}, async lab => {
  for (const query of ['', 'fault=3', 'to=causal&bias=1&text=The+cat+%22sat%22+%5C+%27', 'seed=789&d_in=3&d_out=3&edit=inputs.0.0:2',
    'text=' + encodeURIComponent('import os # """ \\')]) {
    await lab.open(query);
    await lab.click('auto');
    await lab.click('copy');
    const program = await clipboard(lab);
    assert.equal(program, await lab.value('code'));
    assert.match(program, /^import torch/);
    assertCompiles(program);
  }
});

function assertCompiles(program) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-'));
  try {
    fs.writeFileSync(path.join(folder, 'copied.py'), program);
    execFileSync('python3', ['-m', 'py_compile', 'copied.py'], { cwd: folder, stdio: 'pipe' });
  } catch (e) {
    if (e.code !== 'ENOENT') throw Error(`${e.stderr}\n${program}`);   // without python3 there is no judge
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

browserTest('fifty odd addresses break nothing', { complaints: true }, async lab => {
  let seed = 1;
  const random = n => (seed = (seed * 48271) % 2147483647) % n;
  const pick = list => list[random(list.length)];
  const keys = ['lesson', 'step', 'text', 'seed', 'target_seed', 'word_seed', 'd_in', 'd_out', 'heads', 'bias', 'mask', 'dropout',
    'from', 'to', 'move', 'edit', 'fault', 'compare', 'rtol', 'atol', 'cell', 'digits', 'theme', 'guess', 'hide', 'lock',
    'nothing', '', '%', 'constructor'];
  const values = ['', '0', '-1', '1', '64', '65', '1e999', 'nan', '18446744073709551616', '9'.repeat(400), '%00', '%ff%fe', '%',
    '<script>alert(1)</script>', '../../etc/passwd', 'a'.repeat(5000), 'W_query', 'W_query.weight,copy,W_query',
    'W_query[0:9,0:9],transpose,W_key[1:2,-1:3]', 'source.W_query.weight.0.0:nan', 'inputs.99.99:1', 'difference.1000.1000',
    'v1', 'causal', 'mha', 'transfer', 'square', 'zero-scores', '👩‍👩‍👧 x', '%F0%9F%92', '==&&', 'W_value'];
  for (let i = 0; i < 50; i++) {
    const query = Array.from({ length: 1 + random(12) }, () => pick(keys) + '=' + pick(values)).join('&');
    await lab.open(query);
    const targets = await lab.targets();
    assert.ok(targets.some(t => t.id === 'verdict'), query);
    const canonical = await lab.query();
    if (i % 5) continue;
    JSON.parse(await lab.trace());
    await lab.open(canonical);
    assert.equal(await lab.query(), canonical, query);
    if (i % 25) continue;
    await lab.go(query.replaceAll('#', ''));
    assert.equal(await lab.query(), canonical, query);
    await lab.click('auto');
  }
  for (const error of await lab.errors()) assert.doesNotMatch(error, /Aborted|RuntimeError|unreachable|memory access/);
});

browserTest('a link to the opening state names its lesson, for a bare address opens what was last', {}, async lab => {
  await lab.click('share');
  assert.match(await clipboard(lab), /[?]lesson=transfer$/);
});
