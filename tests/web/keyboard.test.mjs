// Everything without a pointer, through the page's own elements, as a screen reader finds them.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

// Presses Tab until the focus is on an element of that name.
async function tabTo(lab, name, key = ['Tab']) {
  for (let i = 0; i < 80; i++) {
    await lab.press(...key);
    const here = await lab.page.evaluate(() => {
      const e = document.activeElement;
      return e.getAttribute('aria-label') ?? e.closest('table')?.caption.textContent ?? e.textContent;
    });
    if (name.test(here)) return here;
  }
  assert.fail(`Tab never came to ${name}`);
}

browserTest('Tab, Enter and the arrows are enough to move a matrix', {}, async lab => {
  await tabTo(lab, /W_query\.weight/);
  const source = await lab.page.evaluate(() => document.activeElement.tagName);
  assert.equal(source, 'BUTTON');
  await lab.press('Enter');
  assert.match(await lab.said(), /W_query\.weight in hand/);
  await tabTo(lab, /^W_query: |^W_query.*(copy|transpose)/);
  await lab.press('Enter');
  assert.equal(await lab.value('op.W_query'), 'transpose');
  await tabTo(lab, /^Slot W_query,/, ['Shift', 'Tab']);
  await lab.press('Enter');
  assert.equal(await lab.value('slot.W_query'), 'filled');
  assert.match(await lab.said(), /W_query/);
  assert.match(await lab.page.evaluate(() => document.activeElement.textContent), /^Slot W_query,.*filled/);
});

browserTest('a matrix is one Tab stop, and the arrows go through its cells', {}, async lab => {
  await tabTo(lab, /^difference/);
  const cell = () => lab.page.evaluate(() => {
    const e = document.activeElement;
    return [e.parentNode.rowIndex - 1, e.cellIndex - 1, e.textContent];
  });
  await lab.press('ArrowDown');
  const [row, column] = await cell();
  await lab.press('ArrowUp');
  await lab.press('ArrowLeft');
  assert.deepEqual((await cell()).slice(0, 2), [row - 1, column - 1]);
  assert.match(await lab.value('inspector'), new RegExp((await cell())[2].replace('.', '\\.')));
  assert.match(await lab.query(), /cell=difference/);
});

browserTest('the page has names and values for who cannot see the picture', {}, async lab => {
  await lab.click('auto');
  const page = await lab.page.evaluate(() => ({
    verdict: document.querySelector('#mirror [data-id=verdict]').getAttribute('aria-label'),
    spoken: document.querySelectorAll('[role=status], [role=alert], [aria-live]').length,
    unnamed: [...document.querySelectorAll('#mirror button, #mirror input')]
      .filter(e => !(e.textContent || e.getAttribute('aria-label'))).length,
    cells: document.querySelectorAll('#mirror table td[role=gridcell]').length,
    stops: [...document.querySelectorAll('#mirror table')].map(t => t.querySelectorAll('[tabindex="0"]').length),
  }));
  assert.match(page.verdict, /match/);
  assert.equal(page.spoken, 1, 'one place speaks');
  assert.equal(page.unnamed, 0);
  assert.ok(page.cells >= 3 * 12 + 6 * 6);
  assert.ok(page.stops.every(n => n === 1));
  assert.match(await lab.said(), /filled|match/i);
});

browserTest('Escape in a field puts back all that was, a hidden fault too', {}, async lab => {
  for (const [query, field, typed] of [['fault=3', 'input.d_in', '5'], ['fault=3&guess=W_key', 'input.seed', '9'],
    ['seed=7', 'input.text', 'one two']]) {
    await lab.open(query);
    const before = await lab.query();
    await lab.click(field);
    await lab.page.keyboard.type(typed);
    await lab.rest();
    await lab.press('Escape');
    assert.equal(await lab.query(), before, query);
  }
});

