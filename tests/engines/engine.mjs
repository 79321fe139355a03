// A page in each of three browser engines, with the same hands: Chromium and Firefox by Puppeteer, WebKit by plain
// WebDriver. Firefox and WebKit have WebGL only on a display, so they get one that nobody sees.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import puppeteer from 'puppeteer-core';

const width = 1600;
const height = 1000;
const miniBrowser = process.env.LAB_MINIBROWSER ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

let display = null;
async function onDisplay() {                   // the environment of a program that opens a window
  if (!display) {
    display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', `${width + 40}x${height + 200}x24`], { stdio: ['ignore', 'pipe', 'ignore'] });
    display.name = ':' + String((await once(display.stdout, 'data'))[0]).trim();
  }
  return { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
}
export function noDisplay() { display?.kill(); }

// ---- Chromium and Firefox ------------------------------------------------------------------------------------

class Puppet {
  static async launch(options) {
    const puppet = new Puppet();
    puppet.browser = await puppeteer.launch({ args: [], ...options });
    puppet.page = await puppet.browser.newPage();
    await puppet.page.setViewport({ width, height });
    return puppet;
  }
  goto(address) { return this.page.goto(address); }
  evaluate(expression) { return this.page.evaluate(expression); }
  click(at) { return this.page.mouse.click(...at); }
  async doubleClick(at) { await this.page.mouse.click(...at, { count: 2 }); }
  async drag(from, to) {
    await this.page.mouse.move(...from);
    await this.page.mouse.down();
    await this.page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
    await this.page.mouse.move(...to, { steps: 3 });
    await this.page.mouse.up();
  }
  async typeOver(text) {                       // into the field that has the focus, instead of what it holds
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('a');
    await this.page.keyboard.up('Control');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }
  close() { return this.browser.close(); }
}

// ---- WebKit ----------------------------------------------------------------------------------------------------

const keys = { Control: '\uE009', Enter: '\uE007' };

class WebDriver {
  static async launch() {
    const driver = new WebDriver();
    const port = await freePort();
    driver.process = spawn('WebKitWebDriver', ['--port=' + port], { stdio: 'ignore', env: await onDisplay() });
    driver.root = `http://127.0.0.1:${port}`;
    await driver.until(() => driver.ask('GET', '/status'));
    const { sessionId } = await driver.ask('POST', '/session', { capabilities: { alwaysMatch: {
      browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] } } } });
    driver.root += '/session/' + sessionId;
    await driver.ask('POST', '/window/rect', { x: 0, y: 0, width, height: height + 60 });
    return driver;
  }
  async ask(method, path, body) {
    const answer = await fetch(this.root + path, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value?.error) throw Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }
  async until(works) {
    for (let tries = 0; ; tries++) {
      try { return await works(); } catch (e) { if (tries > 50) throw e; }
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
  goto(url) { return this.ask('POST', '/url', { url }); }
  async evaluate(expression) {
    const source = `const done = arguments[0]; Promise.resolve(${expression}).then(v => done([v ?? null]), e => done([null, String(e)]))`;
    const [value, error] = await this.ask('POST', '/execute/async', { script: source, args: [] });
    if (error) throw Error(error);
    return value;
  }
  mouse(...actions) {
    return this.ask('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
  }
  to([x, y]) { return { type: 'pointerMove', duration: 60, x: Math.round(x), y: Math.round(y) }; }
  down = { type: 'pointerDown', button: 0 };
  up = { type: 'pointerUp', button: 0 };
  click(at) { return this.mouse(this.to(at), this.down, this.up); }
  doubleClick(at) { return this.mouse(this.to(at), this.down, this.up, this.down, this.up); }
  drag(from, to) {
    return this.mouse(this.to(from), this.down, this.to([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), this.to(to), this.up);
  }
  async typeOver(text) {
    const press = key => [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }];
    const actions = [{ type: 'keyDown', value: keys.Control }, ...press('a'), { type: 'keyUp', value: keys.Control },
      ...[...text].flatMap(press), ...press(keys.Enter)];
    await this.ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }
  async close() {
    await this.ask('DELETE', '').catch(() => {});
    this.process.kill();
  }
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

// ---- all three -------------------------------------------------------------------------------------------------

const launch = {
  chromium: () => Puppet.launch({
    executablePath: process.env.LAB_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  }),
  firefox: async () => Puppet.launch({
    browser: 'firefox', executablePath: process.env.LAB_FIREFOX ?? '/usr/bin/firefox-esr', headless: false, env: await onDisplay(),
    extraPrefsFirefox: { 'webgl.force-enabled': true, 'app.update.enabled': false, 'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false, 'browser.shell.checkDefaultBrowser': false },
  }),
  webkit: () => WebDriver.launch(),
};
export const names = Object.keys(launch);
export const newEngine = name => launch[name]();
