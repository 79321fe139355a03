// The page as it is served: loads without an error, under its own policy.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import puppeteer from 'puppeteer-core';

const flags = ['--no-sandbox', '--no-first-run', '--disable-quic', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

test('the served page starts', async () => {
  const server = spawn('node', ['web/serve.mjs', process.env.LAB_PAGE]);
  const address = String((await once(server.stdout, 'data'))[0]).match(/http:\S+/)[0];
  const browser = await puppeteer.launch({ executablePath: process.env.LAB_CHROMIUM, args: flags });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', e => errors.push(String(e)));
    page.on('console', m => { if (m.type() === 'error') errors.push(m.text()); });
    await page.goto(address);
    await page.waitForFunction(() => window.Module?.calledRun !== undefined || window.started, { timeout: 30000 });
    assert.deepEqual(errors, []);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  } finally {
    await browser.close();
    server.kill();
  }
});
