// What every lesson has: cells that can be edited, files that can be saved, a question, a menu, what a teacher fixes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { browserTest } from './browser.mjs';

const tensor = async (lab, name) => JSON.parse(await lab.trace()).tensors[name];

async function cellAt(lab, name, row, col) {
  const { x, y, w, h, rows, cols } = await lab.target(`matrix.${name}`);
  return [x + w * (col + 0.5) / cols, y + h * (row + 0.5) / rows];
}
async function doubleClick(lab, name, row, col) {
  await lab.page.mouse.click(...await cellAt(lab, name, row, col), { count: 2 });
  await lab.rest();
}

browserTest('a cell is edited by double click, what follows follows, and undo brings it back', { query: 'lesson=causal-mask&step=zero' }, async lab => {
  const before = await tensor(lab, 'context_vec');
  await doubleClick(lab, 'scaled_scores', 0, 0);
  assert.ok(await lab.find('edit'));
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('2.5');
  await lab.press('Enter');
  assert.equal(await lab.find('edit'), undefined);
  assert.match(await lab.query(), /edit=scaled_scores\.0\.0:2\.5/);
  assert.equal((await tensor(lab, 'scaled_scores')).data[0], 2.5);
  await lab.click('changes');
  assert.match(await lab.query(), /changes=1/);
  await lab.click('undo');
  assert.doesNotMatch(await lab.query(), /edit=/);
  assert.deepEqual(await tensor(lab, 'context_vec'), before);
  await lab.click('redo');
  assert.match(await lab.query(), /edit=scaled_scores/);
});

browserTest('Escape leaves a cell as it was, and what is no number is refused', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await doubleClick(lab, 'queries', 1, 0);
  await lab.page.keyboard.type('7');
  await lab.press('Escape');
  assert.doesNotMatch(await lab.query(), /edit=/);
  await doubleClick(lab, 'queries', 1, 0);
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('seven');
  await lab.press('Enter');
  assert.doesNotMatch(await lab.query(), /edit=/);
  assert.match(await lab.said(), /not a number/);
});

browserTest('a cell is edited by keyboard alone', { query: 'lesson=self-attention&step=inputs' }, async lab => {
  const caption = () => lab.page.evaluate(() => document.activeElement.closest('table')?.caption.textContent ?? '');
  for (let i = 0; i < 60 && !/^Inputs/.test(await caption()); i++) await lab.press('Tab');
  await lab.press('ArrowRight');
  await lab.press('Enter');
  await lab.page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('1');
  await lab.press('Enter');
  assert.match(await lab.query(), /edit=inputs\.\d\.\d:1/);
  assert.match(await caption(), /^Inputs/);                      // the focus is back where it was
  await lab.press('Delete');
  assert.doesNotMatch(await lab.query(), /edit=/);
});

browserTest('picture, program and numbers are saved as files', { query: 'lesson=causal-mask&step=renormalize', ratio: 1 }, async lab => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-'));
  const client = await lab.page.createCDPSession();
  await client.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  const saved = async kind => {
    await lab.click('export');
    await lab.click(`export.${kind}`);
    const file = path.join(folder, `attention-lab-causal-mask.${kind}`);
    for (let i = 0; i < 200 && !fs.existsSync(file); i++) await new Promise(done => setTimeout(done, 50));
    return fs.readFileSync(file);
  };
  try {
    const png = await saved('png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1600, 1000]);
    assert.match((await saved('py')).toString(), /import torch[^]*print\(context_vec\)/);
    assert.equal((await saved('json')).toString(), await lab.trace());
    assert.match((await saved('csv')).toString(), /masked_renormalized,6,6\n1,0,0,0,0,0\n/);
  } finally {
    await client.detach();
    fs.rmSync(folder, { recursive: true });
  }
});

