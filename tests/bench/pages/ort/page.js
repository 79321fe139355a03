// One thread, because for a product as small as this a second one only takes time to start.
import * as ort from './ort.js';
import { columns, inner, left, report, right, rows } from './work.js';

// ---- the model C = A·B, as the bytes of an ONNX file -----------------------------------------------------------

const utf8 = new TextEncoder();
// Fields of a protocol buffer: a number, or the bytes of a text or of a message. All lengths here are below 128.
const number = (field, value) => [field << 3, value];
const bytes = (field, content) => [field << 3 | 2, content.length, ...content];
const text = (field, value) => bytes(field, utf8.encode(value));

function matrix(field, name, ...sizes) {
  const shape = sizes.flatMap(size => bytes(1, number(1, size)));
  const tensor = [...number(1, 1), ...bytes(2, shape)];              // 1: float
  return bytes(field, [...text(1, name), ...bytes(2, bytes(1, tensor))]);
}
const node = [...text(1, 'A'), ...text(1, 'B'), ...text(2, 'C'), ...text(4, 'MatMul')];
const graph = [...bytes(1, node), ...text(2, 'g'), ...matrix(11, 'A', rows, inner), ...matrix(11, 'B', inner, columns),
  ...matrix(12, 'C', rows, columns)];
const model = Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13))]);

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = { wasm: new URL('ort-wasm-simd-threaded.wasm', import.meta.url).href };
const session = await ort.InferenceSession.create(model);
const { C } = await session.run({
  A: new ort.Tensor('float32', left, [rows, inner]),
  B: new ort.Tensor('float32', right, [inner, columns]),
});
report(C.data);
