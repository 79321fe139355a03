// A page of the lab in Chromium, and the hands of a user: what is clicked, dragged and typed is real input at the
// places that the lab tells; nothing is set from behind.
import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { built, close, newPage, served } from './chromium.mjs';

export { built, newPage, served };
export const singleFile = () => pathToFileURL(path.resolve(built.single)).href;

after(close);

// Pages are used again, by whoever wants the same kind: the browser keeps the compiled program.
const pages = new Map();

async function cleanPage(kind, address) {
  const page = pages.get(kind) ?? await newPage();
  pages.set(kind, page);
  await page.bringToFront();                 // what is behind draws nothing
  await page.goto('about:blank');
  const session = await page.createCDPSession();
  await session.send('Storage.clearDataForOrigin', { origin: new URL(address).origin, storageTypes: 'all' });
  await session.detach();
  return page;
}

// Runs `steps` on a page with nothing stored. In the end nothing may have gone wrong in it, but for
// `complaints: true`, where the lab may have reported what it was given.
export function browserTest(name, options, steps) {
  const { address = served, touch = false, complaints = false } = options;
  const kind = `${address.name} ${touch}`;
  test(name, { timeout: 180000 }, async () => {
    const lab = new Lab(await address());
    const page = await cleanPage(kind, lab.address);
    try {
      await lab.begin(page, options);
      await steps(lab);
      await lab.checkNothingWentWrong(complaints);
      lab.end();
    } catch (e) {
      pages.delete(kind);                    // who knows what state it is in
      await page.close();
      throw e;
    }
  });
}

export class Lab {
  wentWrong = [];    // errors of the page
  requests = [];     // addresses asked for
  listeners = {
    pageerror: e => this.wentWrong.push(String(e)),
    console: m => { if (m.type() === 'error') this.wentWrong.push(m.text()); },
    request: r => this.requests.push(r.url()),
  };

  constructor(address) { this.address = address; }

  // Half a device pixel a point, as in a page zoomed out: software draws it in a quarter of the time. Tests of what
  // is seen say ratio: 1 or more.
  async begin(page, { query = '', width = 1600, height = 1000, ratio = 0.5, touch = false, dark = false, motion = false }) {
    this.page = page;
    page.setDefaultTimeout(90000);
    for (const [event, heard] of Object.entries(this.listeners)) page.on(event, heard);
    if (!this.address.startsWith('file:')) {
      await page.browserContext().overridePermissions(new URL(this.address).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
    }
    await page.setViewport({ width, height, deviceScaleFactor: ratio, hasTouch: touch, isMobile: touch });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: motion ? 'no-preference' : 'reduce' },
    ]);
    await this.go(query);
  }

  end() {
    for (const [event, heard] of Object.entries(this.listeners)) this.page.off(event, heard);
  }

  link(query) {
    return this.address + (query ? (this.address.startsWith('file:') ? '#' : '?') + query : '');
  }
  async go(query) {
    await this.page.goto(this.link(query));
    await this.ready();
  }
  async reload() {
    await this.page.reload();
    await this.ready();
  }
  async ready() {
    await this.page.waitForFunction(() => window.attentionLab);
    await this.page.evaluate(() => attentionLab.ready);
    await this.rest();
  }

  // Until nothing moves any more and no search is under way.
  rest() { return this.page.evaluate(() => attentionLab.rest()); }

  // ---- what is on the screen ---------------------------------------------------------------------------------

  targets() { return this.page.evaluate(() => attentionLab.targets()); }
  find(id) { return this.page.evaluate(id => attentionLab.targets().find(t => t.id === id), id); }
  async target(id) {
    const found = await this.find(id);
    assert.ok(found, `no ${id} on the screen, only ${(await this.targets()).map(t => t.id).join(' ')}`);
    return found;
  }
  async value(id) { return (await this.target(id)).value; }
  async label(id) { return (await this.target(id)).label; }
  query() { return this.page.evaluate(() => attentionLab.query()); }
  async vocabulary() { return Buffer.from(await this.page.evaluate(async () => [...await Module.page.vocabulary()])); }
  trace() { return this.page.evaluate(() => attentionLab.trace()); }
  errors() { return this.page.evaluate(() => attentionLab.errors()); }
  said() { return this.page.$eval('#live', e => e.textContent); }
  picture() { return this.page.screenshot(); }

  async open(query) {
    await this.page.evaluate(query => attentionLab.open(query), query);
  }

  // ---- hands -------------------------------------------------------------------------------------------------

  async centre(id) {
    const { x, y, w, h } = await this.target(id);
    return [x + w / 2, y + h / 2];
  }
  async click(id) {
    await this.page.mouse.click(...await this.centre(id));
    await this.rest();
  }
  async tap(id) {
    const [x, y] = await this.centre(id);
    await this.fingers(touch => Promise.all([touch('touchStart', { x, y }), touch('touchEnd')]));
  }
  async pickUp(id) {
    await this.page.mouse.move(...await this.centre(id));
    await this.page.mouse.down();
  }
  async carryTo(x, y) { await this.page.mouse.move(x, y, { steps: 4 }); }
  async letGo() {
    await this.page.mouse.up();
    await this.rest();
  }
  async drag(from, to) {
    await this.pickUp(from);
    await this.carryTo(...await this.centre(to));
    await this.letGo();
  }
  async dragByFinger(from, to) {
    const [x, y] = await this.centre(from);
    const [toX, toY] = await this.centre(to);
    const at = part => ({ x: x + (toX - x) * part, y: y + (toY - y) * part });
    await this.fingers(async touch => {
      await Promise.all([touch('touchStart', at(0)), ...[.25, .5, .75, 1].map(part => touch('touchMove', at(part)))]);
      await touch('touchEnd');
    });
  }
  // Sent in one go: a finger that rests for half a second, on a slow machine, would ask what it rests on.
  async fingers(move) {
    const cdp = await this.page.createCDPSession();
    await move((type, ...touchPoints) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints }));
    await cdp.detach();
    await this.page.evaluate(() => new Promise(heard => setTimeout(heard, 100)));   // fingers come by another way
    await this.rest();
  }
  async press(...keys) {
    const held = keys.slice(0, -1);
    for (const key of held) await this.page.keyboard.down(key);
    await this.page.keyboard.press(keys.at(-1));
    for (const key of held.reverse()) await this.page.keyboard.up(key);
    await this.rest();
  }
  async type(id, text) {
    await this.click(id);
    await this.press('Control', 'a');
    if (text.length > 60) await this.page.keyboard.sendCharacter(text);      // as a paste would
    else if (text) await this.page.keyboard.type(text);
    else await this.page.keyboard.press('Delete');
    await this.press('Enter');
  }

  // ---- judgement ---------------------------------------------------------------------------------------------

  async verdict() {
    const { value, label } = await this.target('verdict');
    return { value, label };
  }
  async expectVerdict(value, ...parts) {
    const verdict = await this.verdict();
    assert.equal(verdict.value, value, verdict.label);
    for (const part of parts) {
      const has = part instanceof RegExp ? part.test(verdict.label) : verdict.label.includes(part);
      assert.ok(has, `“${verdict.label}” does not say ${part}`);
    }
  }
  async checkNothingWentWrong(complaints) {
    assert.deepEqual(this.wentWrong, []);
    if (!complaints) assert.deepEqual(await this.errors(), []);
    const home = this.address.replace(/[^/]*$/, '');
    const elsewhere = this.requests.filter(url => !url.startsWith(home) && !/^(data|blob):/.test(url));
    assert.deepEqual(elsewhere, []);
  }
}
