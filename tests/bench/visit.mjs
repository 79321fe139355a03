// One first visit: a browser that has never run before, so that nothing is cached, neither bytes nor compiled code.
import puppeteer from 'puppeteer-core';
import { args, executablePath } from '../web/chromium.mjs';

const longest = 60000;
// A middling phone or an old laptop on a slow line.
export const slow = { cpu: 4, network: { download: 9e6 / 8, upload: 9e6 / 8, latency: 170 } };

// Runs in the page, before anything of its own. The first result is had when the page says so. It is seen when the
// browser has shown the frame that it is in, which the browser tells only of elements: one is put into that frame.
function watch(names) {
  const mark = performance.mark.bind(performance);
  performance.mark = (name, ...more) => {
    const made = mark(name, ...more);
    if (names.includes(name)) {
      const sign = document.createElement('p');
      sign.textContent = '.';
      sign.setAttribute('elementtiming', 'sign');
      Object.assign(sign.style, { position: 'fixed', top: '0', left: '8px', zIndex: 9 });
      document.body.append(sign);
    }
    return made;
  };
  new PerformanceObserver(list => {
    for (const entry of list.getEntriesByName('text-paint')) {
      if (entry.identifier === 'sign') mark('shown', { startTime: entry.renderTime });
    }
  }).observe({ type: 'element', buffered: true });
}

// Runs in the page, afterwards; milliseconds since the navigation began.
async function times(names) {
  const is = name => performance.getEntriesByName(name, 'mark').length > 0;
  while (!is('shown')) await new Promise(resolve => setTimeout(resolve, 20));
  const at = name => performance.getEntriesByName(name, 'mark')[0]?.startTime;
  const parts = performance.getEntriesByType('resource');
  const come = pattern => Math.max(...parts.filter(part => pattern.test(part.name)).map(part => part.responseEnd));
  return {
    html: performance.getEntriesByType('navigation')[0].responseEnd,
    js: come(/\.js$/),
    wasm: come(/\.wasm$/),
    graphics: performance.getEntriesByName('graphics', 'measure')[0]?.duration,
    program: at('program'),
    ready: at(names.find(is)),
    shown: at('shown'),
    right: window.isRight ?? window.attentionLab?.errors().length === 0,
  };
}

// A browser that has just started is still busy with itself.
async function settle(page) {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  await new Promise(resolve => setTimeout(resolve, 300));
}

export async function visit(address, conditions = null) {
  const names = ['first-frame', 'first-result'];
  const browser = await puppeteer.launch({ executablePath, args });
  try {
    const [page] = await browser.pages();
    page.setDefaultTimeout(longest);
    const wrong = [];
    page.on('pageerror', e => wrong.push(String(e)));
    page.on('console', said => { if (said.type() === 'error') wrong.push(said.text()); });
    await page.setViewport({ width: 1600, height: 1000 });
    await page.evaluateOnNewDocument(watch, names);
    await settle(page);
    if (conditions) {
      await page.emulateCPUThrottling(conditions.cpu);
      await page.emulateNetworkConditions(conditions.network);
    }
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    const late = new Promise((_, reject) => setTimeout(reject, longest, Error('no result')).unref());
    const measured = await Promise.race([page.evaluate(times, names), late]).catch(e => { wrong.push(String(e)); });
    if (wrong.length > 0 || !measured.right) throw Error(`${address}: ${wrong.join('; ') || 'a wrong result'}`);
    return measured;
  } finally {
    await browser.close();
  }
}
