// One thread, because for a product as small as this a second one only takes time to start.
import { columns, inner, left, report, right, rows } from './work.js';

tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
tf.wasm.setWasmPaths(new URL('.', import.meta.url).href);
await tf.setBackend('wasm');
await tf.ready();
report(await tf.matMul(tf.tensor2d(left, [rows, inner]), tf.tensor2d(right, [inner, columns])).data());
