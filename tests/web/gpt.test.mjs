// The whole model, by hand: its text cut into tokens, a small one drawn and read, heads walked, sizes compared.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { browserTest, built } from './browser.mjs';

const small = 'lesson=gpt&size=custom&custom_dim=24&custom_layers=3&custom_heads=2';
const until = async (lab, id) => {
  for (let i = 0; i < 200 && !await lab.find(id); i++) await new Promise(done => setTimeout(done, 100));
  return lab.target(id);
};

browserTest('a text becomes the ids that GPT-2 has for it, and the vocabulary is loaded once', { query: 'lesson=gpt' }, async lab => {
  await until(lab, 'token.3');
  assert.match(await lab.value('inspector'), /15496 11 314 716/);
  await lab.type('input.text', 'hello, i am');
  assert.match(await lab.value('inspector'), /31373 11 1312 716/);
  await lab.click('nav.causal-mask');
  await lab.click('nav.gpt');
  assert.equal(lab.requests.filter(url => /vocabulary/.test(url)).length, 1);
});

browserTest('a small model is drawn and read, and every head of every block can be looked at', { query: `${small}&step=maps` }, async lab => {
  const { x, y, w, h } = await until(lab, 'matrix.heads');
  await lab.page.mouse.click(x + w * .75, y + h * .5);                           // block 2, head 2
  await lab.rest();
  assert.match(await lab.label('matrix.heads'), /block 2, head 2/);
  await lab.press('ArrowDown');
  assert.match(await lab.label('matrix.heads'), /block 3, head 2/);
});

browserTest('the next token is told with its share, and a tied head repeats itself', { query: `${small}&step=greedy` }, async lab => {
  await until(lab, 'written');
  const free = await lab.value('written');
  assert.match(free, /^Hello, I am/);
  await lab.click('step.tie');
  await until(lab, 'written');
  assert.match(await lab.value('inspector'), /parameters are gone/);
});

browserTest('a large model waits to be asked, and Cancel lets go of it', { query: 'lesson=gpt&step=tower' }, async lab => {
  await until(lab, 'draw-model');
  assert.match(await lab.value('inspector'), /163,009,536 numbers are not drawn yet: 621\.83 MiB/);
  await lab.page.mouse.click(...await lab.centre('draw-model'));             // and no rest: it would be drawn by then
  await until(lab, 'stop-model');
  await lab.page.mouse.click(...await lab.centre('stop-model'));
  assert.ok(await until(lab, 'draw-model'));
});

browserTest('the ledger has the figures of all four sizes, and takes one', { query: 'lesson=gpt&step=sizes' }, async lab => {
  for (const [size, total] of [['124M', '163,009,536'], ['355M', '406,212,608'], ['774M', '838,220,800'], ['1558M', '1,637,792,000']]) {
    assert.ok((await lab.label(`ledger.${size}`)).includes(`parameters ${total}`));
  }
  assert.equal(await lab.value('ledger-part.qkv'), '21,233,664 parameters, 81.00 MiB, 169,869,312 operations, 294,912 KV bytes');
  assert.equal(await lab.value('ledger-part.the book'), '988,256,256 operations');
  await lab.click('ledger.1558M');
  assert.match(await lab.query(), /size=1558M/);
  await lab.click('step.next');
  assert.match(await lab.value('inspector'), /more than a page may keep\. They can be drawn block by block/);
});

browserTest('parts of the tower open what they are about, and a block the lessons that take it apart', { query: `${small}&step=ids` }, async lab => {
  await until(lab, 'floor.1');
  await lab.click('part.embed');
  assert.match(await lab.query(), /step=embed/);
  await lab.click('floor.1');
  assert.match(await lab.query(), /step=block.*block=1/);
  assert.match(await lab.label('block-lengths'), /·am in \d+\.\d\d, attention \d/);
  await lab.click('open.transformer-block');
  assert.match(await lab.query(), /lesson=transformer-block/);
});

browserTest('a head that is looked at tells every cell down to its scores', { query: `${small}&step=maps&block=1&head=1` }, async lab => {
  await until(lab, 'matrix.blocks.1.heads.1.attn_weights');
  const { x, y, w, h } = await lab.target('matrix.blocks.1.heads.1.attn_weights');
  await lab.page.mouse.click(x + w * 3 / 8, y + h * 7 / 8);
  await lab.rest();
  assert.match(await lab.query(), /cell=blocks\.1\.heads\.1\.attn_weights\.3\.1/);
  const share = JSON.parse(await lab.trace()).tensors['blocks.1.heads.1.attn_weights'].data[13];
  assert.ok((await lab.value('inspector')).includes(share.toFixed(4)), await lab.value('inspector'));
});

browserTest('top-k and chance change what is written, and undo brings it back', { query: `${small}&step=greedy` }, async lab => {
  await until(lab, 'written');
  const greedy = await lab.value('written');
  await lab.click('input.chance');
  assert.notEqual(await lab.value('written'), greedy);
  await lab.type('input.top_k', '1');
  assert.equal(await lab.value('written'), greedy);
  await lab.click('undo');
  await lab.click('undo');
  assert.equal(await lab.value('written'), greedy);
  assert.match(await lab.label('cache'), /tokens × 3 blocks × 2 × 24 numbers/);
});

browserTest('the page and the native program read a GPT alike, and name its matrices alike', {}, async lab => {
  for (const more of ['', '&tied=1&text=Every+effort', '&bias=1&scaled=0&block=2', '&shortcuts=0&full=1&text=a', '&dummy=1']) {
    await lab.open(`${small}${more}`);
    await until(lab, 'floor.0');
    await lab.rest();
    const page = JSON.parse(await lab.trace());
    const native = JSON.parse(execFileSync(built.native, ['trace', `${small}${more}`], { encoding: 'utf8', maxBuffer: 1 << 28 }));
    assert.deepEqual(page.state, native.state);
    assert.deepEqual(Object.keys(page.tensors), Object.keys(native.tensors));
    assert.ok(page.tensors.logits, 'it has been read');
    for (const [name, { shape, data }] of Object.entries(page.tensors)) {
      assert.deepEqual(shape, native.tensors[name].shape, name);
      const largest = data.reduce((most, x) => Math.max(most, Number.isFinite(x) ? Math.abs(x) : 0), 1);
      data.forEach((x, i) => {
        const other = native.tensors[name].data[i];
        assert.ok(x === other || Math.abs(x - other) <= 1e-6 * largest, `${name}[${i}]: ${x}, ${other}`);
      });
    }
  }
});
