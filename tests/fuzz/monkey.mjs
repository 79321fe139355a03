// monkey.mjs [MINUTES] [SEED]: a monkey at the page in Chromium, with real input. What it does is drawn from the seed
// and the number of the act, so that a run can be had again; what must always hold is looked at after each act.
// `./lab fuzz`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { built, close, newPage, served } from '../web/chromium.mjs';
import { hostile, keys, media, parts, texts, windows } from './monkey_food.mjs';

const minutes = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? 1);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('monkey.mjs [MINUTES] [SEED]');
  process.exit(2);
}
const actsOfALife = 900;       // then the page is loaded anew
const aSmallModel = 100;       // MB: a GPT of so many numbers as are drawn unasked, and what is read with it
const flat = { heap: 3, wasm: 24 + aSmallModel, nodes: 150, listeners: 100 };   // what a life may grow by after its beginning; MB, MB

let random = seed >>> 0;       // mulberry32
function dice() {
  random = (random + 0x6D2B79F5) | 0;
  let t = Math.imul(random ^ (random >>> 15), 1 | random);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
}
const upto = n => dice() % n;
const oneOf = list => list[upto(list.length)];
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const short = text => JSON.stringify(text.length > 80 ? text.slice(0, 80) + '…' : text);

const page = await newPage();
const cdp = await page.createCDPSession();
const address = await served();
const began = Date.now();
const done = [];               // the last acts
const wrong = [];              // what the browser reports
const size = { width: 1600, height: 1000, deviceScaleFactor: .5 };
let acts = 0, checks = 0, loading = true;
let said = 0;                  // how many complaints of the page were heard

