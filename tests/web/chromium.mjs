// Chromium, and the page served to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import puppeteer from 'puppeteer-core';

export const args = ['--no-sandbox', '--no-first-run', '--disable-quic', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb', '--disable-gpu-watchdog'];   // a busy machine is not a hung one

// What ./lab test has built.
export const built = {
  page: 'build/web',
  single: 'build/wasm/attention-lab.html',
  node: 'build/wasm/attention-lab.js',
  native: 'build/test/attention-lab',
};
export const executablePath = process.env.LAB_CHROMIUM ?? '/usr/bin/chromium';

let server, browser;

// Where the served page is; the server starts when it is first asked for.
export async function served() {
  if (!server) {
    server = spawn('node', ['web/serve.mjs', built.page, '8300']);
    server.address = String((await once(server.stdout, 'data'))[0]).match(/http:\S+/)[0];
  }
  return server.address;
}

export async function newPage() {
  browser ??= await puppeteer.launch({ executablePath, args });
  return browser.newPage();
}

export async function close() {
  await browser?.close();
  server?.kill();
}
