// node dist.mjs PREFIX EMSCRIPTEN: dist/ for any static host, from build/web, with the single file and the licences.
import fs from 'node:fs';
import path from 'node:path';

const [prefix, emscripten] = process.argv.slice(2);
const made = 'dist.new';
fs.rmSync(made, { recursive: true, force: true });
fs.cpSync('build/web', made, { recursive: true });
fs.copyFileSync('build/wasm/attention-lab.html', path.join(made, 'attention-lab.html'));

// ---- headers, as Netlify, Cloudflare Pages and others read them ---------------------------------------------

const { headers } = await import('../web/headers.mjs');
const { 'Content-Security-Policy': policy, ...everywhere } = headers;
const block = (where, all) => [where, ...Object.entries(all).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
fs.writeFileSync(path.join(made, '_headers'), [
  block('/*', everywhere),
  block('/*.wasm', { 'Content-Type': 'application/wasm' }),
  // not for attention-lab.html, which brings its own: hosts add rules up, and some cannot take one back
  ...['/', '/index.html'].map(page => block(page, { 'Content-Security-Policy': policy })),
].join('\n\n') + '\n');

// ---- licences of what the page embeds, as the packages state them ---------------------------------------------

const docs = path.join(prefix, 'fonts/usr/share/doc');
const source = name => path.join(prefix, 'src', name);
const existing = (...files) => files.filter(f => f.startsWith(emscripten) || emscripten.startsWith(prefix)).filter(f => fs.existsSync(f));
const licences = [
  ['Attention Lab', 'LICENSE'],
  ['Inter', path.join(docs, 'fonts-inter/copyright')],
  ['JetBrains Mono', path.join(docs, 'fonts-jetbrains-mono/copyright')],
  ['DejaVu Sans', path.join(docs, 'fonts-dejavu-core/copyright')],
  ['Dear ImGui', path.join(source('imgui'), 'LICENSE.txt')],
  ['SDL', path.join(source('sdl2'), 'LICENSE.txt')],
  ['Eigen', path.join(source('eigen'), 'COPYING.MPL2')],
  ['JSON for Modern C++', path.join(source('json'), 'LICENSE.MIT')],
  // Debian's file holds all of Emscripten's parts; upstream's are beside the parts
  ['Emscripten with compiler-rt, libc++ and libc++abi', ...existing(
    path.join(prefix, 'emscripten/root/usr/share/doc/emscripten/copyright'), path.join(emscripten, 'LICENSE'),
    path.join(emscripten, 'system/lib/compiler-rt/LICENSE.TXT'), path.join(emscripten, 'system/lib/libcxx/LICENSE.TXT'))],
  ['musl', path.join(emscripten, 'system/lib/libc/musl/COPYRIGHT')],
];
const text = file => fs.readFileSync(file, 'utf8').trim();
const rule = '='.repeat(100);
fs.writeFileSync(path.join(made, 'LICENSES.txt'),
  'What this page is made of, and under which licences.\n'
  + licences.map(([name, ...files]) => `\n${rule}\n${name}\n${rule}\n\n${files.map(text).join('\n\n')}\n`).join(''));

fs.rmSync('dist', { recursive: true, force: true });
fs.renameSync(made, 'dist');
