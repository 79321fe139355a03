// What each peer is asked for: the product of two small matrices, of the size of one head's work. Whole numbers, so
// that every engine must give the same to the last digit.
export const [rows, inner, columns] = [32, 64, 64];
export const left = Float32Array.from({ length: rows * inner }, (_, i) => i % 7 - 3);
export const right = Float32Array.from({ length: inner * columns }, (_, i) => i % 5 - 2);

function expected(row, column) {
  let sum = 0;
  for (let k = 0; k < inner; k++) sum += left[row * inner + k] * right[k * columns + column];
  return sum;
}

// The clock is read first; whether the numbers are right is seen to afterwards.
export function report(product) {
  performance.mark('first-result');
  document.body.append(`${product[0]}`);
  window.isRight = product.length === rows * columns
    && product.every((value, i) => value === expected(Math.floor(i / columns), i % columns));
}
