// The page and the single file in three engines: it opens, every lesson draws, weights are moved by a drag, a cell is
// edited, a sentence typed, a link opened again, and a lost picture comes back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { names, newEngine, noDisplay } from './engine.mjs';

let server, served;
before(async () => {
  server = spawn('node', ['web/serve.mjs', 'build/web', '8500']);
  served = String((await once(server.stdout, 'data'))[0]).match(/http:\S+/)[0];
});
after(() => {
  server.kill();
  noDisplay();
});
const file = pathToFileURL(path.resolve('build/wasm/attention-lab.html')).href;

// What is on the screen, by the page's own account; hands as in engine.mjs.
class Page {
  constructor(engine, address) { Object.assign(this, { engine, address }); }

  async go(query) {
    await this.engine.goto('about:blank');           // another part behind # alone would load nothing
    await this.engine.goto(this.address + (query ? (this.address.startsWith('file:') ? '#' : '?') + query : ''));
    for (let tries = 0; !await this.engine.evaluate('!!window.attentionLab'); tries++) {
      assert.ok(tries < 100, 'the page does not come');
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    await this.engine.evaluate('attentionLab.ready.then(() => attentionLab.rest()).then(() => 1)');
  }
  rest() { return this.engine.evaluate('attentionLab.rest().then(() => 1)'); }
  open(query) { return this.engine.evaluate(`attentionLab.open(${JSON.stringify(query)}).then(() => 1)`); }
  query() { return this.engine.evaluate('attentionLab.query()'); }
  targets() { return this.engine.evaluate('attentionLab.targets()'); }
  async find(id) { return (await this.targets()).find(t => t.id === id); }
  async centre(id) {
    const t = await this.find(id);
    assert.ok(t, 'no ' + id);
    return [t.x + t.w / 2, t.y + t.h / 2];
  }
  async click(id) {
    await this.engine.click(await this.centre(id));
    await this.rest();
  }
  async drag(from, to) {
    await this.engine.drag(await this.centre(from), await this.centre(to));
    await this.rest();
  }
  async type(id, text) {
    await this.click(id);
    await this.engine.typeOver(text);
    await this.rest();
  }
}

const steps = {
  'every step of every lesson draws': async page => {
    const ids = async start => (await page.targets()).filter(t => t.id.startsWith(start) && !t.disabled).map(t => t.id.slice(start.length));
    let seen = 0;
    for (const lesson of await ids('nav.')) {
      await page.open('lesson=' + lesson);
      for (const step of await ids('step.')) {
        await page.open(`lesson=${lesson}&step=${step}`);
        assert.ok(await page.find('inspector'), step);
        seen++;
      }
    }
    assert.ok(seen >= 30);
  },
  'three matrices are dragged over, and the outputs match': async page => {
    await page.open('lesson=transfer');
    await page.drag('source.W_query.weight', 'slot.W_query');
    assert.ok(await page.find('refusal'));
    await page.click('other-way');
    for (const w of ['W_key', 'W_value']) {
      await page.click('op.' + w);
      await page.drag(`source.${w}.weight`, 'slot.' + w);
    }
    assert.equal((await page.find('verdict')).value, 'match');
  },
  'a cell is edited': async page => {
    await page.open('lesson=self-attention');
    const { x, y, w, h, rows, cols } = await page.find('matrix.inputs');
    await page.engine.doubleClick([x + w / cols / 2, y + h / rows / 2]);
    await page.rest();
    await page.engine.typeOver('0.75');
    await page.rest();
    assert.match(await page.query(), /edit=inputs\.0\.0:0\.75/);
  },
  'a sentence is typed, and its link opens again': async page => {
    await page.open('lesson=causal-mask');
    await page.type('input.text', 'every word has its turn');
    const query = await page.query();
    assert.match(query, /text=every\+word\+has\+its\+turn/);
    await page.click('share');
    await page.go(query);
    assert.equal(await page.query(), query);
    assert.ok(await page.find('token.4'));
    await page.go('');                               // a bare address opens what was last, where the engine keeps it
    const again = await page.query();
    assert.ok(again === query || again === '', again);
  },
  'a lost picture comes back': async page => {
    const error = await page.engine.evaluate(`new Promise(done => {
      const gl = document.getElementById('canvas').getContext('webgl2');
      const e = gl.getExtension('WEBGL_lose_context');
      e.loseContext();
      setTimeout(() => { e.restoreContext(); setTimeout(() => attentionLab.rest().then(() => done(gl.getError())), 400); }, 200);
    })`);
    assert.equal(error, 0);
  },
};

for (const name of names) {
  describe(name, () => {
    let engine;
    before(async () => { engine = await newEngine(name); });
    after(() => engine?.close());
    for (const from of ['served', 'as one file']) {
      for (const [what, does] of Object.entries(steps)) {
        test(`${name}, ${from}: ${what}`, { timeout: 120000 }, async () => {
          const page = new Page(engine, from === 'served' ? served : file);
          await page.go('');
          await does(page);
          assert.deepEqual(await engine.evaluate('attentionLab.errors()'), []);
        });
      }
    }
  });
}
