// node single_file.mjs PAGE_FOLDER OUT.html: the page as one file. Its policy allows each inline block by its hash
// and nothing else; nothing is fetched.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const [web, out] = process.argv.slice(2);
const inlineScript = code => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const hash = text => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;
const read = file => fs.readFileSync(file, 'utf8');

let html = read(path.join(web, 'index.html'));
const hashes = { script: [], style: [] };

function replace(pattern, kind, content) {
  if (!pattern.test(html)) throw Error(`index.html has nothing like ${pattern}`);
  html = html.replace(pattern, (_, file) => {     // a function, or $& in the code would be a pattern
    const text = content(file);
    hashes[kind].push(hash(text));
    return `<${kind}>${text}</${kind}>`;
  });
}

html = html.replace(/<link rel="preload"[^>]*>\n?/g, '');
replace(/<link rel="stylesheet" href="([^"]+)">/g, 'style', file => read(path.join(web, file)));
// In letters what lab.js takes from Module instead of fetching it: the program itself, and the vocabulary when asked.
const bytes = name => `Uint8Array.from(atob("${fs.readFileSync(path.join(web, name)).toString('base64')}"), c => c.charCodeAt(0))`;
// The vocabulary is unpacked when it is asked for, so it may be packed.
const packed = `new Blob([${bytes('vocabulary.bin.gz')}]).stream().pipeThrough(new DecompressionStream('gzip'))`;
const program = `Module.wasmBinary = ${bytes('lab.wasm')};\n`
  + `Module.page.vocabulary = async () => new Uint8Array(await new Response(${packed}).arrayBuffer());\n`;
replace(/<script src="([^"]+)"><\/script>/g, 'script',
  file => inlineScript((file === 'lab.js' ? program : '') + read(path.join(web, file))));

const policy = `default-src 'none'; script-src ${hashes.script.join(' ')} 'wasm-unsafe-eval'; `
  + `style-src ${hashes.style.join(' ')}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const meta = /(<meta http-equiv="Content-Security-Policy" content=")[^"]*/;
if (!meta.test(html)) throw Error('index.html has no policy');
html = html.replace(meta, (_, start) => start + policy);
fs.writeFileSync(out, html);
