// node start.mjs BENCH.json [ROUNDS]: from navigation to the first drawn lesson, beside a page that fetches the same
// bytes and does nothing with them, and beside the first matrix product of onnxruntime-web and of tfjs-core. All come
// from web/serve.mjs. Software draws here (SwiftShader, on the same cores): most of what a graphics card would do in
// no time is part of what is measured, for every page as much as it draws. No test asks for a time: machines differ.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { keep, table, timesOf } from './figures.mjs';
import { bytesOf, makePages } from './pages.mjs';
import { slow, visit } from './visit.mjs';

const [file, rounds = '9'] = process.argv.slice(2);
const pages = {
  lab: 'first drawn lesson',
  bare: 'the same bytes, unused',
  ort: 'onnxruntime-web, a product',
  tfjs: 'tfjs-core, a product',
};
const peers = ['ort', 'tfjs'];
const folders = Object.keys(pages);

// In turns, so that what else the machine does falls on all of them.
async function measure(address, times, conditions) {
  const seen = Object.fromEntries(folders.map(folder => [folder, []]));
  for (let round = 0; round < times; round++) {
    for (const folder of folders) seen[folder].push(await visit(`${address}${folder}/`, conditions));
  }
  return seen;
}

// Each moment of a page's visits by itself.
const summary = visits => Object.fromEntries(['html', 'js', 'wasm', 'graphics', 'program', 'ready', 'shown']
  .filter(moment => visits.every(visit => Number.isFinite(visit[moment])))
  .map(moment => [moment, timesOf(visits.map(visit => visit[moment]))]));

const whole = ms => ms.toFixed(0);
const text = ({ median_ms, quartiles_ms }) => `${whole(median_ms)} (${quartiles_ms.map(whole).join('–')})`;

function print(title, measured) {
  const lab = measured.lab.shown.median_ms;
  console.log(table([
    [title, 'had, ms (half of all)', 'shown, ms', 'lab / it', 'kB'],
    ...folders.map(folder => [pages[folder], text(measured[folder].ready), text(measured[folder].shown),
      (lab / measured[folder].shown.median_ms).toFixed(2), whole(bytesOf(folder) / 1000)]),
  ]));
  const at = moment => whole(measured.lab[moment].median_ms);
  console.log(`start: html ${at('html')} ms, js ${at('js')}, wasm ${at('wasm')}, runs ${at('program')}, `
    + `first frame ${at('ready')}, shown ${at('shown')}; ${at('graphics')} ms of it waiting for a graphics context`);
}

const summaries = measured => Object.fromEntries(folders.map(folder => [folder, summary(measured[folder])]));

const server = spawn('node', ['web/serve.mjs', makePages(), '8500']);
try {
  const address = String((await once(server.stdout, 'data'))[0]).match(/http:\S+/)[0];
  const quick = summaries(await measure(address, Number(rounds), null));
  print('first visit', quick);
  const slowly = summaries(await measure(address, Math.ceil(Number(rounds) / 3), slow));
  print('CPU/4, 9 Mbit/s, 170 ms', slowly);
  const first = peers.every(peer => quick.lab.ready.median_ms < quick[peer].ready.median_ms);
  console.log(`the lab is ${first ? '' : 'not '}first; on the slow line its first lesson is drawn after `
    + `${(slowly.lab.ready.median_ms / 1000).toFixed(2)} s (at most 1.5 s are wanted)`);
  keep(file, 'start', { rounds: Number(rounds), first_visit: quick, slow: { ...slow, ...slowly } });
} finally {
  server.kill();
}
