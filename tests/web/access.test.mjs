// What a screen reader finds: every step of every lesson, held by axe's rules and by the tree that was kept of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { browserTest } from './browser.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kept = 'tests/references/access';
const writes = process.env.LAB_REFERENCES === 'write';

async function everyStep(lab, look) {
  const ids = async start => (await lab.targets()).filter(t => t.id.startsWith(start) && !t.disabled).map(t => t.id.slice(start.length));
  for (const lesson of await ids('nav.')) {
    await lab.open(`lesson=${lesson}`);
    for (const step of await ids('step.')) {
      await lab.open(`lesson=${lesson}&step=${step}`);
      await lab.rest();
      await look(`${lesson}.${step}`);
    }
  }
}

// One line a thing: role, name, value, state; of a table a line a row.
async function tree(lab) {
  const session = await lab.page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map(n => [n.nodeId, n]));
  const told = new Set(['pressed', 'checked', 'selected', 'expanded', 'disabled', 'readonly', 'hasPopup']);
  const lines = [];
  const children = n => (n.childIds ?? []).map(id => byId.get(id)).filter(Boolean);
  const role = n => n.role?.value ?? '';
  const name = n => n.name?.value ?? '';
  function write(n, depth) {
    if (n.ignored || ['none', 'generic', 'RootWebArea'].includes(role(n))) return children(n).forEach(c => write(c, depth));
    if (['StaticText', 'InlineTextBox', 'Canvas', 'caption', 'paragraph'].includes(role(n)) && !name(n)) return;
    if (['StaticText', 'InlineTextBox'].includes(role(n))) return;
    const states = (n.properties ?? []).filter(p => told.has(p.name) && ![false, 'false'].includes(p.value.value));
    const line = [role(n), JSON.stringify(name(n)), n.value?.value && '= ' + JSON.stringify(n.value.value),
      ...states.map(p => (p.value.value === true || p.value.value === 'true' ? p.name : `${p.name} ${p.value.value}`))].filter(Boolean).join(' ');
    if (role(n) === 'row') return lines.push('  '.repeat(depth) + children(n).map(c => name(c) || '·').join(' | '));
    lines.push('  '.repeat(depth) + line);
    children(n).forEach(c => write(c, depth + 1));
  }
  write(nodes[0], 0);
  return lines.join('\n') + '\n';
}

browserTest('at every step axe finds nothing wrong, and a screen reader what was kept of it', {}, async lab => {
  if (writes) fs.mkdirSync(kept, { recursive: true });
  await lab.page.evaluate(axe);
  const seen = new Set();
  const wrong = [];
  await everyStep(lab, async at => {
    seen.add(at + '.txt');
    // Colours are in the picture: tests/draw holds their contrast.
    const { violations } = await lab.page.evaluate(() =>
      window.axe.run(document, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }));
    wrong.push(...violations.map(v => `${at}: axe, ${v.impact}, ${v.id}: ${v.nodes[0].html}`));

    const now = await tree(lab);
    const file = path.join(kept, at + '.txt');
    if (writes) return fs.writeFileSync(file, now);
    const then = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (now === then) return;
    const [a, b] = [then.split('\n'), now.split('\n')];
    const i = a.findIndex((line, i) => line !== b[i]);
    wrong.push(`${at}, line ${i + 1}\n  was ${a[i]}\n  is  ${b[i]}`);
  });
  assert.deepEqual(wrong, [], 'if the tree should be so, keep it: LAB_REFERENCES=write node --test tests/web/access.test.mjs');
  assert.deepEqual(fs.readdirSync(kept).filter(f => !seen.has(f)), []);
  assert.ok(seen.size >= 30);
});
