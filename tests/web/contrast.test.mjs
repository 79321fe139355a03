// Systems that ask for more contrast, or force their own colours on every page.
import assert from 'node:assert/strict';
import { browserTest } from './browser.mjs';

const features = {
  plain: [],
  contrast: [{ name: 'prefers-contrast', value: 'more' }],
  forced: [{ name: 'forced-colors', value: 'active' }],
};

browserTest('forced colours are heard: the picture is that of more contrast', { query: 'lesson=causal-mask&step=zero', ratio: 1 }, async lab => {
  const cdp = await lab.page.createCDPSession();
  const ask = async (wishes, dark) => {
    await cdp.send('Emulation.setEmulatedMedia', { features: [...features[wishes], { name: 'prefers-reduced-motion', value: 'reduce' },
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    await lab.page.waitForFunction(theme => document.documentElement.dataset.theme === theme, {}, dark ? 'dark' : 'light');
    await lab.page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    await lab.rest();
    return Buffer.from(await lab.picture()).toString('base64');
  };
  for (const dark of [false, true]) {
    const plain = await ask('plain', dark), contrast = await ask('contrast', dark), forced = await ask('forced', dark);
    assert.notEqual(contrast, plain);
    assert.ok(forced === contrast, `forced colours are another picture, ${dark ? 'dark' : 'light'}`);
  }
  await cdp.detach();
});

browserTest('where colours are forced a field still shows the picture when it rests, and its ring when it is typed into', {}, async lab => {
  const cdp = await lab.page.createCDPSession();
  await cdp.send('Emulation.setEmulatedMedia', { features: features.forced });
  const look = () => lab.page.$eval('[data-id="input.text"]', e => {
    const { color, backgroundColor, boxShadow } = getComputedStyle(e);
    return { color, backgroundColor, boxShadow };
  });
  const clear = 'rgba(0, 0, 0, 0)';
  assert.deepEqual(await look(), { color: clear, backgroundColor: clear, boxShadow: 'none' });
  await lab.click('input.text');
  const typing = await look();
  assert.notEqual(typing.color, clear);
  assert.notEqual(typing.backgroundColor, clear);
  assert.match(typing.boxShadow, /inset/);
  await cdp.send('Emulation.setEmulatedMedia', { features: [] });
  await cdp.detach();
});
