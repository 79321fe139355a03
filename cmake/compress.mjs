// node compress.mjs FOLDER: puts a .br and a .gz beside each file that a page loads or may ask for, for servers that send those.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const folder = process.argv[2];
const ways = {
  br: data => zlib.brotliCompressSync(data, { params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 22, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
  gz: data => zlib.gzipSync(data, { level: 9 }),
};
for (const name of fs.readdirSync(folder).filter(name => /\.(html|js|css|wasm|bin)$/.test(name))) {
  const file = path.join(folder, name);
  for (const [ending, squeeze] of Object.entries(ways)) {
    const made = `${file}.${ending}`;
    if (fs.existsSync(made) && fs.statSync(made).mtimeMs >= fs.statSync(file).mtimeMs) continue;
    fs.writeFileSync(made, squeeze(fs.readFileSync(file)));
  }
}
