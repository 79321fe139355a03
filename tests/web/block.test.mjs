// The transformer block, by hand: along the line, boxes and shortcuts switched, one row changed.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const matrix = async (lab, name) => JSON.parse(await lab.page.evaluate(() => attentionLab.trace())).tensors[name];
const near = (a, b, by = 5.1e-5) => assert.ok(Math.abs(a - b) < by, `${a} is not ${b}`);

browserTest('each part of the line opens the step that is about it', { query: 'lesson=transformer-block' }, async lab => {
  for (const [part, title] of [['norm1', 'Level the row'], ['att', 'Words meet here'], ['add1', 'Add it back'], ['ff', 'Four times wider'], ['add2', 'Add again']]) {
    await lab.click(`part.${part}`);
    assert.match(await lab.value('inspector'), new RegExp(title));
  }
});

browserTest('with both boxes switched off what leaves is what came in', { query: 'lesson=transformer-block' }, async lab => {
  await lab.click('off.att');
  await lab.click('off.ff');
  assert.deepEqual((await matrix(lab, 'resid_post')).data, (await matrix(lab, 'resid_pre')).data);
  assert.match(await lab.value('inspector'), /nothing is added/);
  await lab.click('undo');
  await lab.click('undo');
  near((await matrix(lab, 'resid_post')).data[8], .4458);
});

browserTest('shortcuts off: the stream is gone, and the text says how alike output and input are still', { query: 'lesson=transformer-block' }, async lab => {
  await lab.click('input.shortcuts');
  assert.match(await lab.value('inspector'), /alike by 0\.3466/);
  assert.match(await lab.query(), /shortcuts=0/);
});

browserTest('a number changed just before feed-forward moves its row and no other', { query: 'lesson=transformer-block&step=ff' }, async lab => {
  const before = (await matrix(lab, 'ff_out')).data;
  const { x, y, w, h } = await lab.target('matrix.norm2');
  await lab.page.mouse.click(x + w / 16, y + h * 1.5 / 6);                   // journey, 0
  await lab.rest();
  await lab.click('edit-cell');
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('5');
  await lab.press('Enter');
  const after = (await matrix(lab, 'ff_out')).data;
  const moved = new Set(after.flatMap((x, i) => x === before[i] ? [] : [Math.floor(i / 8)]));
  assert.deepEqual([...moved], [1]);
});

browserTest('without eps the levelled variance is 1, and the field says what it cannot take', { query: 'lesson=transformer-block&step=norm-book' }, async lab => {
  near((await matrix(lab, 'book.var_after')).data[0], .9995);
  await lab.type('input.eps', '0');
  near((await matrix(lab, 'book.var_after')).data[0], 1, 1e-6);
  await lab.click('input.variance');
  near((await matrix(lab, 'book.norm')).data[0], .6159);
});

browserTest('heads that do not share the width are refused, and the picture says what would do', { query: 'lesson=transformer-block' }, async lab => {
  await lab.type('input.heads', '3');
  assert.match(await lab.value('inspector'), /8 columns cannot be shared by 3 heads\. Try emb_dim 6 or 9\./);
});