const did = what => {
  done.push(`${acts} ${what}`);
  if (done.length > 30) done.shift();
};
function within(promise, what, ms = 60000) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what}: no answer for ${ms / 1000} s`)), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
const ask = (question, ...given) => within(page.evaluate(question, ...given), 'the page');
const demand = (holds, why) => { if (!holds) throw new Error(why); };

page.on('pageerror', e => wrong.push(`page error: ${e}`));
page.on('error', e => wrong.push(`crash: ${e}`));
page.on('console', m => { if (m.type() === 'error') wrong.push(`console: ${m.text()}`); });
page.on('dialog', d => { wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
page.on('popup', p => wrong.push(`opened ${p.url()}`));
page.on('request', r => {
  if (/^(data|blob):/.test(r.url())) return;
  if (r.url() === new URL('vocabulary.bin', address).href) return;            // the one thing that a lesson asks for
  if (!loading || !r.url().startsWith(address)) wrong.push(`request: ${r.url()}`);
});

// Before the page's own scripts: chance that can be had again, the program's memory, the graphics context.
await page.evaluateOnNewDocument(seed => {
  let n = seed;
  crypto.getRandomValues = list => list.fill(n = Math.imul(n ^ (n >>> 15), 0x2C1B3C6D) + 0x6D2B79F5);
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const real = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const result = await real.apply(WebAssembly, given);
      const has = [...Object.values((result.instance ?? result).exports), ...Object.values(given[1] ?? {}).flatMap(o => Object.values(o))];
      window.monkeyMemory = has.find(e => e instanceof WebAssembly.Memory);
      return result;
    };
  }
}, seed);
await page.browserContext().overridePermissions(new URL(address).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
await cdp.send('Browser.setDownloadBehavior', { behavior: 'deny' });
await cdp.send('Performance.enable');

// ---- acts --------------------------------------------------------------------------------------------------------

// Until nothing moves; where it plays by itself, for a while.
const rest = () => ask(() => Promise.race([attentionLab.rest(), new Promise(r => setTimeout(r, 2000))]));

async function load(go) {
  loading = true;
  await within(go(), 'loading');
  await within(page.waitForFunction(() => window.attentionLab), 'the page');
  await ask(() => attentionLab.ready);
  await rest();
  await sleep(50);
  loading = false;
  said = (await ask(() => attentionLab.errors())).length;
}

// An emulated pixel ratio alone is heard by no page: the size changes with it.
async function setWindow(wanted) {
  await page.setViewport({ ...wanted, width: wanted.width + 1 });
  await page.setViewport(wanted);
  await page.waitForFunction(() => {
    const canvas = document.getElementById('canvas');
    return Math.abs(canvas.width - innerWidth * devicePixelRatio) <= 1 && Math.abs(canvas.height - innerHeight * devicePixelRatio) <= 1;
  }, { timeout: 10000 }).catch(() => {});
}

const query = () => {
  if (upto(8) === 0) return oneOf(hostile);
  return Array.from({ length: 1 + upto(6) }, () => oneOf(parts)).join('&');
};

const large = id => id === 'draw-model' || id === 'run-book';    // 600 MB and seconds, which is no leak
let targets = [], largeOnes = [];
function somewhere() {
  if (!targets.length || upto(8) === 0) {
    const [x, y] = [upto(size.width), upto(size.height)];
    const taken = largeOnes.some(t => x >= t.x && x <= t.x + t.w && y >= t.y && y <= t.y + t.h);
    return taken ? somewhere() : [x, y];
  }
  const t = oneOf(targets);
  did('at ' + t.id);
  return [Math.floor(t.x + t.w * upto(100) / 100), Math.floor(t.y + t.h * upto(100) / 100)].map(v => Math.max(0, v));
}
const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });

const press = async name => {
  if (['Enter', 'Space'].includes(name) && large((await focus()).id)) name = 'Tab';
  const held = name.split('+').slice(0, -1).filter(Boolean);
  for (const key of held) await page.keyboard.down(key);
  await page.keyboard.press(held.length ? name.split('+').at(-1) : name);
  for (const key of held.reverse()) await page.keyboard.up(key);
};

const all = {
  async click() {
    const at = somewhere();
    await page.mouse.click(...at, { count: upto(5) === 0 ? 2 : 1, button: upto(12) === 0 ? 'right' : 'left' });
  },
  async drag() {
    const from = somewhere(), to = somewhere();
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 1 + upto(4) });
    if (upto(6) === 0) await press('Escape');
    await page.mouse.up();
  },
  async tap() {
    await touch('touchStart', somewhere());
    if (upto(4) === 0) await sleep(600);
    await touch('touchEnd');
  },
  async swipe() {
    const from = somewhere(), to = somewhere();
    await touch('touchStart', from);
    for (const part of [.3, .6, 1]) await touch('touchMove', from.map((v, i) => v + (to[i] - v) * part));
    await touch(upto(8) ? 'touchEnd' : 'touchCancel');
  },
  async pinch() {
    const [x, y] = somewhere(), a = 20 + upto(80), b = 20 + upto(160);
    const both = d => [[Math.max(0, x - d), y], [x + d, y]];
    await touch('touchStart', both(a)[0]);
    await touch('touchStart', ...both(a));
    await touch('touchMove', ...both((a + b) / 2));
    await touch('touchMove', ...both(b));
    await touch('touchEnd');
  },
  async wheel() {
    await page.mouse.move(...somewhere());
    await page.mouse.wheel({ deltaY: upto(1200) - 600, deltaX: upto(100) - 50 });
  },
  async key() {
    if (upto(3) === 0) await all.tabs();
    for (let times = 1 + upto(5); times > 0; times--) {
      const name = oneOf(keys);
      did('key ' + name);
      const before = await focus();
      await press(name);
      await rest();
      await checkFocus(before, name);
    }
  },
  async tabs() {
    for (let times = upto(25); times > 0; times--) await press(upto(4) ? 'Tab' : 'Shift+Tab');
  },
  async type() {
    const fields = targets.filter(t => t.role === 'textbox');
    if (fields.length && upto(3)) {
      const field = oneOf(fields);
      did('into ' + field.id);
      await page.mouse.click(field.x + field.w / 2, field.y + field.h / 2);
    }
    const text = oneOf(texts);
    did('type ' + short(text));
    if (upto(2)) await press('Control+a');
    if (upto(4) === 0) {
      await cdp.send('Input.imeSetComposition', { text: text.slice(0, 50), selectionStart: 0, selectionEnd: 0 });
      if (upto(2)) await press(oneOf(['Enter', 'Escape', 'ArrowLeft', 'Tab']));
    }
    if (upto(4) === 0) {
      await ask(text => navigator.clipboard.writeText(text).catch(() => {}), text);
      await press('Control+v');
    } else {
      await page.keyboard.sendCharacter(text);
    }
    if (upto(3)) await press(oneOf(['Enter', 'Enter', 'Escape', 'Tab']));
  },
  async script() {               // what the page offers to scripts
    const link = query();
    did('open ' + short(link));
    await ask(link => { attentionLab.open(link); }, link);
  },
  async hash() {
    const link = query();
    did('# ' + short(link));
    await ask(link => { location.hash = link; }, link);
  },
  async address() {
    const link = query();
    did('? ' + short(link));
    const text = encodeURI(link).replaceAll('%25', '%').replaceAll('#', '%23');
    await load(() => page.goto(address + '?' + text));
  },
  async history() {
    const by = oneOf([-1, -1, -2, 1]);
    did('history ' + by);
    loading = true;
    await page.evaluate(by => history.go(by), by).catch(() => {});
    await sleep(300);
    const here = page.url().startsWith(address);
    for (let tries = 5; tries > 0; tries--) {        // a page of before may be loading
      try {
        return await load(async () => { if (!here) await page.goto(address); });
      } catch (e) {
        if (tries === 1 || !/context was destroyed|detached/i.test(e.message)) throw e;
      }
    }
  },
  async window() {
    const [width, height] = oneOf(windows);
    const ratio = oneOf([.5, .5, .5, 1, 1.25, 2]);
    Object.assign(size, { width, height, deviceScaleFactor: width * height * ratio * ratio < 1.3e6 ? ratio : .5 });   // software draws it
    did(`window ${width}x${height}@${size.deviceScaleFactor}`);
    await setWindow(size);
  },
  async system() {
    const features = Object.entries(media).map(([name, values]) => ({ name, value: oneOf(values) }));
    did(features.map(f => `${f.name}: ${f.value}`).join(', '));
    await cdp.send('Emulation.setEmulatedMedia', { features });
  },
  async context() {
    await ask(() => {
      window.lose ??= document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
      lose.loseContext();
    });
    await sleep(50);
    if (upto(2)) await all.click();
    if (upto(2)) await press('ArrowRight');
    await ask(() => lose.restoreContext());
    await sleep(50);
  },
};
const often = { click: 30, drag: 10, tap: 8, swipe: 4, pinch: 4, wheel: 4, key: 12, tabs: 4, type: 14, script: 6, hash: 2,
  history: 3, window: 3, system: 2, context: 1 };
const bag = Object.entries(often).flatMap(([name, times]) => Array(times).fill(name));

// ---- what must hold ------------------------------------------------------------------------------------------------

const focus = () => ask(() => {
  const e = document.activeElement, id = e?.closest('[data-id]')?.dataset.id ?? null;
  return { id, returns: !e?.matches('input, textarea') || !!e.opener && e.opener !== document.body };
});

// A key that is pressed on a button or a matrix, or in a field that came from one, leaves the focus somewhere.
async function checkFocus(before, key) {
  if (before.id === null || !before.returns || /Tab/.test(key)) return;
  const after = await focus();
  const could = await ask(() => !!document.querySelector('#mirror button, #mirror table'));
  demand(after.id !== null || !could, `${key} on ${before.id}: the focus is on nothing`);
}

async function look(opened) {
  demand(!wrong.length, wrong.join('\n'));
  const now = await ask(() => {
    const mirrored = [...document.querySelectorAll('#mirror [data-id]')];
    const ids = mirrored.map(e => e.dataset.id);
    const canvas = document.getElementById('canvas');
    return {
      covered: !document.getElementById('cover').hidden,
      said: attentionLab.errors(),
      twice: ids.filter((id, i) => ids.indexOf(id) !== i),
      stops: [...document.querySelectorAll('#mirror table')].filter(t => t.querySelectorAll('[tabindex="0"]').length !== 1).map(t => t.dataset.id),
      unnamed: mirrored.filter(e => e.matches('button, input, textarea') && !(e.textContent.trim() || e.getAttribute('aria-label'))).map(e => e.dataset.id),
      scrolled: [scrollX, scrollY, document.body.scrollTop, document.getElementById('mirror').scrollTop, document.getElementById('mirror').scrollLeft],
      canvas: [canvas.width - innerWidth * devicePixelRatio, canvas.height - innerHeight * devicePixelRatio],
      elements: document.body.children.length,
      targets: attentionLab.targets(),
    };
  });
  targets = now.targets.filter(t => !large(t.id));
  largeOnes = now.targets.filter(t => large(t.id));
  demand(!now.covered, 'the page is covered: ' + now.said.at(-1));
  const news = now.said.slice(said);
  said = now.said.length;
  demand(opened || !news.length, 'the page complains: ' + news.join('; '));
  demand(!news.some(text => text.startsWith('policy:')), news.join('; '));
  demand(!now.twice.length, 'twice in the page: ' + now.twice);
  demand(!now.stops.length, 'not one Tab stop: ' + now.stops);
  demand(!now.unnamed.length, 'without a name: ' + now.unnamed);
  demand(now.scrolled.every(v => v === 0), 'scrolled by ' + now.scrolled);
  demand(now.canvas.every(v => Math.abs(v) <= 1), 'the canvas is off by ' + now.canvas);
}

// Of the numbers: the link tells them to the command line too, softmax's rows sum to 1, and the tables show them.
async function checkNumbers() {
  const shown = await ask(() => ({
    query: attentionLab.query(), trace: attentionLab.trace(),
    tables: [...document.querySelectorAll('#mirror table')].map(t => [t.dataset.id, [...t.rows].slice(1).map(r => [...r.cells].slice(1).map(c => c.textContent))]),
  }));
  const { stdout, stderr } = await promisify(execFile)('node', [built.node, 'trace', shown.query], { maxBuffer: 1 << 28 });
  demand(stderr === '', 'the link of this state is complained about: ' + stderr);
  demand(stdout === shown.trace + '\n', 'the link of this state opens another');
  const { state, tensors } = JSON.parse(shown.trace);
  demand(state === shown.query, `the trace is of ${state}`);
  const of = key => new URLSearchParams(state).getAll(key);
  const rows = t => Array.from({ length: t.shape[0] }, (_, r) => t.data.slice(r * t.shape[1], (r + 1) * t.shape[1]));
  for (const [name, t] of Object.entries(tensors)) {
    const stage = name.split('.').at(-1);
    const right = !of('mask').length || ['none', 'neginf', 'zero-renorm'].includes(of('mask')[0]);
    const sums = stage === 'softmax_unmasked' || ((stage === 'attn_weights' || stage === 'masked_softmax') && right && !of('training').length);
    if (!sums || of('edit').length || t.shape.length !== 2) continue;
    rows(t).forEach((row, r) => {
      const sum = row.reduce((a, b) => a + Number(b), 0);
      demand(!(Math.abs(sum - 1) > 1e-5), `row ${r} of ${name} sums to ${sum}`);
    });
  }
  for (const [id, cells] of of('changes').length ? [] : shown.tables) {     // else they show what an edit has changed
    const t = tensors[id?.replace(/^matrix\./, '')];
    if (!t || cells.length !== t.shape[0] || cells[0]?.length !== t.shape[1]) continue;
    rows(t).forEach((row, r) => row.forEach((value, c) => {
      const text = cells[r][c].replace('−', '-').replace(/ .*/, '');
      if (!/^-?[\d.]+(e[-+]?\d+)?$/.test(text) || typeof value !== 'number') return;
      const digits = (text.match(/^-?\d*\.?(\d*)/)?.[1] ?? '').length;
      const fits = /e/.test(text) ? Math.abs(Number(text) - value) <= Math.abs(value) * .5 : Math.abs(Number(text) - value) <= .51 * 10 ** -digits + Math.abs(value) * 1e-6;
      demand(fits, `${id} shows ${cells[r][c]} at ${r}, ${c} where ${value} is`);
    }));
  }
  checks++;
}

// In a state that is always the same, so that figures can be compared.
async function memory() {
  const was = await ask(() => attentionLab.query());
  await setWindow({ width: 1600, height: 1000, deviceScaleFactor: .5 });
  await ask(() => document.activeElement?.blur());
  await ask(() => { attentionLab.open('lesson=causal-mask&step=zero'); });
  await rest();
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = name => metrics.find(m => m.name === name).value;
  const wasm = await ask(() => window.monkeyMemory.buffer.byteLength);
  await setWindow(size);
  await ask(was => { attentionLab.open(was || 'lesson=transfer'); }, was);
  await rest();
  said = (await ask(() => attentionLab.errors())).length;
  return { heap: of('JSHeapUsedSize') / 1e6, wasm: wasm / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
const told = m => `heap ${m.heap.toFixed(1)} MB, wasm ${m.wasm.toFixed(0)} MB, ${m.nodes} nodes, ${m.listeners} listeners`;

// The page is loaded anew: it shows what it showed.
async function reload() {
  did('reload');
  const state = () => ask(() => [attentionLab.query(), attentionLab.trace()]);
  const before = await state();
  await load(() => page.reload());
  const after = await state();
  demand(before[0] === after[0] && before[1] === after[1], `loaded anew, ${before[0] || 'the bare state'} is ${after[0]}`);
}

// ---- a life after the other ----------------------------------------------------------------------------------------

let first = null, last = null, told_minutes = 0;

async function live() {
  await page.setViewport(size);
  await load(() => page.goto(address));
  await look(true);
  while (Date.now() - began < minutes * 60000) {
    const ofLife = ++acts % actsOfALife;
    const name = ofLife === 0 ? 'address' : oneOf(bag);
    did(name);
    await all[name]();
    await rest();
    await look(['script', 'hash', 'history', 'address'].includes(name));
    if (acts % 20 === 0) await checkNumbers();
    if (ofLife === 0) {
      await reload();
      first = null;
    } else if (ofLife % 150 === 0) {
      last = await memory();
      first ??= last;
      for (const [what, most] of Object.entries(flat))
        demand(last[what] - first[what] <= most, `${what} grew: ${told(first)} → ${told(last)}`);
    }
    const minute = Math.floor((Date.now() - began) / 60000);
    if (minute > told_minutes) {
      told_minutes = minute;
      console.log(`${String(minute).padStart(3)} min: ${acts} acts in the page, numbers checked ${checks} times${last ? ', ' + told(last) : ''}`);
    }
  }
}

try {
  await live();
  console.log(`seed ${seed}: ${acts} acts in the page in ${minutes} minutes, nothing went wrong`);
} catch (e) {
  const state = await page.evaluate(() => attentionLab.query()).catch(() => 'unknown');
  await within(page.screenshot({ path: 'build/log/monkey.png' }), 'the picture', 10000).catch(() => {});
  console.log(`act ${acts}: ${e.message}\n${[...new Set(wrong)].join('\n')}\nstate: ${state}\naddress: ${page.url()}\n` +
    `window: ${JSON.stringify(size)}\nthe last acts:\n  ${done.join('\n  ')}\n` +
    `again: node tests/fuzz/monkey.mjs ${minutes} ${seed}   (act ${acts}; the picture is in build/log/monkey.png)`);
  process.exitCode = 1;
} finally {
  await close();
}