browserTest('a question is answered by a click, and the rail remembers it', { query: 'lesson=self-attention&step=question' }, async lab => {
  assert.match(await lab.value('inspector'), /in row with, which word scores highest/);
  await lab.page.mouse.click(...await cellAt(lab, 'simple.attn_scores', 3, 3));
  await lab.rest();
  assert.match(await lab.said(), /Not that/);
  await lab.click('hint');
  await lab.page.mouse.click(...await cellAt(lab, 'simple.attn_scores', 3, 1));
  await lab.rest();
  assert.match(await lab.said(), /Right.*0\.8434/);
  assert.match(await lab.label('nav.self-attention'), /answered/);
  await lab.reload();
  assert.match(await lab.label('nav.self-attention'), /answered/);
  await lab.click('nav.roadmap');
  await lab.click('forget');
  assert.doesNotMatch(await lab.label('nav.self-attention'), /answered/);
});

browserTest('a number is typed as an answer', { query: 'lesson=causal-mask&question=cm2' }, async lab => {
  await lab.type('answer', '0.2041');
  assert.match(await lab.said(), /Not that\. Zeroing does not rescale/);
  await lab.type('answer', '0.552');
  assert.match(await lab.said(), /Right/);
  assert.match(await lab.value('inspector'), /0\.5517/);
});

browserTest('a choice is an answer', { query: 'lesson=transfer&question=tr3' }, async lab => {
  await lab.click('answer.0');
  assert.match(await lab.said(), /Not that/);
  await lab.click('answer.2');
  assert.match(await lab.said(), /Right.*0\.5773/);
});

browserTest('a phone has the lessons in a menu, and sizes and seeds behind one button', { width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  assert.equal(await lab.find('nav.causal-mask'), undefined);
  await lab.tap('menu');
  await lab.tap('nav.causal-mask');
  assert.match(await lab.query(), /lesson=causal-mask/);
  assert.equal(await lab.find('nav.causal-mask'), undefined);
  assert.equal(await lab.find('input.seed'), undefined);
  await lab.tap('more');
  assert.ok(await lab.find('input.seed'));
  await lab.tap('next');
  await lab.tap('sheet');
  assert.ok(await lab.find('copy'));
  await lab.tap('sheet');
  assert.equal(await lab.find('copy'), undefined);
});

browserTest('a link hides panels, fixes keys and enlarges everything', { query: 'lesson=causal-mask&step=zero&present=1&hide=rail,timeline&lock=seed,mask,edit' }, async lab => {
  assert.equal(await lab.find('nav.transfer'), undefined);
  assert.equal(await lab.find('play'), undefined);
  assert.ok((await lab.target('input.seed')).disabled);
  await lab.page.mouse.click(...await lab.centre('input.mask'));
  await lab.rest();
  assert.equal(await lab.find('route.none'), undefined);
  await doubleClick(lab, 'scaled_scores', 0, 0);
  assert.equal(await lab.find('edit'), undefined);
  await lab.page.mouse.click(...await cellAt(lab, 'masked_zeroed', 4, 1));       // targets lie where they are drawn
  await lab.rest();
  assert.match(await lab.query(), /cell=masked_zeroed\.4\.1/);
});

browserTest('the digits of all numbers are chosen once', { query: 'lesson=self-attention&step=scores' }, async lab => {
  assert.match(await lab.value('inspector'), /1\.8111/);
  await lab.type('input.digits', '6');
  assert.match(await lab.value('inspector'), /1\.811\d{3}/);
  await lab.click('nav.causal-mask');
  assert.match(await lab.query(), /digits=6/);
});

browserTest('a sentence of one\'s own, in any script, is kept through a shared link', { query: 'lesson=causal-mask&step=softmax' }, async lab => {
  await lab.type('input.text', 'Ça va, мир и ένα δύο');
  const six = await tensor(lab, 'softmax_unmasked');
  assert.deepEqual(six.shape, [6, 6]);
  await lab.click('share');
  const link = await lab.page.evaluate(() => navigator.clipboard.readText());
  assert.match(await lab.label('share'), /Share link/);
  await lab.go('');
  await lab.page.goto(link);
  await lab.ready();
  assert.deepEqual(await tensor(lab, 'softmax_unmasked'), six);
  await lab.type('input.text', Array.from({ length: 80 }, (_, i) => 'w' + i).join(' '));
  assert.deepEqual((await tensor(lab, 'softmax_unmasked')).shape, [64, 64]);
});

