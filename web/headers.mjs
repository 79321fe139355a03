// What every answer carries, from the local server and from a static host (dist/_headers).
export const headers = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    + "connect-src 'self'; img-src data: blob:; font-src 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',       // a course page may frame the lab
  'Access-Control-Allow-Origin': '*',                   // … and in a sandbox it comes from no origin at all
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
// What a page asks its browser to fetch at once: said with the answer, the browser hears it before it has read the page.
export function early(html) {
  const parts = [...html.matchAll(/<link rel="preload" href="([^"]+)" as="(\w+)"(?: type="[^"]+")?( crossorigin)?>/g)];
  return parts.map(([, href, as, crossorigin]) => `<${href}>; rel=preload; as=${as}${crossorigin ? '; crossorigin' : ''}`).join(', ');
}
// The single file brings its own policy: what is inline in it is allowed by hash.
export const ownPolicy = 'attention-lab.html';
