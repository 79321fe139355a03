// attention-lab.html: the whole lab in one file, opened by a double-click.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { browserTest, built, singleFile } from './browser.mjs';

browserTest('the single file works from file://, and its address keeps the state', { ratio: 1, address: singleFile }, async lab => {
  await lab.expectVerdict('incomplete', '0.9290');
  await lab.click('op.W_value');
  await lab.drag('source.W_value.weight', 'slot.W_value');
  await lab.expectVerdict('incomplete', '1 of 3');
  await lab.click('auto');
  await lab.expectVerdict('match');
  const query = await lab.query();
  assert.ok(lab.page.url().endsWith('#' + query), lab.page.url());
  await lab.reload();
  assert.equal(await lab.query(), query);
  await lab.expectVerdict('match');
  assert.ok(fs.readFileSync(path.join(built.page, 'vocabulary.bin')).equals(await lab.vocabulary()));
  assert.deepEqual(lab.requests.filter(url => !/^(data|blob):/.test(url) && !url.includes('attention-lab.html')), []);
});

browserTest('a link with # opens in the single file, as it does when it changes', { address: singleFile, query: 'seed=789' }, async lab => {
  await lab.expectVerdict('incomplete', '0.9168');
  await lab.page.evaluate(() => { location.hash = 'seed=123'; });
  await lab.page.waitForFunction(() => attentionLab.query() === '');
  await lab.rest();
  await lab.expectVerdict('incomplete', '0.9290');
});
