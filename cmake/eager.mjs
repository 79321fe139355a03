// node eager.mjs SCRIPT.js: asks browsers to compile all its functions while it loads, beside the page's own thread, and
// not one after another when they are first called.
import fs from 'node:fs';

const [script] = process.argv.slice(2);
const hint = '//# allFunctionsCalledOnLoad\n';
const text = fs.readFileSync(script, 'utf8');
if (!text.startsWith(hint)) fs.writeFileSync(script, hint + text);
