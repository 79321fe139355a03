// The pages that are compared, put together under build/bench/pages: the lab, its bytes alone, and the peers, each as
// small as it can be had and helped as the lab helps itself: compressed beforehand, its parts named in the head.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const made = 'build/bench/pages';
const packages = 'build/bench/node_modules';
const ours = 'build/web';

const peers = {
  ort: {
    'ort.js': 'onnxruntime-web/dist/ort.wasm.bundle.min.mjs',
    'ort-wasm-simd-threaded.wasm': 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  },
  tfjs: {
    'tf-core.js': '@tensorflow/tfjs-core/dist/tf-core.min.js',
    'tf-backend-wasm.js': '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js',
    'tfjs-backend-wasm-simd.wasm': '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
  },
};

// Only what changed, because to compress the largest part takes a minute.
function put(from, folder, name = path.basename(from)) {
  const to = path.join(made, folder, name);
  if (fs.existsSync(to) && fs.readFileSync(to).equals(fs.readFileSync(from))) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to);
}
const filesIn = (folder, pattern = /./) =>
  fs.readdirSync(folder).filter(name => pattern.test(name)).map(name => path.join(folder, name));

function sources(folder) {
  for (const file of filesIn(path.join('tests/bench/pages', folder))) put(file, folder);
}

// The folder to serve, with a page in each of lab, bare, ort and tfjs.
export function makePages() {
  const page = /\.(html|css|js|wasm)$/;
  for (const file of filesIn(ours, page)) {
    put(file, 'lab');
    put(file, 'bare', path.basename(file) === 'index.html' ? 'lab.html' : undefined);
  }
  sources('bare');
  for (const [folder, parts] of Object.entries(peers)) {
    sources(folder);
    put('tests/bench/pages/work.js', folder);
    for (const [name, from] of Object.entries(parts)) put(path.join(packages, from), folder, name);
  }
  for (const folder of fs.readdirSync(made)) execFileSync('node', ['cmake/compress.mjs', path.join(made, folder)]);
  return made;
}

// What the browser gets for a page: all its files, as they are sent.
export const bytesOf = folder =>
  filesIn(path.join(made, folder), /\.br$/).reduce((sum, file) => sum + fs.statSync(file).size, 0);
