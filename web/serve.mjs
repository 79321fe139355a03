// node serve.mjs FOLDER [PORT]: serves a folder on 127.0.0.1, on that port or the next free one; prints the address.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { early, headers, ownPolicy } from './headers.mjs';

const root = path.resolve(process.argv[2]);
const firstPort = Number(process.argv[3] ?? 8000);
const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm', '.txt': 'text/plain; charset=utf-8',
};
function fileOf(url) {
  let name;
  try { name = decodeURIComponent(new URL(url, 'http://localhost').pathname); } catch { return null; }
  if (name.includes('\0')) return null;
  const file = path.join(root, name.endsWith('/') ? name + 'index.html' : name);
  if (!file.startsWith(root + path.sep) || path.basename(file).startsWith('_')) return null;
  try { return fs.statSync(file).isFile() ? file : null; } catch { return null; }   // also names that are none
}

// The compressed twin of a file, where there is one that is not older and that the browser takes.
function smallest(file, accepted) {
  for (const [ending, encoding] of [['.br', 'br'], ['.gz', 'gzip']]) {
    if (!new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)) continue;
    try {
      if (fs.statSync(file + ending).mtimeMs >= fs.statSync(file).mtimeMs) return [file + ending, encoding];
    } catch { /* no such twin */ }
  }
  return [file, ''];
}

function answer(request, response) {
  if (!['GET', 'HEAD'].includes(request.method)) return response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const file = fileOf(request.url);
  if (!file) return response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found\n');
  const [sent, encoding] = smallest(file, request.headers['accept-encoding'] ?? '');
  const { mtime, size } = fs.statSync(sent);
  const tag = `"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
  const all = { ...headers, 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream', ETag: tag, Vary: 'Accept-Encoding' };
  if (encoding) all['Content-Encoding'] = encoding;
  if (file.endsWith('.html')) all.Link = early(fs.readFileSync(file, 'utf8'));
  if (!all.Link) delete all.Link;
  if (path.basename(file) === ownPolicy) delete all['Content-Security-Policy'];
  if (request.headers['if-none-match'] === tag) return response.writeHead(304, all).end();
  response.writeHead(200, { ...all, 'Content-Length': size });
  if (request.method === 'HEAD') return response.end();
  pipeline(fs.createReadStream(sent), response, () => {});   // ends both, whichever breaks off
}

const server = http.createServer({ maxHeaderSize: 1 << 20 }, answer);   // links may be long
let port = firstPort;
server.on('error', error => {
  if (error.code !== 'EADDRINUSE' || ++port > firstPort + 100) throw error;
  server.listen(port, '127.0.0.1');
});
server.on('listening', () => console.log(`http://127.0.0.1:${server.address().port}/`));
server.listen(port, '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