browserTest('what is refused is said on the screen, and what is said is true', {}, async lab => {
  for (const [field, typed, value, said] of [['input.d_in', '65', '64', '64 is taken'], ['input.d_in', '0', '1', '1 is taken'],
    ['input.d_in', '0x10', '3', 'not a whole number'], ['input.seed', '1e9', '123', 'seed=1e9'],
    ['input.rtol', '-1', '0', '0 is taken']]) {
    await lab.open('');
    await lab.type(field, typed);
    assert.equal(await lab.value(field), value, typed);
    assert.match(await lab.value('trouble'), new RegExp(said), typed);
  }
  await lab.click('auto');
  assert.equal(await lab.find('trouble'), undefined);
});

browserTest('what is pasted twice, and cut twice, is said twice', { query: 'lesson=causal-mask' }, async lab => {
  const paste = text => lab.page.evaluate(text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await lab.click('input.text');
  await lab.press('Enter');                                // the focus rests on it
  let before = '';
  for (const start of ['one', 'two', 'three']) {
    await paste(start + ' word'.repeat(5000));
    await lab.press('Enter');
    assert.match(await lab.said(), /cut to 64 words/);
    assert.notEqual(await lab.said(), before);             // or nobody would read it out again
    before = await lab.said();
    assert.match(await lab.value('trouble'), /cut to 64 words/);
    assert.match(await lab.value('input.text'), new RegExp('^' + start));
  }
});

// ---- the focus is never lost -------------------------------------------------------------------------------------

const focused = lab => lab.page.evaluate(() => document.activeElement.closest('[data-id]')?.dataset.id ?? 'nothing');

browserTest('Tab in a menu closes it and goes on from its button', { query: 'lesson=causal-mask' }, async lab => {
  await tabTo(lab, /^Export/);
  await lab.press('Tab');
  const next = await focused(lab);
  await lab.press('Shift', 'Tab');
  await lab.press('Enter');
  assert.equal(await focused(lab), 'export.png');
  await lab.press('Tab');
  assert.equal(await focused(lab), next);
  await lab.rest();
  assert.equal(await lab.find('export.png'), undefined);
  assert.equal(await focused(lab), next);
});

browserTest('Enter in a field takes what was typed, and the focus rests on it', {}, async lab => {
  await lab.click('input.seed');
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('789');
  await lab.press('Enter');
  assert.match(await lab.query(), /seed=789/);
  assert.equal(await focused(lab), 'input.seed');
  await lab.page.keyboard.type('5');                       // typing again replaces it
  await lab.press('Enter');
  assert.match(await lab.query(), /seed=5\b/);
  await lab.press('Enter');                                // opens it again
  await lab.page.keyboard.type('6');
  await lab.press('Escape');
  assert.match(await lab.query(), /seed=5\b/);
  assert.equal(await focused(lab), 'input.seed');
  await lab.press('Control', 'z');                         // what is not being edited leaves the keys to the lab
  assert.match(await lab.query(), /seed=789/);
});

browserTest('Tab and Enter in a cell go back to its matrix', { query: 'lesson=self-attention' }, async lab => {
  await tabTo(lab, /^Attention scores/);
  const grid = await focused(lab);
  for (const key of ['Enter', 'Tab', 'Escape']) {
    await lab.press('Enter');
    assert.equal(await focused(lab), 'edit');
    await lab.press(key);
    assert.equal(await focused(lab), grid, key);
  }
});

browserTest('when a button goes, the focus goes on to its neighbour', { query: 'lesson=self-attention&step=question' }, async lab => {
  await tabTo(lab, /^Show the answer/);
  await lab.press('Enter');
  assert.notEqual(await focused(lab), 'nothing');
  await lab.open('lesson=roadmap&step=question');
  await tabTo(lab, /^A training loop/);
  await lab.press('Enter');
  assert.notEqual(await focused(lab), 'nothing');
  await tabTo(lab, /^Forget/);
  await lab.press('Enter');
  assert.notEqual(await focused(lab), 'nothing');
});

browserTest('a menu is gone through by the arrows, and says that it is open', { query: 'lesson=causal-mask' }, async lab => {
  const expanded = id => lab.page.$eval(`[data-id="${id}"]`, e => e.getAttribute('aria-expanded'));
  assert.equal(await expanded('export'), 'false');
  await tabTo(lab, /^Export/);
  await lab.press('Enter');
  assert.equal(await expanded('export'), 'true');
  assert.equal(await focused(lab), 'export.png');
  await lab.press('ArrowDown');
  assert.equal(await focused(lab), 'export.py');
  await lab.press('ArrowUp');
  await lab.press('ArrowUp');
  assert.equal(await focused(lab), 'export.csv');
  await lab.press('Home');
  assert.equal(await focused(lab), 'export.png');
  await lab.press('Escape');
  assert.equal(await focused(lab), 'export');
});

browserTest('what is said after an act tells what came of it, and nothing that is not so', {}, async lab => {
  const place = async (matrix, slot) => {
    await tabTo(lab, new RegExp(`^${matrix} of `));
    await lab.press('Enter');
    await tabTo(lab, new RegExp(`^Slot ${slot}[,.]`));
    await lab.press('Enter');
  };
  await place('W_query.weight', 'W_query');
  assert.match(await lab.page.evaluate(() => document.activeElement.textContent), /^Transpose it/, 'the way out is at hand');
  await lab.press('Enter');
  assert.match(await lab.page.evaluate(() => document.activeElement.textContent), /^Slot W_query/, 'and back');
  const { label } = await lab.target('verdict');
  const figure = /= ([\d.]+)/.exec(label)[1];
  assert.ok((await lab.said()).includes(`Largest difference ${figure}`), await lab.said());
  await tabTo(lab, /^Reset/);
  await lab.press('Enter');
  assert.match(await lab.said(), /as it opens/);
  await lab.open('d_out=3&seed=789');                     // square: copies are taken, and are wrong
  for (const name of ['query', 'key', 'value']) await place(`W_${name}.weight`, `W_${name}`);
  assert.equal(await lab.value('verdict'), 'differ');
  assert.doesNotMatch(await lab.said(), /same output/i);
  await lab.open('lesson=causal-mask&step=zero');
  await lab.open('lesson=causal-mask&step=renormalize&cell=masked_renormalized.2.1');
  await tabTo(lab, /^③ Renormalized, rows/);
  await lab.press('Enter');
  await lab.page.waitForSelector('[data-id=edit]:focus');
  await lab.page.keyboard.type('0.9');
  await lab.press('Enter');
  assert.match(await lab.said(), /masked_renormalized\[starts, journey\] is 0\.9 now\. Row sums: 1\.00, 1\.00, 1\.\d\d/);
  await lab.press('Enter');
  await lab.page.waitForSelector('[data-id=edit]:focus');
  await lab.page.keyboard.type('8');
  await lab.press('Escape');
  assert.match(await lab.said(), /stays as it was/);
});

browserTest('Home, End and the page keys go to the ends of a matrix; Delete empties a slot', {}, async lab => {
  await tabTo(lab, /^difference/);
  const place = async () => /cell=difference\.(\d+)\.(\d+)/.exec(await lab.query()).slice(1).join();
  await lab.press('PageDown', 'End');
  assert.equal(await place(), '5,1');
  await lab.press('PageUp', 'Home');
  assert.equal(await place(), '0,0');
  await lab.click('auto');
  await tabTo(lab, /^Slot W_key/);
  await lab.press('Delete');
  assert.match(await lab.value('slot.W_key'), /^$|own|empty/);
  assert.equal(await lab.value('verdict'), 'incomplete');
});

browserTest('Escape leads back to what opened the menu, from anywhere in it', { width: 390, height: 844 }, async lab => {
  await tabTo(lab, /^Lessons and settings/);
  await lab.press('Enter', 'Tab', 'Tab', 'Tab', 'Escape');
  assert.match(await lab.page.evaluate(() => document.activeElement.textContent), /^Lessons and settings/);
});

browserTest('the keys are told, by key and by button', {}, async lab => {
  await lab.press('?');
  assert.match(await lab.value('keys-list'), /Tab: .*Esc: .*Ctrl Z/);
  await lab.press('Escape');
  await lab.click('keys');
  assert.match(await lab.value('keys-list'), /Home/);
});