browserTest('letters that the lab has no font for are drawn by the browser', { query: 'lesson=self-attention', ratio: 1 }, async lab => {
  const chip = async text => {
    await lab.type('input.text', text);
    const { x, y, w, h } = await lab.target('token.0');
    return lab.page.screenshot({ clip: { x, y, width: w, height: h }, encoding: 'base64' });
  };
  assert.notEqual(await chip('你'), await chip('?'));
  assert.notEqual(await chip('🙂'), await chip('?'));
  assert.equal(await chip('?'), await chip('?'));
});

browserTest('an answer belongs to the lesson it was given in, and only a right one earns the tick', { query: 'lesson=causal-mask&step=question' }, async lab => {
  await lab.click('reveal');
  assert.doesNotMatch(await lab.label('nav.causal-mask'), /answered/);
  await lab.open('lesson=self-attention&step=question');
  await lab.page.mouse.click(...await cellAt(lab, 'simple.attn_scores', 3, 1));
  await lab.rest();
  assert.match(await lab.label('nav.self-attention'), /answered/);
  await lab.click('nav.causal-mask');
  assert.doesNotMatch(await lab.label('nav.causal-mask'), /answered/);
  await lab.press('Control', 'z');
  assert.doesNotMatch(await lab.label('nav.causal-mask'), /answered/);
});

browserTest('a cell whose matrix is not on the screen is edited beside the inspector', { query: 'lesson=causal-mask&step=zero&cell=masked_softmax.1.0' }, async lab => {
  await lab.click('edit-cell');
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('0.25');
  await lab.press('Enter');
  assert.match(await lab.query(), /edit=masked_softmax\.1\.0:0\.25/);
});

browserTest('a size that is typed and taken back brings the edits back', { query: 'lesson=causal-mask&edit=attn_scores.0.1:2' }, async lab => {
  await lab.click('input.d_out');
  await lab.press('Control', 'a');
  await lab.page.keyboard.type('20');
  assert.doesNotMatch(await lab.query(), /edit=/);
  await lab.page.keyboard.press('Backspace');
  await lab.press('Enter');
  assert.match(await lab.query(), /edit=attn_scores\.0\.1:2/);
});

browserTest('Back goes to the lesson before, also where both have a step of that name', { query: 'lesson=self-attention&step=scores' }, async lab => {
  await lab.click('nav.causal-mask');
  await lab.page.goBack();
  await lab.rest();
  assert.match(await lab.query(), /lesson=self-attention/);
});

browserTest('a menu that the keyboard opened has the focus, and gives it back', { query: 'lesson=causal-mask' }, async lab => {
  const here = () => lab.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  for (let i = 0; i < 60 && !/^mask: /.test(await here()); i++) await lab.press('Tab');
  await lab.press('Enter');
  assert.match(await here(), /Softmax, zero, renormalize/);
  await lab.press('ArrowDown');
  await lab.press('Enter');
  assert.match(await lab.query(), /mask=neginf/);
  assert.match(await here(), /^mask: /);
});

browserTest('a phone\'s sheet scrolls by itself', { query: 'lesson=causal-mask&step=zero', width: 390, height: 844, ratio: 2, touch: true }, async lab => {
  await lab.tap('sheet');
  const before = await lab.target('code');
  const header = await lab.target('heading');
  const finger = await lab.page.touchscreen.touchStart(200, 700);
  for (let y = 680; y >= 300; y -= 40) await finger.move(200, y);
  await finger.end();
  await lab.rest();
  assert.ok((await lab.target('code')).y < before.y - 50);
  assert.equal((await lab.target('heading')).y, header.y);
});

browserTest('an edit that a shorter sentence hides is spoken of, and comes back with the word', { query: 'lesson=self-attention&edit=inputs.5.0:2' }, async lab => {
  await lab.type('input.text', 'Your journey');
  assert.match(await lab.value('trouble'), /One edited cell/);
  assert.match(await lab.query(), /edit=inputs\.5\.0:2/);
  await lab.type('input.text', 'Your journey starts with one step');
  assert.equal(await lab.find('trouble'), undefined);
  assert.match(await lab.trace(), /"inputs":\{"shape":\[6,3\],"data":\[[^\]]*2,0\.80/);
});
