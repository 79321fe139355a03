// What comes into a field otherwise than key by key: composed by an input method, or pasted.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const value = lab => lab.page.evaluate(() => document.activeElement.value);
const focused = lab => lab.page.evaluate(() => document.activeElement.closest('[data-id]')?.dataset.id ?? 'nothing');

async function composing(lab, steps) {
  const cdp = await lab.page.createCDPSession();
  await steps({
    async compose(text) {
      await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      await lab.rest();
    },
    async commit(text) {
      await cdp.send('Input.insertText', { text });
      await lab.rest();
    },
  });
  await cdp.detach();
}
async function openCell(lab, id) {
  const { x, y, w, h, rows, cols } = await lab.target(id);
  await lab.page.mouse.click(x + w / cols / 2, y + h / rows / 2, { count: 2 });
  await lab.rest();
  assert.equal(await focused(lab), 'edit');
}
async function paste(lab, text) {
  await lab.page.evaluate(text => navigator.clipboard.writeText(text), text);
  await lab.press('Control', 'a');
  await lab.press('Control', 'v');
}

browserTest('a word that is being composed is taken when it is done, and once', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await lab.click('input.text');
  await lab.press('Control', 'a');
  const before = await lab.query();
  await composing(lab, async ime => {
    for (const text of ['n', 'ね', 'ねk', 'ねこ']) {
      await ime.compose(text);
      assert.equal(await lab.query(), before, text);
      assert.equal(await value(lab), text);
    }
    await lab.press('ArrowLeft');                          // among the candidates
    await lab.press('ArrowDown');
    assert.equal(await lab.query(), before);
    assert.equal(await focused(lab), 'input.text');
    await ime.commit('猫');
    assert.match(await lab.query(), /text=%E7%8C%AB(&|$)/);
    await ime.compose(' が');
    await ime.commit(' が');
    assert.equal(await value(lab), '猫 が');
  });
  await lab.press('Enter');
  assert.equal(await lab.value('input.text'), '猫 が');
  assert.equal(await focused(lab), 'input.text');
  await lab.press('Control', 'z');
  assert.equal(await lab.query(), before);
});

browserTest('Enter and Escape while something is composed are for the input method', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await lab.click('input.text');
  const isOpen = () => lab.page.evaluate(() => !document.activeElement.readOnly);
  const before = await lab.query();
  await composing(lab, async ime => {
    for (const key of ['Enter', 'Escape', 'Tab']) {
      await lab.press('Control', 'a');
      await ime.compose('ねこ');
      if (key !== 'Tab') await lab.press(key);
      // Safari ends the composition first and sends the key then, with the code that means so.
      await lab.page.evaluate(key => document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })), key);
      assert.equal(await focused(lab), 'input.text', key);
      assert.ok(await isOpen(), key);
      await ime.commit('猫');
      assert.equal((await value(lab)).match(/猫/g).length, 1, key);
    }
  });
  await lab.press('Escape');
  assert.equal(await lab.query(), before);
});

browserTest('a number that is being composed in a cell is taken when it is done', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await openCell(lab, 'matrix.attn_scores');
  const before = await lab.query();
  await composing(lab, async ime => {
    await ime.compose('0.');
    await ime.compose('0.5');
    assert.equal(await lab.query(), before);
    await ime.commit('0.5');
    assert.match(await lab.query(), /edit=attn_scores\.0\.0:0\.5(&|$)/);
  });
  await lab.press('Enter');
  assert.match(await lab.query(), /edit=attn_scores\.0\.0:0\.5(&|$)/);
});

for (const [pasted, taken] of [['0,5', '0.5'], ['  0.5\n', '0.5'], ['−0.25', '-0.25'], ['1e-3\r\n', '0.001'], ['+7', '7'],
  ['1\t2\n3\t4', ''], ['1 2\n3 4', ''], ['0.1, 0.2', ''], ['[[0.43, 0.15]]', ''], ['tensor(0.5)', '']]) {
  browserTest(`${JSON.stringify(pasted)} pasted into a cell is ${taken ? 'taken as ' + taken : 'refused with words'}`, { query: 'lesson=self-attention&step=scores' }, async lab => {
    await openCell(lab, 'matrix.attn_scores');
    await paste(lab, pasted);
    await lab.press('Enter');
    if (taken) {
      assert.match(await lab.query(), new RegExp(`edit=attn_scores\\.0\\.0:${taken.replace('.', '\\.')}(&|$)`));
    } else {
      assert.doesNotMatch(await lab.query(), /edit=/);
      assert.match(await lab.value('trouble'), /not a number that a cell can hold/);
    }
  });
}

browserTest('a long text with line breaks is pasted into the sentence as one line', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await lab.click('input.text');
  await paste(lab, 'the cat\r\nsat\n\non\tthe mat\n');
  await lab.press('Enter');
  assert.equal((await lab.targets()).filter(t => /^token\.\d+$/.test(t.id)).length, 6);
  await lab.click('input.text');
  await paste(lab, Array.from({ length: 300 }, (_, i) => `word${i}`).join('\n'));
  await lab.press('Enter');
  assert.match(await lab.value('trouble'), /64/);
  assert.match(await lab.query(), /text=word0\+word1\+/);
});
