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

// ---- licences of what the page embeds, as its parts state them ------------------------------------------------

const text = file => fs.readFileSync(file, 'utf8').trim();
const source = (name, file) => text(path.join(prefix, 'src', name, file));
const common = name => text(path.join(prefix, 'fonts/usr/share/common-licenses', name));

// Debian's account of Emscripten is about all of it: take the libraries that get linked, and the licences they name.
function emscriptenLicences() {
  const debian = path.join(prefix, 'emscripten/root/usr/share/doc/emscripten/copyright');
  if (!emscripten.startsWith(prefix)) {
    return ['LICENSE', 'system/lib/compiler-rt/LICENSE.TXT', 'system/lib/libcxx/LICENSE.TXT']
      .map(file => text(path.join(emscripten, file))).join('\n\n');
  }
  const paragraphs = text(debian).split(/\n\n+/);
  const files = paragraphs.filter(p => /^Files:\s+(\*\n|system\/lib\/(compiler-rt|libcxx|libcxxabi)\/)/.test(p));
  const named = paragraphs.filter(p => /^License: (Expat|NCSA~Mozilla)\n/.test(p));
  return [...files, ...named, common('Apache-2.0')].join('\n\n');
}

const licences = [
  ['Attention Lab', text('LICENSE')],
  ['Fonts: parts of Inter, JetBrains Mono and DejaVu Sans', text('build/wasm/generated/fonts.txt')],
  ['SIL Open Font License, of the first two', common('OFL-1.1')],
  ['Dear ImGui', source('imgui', 'LICENSE.txt')],
  ['SDL', source('sdl2', 'LICENSE.txt')],
  ['Eigen', source('eigen', 'COPYING.MPL2')],
  ['JSON for Modern C++', source('json', 'LICENSE.MIT')],
  ['Emscripten with compiler-rt, libc++ and libc++abi', emscriptenLicences()],
  ['musl, the C library of Emscripten', text(path.join(emscripten, 'system/lib/libc/musl/COPYRIGHT'))],
];
const rule = '='.repeat(100);
fs.writeFileSync(path.join(made, 'LICENSES.txt'), 'What this page is made of, and under which licences.\n'
  + licences.map(([name, words]) => `\n${rule}\n${name}\n${rule}\n\n${words}\n`).join(''));

fs.rmSync('dist', { recursive: true, force: true });
fs.renameSync(made, 'dist');
